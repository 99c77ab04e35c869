package view

import "github.com/manifestseal/manifestseal/engine/jsonvalue"

// JSON returns the view for the painter in the browser: the Go names in lower
// snake case, every member present.
func (v *View) JSON() []byte {
	w := &jsonvalue.Builder{Bytes: make([]byte, 0, 64<<10)}
	w.Begin('{')
	w.Member("state", v.State)
	w.Member("verdict", v.Verdict)
	w.Member("lead", v.Lead)
	w.Member("as_of", v.AsOf)
	w.Name("baseline")
	v.Baseline.write(w)
	w.Name("current")
	v.Current.write(w)
	list(w, "counts", v.Counts, func(c Count) {
		w.Member("status", c.Status)
		w.Name("n")
		w.Int(c.N)
		w.Member("label", c.Label)
	})
	list(w, "notices", v.Notices, func(n Notice) {
		w.Member("kind", n.Kind)
		w.Member("text", n.Text)
	})
	list(w, "tools", v.Tools, func(t Tool) { t.write(w) })
	list(w, "list", v.List, func(p Part) { p.write(w) })
	list(w, "notes", v.Notes, func(n Note) {
		w.Member("side", n.Side)
		w.Member("code", n.Code)
		w.Member("pointer", n.Pointer)
		w.Member("place", n.Place)
		w.Member("message", n.Message)
	})
	w.End('}')
	return w.Bytes
}

// list writes an array of objects; members writes the members of one.
func list[T any](w *jsonvalue.Builder, name string, items []T, members func(T)) {
	w.Name(name)
	w.Begin('[')
	for _, item := range items {
		w.Begin('{')
		members(item)
		w.End('}')
	}
	w.End(']')
}

func (s Side) write(w *jsonvalue.Builder) {
	w.Begin('{')
	w.Member("label", s.Label)
	w.Name("tool_count")
	w.Int(s.ToolCount)
	w.Member("digest", s.Digest)
	w.Member("origin", s.Origin)
	w.End('}')
}

func (t *Tool) write(w *jsonvalue.Builder) {
	w.Member("id", t.ID)
	segments(w, "name", t.Name)
	w.Member("plain_name", t.PlainName)
	w.Name("occurrence")
	w.Int(t.Occurrence)
	w.Member("occurrence_note", t.OccurrenceNote)
	w.Member("status", t.Status)
	w.Member("status_label", t.StatusLabel)
	w.Member("glyph", t.Glyph)
	w.Member("summary", t.Summary)
	w.Member("old_digest", t.OldDigest)
	w.Member("new_digest", t.NewDigest)
	w.Name("open")
	w.Bool(t.Open)
	list(w, "parts", t.Parts, func(p Part) { p.write(w) })
	w.Name("scan")
	if t.Scan == nil {
		w.Null()
		return
	}
	w.Begin('{')
	w.Name("scanned")
	w.Bool(t.Scan.Scanned)
	w.Member("label", t.Scan.Label)
	list(w, "hits", t.Scan.Hits, func(h Hit) {
		w.Member("rule", h.Rule)
		w.Member("category", h.Category)
		w.Member("span", h.Span)
		w.Member("view", h.View)
		segments(w, "excerpt", h.Excerpt)
	})
	w.End('}')
}

func (p *Part) write(w *jsonvalue.Builder) {
	w.Member("title", p.Title)
	w.Member("pointer", p.Pointer)
	w.Member("kind", p.Kind)
	w.Member("change", p.Change)
	w.Name("outside")
	w.Bool(p.Outside)
	w.Member("note", p.Note)
	list(w, "rows", p.Rows, func(r Row) { r.write(w) })
}

func (r *Row) write(w *jsonvalue.Builder) {
	w.Member("kind", r.Kind)
	w.Member("glyph", r.Glyph)
	w.Member("old_line", r.OldLine)
	w.Member("new_line", r.NewLine)
	segments(w, "old", r.Old)
	segments(w, "new", r.New)
	w.Member("label", r.Label)
	list(w, "hidden", r.Hidden, func(r Row) { r.write(w) })
}

func segments(w *jsonvalue.Builder, name string, s []Segment) {
	list(w, name, s, func(s Segment) {
		w.Member("kind", s.Kind)
		w.Member("text", s.Text)
		w.Member("title", s.Title)
		w.Name("hit")
		w.Bool(s.Hit)
	})
}
