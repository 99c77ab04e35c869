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
	d.collect(current, before.pairs, true)
	d.collect(old, after.pairs, false)
	for _, c := range d.Changes {
		list := &d.ChangedHits
		switch rule := c.Hit.Rule; {
		case !before.rules[rule]:
			list = &d.NewHits
		case !after.rules[rule]:
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

type identity struct{ rule, anchor string }

type identitySet struct {
	pairs map[identity]bool
	rules map[string]bool
}

func identities(hits []Hit) identitySet {
	s := identitySet{map[identity]bool{}, map[string]bool{}}
	for i := range hits {
		if h := &hits[i]; !h.Mention {
			s.pairs[identity{h.Rule, h.Anchor}] = true
			s.rules[h.Rule] = true
		}
	}
	return s
}

// collect adds the hits that the other side has not, each identity once.
func (d *Delta) collect(hits []Hit, other map[identity]bool, added bool) {
	listed := map[identity]bool{}
	for i := range hits {
		id := identity{hits[i].Rule, hits[i].Anchor}
		if hits[i].Mention || other[id] || listed[id] {
			continue
		}
		listed[id] = true
		d.Changes = append(d.Changes, Change{added, &hits[i]})
	}
}

// WriteMembers writes new_hits, gone_hits, changed_hits, hit_delta and alarm into an object that is open.
func (d *Delta) WriteMembers(w *jsonvalue.Builder) {
	w.Name("new_hits")
	w.Strings(d.NewHits)
	w.Name("gone_hits")
	w.Strings(d.GoneHits)
	w.Name("changed_hits")
	w.Strings(d.ChangedHits)
	w.Name("hit_delta")
	w.Begin('[')
	for _, c := range d.Changes {
		w.Begin('{')
		w.Member("rule", c.Hit.Rule)
		change := "removed"
		if c.Added {
			change = "added"
		}
		w.Member("change", change)
		w.Member("anchor", c.Hit.Anchor)
		w.Member("match", c.Hit.Match)
		w.Member("pointer", c.Hit.Pointer)
		w.End('}')
	}
	w.End(']')
	w.Name("alarm")
	w.Bool(d.Alarm)
}

// Write writes a hit.
func (h *Hit) Write(w *jsonvalue.Builder) {
	w.Begin('{')
	w.Member("rule", h.Rule)
	w.Member("family", h.Family)
	w.Member("severity", h.Severity)
	w.Member("anchor", h.Anchor)
	w.Member("match", h.Match)
	w.Member("pointer", h.Pointer)
	if h.Mention {
		w.Name("mention")
		w.Bool(true)
	}
	if h.View != AsSubmitted {
		w.Member("view", h.View)
	}
	w.End('}')
}
