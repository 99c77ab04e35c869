// Package digest implements the digests of mcp-manifest-drift/v1: per tool, per
// field and aggregate, and the digest block that carries them. It follows the
// criteria's canonicalisation and digest_block sections and rulings R21 to R24.
//
// It never knows a baseline from a current manifest.
package digest

import (
	"strings"

	"github.com/manifestseal/manifestseal/engine/jsonvalue"
	"github.com/manifestseal/manifestseal/engine/manifest"
)

// Sum is a SHA-256.
type Sum [32]byte

const hexDigits = "0123456789abcdef"

// Hex returns the sum as 64 lower-case hexadecimal digits.
func (s Sum) Hex() string {
	digits := s.digits()
	return string(digits[:])
}

// digits is what Hex returns. (encoding/hex brings fmt into the bundle.)
func (s Sum) digits() (out [2 * len(Sum{})]byte) {
	for i, c := range s {
		out[2*i], out[2*i+1] = hexDigits[c>>4], hexDigits[c&15]
	}
	return out
}

// Write writes the sum as a JSON string.
func (s Sum) Write(w *jsonvalue.Builder) {
	digits := s.digits()
	w.Plain(digits[:])
}

// ParseSum reads what Hex writes, and nothing else.
func ParseSum(text string) (s Sum, ok bool) {
	if len(text) != 2*len(s) {
		return s, false
	}
	for i := range len(text) {
		d := strings.IndexByte(hexDigits, text[i])
		if d < 0 {
			return s, false
		}
		s[i/2] = s[i/2]<<4 | byte(d)
	}
	return s, true
}

// The indices of Tool.Fields, in the criteria's order.
const (
	Description = iota
	InputSchema
	Annotations
	fieldCount
)

// FieldNames are the members that Tool.Fields stands for.
var FieldNames = [fieldCount]string{"description", "inputSchema", "annotations"}

// Field is the digest of one field's canonical form; a field that is absent has
// none, and one that is null has that of null (R23).
type Field struct {
	Present bool
	Sum     Sum
}

// Tool is one entry of a digest block.
type Tool struct {
	Name   string
	Named  bool // false: the pairing name is null
	Digest Sum
	Fields [fieldCount]Field // all absent for a non-object entry
}

// Block is a manifest's digest block.
type Block struct {
	AsOf      string // RFC 3339
	Tools     []Tool // manifest order
	Aggregate Sum
}

// Of returns the digest block of a manifest.
func Of(m *manifest.Manifest, asOf string) *Block { return Beside(m, asOf, nil, nil) }

// Beside is Of for a manifest that comes after another, whose block is Of's:
// what both spell alike is not hashed again. Most of two versions is.
func Beside(m *manifest.Manifest, asOf string, earlier *manifest.Manifest, known *Block) *Block {
	b := &Block{AsOf: asOf, Tools: make([]Tool, len(m.Entries))}
	d := digester{buf: make([]byte, 0, 16<<10)}
	places := placesOf(earlier)
	for i, e := range m.Entries {
		d.old, d.sums = manifest.Entry{}, nil
		if at, found := places[placeOf(e)]; found {
			d.old, d.sums = earlier.Entries[at], &known.Tools[at]
		}
		d.entry(&b.Tools[i], e)
	}
	b.Aggregate = aggregate(b.Tools)
	return b
}

// place is where tools are paired: null is one name like any other (R30).
type place struct {
	name       string
	named      bool
	occurrence int
}

func placeOf(e manifest.Entry) place { return place{e.Name, e.Named, e.Occurrence} }

func placesOf(m *manifest.Manifest) map[place]int {
	if m == nil {
		return nil
	}
	places := make(map[place]int, len(m.Entries))
	for i, e := range m.Entries {
		places[placeOf(e)] = i
	}
	return places
}

// inputOrder is the canonical order of the four digest fields, and which of
// Tool.Fields each is.
var inputOrder = [...]struct {
	name  string
	field int
}{{"annotations", Annotations}, {"description", Description}, {"inputSchema", InputSchema}, {"name", -1}}

type digester struct {
	buf  []byte
	old  manifest.Entry // the entry's pair in the earlier manifest
	sums *Tool          // and its digests; nil where there is no pair
}

// entry digests one entry. Each field is written once: its own digest is taken
// of its part of the tool's digest input.
func (d *digester) entry(t *Tool, e manifest.Entry) {
	if d.sums != nil && alike(e.Value, d.old.Value) {
		*t = *d.sums
		return
	}
	t.Name, t.Named = e.Name, e.Named
	if !e.IsObject() {
		buf := append(d.buf[:0], `{"__non_object_tool__":`...)
		d.buf = append(e.Value.AppendCanonical(buf), '}')
		t.Digest = SumOf(d.buf)
		return
	}
	buf := append(d.buf[:0], '{')
	for _, in := range inputOrder {
		v := e.Value.Get(in.name)
		if !v.Exists() {
			continue
		}
		if len(buf) > 1 {
			buf = append(buf, ',')
		}
		buf = append(buf, '"')
		buf = append(buf, in.name...)
		buf = append(buf, '"', ':')
		from := len(buf)
		buf = v.AppendCanonical(buf)
		switch {
		case in.field < 0:
		case d.sums != nil && alike(v, d.old.Value.Get(in.name)):
			t.Fields[in.field] = d.sums.Fields[in.field]
		default:
			t.Fields[in.field] = Field{true, SumOf(buf[from:])}
		}
	}
	d.buf = append(buf, '}')
	t.Digest = SumOf(d.buf)
}

// alike reports whether two values are spelled alike, byte for byte: then they
// are equal. Equal values may be spelled otherwise.
func alike(a, b jsonvalue.Value) bool { return b.Exists() && a.Source() == b.Source() }

// Whole returns the digest of a whole entry's canonical form: every member of
// it, those included that the criteria's digest does not cover.
func Whole(e manifest.Entry) Sum {
	return SumOf(e.Value.AppendCanonical(nil))
}

func aggregate(tools []Tool) Sum {
	b := jsonvalue.Builder{Bytes: make([]byte, 0, len(tools)*120+2)}
	b.Begin('[')
	for i := range tools {
		b.Begin('{')
		b.Name("digest")
		tools[i].Digest.Write(&b)
		b.Name("name")
		b.Nullable(tools[i].Name, tools[i].Named)
		b.End('}')
	}
	b.End(']')
	return SumOf(b.Bytes)
}
