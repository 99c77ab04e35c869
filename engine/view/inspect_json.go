package view

import "github.com/manifestseal/manifestseal/engine/jsonvalue"

// JSON returns the inspection for the painter in the browser, as View.JSON does.
func (v *Inspection) JSON() []byte {
	w := &jsonvalue.Builder{Bytes: make([]byte, 0, 16<<10+2048*len(v.Tools))}
	w.Begin('{')
	texts(w, "state", v.State, "verdict", v.Verdict, "grade", v.Grade, "lead", v.Lead, "outcome", v.Outcome, "gate", v.Gate, "digest", v.Digest, "size", v.Size)
	w.Name("tool_count")
	w.Int(v.ToolCount)
	writeCounts(w, "severity", v.Severity)
	writeCounts(w, "tiers", v.Tiers)
	list(w, "notices", v.Notices, func(n Notice) { n.write(w) })
	list(w, "screens", v.Screens, func(s Screened) {
		texts(w, "rulebook", s.Rulebook, "ref", s.Ref, "text", s.Text)
		yes(w, "hit", s.Hit)
	})
	list(w, "list", v.List, func(f Failing) { f.write(w) })
	list(w, "fixes", v.Fixes, func(f FixLine) {
		texts(w, "rule", f.Rule, "ref", f.Ref, "severity", f.Severity, "text", f.Text, "gain", f.Gain, "of", f.Of)
	})
	writeBars(w, "scores", v.Scores)
	w.Filled("scores_of", v.ScoresOf)
	writeBars(w, "hits", v.Hits)
	list(w, "tools", v.Tools, func(t Inspected) { t.write(w) })
	WriteNotes(w, "notes", v.Notes)
	w.End('}')
	return w.Bytes
}

// texts writes members that have text, given as name and text in turn.
func texts(w *jsonvalue.Builder, members ...string) {
	for i := 0; i+1 < len(members); i += 2 {
		w.Filled(members[i], members[i+1])
	}
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
		texts(w, "id", b.ID, "ref", b.Ref, "note", b.Note, "value", b.Value, "kind", b.Kind)
		segments(w, "label", b.Label)
		w.Name("width")
		w.Int(b.Width)
	})
}

func (t *Inspected) write(w *jsonvalue.Builder) {
	texts(w, "id", t.ID, "plain_name", t.PlainName, "line", t.Line, "occurrence_note", t.OccurrenceNote, "status", t.Status, "tier", t.Tier,
		"tier_label", t.TierLabel, "glyph", t.Glyph, "score", t.Score, "digest", t.Digest, "size", t.Size, "summary", t.Summary, "screen", t.Screen, "more", t.More)
	segments(w, "name", t.Name)
	yes(w, "open", t.Open)
	list(w, "evidence", t.Evidence, func(s TierSign) {
		texts(w, "axis", s.Axis, "tier", s.Tier, "pointer", s.Pointer)
		segments(w, "shown_pointer", s.ShownPointer)
		segments(w, "text", s.Text)
	})
	list(w, "hits", t.Hits, func(h ScreenHit) {
		texts(w, "rulebook", h.Rulebook, "rule", h.Rule, "ref", h.Ref, "severity", h.Severity, "label", h.Label, "note", h.Note, "view", h.View, "pointer", h.Pointer)
		yes(w, "fails", h.Fails)
		segments(w, "shown_pointer", h.ShownPointer)
		segments(w, "excerpt", h.Excerpt)
	})
	list(w, "texts", t.Texts, func(s HitText) {
		w.Filled("pointer", s.Pointer)
		segments(w, "shown_pointer", s.ShownPointer)
		segments(w, "text", s.Text)
	})
	list(w, "findings", t.Findings, func(f Failing) { f.write(w) })
}

func (f *Failing) write(w *jsonvalue.Builder) {
	texts(w, "rule", f.Rule, "ref", f.Ref, "severity", f.Severity, "message", f.Message, "fix", f.Fix, "pointer", f.Pointer)
	yes(w, "fails", f.Fails)
	segments(w, "shown_pointer", f.ShownPointer)
	segments(w, "evidence", f.Evidence)
	segments(w, "tool", f.Tool)
}
