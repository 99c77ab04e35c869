package view

import "github.com/manifestseal/manifestseal/engine/jsonvalue"

// JSON returns the inspection for the painter in the browser, as View.JSON does.
func (v *Inspection) JSON() []byte {
	w := &jsonvalue.Builder{Bytes: make([]byte, 0, 64<<10)}
	w.Begin('{')
	yes(w, "graded", v.Graded)
	w.Member("lead", v.Lead)
	w.Member("digest", v.Digest)
	w.Name("tool_count")
	w.Int(v.ToolCount)
	w.Member("size", v.Size)
	w.Member("grade", v.Grade)
	w.Filled("score", v.Score)
	writeCounts(w, "severity", v.Severity)
	writeCounts(w, "tiers", v.Tiers)
	list(w, "fixes", v.Fixes, func(f FixLine) {
		w.Member("rule", f.Rule)
		w.Member("text", f.Text)
		w.Member("gain", f.Gain)
		w.Member("of", f.Of)
	})
	writeBars(w, "scores", v.Scores)
	writeBars(w, "hits", v.Hits)
	list(w, "tools", v.Tools, func(t Inspected) { t.write(w) })
	WriteNotes(w, "notes", v.Notes)
	w.End('}')
	return w.Bytes
}

func writeCounts(w *jsonvalue.Builder, name string, counts []Count) {
	list(w, name, counts, func(c Count) {
		w.Member("status", c.Status)
		w.Name("n")
		w.Int(c.N)
		w.Member("label", c.Label)
	})
}

func writeBars(w *jsonvalue.Builder, name string, bars []Bar) {
	list(w, name, bars, func(b Bar) {
		segments(w, "label", b.Label)
		w.Member("value", b.Value)
		w.Name("width")
		w.Int(b.Width)
		w.Member("kind", b.Kind)
	})
}

func (t *Inspected) write(w *jsonvalue.Builder) {
	w.Member("id", t.ID)
	segments(w, "name", t.Name)
	w.Filled("plain_name", t.PlainName)
	w.Filled("occurrence", t.Occurrence)
	w.Member("score", t.Score)
	w.Member("tier", t.Tier)
	w.Member("tier_label", t.TierLabel)
	w.Member("digest", t.Digest)
	w.Member("summary", t.Summary)
	yes(w, "open", t.Open)
	list(w, "findings", t.Findings, func(f Failing) {
		w.Member("rule", f.Rule)
		w.Member("severity", f.Severity)
		w.Member("message", f.Message)
		w.Member("fix", f.Fix)
		w.Filled("pointer", f.Pointer)
		segments(w, "shown_pointer", f.ShownPointer)
		segments(w, "evidence", f.Evidence)
	})
	t.Scan.write(w)
}
