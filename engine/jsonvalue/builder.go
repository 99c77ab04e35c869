package jsonvalue

import "strconv"

// Builder writes compact JSON by appending, member by member, in the order of
// the calls. It puts the commas; the caller keeps begin and end in balance.
type Builder struct {
	Bytes []byte
	comma bool // a value came before in the container that is open
}

func (b *Builder) separate() {
	if b.comma {
		b.Bytes = append(b.Bytes, ',')
	}
	b.comma = true
}

// Begin opens a container: '{' or '['.
func (b *Builder) Begin(bracket byte) {
	b.separate()
	b.Bytes = append(b.Bytes, bracket)
	b.comma = false
}

// End closes the container that is open: '}' or ']'.
func (b *Builder) End(bracket byte) {
	b.Bytes = append(b.Bytes, bracket)
	b.comma = true
}

// Name writes a member's name; its value must follow.
func (b *Builder) Name(name string) {
	b.separate()
	b.Bytes = append(AppendQuoted(b.Bytes, name), ':')
	b.comma = false
}

// String writes a WTF-8 text as a string.
func (b *Builder) String(text string) {
	b.separate()
	b.Bytes = AppendQuoted(b.Bytes, text)
}

// Plain writes a text that needs no escape, such as a digest's digits.
func (b *Builder) Plain(text []byte) {
	b.separate()
	b.Bytes = append(append(append(b.Bytes, '"'), text...), '"')
}

// Int writes a number.
func (b *Builder) Int(n int) {
	b.separate()
	b.Bytes = strconv.AppendInt(b.Bytes, int64(n), 10)
}

// Bool writes true or false.
func (b *Builder) Bool(v bool) {
	b.separate()
	b.Bytes = strconv.AppendBool(b.Bytes, v)
}

// Null writes null.
func (b *Builder) Null() { b.Raw("null") }

// Raw writes a value that is JSON already.
func (b *Builder) Raw(json string) {
	b.separate()
	b.Bytes = append(b.Bytes, json...)
}

// Value writes a value of a document in its canonical form. It must exist.
func (b *Builder) Value(v Value) {
	b.separate()
	b.Bytes = v.AppendCanonical(b.Bytes)
}

// Nullable writes a text, or null when there is none.
func (b *Builder) Nullable(text string, there bool) {
	if !there {
		b.Null()
		return
	}
	b.String(text)
}

// Strings writes an array of texts.
func (b *Builder) Strings(texts []string) {
	b.Begin('[')
	for _, t := range texts {
		b.String(t)
	}
	b.End(']')
}

// Member writes a member whose value is a text.
func (b *Builder) Member(name, text string) {
	b.Name(name)
	b.String(text)
}

// Filled writes a member whose value is a text, and nothing where it is empty.
func (b *Builder) Filled(name, text string) {
	if text != "" {
		b.Member(name, text)
	}
}

// Optional writes a member of a document, and nothing where it is Absent: in a
// diff an absent side is an absent key (R31).
func (b *Builder) Optional(name string, v Value) {
	if v.Exists() {
		b.Name(name)
		b.Value(v)
	}
}
