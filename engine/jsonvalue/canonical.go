package jsonvalue

import "math/bits"

// AppendCanonical appends the value's canonical form: members ordered by UTF-16
// code units, no white space, numbers and strings as JSON.stringify prints them
// (R5 to R8). An Absent value appends nothing.
func (v Value) AppendCanonical(dst []byte) []byte {
	if v.doc == nil {
		return dst
	}
	d, n := v.doc, v.node()
	switch n.kind() {
	case Array:
		dst = append(dst, '[')
		i := v.i + 1
		for k := range v.container().n {
			if k > 0 {
				dst = append(dst, ',')
			}
			dst = Value{d, i}.AppendCanonical(dst)
			i = d.next(i)
		}
		return append(dst, ']')
	case Object:
		dst = append(dst, '{')
		for k, name := range v.names() {
			if k > 0 {
				dst = append(dst, ',')
			}
			dst = d.appendMember(dst, name)
		}
		return append(dst, '}')
	case String:
		return d.appendString(dst, v.i)
	case Number:
		if !n.has(asWritten) {
			return AppendNumber(dst, parseFloat(v.Source()))
		}
	}
	return append(dst, d.text(v.i)...)
}

// appendMember appends a name, a colon and the value. Most members are leaves
// that the source spells as they must be: those are one piece.
func (d *Doc) appendMember(dst []byte, i uint32) []byte {
	name, value := d.nodes[i], d.nodes[i+1]
	if name.place&value.place&asWritten != 0 {
		from, to := value.start(), d.end(value)
		if value.kind() == String {
			from, to = from-1, to+1
		}
		if from == d.end(name)+2 { // nothing but the quote and the colon
			return append(dst, d.src[name.start()-1:to]...)
		}
	}
	dst = append(d.appendString(dst, i), ':')
	return Value{d, i + 1}.AppendCanonical(dst)
}

func (d *Doc) appendString(dst []byte, i uint32) []byte {
	if n := d.nodes[i]; n.has(asWritten) {
		return append(dst, d.src[n.start()-1:d.end(n)+1]...)
	}
	return AppendQuoted(dst, d.text(i))
}

const hexDigits = "0123456789abcdef"

// AppendQuoted appends a WTF-8 text as JSON.stringify prints a string: the
// escapes of R7, lone surrogates as lower-case \udXXX (R6), all else as it is.
func AppendQuoted(dst []byte, text string) []byte {
	dst = append(dst, '"')
	from, i := 0, 0
	for {
		i = quotableRun(text, i)
		if i == len(text) {
			break
		}
		switch c := text[i]; {
		case c != surrogateLead:
			dst = appendEscape(append(dst, text[from:i]...), c)
			i++
		case text[i+1] < 0xA0: // U+D000 to U+D7FF
			i += 3
			continue
		default:
			dst = append(dst, text[from:i]...)
			dst = append(dst, '\\', 'u', 'd', hexDigits[8|text[i+1]>>2&7], hexDigits[text[i+1]&3<<2|text[i+2]>>4&3], hexDigits[text[i+2]&15])
			i += 3
		}
		from = i
	}
	dst = append(dst, text[from:]...)
	return append(dst, '"')
}

// surrogateLead is the first byte of a lone surrogate in WTF-8.
const surrogateLead = 0xED

// quotableRun is plainRun that also stops where a lone surrogate may begin.
func quotableRun(s string, i int) int {
	for ; i+8 <= len(s); i += 8 {
		w := load(s, i)
		lead := w ^ ones*surrogateLead
		if m := notPlain(w) | (lead-ones)&^lead&tops; m != 0 {
			return i + bits.TrailingZeros64(m)/8
		}
	}
	for i < len(s) && plain(s[i]) && s[i] != surrogateLead {
		i++
	}
	return i
}

func appendEscape(dst []byte, c byte) []byte {
	if s := shortEscape(c); s != 0 {
		return append(dst, '\\', s)
	}
	return append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
}

// shortEscape returns the letter of a character's two-character escape, or 0.
func shortEscape(c byte) byte {
	switch c {
	case '"', '\\':
		return c
	case '\b':
		return 'b'
	case '\f':
		return 'f'
	case '\n':
		return 'n'
	case '\r':
		return 'r'
	case '\t':
		return 't'
	}
	return 0
}
