package jsonvalue

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// MaxDepth is how deep a manifest may nest (R9): beyond a few thousand levels
// no JavaScript reference gives an answer, and a browser must not crash.
const MaxDepth = 1000

// maxBytes keeps every offset and node index within 32 bits.
const maxBytes = 1 << 30

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
// levels. Places in errors and notes are places in src.
func ParsePart(src string, from, to, maxDepth int) (*Doc, error) {
	if len(src) > maxBytes {
		return nil, &Error{Class: TooLarge, Message: "the document is larger than 1 GiB", Advice: "Split it, or remove what is not a tools/list result."}
	}
	if err := checkUTF8(src); err != nil {
		return nil, err
	}
	p := parser{src: src, pos: from, end: to, maxDepth: maxDepth, doc: &Doc{src: src, nodes: make([]node, 0, (to-from)/12+4)}}
	if err := p.document(); err != nil {
		return nil, err
	}
	p.finishNotes()
	return p.doc, nil
}

// parser walks the text once, without recursion: depth is data, not stack.
type parser struct {
	src      string
	pos, end int
	maxDepth int
	doc      *Doc
	stack    []frame
	names    []uint32 // name nodes of the objects still open
	scratch  []byte
	noteBytes,
	unlisted int
}

// frame is a container still open.
type frame struct {
	node  uint32
	names uint32 // where this object's names begin in parser.names
	count uint32 // elements or members so far
	array bool
}

func (p *parser) document() error {
	p.space()
	if p.pos == p.end {
		return &Error{Class: Empty, Message: "the document is empty", Advice: "Paste or pass the JSON that the server's tools/list gives."}
	}
	if err := p.value(); err != nil {
		return err
	}
	for len(p.stack) > 0 {
		more, err := p.behindValue()
		if err != nil {
			return err
		}
		if more {
			if err := p.value(); err != nil {
				return err
			}
		}
	}
	p.space()
	if p.pos < p.end {
		return p.fail("expected the end of the document")
	}
	return nil
}

// value reads a leaf, or opens containers until it has read a leaf or closed an
// empty one.
func (p *parser) value() error {
	for {
		p.space()
		if p.pos == p.end {
			return p.fail("expected a value")
		}
		switch c := p.src[p.pos]; c {
		case '{', '[':
			if err := p.open(c == '['); err != nil {
				return err
			}
			p.space()
			if p.pos < p.end && p.src[p.pos] == c+2 { // '{'+2 is '}', '['+2 is ']'
				p.pos++
				p.close()
				return nil
			}
			if c == '{' {
				if err := p.name("expected a member name in double quotes or '}'"); err != nil {
					return err
				}
			}
		case '"':
			return p.string()
		case 't':
			return p.literal("true", True)
		case 'f':
			return p.literal("false", False)
		case 'n':
			return p.literal("null", Null)
		default:
			if c == '-' || isDigit(c) {
				return p.number()
			}
			if c == ']' && p.inEmptyArray() {
				return p.fail("expected a value or ']'")
			}
			return p.fail("expected a value")
		}
	}
}

func (p *parser) inEmptyArray() bool {
	return len(p.stack) > 0 && p.stack[len(p.stack)-1].array && p.stack[len(p.stack)-1].count == 0
}

// behindValue reads what follows a value inside a container: true when another
// value must follow.
func (p *parser) behindValue() (more bool, err error) {
	top := &p.stack[len(p.stack)-1]
	top.count++
	p.space()
	if top.array {
		switch p.peek() {
		case ',':
			p.pos++
			return true, nil
		case ']':
			p.pos++
			p.close()
			return false, nil
		}
		return false, p.fail("expected ',' or ']' after the array element")
	}
	switch p.peek() {
	case ',':
		p.pos++
		return true, p.name("expected a member name in double quotes")
	case '}':
		p.pos++
		p.close()
		return false, nil
	}
	return false, p.fail("expected ',' or '}' after the member's value")
}

// name reads a member's name and its colon.
func (p *parser) name(expected string) error {
	p.space()
	if p.peek() != '"' {
		return p.fail(expected)
	}
	p.names = append(p.names, uint32(len(p.doc.nodes)))
	if err := p.string(); err != nil {
		return err
	}
	p.space()
	if p.peek() != ':' {
		return p.fail("expected ':' after the member name")
	}
	p.pos++
	return nil
}

