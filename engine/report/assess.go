package report

import (
	"strconv"

	"github.com/manifestseal/manifestseal/engine/claims"
	"github.com/manifestseal/manifestseal/engine/drift"
	"github.com/manifestseal/manifestseal/engine/jsonvalue"
	"github.com/manifestseal/manifestseal/engine/poison"
	"github.com/manifestseal/manifestseal/engine/screen"
)

// Assessment is what a report says of the texts themselves, beside what differs
// between them: the grade of the current manifest, and how the hits of the poison
// rules changed.
type Assessment struct {
	Regrade *claims.Output
	Poison  Poison
}

// Poison is how the hits of mcp-poison-rules/v1 changed.
type Poison struct {
	Known bool         // the baseline's texts are held; otherwise only Hits is known
	Tools []PoisonTool // paired and added tools in which something changed, in report order
	Hits  int          // in the current manifest, mentions apart
	Alarm bool         // something is hit that the baseline did not have
}

// PoisonTool is how the hits of one tool changed.
type PoisonTool struct {
	drift.Tool
	poison.Delta
}

// Assess returns the assessment; it is worked out once. It is for reports that
// have a comparison.
func (d *Drift) Assess() *Assessment {
	if d.assessed == nil {
		d.assessed = &Assessment{Regrade: claims.Grade(d.Current.Manifest), Poison: d.poison()}
	}
	return d.assessed
}

func (d *Drift) poison() (p Poison) {
	var before, after [][]poison.Hit
	if old := d.Baseline.Manifest; old != nil {
		p.Known = true
		before, after = poison.Pair(old, d.Current.Manifest)
	} else {
		after = poison.Manifest(d.Current.Manifest)
	}
	for _, hits := range after {
		for i := range hits {
			if !hits[i].Mention {
				p.Hits++
			}
		}
	}
	if !p.Known {
		return p
	}
	for _, t := range d.Comparison.Tools {
		if t.New < 0 {
			continue
		}
		var old []poison.Hit
		if t.Old >= 0 {
			old = before[t.Old]
		}
		if delta := poison.Compare(old, after[t.New]); delta.Changed() {
			p.Tools = append(p.Tools, PoisonTool{t, delta})
			p.Alarm = p.Alarm || delta.Alarm
		}
	}
	return p
}

const (
	poisonNote        = "Texts that work on the agent that reads them, by tool and by what was hit: over every string of a tool, also those that the digests do not cover. A hit is a finding to be read, no verdict, and no hit is no proof that none is hostile."
	poisonUnknownNote = "Not known: the baseline is digests only and holds no text, so it cannot be told which hits are new. Not known is not clean."
)

// maxDeltas is how many changed hits a report lists. All of them count for the
// rules and for the alarm: a hostile manifest must not make its report a hundred
// times as large as itself.
const maxDeltas = 2000

func (d *Drift) writePoison(w *jsonvalue.Builder) {
	p := &d.Assess().Poison
	w.Name("poison_delta")
	w.Begin('{')
	w.Member("rulebook", screen.Poison().ID)
	if !p.Known {
		w.Member("note", poisonUnknownNote+" "+currentHits(p.Hits))
		w.Name("tools")
		w.Null()
		w.Name("alarm")
		w.Null()
		w.End('}')
		return
	}
	w.Member("note", poisonNote)
	w.Name("tools")
	w.Begin('[')
	left := maxDeltas
	for i := range p.Tools {
		t := &p.Tools[i]
		w.Begin('{')
		writeName(w, t.Tool)
		t.WriteMembers(w, left)
		w.End('}')
		left = max(0, left-len(t.Changes))
	}
	w.End(']')
	w.Name("alarm")
	w.Bool(p.Alarm)
	w.End('}')
}

func currentHits(n int) string {
	switch n {
	case 0:
		return "In the current manifest the rules hit nothing."
	case 1:
		return "In the current manifest the rules hit one place."
	}
	return "In the current manifest the rules hit " + strconv.Itoa(n) + " places."
}
