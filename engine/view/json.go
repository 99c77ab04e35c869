package view

import "github.com/manifestseal/manifestseal/engine/jsonvalue"

// JSON returns the view for the painter in the browser: the Go names in lower
// snake case. What is empty is absent below the first level: most segments are
// but a kind and a text.
func (v *View) JSON() []byte {
	w := &jsonvalue.Builder{Bytes: make([]byte, 0, 256<<10)}
	w.Begin('{')
	w.Member("state", v.State)
	w.Member("verdict", v.Verdict)
	w.Member("lead", v.Lead)
	w.Member("as_of", v.AsOf)
	w.Name("baseline")
	v.Baseline.write(w)
	w.Name("current")
	v.Current.write(w)
	writeCounts(w, "counts", v.Counts)
	list(w, "notices", v.Notices, func(n Notice) { n.write(w) })
	list(w, "tools", v.Tools, func(t Tool) { t.write(w) })
	list(w, "list", v.List, func(p Part) { p.write(w) })
	WriteNotes(w, "notes", v.Notes)
	w.Filled("quiet", v.Quiet)
	if v.Assessment != nil {
		w.Name("assessment")
		v.Assessment.write(w)
	}
	w.End('}')
	return w.Bytes
}

func (n *Notice) write(w *jsonvalue.Builder) {
	w.Member("kind", n.Kind)
	w.Member("text", n.Text)
	if len(n.Tools) > 0 {
		list(w, "tools", n.Tools, func(m Mention) {
			w.Member("id", m.ID)
			segments(w, "name", m.Name)
		})
	}
	w.Filled("more", n.More)
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
	w.Filled("plain_name", t.PlainName)
	w.Member("line", t.Line)
	w.Name("occurrence")
	w.Int(t.Occurrence)
	w.Filled("occurrence_note", t.OccurrenceNote)
	w.Member("status", t.Status)
	w.Member("status_label", t.StatusLabel)
	w.Filled("glyph", t.Glyph)
	w.Filled("summary", t.Summary)
	w.Filled("alarm", t.Alarm)
	w.Filled("old_digest", t.OldDigest)
	w.Filled("new_digest", t.NewDigest)
	yes(w, "open", t.Open)
	yes(w, "later", t.Later)
	t.writeParts(w)
	t.Scan.write(w)
}

func (t *Tool) writeParts(w *jsonvalue.Builder) {
	list(w, "parts", t.Parts, func(p Part) { p.write(w) })
}

// Insides returns the parts that a Glance at the same leaves out.
func (v *View) Insides() []byte {
	w := &jsonvalue.Builder{Bytes: make([]byte, 0, 256<<10)}
	w.Begin('{')
	w.Name("tools")
	w.Begin('[')
	for i := AtOnce; i < len(v.Tools); i++ {
		if t := &v.Tools[i]; isLater(t) {
			w.Begin('{')
			w.Member("id", t.ID)
			t.writeParts(w)
			w.End('}')
		}
	}
	w.End(']')
	w.End('}')
	return w.Bytes
}

// write writes the scan as a member, and nothing where there is none.
func (s *Scan) write(w *jsonvalue.Builder) {
	if s == nil {
		return
	}
	w.Name("scan")
	w.Begin('{')
	w.Name("scanned")
	w.Bool(s.Scanned)
	w.Filled("label", s.Label)
	list(w, "hits", s.Hits, func(h Hit) {
		w.Member("rule", h.Rule)
		w.Member("category", h.Category)
		w.Member("span", h.Span)
		w.Filled("view", h.View)
		segments(w, "excerpt", h.Excerpt)
	})
	w.End('}')
}

func (p *Part) write(w *jsonvalue.Builder) {
	segments(w, "shown_title", p.ShownTitle)
	w.Filled("pointer", p.Pointer)
	segments(w, "shown_pointer", p.ShownPointer)
	w.Member("kind", p.Kind)
	w.Member("change", p.Change)
	yes(w, "outside", p.Outside)
	w.Filled("note", p.Note)
	list(w, "rows", p.Rows, func(r Row) { r.write(w) })
}

func (r *Row) write(w *jsonvalue.Builder) {
	w.Member("kind", r.Kind)
	w.Filled("glyph", r.Glyph)
	w.Filled("old_line", r.OldLine)
	w.Filled("new_line", r.NewLine)
	segments(w, "old", r.Old)
	segments(w, "new", r.New)
	w.Filled("label", r.Label)
	if len(r.Hidden) > 0 {
		list(w, "hidden", r.Hidden, func(r Row) { r.write(w) })
	}
}

// WriteNotes writes reading notes as a member of the object that is open.
func WriteNotes(w *jsonvalue.Builder, name string, notes []Note) {
	list(w, name, notes, func(n Note) {
		w.Filled("side", n.Side)
		w.Member("code", n.Code)
		w.Filled("pointer", n.Pointer)
		segments(w, "shown_pointer", n.ShownPointer)
		w.Filled("place", n.Place)
		w.Member("message", n.Message)
	})
}

// WriteSegments writes segments as a member of the object that is open.
func WriteSegments(w *jsonvalue.Builder, name string, s []Segment) { segments(w, name, s) }

// yes writes a member that is true, and nothing where it is false.
func yes(w *jsonvalue.Builder, name string, value bool) {
	if value {
		w.Name(name)
		w.Bool(true)
	}
}

func segments(w *jsonvalue.Builder, name string, s []Segment) {
	if len(s) == 0 {
		return
	}
	list(w, name, s, func(s Segment) {
		w.Member("kind", s.Kind)
		w.Member("text", s.Text)
		w.Filled("title", s.Title)
		yes(w, "hit", s.Hit)
	})
}
