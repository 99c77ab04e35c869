package view

import "github.com/manifestseal/manifestseal/engine/jsonvalue"

// JSON returns the certificate for the painter in the browser, as View.JSON does.
func (c *Certificate) JSON() []byte {
	w := &jsonvalue.Builder{}
	w.Begin('{')
	w.Member("check", c.Check)
	yes(w, "stands", c.Stands)
	w.Member("title", c.Title)
	w.Member("sentence", c.Sentence)
	w.Member("found", c.Found)
	w.Filled("says_head", c.SaysHead)
	w.Filled("says", c.Says)
	list(w, "facts", c.Facts, func(f Fact) {
		w.Member("label", f.Label)
		segments(w, "value", f.Value)
		w.Filled("exact", f.Exact)
		w.Filled("note", f.Note)
	})
	list(w, "limits", c.Limits, func(text string) { w.Member("text", text) })
	list(w, "checks", c.Checks, func(r CheckRow) {
		w.Member("name", r.Name)
		w.Member("label", r.Label)
		w.Member("check", r.Check)
		w.Member("glyph", r.Glyph)
		w.Member("note", r.Note)
		w.Filled("key_id", r.KeyID)
	})
	c.Match.write(w)
	list(w, "tools", c.Tools, func(t AuditTool) {
		segments(w, "name", t.Name)
		w.Member("value", t.Score)
		w.Name("width")
		w.Int(t.Width)
		w.Filled("tier", t.Tier)
		w.Filled("screen", t.Screen)
	})
	list(w, "findings", c.Findings, func(f Failing) { f.write(w) })
	w.Filled("more", c.More)
	w.End('}')
	return w.Bytes
}

// write writes the match as a member, and nothing where there is none.
func (m *Matched) write(w *jsonvalue.Builder) {
	if m == nil {
		return
	}
	w.Name("match")
	w.Begin('{')
	w.Member("state", m.State)
	w.Member("title", m.Title)
	w.Member("sentence", m.Sentence)
	w.Member("digest", m.Digest)
	list(w, "tools", m.Tools, func(t MatchedTool) {
		segments(w, "name", t.Name)
		w.Member("status", t.Status)
		w.Member("label", t.Label)
		w.Member("glyph", t.Glyph)
		w.Filled("fields", t.Fields)
	})
	w.End('}')
}
