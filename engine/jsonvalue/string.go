package jsonvalue

import (
	"math/bits"
	"strings"
	"unicode/utf8"
)

// plain says which bytes stand for themselves inside a string: all but the
// quote, the backslash and the controls.
func plain(c byte) bool { return c >= 0x20 && c != '"' && c != '\\' }

// Eight bytes at a time: one bit in each, and the highest of each.
const (
	ones = 0x0101010101010101
	tops = 0x8080808080808080
)

func load(s string, i int) uint64 {
	s = s[i : i+8] // one check of bounds, and then one load
	i = 0
	return uint64(s[i]) | uint64(s[i+1])<<8 | uint64(s[i+2])<<16 | uint64(s[i+3])<<24 |
		uint64(s[i+4])<<32 | uint64(s[i+5])<<40 | uint64(s[i+6])<<48 | uint64(s[i+7])<<56
}

// notPlain flags the bytes that are not plain by their highest bits. The lowest
// flag is true; a borrow can only set false ones above it.
func notPlain(w uint64) uint64 {
	quote, backslash := w^ones*'"', w^ones*'\\'
	return ((w-ones*0x20)&^w | (quote-ones)&^quote | (backslash-ones)&^backslash) & tops
}

// plainRun returns the place of the first byte from i on that is not plain. Most
// of a manifest is text, so eight bytes are looked at together.
func plainRun(s string, i int) int {
	for ; i+8 <= len(s); i += 8 {
		if m := notPlain(load(s, i)); m != 0 {
			return i + bits.TrailingZeros64(m)/8
		}
	}
	for i < len(s) && plain(s[i]) {
		i++
	}
	return i
}

// string reads a string at its quote.
func (p *parser) string(src string, i int) (int, error) {
	start := i + 1
	i = plainRun(src, start)
	if at(src, i) == '"' {
		p.leaf(leafNode(String, asWritten, start, i))
		return i + 1, nil
	}
	return p.escapedString(src, start, i)
}

// escapedString reads on from the first byte that is not plain. It joins
// surrogate pairs, keeps lone surrogates (R6), and notices whether the source's
// own escapes are the canonical ones, so that most texts are never spelled anew.
func (p *parser) escapedString(src string, start, i int) (int, error) {
	text := append(p.scratch[:0], src[start:i]...)
	canonical := true
	high := -1 // where in text a high surrogate stands that ended the last escape
	for at(src, i) != '"' {
		switch {
		case i == len(src):
			return i, p.fail(i, "expected '\"' at the end of the string")
		case src[i] < 0x20:
			return i, p.fail(i, "expected no control character inside a string: it must be escaped")
		}
		unit, size, err := p.escape(src, i)
		if err != nil {
			return i, err
		}
		switch {
		case unit < 0x80:
			text = append(text, byte(unit))
			canonical = canonical && canonicalEscape(src[i:i+size], unit)
			high = -1
		case high >= 0 && unit >= 0xDC00 && unit <= 0xDFFF:
			text = utf8.AppendRune(text[:high], joined(text[high:], unit))
			canonical = false
			high = -1
		default:
			canonical = canonical && canonicalEscape(src[i:i+size], unit)
			high = -1
			if unit >= 0xD800 && unit <= 0xDBFF {
				high = len(text)
			}
			text = appendUnit(text, unit)
		}
		i += size
		from := i
		if i = plainRun(src, i); i > from {
			text = append(text, src[from:i]...)
			high = -1
		}
	}
	flags := uint32(escaped)
	if canonical {
		flags |= asWritten
	}
	p.leaf(indexNode(String, flags, start, len(p.doc.escaped)))
	p.doc.escaped = append(p.doc.escaped, escapedText{uint32(i), p.decoded.keep(text)})
	p.scratch = text
	return i + 1, nil
}

// escape reads the escape at a place: the code unit it stands for, and its
// length.
func (p *parser) escape(src string, i int) (unit, size int, err error) {
	if i+1 == len(src) {
		return 0, 0, p.fail(i+1, "expected the rest of an escape")
	}
	switch c := src[i+1]; c {
	case '"', '\\', '/':
		return int(c), 2, nil
	case 'b':
		return '\b', 2, nil
	case 'f':
		return '\f', 2, nil
	case 'n':
		return '\n', 2, nil
	case 'r':
		return '\r', 2, nil
	case 't':
		return '\t', 2, nil
	case 'u':
		for k := i + 2; k < i+6; k++ {
			d := hexValue(at(src, k))
			if d < 0 {
				return 0, 0, p.fail(k, "expected four hexadecimal digits after \\u")
			}
			unit = unit<<4 | d
		}
		return unit, 6, nil
	}
	return 0, 0, p.fail(i+1, "expected one of \" \\ / b f n r t u after the backslash")
}

// texts keeps many short texts in few allocations.
type texts struct{ chunk strings.Builder }

const minChunk, maxChunk = 1 << 10, 32 << 10

func (t *texts) keep(text []byte) string {
	if t.chunk.Cap()-t.chunk.Len() < len(text) {
		size := max(minChunk, min(maxChunk, 2*t.chunk.Cap()), len(text))
		t.chunk = strings.Builder{}
		t.chunk.Grow(size)
	}
	from := t.chunk.Len()
	t.chunk.Write(text)
	return t.chunk.String()[from:]
}

func hexValue(c byte) int {
	switch {
	case isDigit(c):
		return int(c - '0')
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return int(c|0x20-'a') + 10
	}
	return -1
}

// canonicalEscape reports whether JSON.stringify would write this escape for
// this unit. A lone surrogate's escape may yet be joined by its neighbour.
func canonicalEscape(source string, unit int) bool {
	switch {
	case len(source) == 2:
		return source != `\/`
	case unit < 0x20:
		return shortEscape(byte(unit)) == 0 && lowerHex(source[2:])
	}
	return unit >= 0xD800 && unit <= 0xDFFF && lowerHex(source[2:])
}

func lowerHex(digits string) bool {
	for i := range len(digits) {
		if digits[i] >= 'A' && digits[i] <= 'F' {
			return false
		}
	}
	return true
}

// joined is the character of a high surrogate, given in its three bytes, and a
// low one.
func joined(high []byte, low int) rune {
	unit := rune(high[0]&0x0F)<<12 | rune(high[1]&0x3F)<<6 | rune(high[2]&0x3F)
	return (unit-0xD800)<<10 + rune(low) - 0xDC00 + 0x10000
}

// appendUnit appends one UTF-16 code unit in WTF-8.
func appendUnit(dst []byte, unit int) []byte {
	if unit >= 0xD800 && unit <= 0xDFFF {
		return append(dst, 0xED, byte(0x80|unit>>6&0x3F), byte(0x80|unit&0x3F))
	}
	return utf8.AppendRune(dst, rune(unit))
}