func (p *parser) open(array bool) error {
	if len(p.stack) == p.maxDepth {
		return p.tooDeep()
	}
	kind := Object
	if array {
		kind = Array
	}
	p.stack = append(p.stack, frame{node: uint32(len(p.doc.nodes)), names: uint32(len(p.names)), array: array})
	p.doc.nodes = append(p.doc.nodes, node{kind: kind, start: uint32(p.pos)})
	p.pos++
	return nil
}

func (p *parser) close() {
	top := p.stack[len(p.stack)-1]
	n := &p.doc.nodes[top.node]
	n.n = top.count
	if !top.array {
		n.sorted = uint32(len(p.doc.members))
		n.n = p.closeObject(p.names[top.names:])
		p.names = p.names[:top.names]
	}
	n.end = uint32(p.pos)
	n.next = uint32(len(p.doc.nodes))
	p.stack = p.stack[:len(p.stack)-1]
}

// closeObject orders the names and drops all but the last of each repeated one
// (R3), with a note for each that is not the first.
func (p *parser) closeObject(names []uint32) uint32 {
	d := p.doc
	less := func(a, b uint32) int { return CompareUTF16(d.text(a), d.text(b)) }
	for i := 1; i < len(names); i++ {
		if less(names[i-1], names[i]) >= 0 {
			slices.SortStableFunc(names, less)
			break
		}
	}
	from := len(d.members)
	for i, name := range names {
		if i > 0 && d.text(names[i-1]) == d.text(name) {
			d.members[len(d.members)-1] = name
			p.note(DuplicateMember, d.text(name), int(d.nodes[name].start)-1, "This name stands twice in one object; the last one counts.")
			continue
		}
		d.members = append(d.members, name)
	}
	return uint32(len(d.members) - from)
}

func (p *parser) literal(word string, kind Kind) error {
	for i := range len(word) {
		if p.pos+i == p.end || p.src[p.pos+i] != word[i] {
			p.pos += i
			return p.fail("expected the literal " + word)
		}
	}
	p.leaf(node{kind: kind, start: uint32(p.pos), end: uint32(p.pos + len(word)), flags: asWritten})
	p.pos += len(word)
	return nil
}

func (p *parser) leaf(n node) {
	n.next = uint32(len(p.doc.nodes)) + 1
	p.doc.nodes = append(p.doc.nodes, n)
}

func (p *parser) number() error {
	start := p.pos
	if p.peek() == '-' {
		p.pos++
	}
	switch c := p.peek(); {
	case c == '0':
		p.pos++
		if isDigit(p.peek()) {
			return p.fail("expected no digit after a leading zero")
		}
	case isDigit(c):
		p.digits()
	default:
		return p.fail("expected a digit")
	}
	plain := true
	if p.peek() == '.' {
		plain = false
		p.pos++
		if !isDigit(p.peek()) {
			return p.fail("expected a digit after the decimal point")
		}
		p.digits()
	}
	if c := p.peek(); c == 'e' || c == 'E' {
		plain = false
		p.pos++
		if c := p.peek(); c == '+' || c == '-' {
			p.pos++
		}
		if !isDigit(p.peek()) {
			return p.fail("expected a digit in the exponent")
		}
		p.digits()
	}
	n := node{kind: Number, start: uint32(start), end: uint32(p.pos)}
	if text := p.src[start:p.pos]; plain && len(text) <= maxSafeDigits && text != "-0" {
		n.flags = asWritten
	} else {
		p.noteNumber(text, start)
	}
	p.leaf(n)
	return nil
}

func (p *parser) digits() {
	for isDigit(p.peek()) {
		p.pos++
	}
}

// peek returns the next byte, or 0 at the end: no token begins with a NUL.
func (p *parser) peek() byte {
	if p.pos < p.end {
		return p.src[p.pos]
	}
	return 0
}

func (p *parser) space() {
	for p.pos < p.end {
		switch p.src[p.pos] {
		case ' ', '\t', '\n', '\r':
			p.pos++
		default:
			return
		}
	}
}

func isDigit(c byte) bool { return c-'0' <= 9 }

// checkUTF8 refuses what is no UTF-8, with the place of the first bad byte (R1):
// JavaScript would put U+FFFD there and so give two documents one digest.
func checkUTF8(src string) error {
	if utf8.ValidString(src) {
		return nil
	}
	i := 0
	for {
		r, size := utf8.DecodeRuneInString(src[i:])
		if r == utf8.RuneError && size == 1 {
			return invalidUTF8(src, i)
		}
		i += size
	}
}
