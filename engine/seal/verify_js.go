package seal

// verify is Ed25519 (RFC 8032, without the cofactor).
func verify(public, message, signature []byte) bool {
	return verifyByCurve(public, message, signature)
}
