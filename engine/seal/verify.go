//go:build !js

package seal

import "crypto/ed25519"

// verify is Ed25519 (RFC 8032, without the cofactor).
func verify(public, message, signature []byte) bool {
	return ed25519.Verify(public, message, signature)
}
