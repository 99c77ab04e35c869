package jsonvalue

import (
	"strings"
	"unicode/utf8"
)

// MaxDepth is how deep a manifest may nest (R9): beyond a few thousand levels
// no JavaScript reference gives an answer, and a browser must not crash.
const MaxDepth = 1000

// maxBytes keeps every offset and index within the 29 bits that a node has for
// them. V8 reads no text of so many characters, so there is no reference answer.
const maxBytes = 1<<29 - 1

const byteOrderMark = "\uFEFF"

// Parse reads a JSON text by the grammar of JSON.parse: RFC 8259, nothing
// looser (R2). A leading byte order mark is dropped (R1). The error is an
// *Error of class Encoding, Syntax, Depth or Empty, and says where.
func Parse(src string) (*Doc, error) {
	from := 0
	if strings.HasPrefix(src, byteOrderMark) {
		from = len(byteOrderMark)
	}
	return ParsePart(src, from, len(src), MaxDepth)
}

// ParsePart reads the JSON text that stands at src[from:to] and may nest maxDepth
// levels. Places in errors and notes are places in src, of which nothing but the
// part is looked at.
func ParsePart(src string, from, to, maxDepth int) (*Doc, error) {
	if len(src) > maxBytes {
		return nil, &Error{Class: TooLarge, Message: "the document is larger than 512 MiB", Advice: "Split it, or remove what is not a tools/list result."}
	}
	if err := checkUTF8(src, from, to); err != nil {
		return nil, err
	}
	// Real manifests have a node for every 17 to 25 bytes, a member for every 35 to 50.
	size := to - from
	p := parser{src: src, pos: from, end: to, maxDepth: maxDepth, doc: &Doc{
		src: src, nodes: make([]node, 0, size/16+4), members: make([]uint32, 0, size/34+4), containers: make([]container, 0, size/96+4),
	}}
	if err := p.document(); err != nil {
		return nil, err
	}
	p.finishNotes()
	return p.doc, nil
}

// parser walks the text once, without recursion: depth is data, not stack. The
// place in the text is passed from function to function, which keeps it in a
// register; pos is where a failure stands.
type parser struct {
	src      string
	pos, end int
	maxDepth int
	doc      *Doc
	stack    []frame
	names    []name // of the objects still open
	scratch  []byte
	decoded  texts
	noteBytes,
	unlisted int
}

func (p *parser) document() error {
	src := p.src[:p.end]
	i := space(src, p.pos)
	if i == len(src) {
		return &Error{Class: Empty, Message: "the document is empty", Advice: "Paste or pass the JSON that the server's tools/list gives."}
	}
	for more := true; more; {
		var err error
		if i, err = p.value(src, i); err != nil {
			return err
		}
		if i, more, err = p.behindValue(src, i); err != nil {
			return err
		}
	}
	if i = space(src, i); i < len(src) {
		return p.fail(i, "expected the end of the document")
	}
	return nil
}

// value reads a leaf, or opens containers until it has read a leaf or closed an
// empty one.
func (p *parser) value(src string, i int) (int, error) {
	for {
		i = space(src, i)
		switch c := at(src, i); c {
		case '"':
			return p.string(src, i)
		case '{', '[':
			if err := p.open(i, c == '['); err != nil {
				return i, err
			}
			i = space(src, i+1)
			if at(src, i) == c+2 { // '{'+2 is '}', '['+2 is ']'
				p.close(i + 1)
				return i + 1, nil
			}
			if c == '{' {
				var err error
				if i, err = p.name(src, i, "expected a member name in double quotes or '}'"); err != nil {
					return i, err
				}
			}
		case 't':
			return p.literal(src, i, "true", True)
		case 'f':
			return p.literal(src, i, "false", False)
		case 'n':
			return p.literal(src, i, "null", Null)
		default:
			if c == '-' || isDigit(c) {
				return p.number(src, i)
			}
			if c == ']' && p.inEmptyArray() {
				return i, p.fail(i, "expected a value or ']'")
			}
			return i, p.fail(i, "expected a value")
		}
	}
}

