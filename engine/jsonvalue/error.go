package jsonvalue

import (
	"strings"
	"unicode/utf8"
)

// Class is the kind of reason for which a document is refused. The values are
// stable: callers branch on them, and they stand in vectors and answers.
type Class string

const (
	Encoding Class = "encoding" // not UTF-8, or some other encoding or container
	Syntax   Class = "syntax"   // not the grammar of JSON.parse
	Depth    Class = "depth"    // nested too deep
	Empty    Class = "empty"    // nothing but white space
	TooLarge Class = "too_large"
	Shape    Class = "shape"   // JSON, but no manifest
	Wrapper  Class = "wrapper" // a wrapper without one tools/list result
)

// Error says why a document is refused: what happened, where, what to do next.
type Error struct {
	Class   Class
	Code    string // names the case more closely; stable; may be empty
	Message string // without a full stop, without text from the document
	Advice  string // a sentence, or empty
	// The place; Line is 0 when the error has none.
	Position
	Excerpt   string // the text around the place, as it stands: hostile until made harmless
	ExcerptAt int    // how many characters of Excerpt stand before the place
}

func (e *Error) Error() string { return e.Message }

// At sets the error's place in a text, and returns the error.
func (e *Error) At(src string, offset int) *Error {
	e.Position = PositionOf(src, offset)
	e.Excerpt, e.ExcerptAt = Excerpt(src, offset)
	return e
}

// fail is a syntax error at a place.
func (p *parser) fail(at int, expected string) error {
	p.pos = at
	src := p.src[:p.end]
	e := &Error{Class: Syntax, Message: expected + ", found " + found(src, p.pos), Advice: p.advice()}
	return e.At(src, p.pos)
}

// found describes the character at a place without repeating it where it could
// be anything but plain.
func found(src string, pos int) string {
	if pos >= len(src) {
		return "the end of the document"
	}
	r, _ := utf8.DecodeRuneInString(src[pos:])
	if r > 0x20 && r < 0x7F {
		return "'" + string(r) + "'"
	}
	switch r {
	case '\n', '\r':
		return "a line break"
	case ' ':
		return "a space"
	case '\t':
		return "a tab"
	}
	return "U+" + CodePoint(r)
}

// CodePoint returns a character's number as it stands behind "U+".
func CodePoint(r rune) string {
	const digits = "0123456789ABCDEF"
	out := make([]byte, 0, 6)
	started := false
	for shift := 20; shift >= 0; shift -= 4 {
		d := r >> shift & 15
		if d != 0 || started || shift < 16 {
			out = append(out, digits[d])
			started = true
		}
	}
	return string(out)
}

// advice says what to do about the mistakes that people make.
func (p *parser) advice() string {
	rest := p.src[p.pos:p.end]
	before := strings.TrimRight(p.src[:p.pos], " \t\r\n")
	switch {
	case strings.HasPrefix(rest, "//"), strings.HasPrefix(rest, "/*"), strings.HasPrefix(rest, "#"):
		return "JSON has no comments: remove it."
	case strings.HasSuffix(before, ",") && rest != "" && (rest[0] == ']' || rest[0] == '}'):
		return "Remove the comma before it."
	case strings.HasPrefix(rest, "'"), strings.HasPrefix(rest, "“"), strings.HasPrefix(rest, "‘"):
		return "JSON strings stand in double quotes (\")."
	case strings.HasPrefix(rest, "True"), strings.HasPrefix(rest, "False"), strings.HasPrefix(rest, "None"):
		return "This looks like Python: print it with json.dumps."
	case strings.HasPrefix(rest, "NaN"), strings.HasPrefix(rest, "Infinity"), strings.HasPrefix(rest, "-Infinity"), strings.HasPrefix(rest, "undefined"):
		return "JSON has no such value: use null or a number."
	case rest == "":
		return "The document is cut off: copy it again to its end."
	case len(p.stack) == 0 && len(p.doc.nodes) > 0 && (rest[0] == '{' || rest[0] == '['):
		return "A second document begins here: keep one."
	case len(p.stack) == 0 && len(p.doc.nodes) > 0:
		return "Remove what stands behind the document."
	}
	return "Check the document with the tool that wrote it."
}

func (p *parser) tooDeep(at int) error {
	e := &Error{Class: Depth, Code: "too_deep", Message: "the document is nested deeper than 1,000 levels", Advice: "Flatten it: no reference implementation gives such a document a digest."}
	if p.maxDepth != MaxDepth {
		e.Message = "the document is nested deeper than its kind may be"
	}
	return e.At(p.src, at)
}

func invalidUTF8(src string, offset int) error {
	e := &Error{Class: Encoding, Code: "invalid_utf8", Message: "the document is not valid UTF-8", Advice: "Save it as UTF-8."}
	return e.At(src, offset)
}
