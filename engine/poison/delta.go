package poison

import (
	"slices"

	"github.com/manifestseal/manifestseal/engine/jsonvalue"
)

// Change is a hit that one side has and the other has not.
type Change struct {
	Added bool // in the new hits; otherwise it was in the old ones
	Hit   *Hit
}

// Delta is how the hits of a tool changed. Mentions do not count.
type Delta struct {
	NewHits     []string // rules that did not hit before at all
	GoneHits    []string // rules that no longer hit at all
	ChangedHits []string // rules that hit before and now, and hit something else
	Changes     []Change // added ones in their order, then removed ones
	Alarm       bool     // something is hit that was not hit before
}

// Compare compares the hits of a tool with those of its baseline by rule and anchor: a rewording around what is hit
// changes nothing.
func Compare(old, current []Hit) Delta {
	var d Delta
	before, after := identities(old), identities(current)
	d.collect(current, before, true)
	d.collect(old, after, false)
	for _, c := range d.Changes {
		list := &d.ChangedHits
		switch rule := c.Hit.Rule; {
		case !before[rule]:
			list = &d.NewHits
		case !after[rule]:
			list = &d.GoneHits
		}
		if !slices.Contains(*list, c.Hit.Rule) {
			*list = append(*list, c.Hit.Rule)
		}
		d.Alarm = d.Alarm || c.Added
	}
	return d
}

// Changed says whether anything changed.
func (d *Delta) Changed() bool { return len(d.Changes) > 0 }

// identities are the pairs of rule and anchor of some hits, and the rules alone.
func identities(hits []Hit) map[string]bool {
	all := map[string]bool{}
	for i := range hits {
		if h := &hits[i]; !h.Mention {
			all[h.identity()] = true
			all[h.Rule] = true
		}
	}
	return all
}

// identity is rule and anchor as one text; no rule's id has a space.
func (h *Hit) identity() string { return h.Rule + " " + h.Anchor }

// collect adds the hits that the other side has not, each identity once.
func (d *Delta) collect(hits []Hit, other map[string]bool, added bool) {
	listed := map[string]bool{}
	for i := range hits {
		id := hits[i].identity()
		if hits[i].Mention || other[id] || listed[id] {
			continue
		}
		listed[id] = true
		d.Changes = append(d.Changes, Change{added, &hits[i]})
	}
}

// WriteMembers writes new_hits, gone_hits, changed_hits, hit_delta and alarm into an object that is open. Of the changes
// it lists at most so many, and unlisted says how many more there are.
func (d *Delta) WriteMembers(w *jsonvalue.Builder, most int) {
	for i, list := range [...][]string{d.NewHits, d.GoneHits, d.ChangedHits} {
		w.Name([...]string{"new_hits", "gone_hits", "changed_hits"}[i])
		w.Strings(list)
	}
	w.Name("hit_delta")
	w.Begin('[')
	for _, c := range d.Changes[:min(most, len(d.Changes))] {
		change := "removed"
		if c.Added {
			change = "added"
		}
		w.Begin('{')
		writeTexts(w, [][2]string{{"rule", c.Hit.Rule}, {"change", change}, {"anchor", c.Hit.Anchor}, {"match", c.Hit.Match}, {"pointer", c.Hit.Pointer}})
		w.End('}')
	}
	w.End(']')
	if left := len(d.Changes) - most; left > 0 {
		w.Name("unlisted")
		w.Int(left)
	}
	w.Name("alarm")
	w.Bool(d.Alarm)
}

// Write writes a hit.
func (h *Hit) Write(w *jsonvalue.Builder) {
	w.Begin('{')
	writeTexts(w, [][2]string{{"rule", h.Rule}, {"family", h.Family}, {"severity", h.Severity}, {"anchor", h.Anchor}, {"match", h.Match}, {"pointer", h.Pointer}})
	if h.Mention {
		w.Name("mention")
		w.Bool(true)
	}
	if h.View != AsSubmitted {
		w.Member("view", h.View)
	}
	w.End('}')
}

func writeTexts(w *jsonvalue.Builder, members [][2]string) {
	for _, m := range members {
		w.Member(m[0], m[1])
	}
}
