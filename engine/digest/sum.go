//go:build !js

package digest

import "crypto/sha256"

// SumOf returns the SHA-256 of some bytes.
func SumOf(data []byte) Sum { return sha256.Sum256(data) }
