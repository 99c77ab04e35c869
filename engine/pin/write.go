package pin

import "github.com/manifestseal/manifestseal/engine/jsonvalue"

// JSON returns the lockfile: one member or tool a line, so that a change of one
// tool is a change of few lines in a review, with one LF at its end.
func (l *Lock) JSON() []byte {
	w := lineWriter{}
	w.open("{")
	w.member("scheme", func(b *jsonvalue.Builder) { b.String(Scheme) })
	w.member("created_at", func(b *jsonvalue.Builder) { b.String(l.CreatedAt) })
	w.member("updated_at", func(b *jsonvalue.Builder) { b.String(l.UpdatedAt) })
	w.member("covered", writeCovered)
	w.member("digest_block", func(b *jsonvalue.Builder) { l.Block().Write(b) })
	w.list("tools", len(l.Tools), func(i int, b *jsonvalue.Builder) { l.Tools[i].write(b) })
	w.list("snapshot", len(l.Manifest.Entries), func(i int, b *jsonvalue.Builder) { b.Value(l.Manifest.Entries[i].Value) })
	w.list("history", len(l.History), func(i int, b *jsonvalue.Builder) { l.History[i].write(b) })
	w.close("}")
	return append(w.out, '\n')
}

func writeCovered(b *jsonvalue.Builder) {
	b.Begin('{')
	b.Member("digest_block", coveredByBlock)
	b.Member("whole_digest", coveredWhole)
	b.End('}')
}

func (t *Tool) write(b *jsonvalue.Builder) {
	b.Begin('{')
	b.Name("name")
	b.Nullable(t.Name, t.Named)
	b.Name("occurrence")
	b.Int(t.Occurrence)
	b.Name("whole_digest")
	t.Whole.Write(b)
	b.Member("first_seen", t.FirstSeen)
	b.Member("last_changed", t.LastChanged)
	b.End('}')
}

func (e *Event) write(b *jsonvalue.Builder) {
	b.Begin('{')
	b.Member("as_of", e.AsOf)
	b.Member("action", e.Action)
	b.Filled("tool", e.Tool)
	b.Filled("from", e.From)
	b.Filled("to", e.To)
	b.End('}')
}

// lineWriter lays an object out in lines of compact values.
type lineWriter struct {
	out   []byte
	comma bool
}

func (w *lineWriter) open(bracket string) { w.out = append(w.out, bracket...) }

func (w *lineWriter) next(indent string) {
	if w.comma {
		w.out = append(w.out, ',')
	}
	w.out = append(append(w.out, '\n'), indent...)
	w.comma = true
}

func (w *lineWriter) value(write func(*jsonvalue.Builder)) {
	var b jsonvalue.Builder
	write(&b)
	w.out = append(w.out, b.Bytes...)
}

func (w *lineWriter) member(name string, write func(*jsonvalue.Builder)) {
	w.next("  ")
	w.out = append(jsonvalue.AppendQuoted(w.out, name), ':', ' ')
	w.value(write)
}

func (w *lineWriter) list(name string, n int, write func(int, *jsonvalue.Builder)) {
	w.next("  ")
	w.out = append(jsonvalue.AppendQuoted(w.out, name), ':', ' ', '[')
	w.comma = false
	for i := range n {
		w.next("    ")
		w.value(func(b *jsonvalue.Builder) { write(i, b) })
	}
	w.out = append(append(w.out, '\n'), "  ]"...)
	w.comma = true
}

func (w *lineWriter) close(bracket string) { w.out = append(append(w.out, '\n'), bracket...) }
