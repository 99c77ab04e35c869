package screen

import (
	"encoding/base64"
	"strings"
	"unicode/utf8"
)

// naiveBase64 decodes a token with the standard library, left-over bits and all.
func naiveBase64(token string) ([]uint16, bool) {
	encoding := base64.RawStdEncoding
	if strings.ContainsAny(token, "-_") {
		encoding = base64.RawURLEncoding
	}
	raw, err := encoding.DecodeString(token)
	if err != nil || !utf8.Valid(raw) {
		return nil, false
	}
	for _, r := range string(raw) {
		if r < 0x20 && r != '\t' && r != '\n' && r != '\r' || r >= 0x7f && r < 0xa0 {
			return nil, false
		}
	}
	return utf16(string(raw)), true
}
