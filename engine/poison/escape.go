package poison

import (
	"strings"
	"unicode/utf8"
)

// unescape reads the escapes \uXXXX, \u{X} and \xXX of a text that spells them out, and says whether there were any. A
// code that is no character stays as it is. Pairs of surrogates are one character.
func unescape(text string) (string, bool) {
	at := nextEscape(text, 0)
	if at < 0 {
		return text, false
	}
	out := make([]byte, 0, len(text))
	copied := 0
	for ; at >= 0; at = nextEscape(text, at) {
		r, size := escapeAt(text[at:])
		if size == 0 {
			at += 2
			continue
		}
		if low, more := escapeAt(text[at+size:]); r >= 0xD800 && r < 0xDC00 && low >= 0xDC00 && low <= 0xDFFF {
			r = 0x10000 + (r-0xD800)<<10 + low - 0xDC00
			size += more
		}
		if r < 0xD800 || r > 0xDFFF {
			out = append(out, text[copied:at]...)
			out = utf8.AppendRune(out, r)
			copied = at + size
		}
		at += size
	}
	if copied == 0 {
		return text, false
	}
	return string(append(out, text[copied:]...)), true
}

// nextEscape returns the next place of \u or \x, or -1.
func nextEscape(text string, from int) int {
	for from < len(text) {
		i := strings.IndexByte(text[from:], '\\')
		if i < 0 || from+i+1 >= len(text) {
			return -1
		}
		from += i
		if c := text[from+1] | 0x20; c == 'u' || c == 'x' {
			return from
		}
		from++
	}
	return -1
}

// escapeAt reads the escape that a text begins with; size 0 says that it is none.
func escapeAt(text string) (r rune, size int) {
	if len(text) < 3 || text[0] != '\\' {
		return 0, 0
	}
	from, digits := 2, 4
	switch {
	case text[1] == 'x':
		digits = 2
	case text[1] == 'U':
		digits = 8
	case text[1] != 'u':
		return 0, 0
	case text[2] == '{':
		from, digits = 3, strings.IndexByte(text[:min(len(text), 10)], '}')-3
		size = 1
	}
	if digits < 1 || len(text) < from+digits+size {
		return 0, 0
	}
	for i := from; i < from+digits; i++ {
		d := unhex(text[i])
		if d < 0 || r > utf8.MaxRune {
			return 0, 0
		}
		r = r<<4 | d
	}
	if r > utf8.MaxRune {
		return 0, 0
	}
	return r, from + digits + size
}

func unhex(c byte) rune {
	switch {
	case c >= '0' && c <= '9':
		return rune(c - '0')
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return rune(c|0x20-'a') + 10
	}
	return -1
}
