package digest

import (
	"strconv"

	"github.com/manifestseal/manifestseal/engine/jsonvalue"
	"github.com/manifestseal/manifestseal/engine/manifest"
)

// algorithm is the only one that the criteria know.
const algorithm = "sha256"

var digestFields = []string{"name", "description", "inputSchema", "annotations"}

// Write writes the block as the criteria's digest_block lays it out.
func (b *Block) Write(w *jsonvalue.Builder) {
	w.Begin('{')
	w.Member("criteria_id", manifest.DriftCriteria)
	w.Member("algorithm", algorithm)
	w.Name("digest_fields")
	w.Strings(digestFields)
	w.Name("tool_count")
	w.Int(len(b.Tools))
	w.Member("as_of", b.AsOf)
	w.Name("tools")
	w.Begin('[')
	for i := range b.Tools {
		b.Tools[i].write(w)
	}
	w.End(']')
	w.Name("aggregate_digest")
	b.Aggregate.Write(w)
	w.End('}')
}

// SizeHint is about how many bytes Write writes.
func (b *Block) SizeHint() int { return 512 + 420*len(b.Tools) }

func (t *Tool) write(w *jsonvalue.Builder) {
	w.Begin('{')
	w.Name("name")
	w.Nullable(t.Name, t.Named)
	w.Name("digest")
	t.Digest.Write(w)
	w.Name("field_digests")
	w.Begin('{')
	for i, f := range t.Fields {
		w.Name(FieldNames[i])
		if f.Present {
			f.Sum.Write(w)
		} else {
			w.Null()
		}
	}
	w.End('}')
	w.End('}')
}

// BlockError says why a value is no digest block that can be relied on.
type BlockError struct {
	Pointer string // into the block
	Message string // what was expected there
}

func (e *BlockError) Error() string {
	return "the digest block is not as issued: " + e.Pointer + ": " + e.Message
}

// Read reads a digest block and checks that it is consistent in itself, as the
// criteria's internal_consistency demands: every member present and of its
// form, none unknown, the count right, and the aggregate the one that follows
// from the tools. The error is a *BlockError.
func Read(v jsonvalue.Value) (*Block, error) {
	r := reader{}
	b := r.block(v)
	if r.err != nil {
		return nil, r.err
	}
	return b, nil
}

// reader keeps the first error, so that the reading code has one path.
type reader struct{ err *BlockError }

func (r *reader) fail(pointer, message string) {
	if r.err == nil {
		r.err = &BlockError{pointer, message}
	}
}

func (r *reader) members(v jsonvalue.Value, pointer string, names ...string) {
	if v.Kind() != jsonvalue.Object {
		r.fail(pointer, "must be an object")
		return
	}
	for _, name := range names {
		if !v.Get(name).Exists() {
			r.fail(jsonvalue.PointerToken(pointer, name), "is missing")
			return
		}
	}
	if v.Len() != len(names) {
		r.fail(pointer, "has members that a digest block does not have")
	}
}

func (r *reader) block(v jsonvalue.Value) *Block {
	r.members(v, "", "criteria_id", "algorithm", "digest_fields", "tool_count", "as_of", "tools", "aggregate_digest")
	if v.Get("criteria_id").Text() != manifest.DriftCriteria {
		r.fail("/criteria_id", "must be "+manifest.DriftCriteria)
	}
	if v.Get("algorithm").Text() != algorithm {
		r.fail("/algorithm", "must be "+algorithm)
	}
	var want jsonvalue.Builder
	want.Strings(digestFields)
	if string(v.Get("digest_fields").AppendCanonical(nil)) != string(want.Bytes) {
		r.fail("/digest_fields", "must be "+string(want.Bytes))
	}
	if v.Get("as_of").Kind() != jsonvalue.String {
		r.fail("/as_of", "must be a string")
	}
	tools := v.Get("tools")
	if tools.Kind() != jsonvalue.Array {
		r.fail("/tools", "must be an array")
	}
	b := &Block{AsOf: v.Get("as_of").Text(), Aggregate: r.sum(v.Get("aggregate_digest"), "/aggregate_digest")}
	for i, t := range tools.Elems() {
		b.Tools = append(b.Tools, r.tool(t, "/tools/"+strconv.Itoa(i)))
		if r.err != nil {
			return nil
		}
	}
	if count := v.Get("tool_count"); count.Kind() != jsonvalue.Number || count.Float() != float64(len(b.Tools)) {
		r.fail("/tool_count", "must be "+strconv.Itoa(len(b.Tools))+", the number of tools in the block")
	}
	if got := aggregate(b.Tools); got != b.Aggregate {
		r.fail("/aggregate_digest", "is "+b.Aggregate.Hex()+", but the block's tools give "+got.Hex())
	}
	return b
}

func (r *reader) tool(v jsonvalue.Value, pointer string) Tool {
	r.members(v, pointer, "name", "digest", "field_digests")
	t := Tool{Digest: r.sum(v.Get("digest"), pointer+"/digest")}
	switch name := v.Get("name"); name.Kind() {
	case jsonvalue.String:
		t.Name, t.Named = name.Text(), true
	case jsonvalue.Null:
	default:
		r.fail(pointer+"/name", "must be a string or null")
	}
	fields := v.Get("field_digests")
	r.members(fields, pointer+"/field_digests", FieldNames[:]...)
	for i, name := range FieldNames {
		if f := fields.Get(name); f.Kind() != jsonvalue.Null {
			t.Fields[i] = Field{true, r.sum(f, pointer+"/field_digests/"+name)}
		}
	}
	return t
}

func (r *reader) sum(v jsonvalue.Value, pointer string) Sum {
	s, ok := ParseSum(v.Text())
	if !ok {
		r.fail(pointer, "must be 64 lower-case hexadecimal digits")
	}
	return s
}
