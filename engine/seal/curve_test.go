package seal

import (
	"crypto/ed25519"
	"crypto/sha512"
	"math/rand/v2"
	"testing"
)

func TestSHA512AtEveryLength(t *testing.T) {
	data := make([]byte, 400)
	for i := range data {
		data[i] = byte(i * 11)
		if got, want := sha512Of(data[:i]), sha512.Sum512(data[:i]); got != want {
			t.Fatalf("%d bytes: got %x, want %x", i, got, want)
		}
	}
}

// The two verifiers must agree on everything: honest signatures, each bit of
// them flipped, keys that are no points, scalars that are not reduced, points of
// small order.
func TestVerifiersAgree(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	private, key := newKey('a')
	message := []byte("a report")
	signature := ed25519.Sign(private, message)
	check := func(public, message, signature []byte, about string) {
		t.Helper()
		if got, want := verifyByCurve(public, message, signature), ed25519.Verify(public, message, signature); got != want {
			t.Errorf("%s: the curve says %v, the library %v", about, got, want)
		}
	}
	if !verifyByCurve(key.Public, message, signature) {
		t.Fatal("an honest signature is refused")
	}
	for i := range len(signature) * 8 {
		altered := append([]byte(nil), signature...)
		altered[i/8] ^= 1 << (i % 8)
		check(key.Public, message, altered, "a flipped bit of the signature")
	}
	for i := range 256 {
		public := append([]byte(nil), key.Public...)
		public[i/8] ^= 1 << (i % 8)
		check(public, message, signature, "a flipped bit of the key")
	}
	for range 200 {
		public, s := make([]byte, 32), make([]byte, 64)
		for i := range s {
			s[i] = byte(r.Uint32())
			public[i/2] = byte(r.Uint32())
		}
		check(public, message, s, "random bytes")
	}
	for _, point := range smallOrder {
		for _, other := range smallOrder {
			forged := append([]byte(other), make([]byte, 32)...)
			check([]byte(point), message, forged, "points of small order")
		}
	}
	// S plus the group's order: malleated, and refused by both.
	order := []byte{0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde, 0x14, 31: 0x10}
	malleated := append([]byte(nil), signature...)
	carry := 0
	for i, b := range order {
		carry += int(malleated[32+i]) + int(b)
		malleated[32+i] = byte(carry)
		carry >>= 8
	}
	check(key.Public, message, malleated, "S plus the order")
	if verifyByCurve(key.Public, message, malleated) {
		t.Error("a malleated signature is accepted")
	}
	check(key.Public, message, signature[:63], "a short signature")
}
