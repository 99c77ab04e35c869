package cases

import (
	"maps"
	"slices"

	"github.com/manifestseal/manifestseal/engine/capability"
	"github.com/manifestseal/manifestseal/engine/gate"
	"github.com/manifestseal/manifestseal/server/internal/cli/rulebook"
)

// Evaluation is cases with the rules that they are measured by.
type Evaluation struct {
	Sets  []Set
	Books []*rulebook.Rulebook // a user's own, beside mcp-poison-rules/v1
}

// Tally counts cases of both labels, and those that were hit.
type Tally struct{ Poison, PoisonHit, Benign, BenignHit int }

func (t *Tally) add(poison, hit bool) {
	switch {
	case poison && hit:
		t.Poison, t.PoisonHit = t.Poison+1, t.PoisonHit+1
	case poison:
		t.Poison++
	case hit:
		t.Benign, t.BenignHit = t.Benign+1, t.BenignHit+1
	default:
		t.Benign++
	}
}

// Hits are how many cases of each label a rule or a family hit.
type Hits struct{ Poison, Benign int }

// FalseHit is a benign case that was hit.
type FalseHit struct {
	ID    string
	Rules []string
}

// Result is what was measured.
type Result struct {
	Tally
	Gold, GoldHit int // rules that should hit, and did
	BySet         []SetTally
	ByFamily      map[string]Hits
	ByRule        map[string]Hits
	Missed        []string // ids of poisoned cases
	FalseHits     []FalseHit
	Boundaries    []Boundary // where they were asked about
	Ablation      *Ablation  // where it was asked for
}

// SetTally is a file's.
type SetTally struct {
	Name string
	Tally
}

// Run measures every case. The failures are rules of a user's that could not be
// run on all of them.
func (e *Evaluation) Run() (*Result, []gate.Failure) { return e.run("") }

// run measures without one family; "" leaves none out.
func (e *Evaluation) run(without string) (*Result, []gate.Failure) {
	r := &Result{ByFamily: map[string]Hits{}, ByRule: map[string]Hits{}}
	var failures []gate.Failure
	for _, set := range e.Sets {
		t := SetTally{Name: set.Name}
		for i := range set.Cases {
			c := &set.Cases[i]
			rules, families, failed := e.hits(c, without)
			failures = append(failures, failed...)
			r.count(c, rules, families)
			t.add(c.Poison, len(rules) > 0)
		}
		r.BySet = append(r.BySet, t)
	}
	return r, failures
}

// hits are the rules above info that hit a case, mentions left out, and their
// families.
func (e *Evaluation) hits(c *Case, without string) (rules, families map[string]bool, failures []gate.Failure) {
	rules, families = map[string]bool{}, map[string]bool{}
	found := detect(c.Tool)
	for _, b := range e.Books {
		own, failed := b.Scan(c.Tool)
		for _, f := range own {
			found = append(found, hit{b.ID + "/" + f.Rule, b.ID, f.Severity, f.Mention})
		}
		failures = append(failures, failed...)
	}
	for _, h := range found {
		if h.severity > gate.Info && !h.mention && h.family != without {
			rules[h.rule], families[h.family] = true, true
		}
	}
	return rules, families, failures
}

func (r *Result) count(c *Case, rules, families map[string]bool) {
	r.add(c.Poison, len(rules) > 0)
	add(r.ByRule, rules, c.Poison)
	add(r.ByFamily, families, c.Poison)
	switch {
	case c.Poison && len(rules) == 0:
		r.Missed = append(r.Missed, c.ID)
	case !c.Poison && len(rules) > 0:
		r.FalseHits = append(r.FalseHits, FalseHit{c.ID, slices.Sorted(maps.Keys(rules))})
	}
	if !c.Poison {
		return
	}
	for _, gold := range c.Rules {
		r.Gold++
		if rules[gold] || families[gold] {
			r.GoldHit++
		}
	}
}

func add(to map[string]Hits, names map[string]bool, poison bool) {
	for name := range names {
		h := to[name]
		if poison {
			h.Poison++
		} else {
			h.Benign++
		}
		to[name] = h
	}
}

// Hold returns the misses that no boundary declares, and the boundaries that are
// no misses.
func (r *Result) Hold() (undeclared, stale []string) {
	known := map[string]bool{}
	for _, b := range r.Boundaries {
		known[b.ID] = true
		if !slices.Contains(r.Missed, b.ID) {
			stale = append(stale, b.ID)
		}
	}
	for _, id := range r.Missed {
		if !known[id] {
			undeclared = append(undeclared, id)
		}
	}
	return undeclared, stale
}

// Ablation is what leaving out one part costs.
type Ablation struct {
	Families []FamilyAblation
	Axes     []AxisAblation
}

// FamilyAblation is the result without one family.
type FamilyAblation struct {
	Family string
	Result *Result
}

// AxisAblation says how many of the cases' tools have another tier without one
// axis, and how many are unknown then.
type AxisAblation struct {
	Axis             capability.Axis
	Changed, Unknown int
}

// Ablate leaves out each family and each axis in turn, and reports whether the
// whole measured as before after each of them.
func (e *Evaluation) Ablate(whole *Result) (*Ablation, bool) {
	out, restored := &Ablation{}, true
	before := whole.core()
	for _, family := range e.families() {
		r, _ := e.run(family)
		out.Families = append(out.Families, FamilyAblation{family, r})
		again, _ := e.run("")
		restored = restored && again.core() == before
	}
	tiers := e.tiers(0)
	for axis := capability.Name; axis <= capability.Annotations; axis++ {
		a := AxisAblation{Axis: axis}
		for i, t := range e.tiers(axis.Only()) {
			if t != tiers[i] {
				a.Changed++
			}
			if t == capability.Unknown {
				a.Unknown++
			}
		}
		out.Axes = append(out.Axes, a)
		restored = restored && slices.Equal(e.tiers(0), tiers)
	}
	return out, restored
}

// families are those of the poison rules and the user's rulebooks.
func (e *Evaluation) families() []string {
	out := families()
	for _, b := range e.Books {
		out = append(out, b.ID)
	}
	return out
}

func (e *Evaluation) tiers(without capability.Axes) (out []capability.Tier) {
	for _, set := range e.Sets {
		for i := range set.Cases {
			out = append(out, capability.Of(set.Cases[i].Tool.Entries[0], 0, capability.Options{Without: without}).Tier)
		}
	}
	return out
}
