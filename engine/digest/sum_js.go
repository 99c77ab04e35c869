package digest

// SumOf returns the SHA-256 of some bytes.
func SumOf(data []byte) Sum { return sha256Of(data) }
