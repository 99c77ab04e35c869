package jsonvalue

import "unicode/utf8"

// CompareUTF16 orders two WTF-8 texts by their UTF-16 code units, as
// JavaScript's < does on strings: negative, zero or positive.
//
// The order of bytes is the order of code points, and that differs from the
// order of code units in one place only: an astral character is a surrogate
// pair (D800 to DFFF), which sorts before U+E000 to U+FFFF.
func CompareUTF16(a, b string) int {
	n := min(len(a), len(b))
	for i := range n {
		if x, y := a[i], b[i]; x != y {
			if x >= 0xED && y >= 0xED && (x >= 0xF0) != (y >= 0xF0) {
				if x >= 0xF0 {
					return compareAstral(a[i:], b[i:])
				}
				return -compareAstral(b[i:], a[i:])
			}
			return int(x) - int(y)
		}
	}
	return len(a) - len(b)
}

// compareAstral compares a text that begins with an astral character to one
// that begins with a character of U+D000 to U+FFFF, lone surrogates included.
func compareAstral(astral, bmp string) int {
	high, low := surrogates(astral)
	unit := int(bmp[0]&0x0F)<<12 | int(bmp[1]&0x3F)<<6 | int(bmp[2]&0x3F)
	if high != unit {
		return high - unit
	}
	if len(bmp) == 3 {
		return 1
	}
	// A lone high surrogate equals the pair's first half: what follows it decides,
	// and that is never a low surrogate, else the two would have been joined.
	next, _ := nextUnit(bmp[3:])
	return low - next
}

func surrogates(astral string) (high, low int) {
	r, _ := utf8.DecodeRuneInString(astral)
	v := int(r) - 0x10000
	return 0xD800 + v>>10, 0xDC00 + v&0x3FF
}

// nextUnit returns the first UTF-16 code unit of a WTF-8 text and the length of
// the character that it belongs to.
func nextUnit(s string) (unit, size int) {
	switch c := s[0]; {
	case c < 0x80:
		return int(c), 1
	case c < 0xE0:
		return int(c&0x1F)<<6 | int(s[1]&0x3F), 2
	case c < 0xF0:
		return int(c&0x0F)<<12 | int(s[1]&0x3F)<<6 | int(s[2]&0x3F), 3
	}
	high, _ := surrogates(s)
	return high, 4
}

// UTF16Len returns the number of UTF-16 code units of a WTF-8 text: what
// JavaScript calls its length.
func UTF16Len(s string) int {
	n := 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c&0xC0 == 0x80: // a continuation byte: counted with its lead
		case c >= 0xF0:
			n += 2
		default:
			n++
		}
	}
	return n
}

// ToValid returns a text with U+FFFD in the place of every byte that is no
// UTF-8, for showing what could not be read.
func ToValid(s string) string {
	out := make([]byte, 0, len(s))
	for _, r := range s {
		out = utf8.AppendRune(out, r)
	}
	return string(out)
}