func (p *parser) inEmptyArray() bool {
	return len(p.stack) > 0 && p.stack[len(p.stack)-1].array && p.stack[len(p.stack)-1].count == 0
}

// behindValue closes the containers that a value ends, and reads on to where the
// next value must follow, if one must.
func (p *parser) behindValue(src string, i int) (next int, more bool, err error) {
	for len(p.stack) > 0 {
		top := &p.stack[len(p.stack)-1]
		top.count++
		i = space(src, i)
		c := at(src, i)
		switch {
		case c == ',' && top.array:
			return i + 1, true, nil
		case c == ',':
			i, err = p.name(src, i+1, "expected a member name in double quotes")
			return i, true, err
		case c == ']' && top.array, c == '}' && !top.array:
			i++
			p.close(i)
		case top.array:
			return i, false, p.fail(i, "expected ',' or ']' after the array element")
		default:
			return i, false, p.fail(i, "expected ',' or '}' after the member's value")
		}
	}
	return i, false, nil
}

func (p *parser) literal(src string, i int, word string, kind Kind) (int, error) {
	if !strings.HasPrefix(src[i:], word) {
		for k := 0; at(src, i) == word[k]; k++ {
			i++
		}
		return i, p.fail(i, "expected the literal "+word)
	}
	end := i + len(word)
	p.leaf(leafNode(kind, asWritten, i, end))
	return end, nil
}

func (p *parser) leaf(n node) { p.doc.nodes = append(p.doc.nodes, n) }

func (p *parser) number(src string, start int) (int, error) {
	i := start
	if src[i] == '-' {
		i++
	}
	switch c := at(src, i); {
	case c == '0':
		i++
		if isDigit(at(src, i)) {
			return i, p.fail(i, "expected no digit after a leading zero")
		}
	case isDigit(c):
		i = digits(src, i)
	default:
		return i, p.fail(i, "expected a digit")
	}
	plain := true
	if at(src, i) == '.' {
		plain = false
		i++
		if !isDigit(at(src, i)) {
			return i, p.fail(i, "expected a digit after the decimal point")
		}
		i = digits(src, i)
	}
	if c := at(src, i); c == 'e' || c == 'E' {
		plain = false
		i++
		if c := at(src, i); c == '+' || c == '-' {
			i++
		}
		if !isDigit(at(src, i)) {
			return i, p.fail(i, "expected a digit in the exponent")
		}
		i = digits(src, i)
	}
	flags := uint32(asWritten)
	if text := src[start:i]; !plain || len(text) > maxSafeDigits || text == "-0" {
		flags = 0
		p.noteNumber(text, start)
	}
	p.leaf(leafNode(Number, flags, start, i))
	return i, nil
}

func digits(src string, i int) int {
	for isDigit(at(src, i)) {
		i++
	}
	return i
}

// at returns the byte at a place, or 0 at the end: no token begins with a NUL.
func at(src string, i int) byte {
	if uint(i) < uint(len(src)) {
		return src[i]
	}
	return 0
}

// space returns the first place from i on that is no white space.
func space(src string, i int) int {
	for uint(i) < uint(len(src)) && src[i] <= ' ' {
		if c := src[i]; c != ' ' && c != '\n' && c != '\r' && c != '\t' {
			break
		}
		i++
	}
	return i
}

func isDigit(c byte) bool { return c-'0' <= 9 }

// checkUTF8 refuses what is no UTF-8, with the place of the first bad byte (R1):
// JavaScript would put U+FFFD there and so give two documents one digest.
func checkUTF8(src string, from, to int) error {
	if utf8.ValidString(src[from:to]) {
		return nil
	}
	i := from
	for {
		r, size := utf8.DecodeRuneInString(src[i:to])
		if r == utf8.RuneError && size == 1 {
			return invalidUTF8(src, i)
		}
		i += size
	}
}
