package claims

import (
	"strconv"
	"unicode/utf8"

	"github.com/manifestseal/manifestseal/engine/claims/fold"
	"github.com/manifestseal/manifestseal/engine/claims/jsonschema"
	"github.com/manifestseal/manifestseal/engine/jsonvalue"
)

//go:noinline
func itoa(n int) string { return strconv.Itoa(n) }

// codePoints is a WTF-8 text's length; a lone surrogate is one code point.
//
//go:noinline
func codePoints(text string) int {
	n := 0
	for i := range len(text) {
		if text[i]&0xC0 != 0x80 {
			n++
		}
	}
	return n
}

// blank reports whether nothing of a text can be seen: white space and hidden
// characters alone describe nothing.
func blank(text string) bool {
	for _, r := range text {
		if !isSpace(r) && !fold.Hidden(r) {
			return false
		}
	}
	return true
}

func isSpace(r rune) bool {
	switch r {
	case ' ', 0xA0, 0x1680, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000:
		return true
	}
	return r >= 0x09 && r <= 0x0D || r >= 0x2000 && r <= 0x200A
}

// evidenceLength is the most characters of an excerpt.
const evidenceLength = 120

// excerpt returns what stands around a byte offset of a text: hidden characters
// spelled out, line breaks as spaces, what was cut as an ellipsis.
func excerpt(text string, at int) string {
	const before = 30
	from := at
	for n := 0; from > 0 && n < before; n++ {
		from--
		for from > 0 && text[from]&0xC0 == 0x80 {
			from--
		}
	}
	var out []byte
	length := 0
	if from > 0 {
		out, length = append(out, "…"...), 1
	}
	for i := from; i < len(text); {
		piece, size := shown(text[i:])
		n := codePoints(piece)
		if rest := i + size; length+n > evidenceLength-1 && (rest < len(text) || length+n > evidenceLength) {
			return string(append(out, "…"...))
		}
		out = append(out, piece...)
		length += n
		i += size
	}
	return string(out)
}

// shown returns how an excerpt shows the first character of a text, and the
// character's length.
func shown(text string) (string, int) {
	r, size := utf8.DecodeRuneInString(text)
	if r == utf8.RuneError && size == 1 && len(text) >= 3 {
		return text[:3], 3 // a lone surrogate: the writer of JSON escapes it
	}
	switch {
	case r == '\n' || r == '\r' || r == '\t':
		return " ", size
	case fold.Hidden(r):
		return "⟨" + codePointName(r) + "⟩", size
	}
	return text[:size], size
}

// codePointName is U+ and at least four hexadecimal digits.
func codePointName(r rune) string {
	const digits = "0123456789ABCDEF"
	name := make([]byte, 0, 8)
	for shift := 20; shift >= 0; shift -= 4 {
		if v := r >> shift; v != 0 || shift < 16 {
			name = append(name, digits[v&15])
		}
	}
	return "U+" + string(name)
}

// quoted names something of the manifest inside a message: short, and hidden
// characters spelled out.
func quoted(name string) string {
	const most = 60
	var out []byte
	n := 0
	for i := 0; i < len(name); n++ {
		if n == most {
			out = append(out, "…"...)
			break
		}
		piece, size := shown(name[i:])
		out = append(out, piece...)
		i += size
	}
	return "\"" + string(out) + "\""
}

// quotedList names at most six things, and how many more there are.
func quotedList(names []string) string {
	const most = 6
	out := ""
	for i, name := range names {
		if i == most {
			return out + " and " + itoa(len(names)-most) + " more"
		}
		if i > 0 {
			out += ", "
		}
		out += quoted(name)
	}
	return out
}

// evidence is an excerpt of a value: a string's text, else its canonical form.
func evidence(v jsonvalue.Value) string {
	switch v.Kind() {
	case jsonvalue.Absent:
		return ""
	case jsonvalue.String:
		return excerpt(v.Text(), 0)
	}
	return excerpt(v.Source(), 0)
}

// place is a string of a value, found by search: its text, and where in it.
type place struct {
	path     []string // tokens of the pointer, the last first
	text     string
	from, to int
}

func (p *place) pointer() string {
	pointer := ""
	for i := len(p.path) - 1; i >= 0; i-- {
		pointer = jsonvalue.PointerToken(pointer, p.path[i])
	}
	return pointer
}

// search looks for the first string or member name of a value that a function
// finds something in. It goes as deep as the value, which the reader bounds.
func search(v jsonvalue.Value, find func(text string) (from, to int, found bool)) *place {
	switch v.Kind() {
	case jsonvalue.String:
		if from, to, found := find(v.Text()); found {
			return &place{text: v.Text(), from: from, to: to}
		}
	case jsonvalue.Array:
		for i, e := range jsonschema.Elems(v) {
			if p := search(e, find); p != nil {
				p.path = append(p.path, itoa(i))
				return p
			}
		}
	case jsonvalue.Object:
		for _, m := range jsonschema.Members(v) {
			name, e := m.Name, m.Value
			if from, to, found := find(name); found {
				return &place{path: []string{name}, text: name, from: from, to: to}
			}
			if p := search(e, find); p != nil {
				p.path = append(p.path, name)
				return p
			}
		}
	}
	return nil
}
