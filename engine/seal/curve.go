package seal

import "filippo.io/edwards25519"

// In the browser's bundle crypto/ed25519 brings the whole FIPS module with it,
// 90 KB compressed more than the curve's own package and a hash. So js/wasm
// verifies with these, and the host with the standard library; tests hold both
// to each other everywhere.

// verifyByCurve checks that R is what the signature's S, the key and the
// message give, by comparing the encodings: as crypto/ed25519 does, so that the
// two accept the same signatures.
func verifyByCurve(public, message, signature []byte) bool {
	if len(public) != publicKeySize || len(signature) != signatureSize {
		return false
	}
	key, err := new(edwards25519.Point).SetBytes(public)
	if err != nil {
		return false
	}
	s, err := edwards25519.NewScalar().SetCanonicalBytes(signature[32:])
	if err != nil {
		return false
	}
	hashed := make([]byte, 0, 64+len(message))
	hashed = append(append(append(hashed, signature[:32]...), public...), message...)
	sum := sha512Of(hashed)
	k, err := edwards25519.NewScalar().SetUniformBytes(sum[:])
	if err != nil {
		return false
	}
	r := new(edwards25519.Point).VarTimeDoubleScalarBaseMult(k, key.Negate(key), s)
	return string(r.Bytes()) == string(signature[:32])
}
