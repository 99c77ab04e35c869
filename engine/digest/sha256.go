package digest

import "math/bits"

// In the browser's bundle crypto/sha256 costs 96 KB compressed (it brings the
// FIPS module, os and time) and a fifth more time than the rounds written out.
// So js/wasm has this function, and the host the standard one, which knows the
// processor's instructions. Tests hold both to each other everywhere.

var roundConstants = [64]uint32{
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
	0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
	0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
	0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
	0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
	0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
	0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
	0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
}

const (
	blockSize = 64
	piece     = 64 * blockSize
)

// sha256Of is SHA-256 (FIPS 180-4).
func sha256Of(data []byte) (sum Sum) {
	h := [8]uint32{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}
	whole := len(data) &^ (blockSize - 1)
	// In pieces: a browser replaces slow code by fast code between two calls only.
	for from := 0; from < whole; from += piece {
		compress(&h, data[from:min(from+piece, whole)])
	}
	var tail [2 * blockSize]byte
	n := copy(tail[:], data[whole:])
	tail[n] = 0x80
	end := blockSize
	if n+9 > blockSize {
		end = 2 * blockSize
	}
	for i, length := 0, uint64(len(data))<<3; i < 8; i++ {
		tail[end-1-i] = byte(length >> (8 * i))
	}
	compress(&h, tail[:end])
	for i, v := range h {
		sum[4*i], sum[4*i+1], sum[4*i+2], sum[4*i+3] = byte(v>>24), byte(v>>16), byte(v>>8), byte(v)
	}
	return sum
}

// compress works whole blocks into the state. Eight rounds are written out a
// step, so that the eight working variables change names and not places.
func compress(state *[8]uint32, data []byte) {
	var w [64]uint32
	for ; len(data) >= blockSize; data = data[blockSize:] {
		block := data[:blockSize]
		for i := range 16 {
			w[i] = uint32(block[4*i])<<24 | uint32(block[4*i+1])<<16 | uint32(block[4*i+2])<<8 | uint32(block[4*i+3])
		}
		for i := 16; i < 64; i++ {
			a, b := w[i-15], w[i-2]
			w[i] = w[i-16] + (bits.RotateLeft32(a, -7) ^ bits.RotateLeft32(a, -18) ^ a>>3) +
				w[i-7] + (bits.RotateLeft32(b, -17) ^ bits.RotateLeft32(b, -19) ^ b>>10)
		}
		a, b, c, d, e, f, g, h := state[0], state[1], state[2], state[3], state[4], state[5], state[6], state[7]
		for i := 0; i < 64; i += 8 {
			d, h = round(a, b, c, d, e, f, g, h, roundConstants[i]+w[i])
			c, g = round(h, a, b, c, d, e, f, g, roundConstants[i+1]+w[i+1])
			b, f = round(g, h, a, b, c, d, e, f, roundConstants[i+2]+w[i+2])
			a, e = round(f, g, h, a, b, c, d, e, roundConstants[i+3]+w[i+3])
			h, d = round(e, f, g, h, a, b, c, d, roundConstants[i+4]+w[i+4])
			g, c = round(d, e, f, g, h, a, b, c, roundConstants[i+5]+w[i+5])
			f, b = round(c, d, e, f, g, h, a, b, roundConstants[i+6]+w[i+6])
			e, a = round(b, c, d, e, f, g, h, a, roundConstants[i+7]+w[i+7])
		}
		state[0] += a
		state[1] += b
		state[2] += c
		state[3] += d
		state[4] += e
		state[5] += f
		state[6] += g
		state[7] += h
	}
}

// round returns what becomes of d and of h in one round.
func round(a, b, c, d, e, f, g, h, k uint32) (uint32, uint32) {
	t := h + k + (bits.RotateLeft32(e, -6) ^ bits.RotateLeft32(e, -11) ^ bits.RotateLeft32(e, -25)) + (g ^ e&(f^g))
	return d + t, t + (bits.RotateLeft32(a, -2) ^ bits.RotateLeft32(a, -13) ^ bits.RotateLeft32(a, -22)) + (a&b | c&(a|b))
}
