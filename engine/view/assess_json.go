package view

import "github.com/manifestseal/manifestseal/engine/jsonvalue"

// JSON returns the assessment for the painter in the browser, as View.JSON does.
func (a *Assessment) JSON() []byte {
	w := &jsonvalue.Builder{Bytes: make([]byte, 0, 16<<10)}
	a.write(w)
	return w.Bytes
}

func (a *Assessment) write(w *jsonvalue.Builder) {
	w.Begin('{')
	w.Member("state", a.State)
	w.Member("poison", a.Poison)
	list(w, "hits", a.Hits, func(h NewHit) {
		w.Member("id", h.ID)
		segments(w, "name", h.Name)
		w.Member("rule", h.Rule)
		segments(w, "match", h.Match)
		w.Filled("pointer", h.Pointer)
		segments(w, "shown_pointer", h.ShownPointer)
	})
	w.Filled("more_hits", a.MoreHits)
	w.Member("trend", a.Trend)
	w.Member("grade", a.Grade)
	w.Member("before", a.Before)
	w.Member("after", a.After)
	w.Member("tiers", a.Tiers)
	list(w, "rises", a.Rises, func(r Rise) {
		w.Member("id", r.ID)
		segments(w, "name", r.Name)
		w.Member("before", r.Before)
		w.Member("after", r.After)
		w.Member("tier", r.Tier)
	})
	w.Filled("more_rises", a.MoreRises)
	list(w, "marks", a.Marks, func(m Mark) {
		w.Member("id", m.ID)
		w.Member("text", m.Text)
	})
	w.End('}')
}
