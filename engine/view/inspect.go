package view

import (
	"strconv"

	"github.com/manifestseal/manifestseal/engine/capability"
	"github.com/manifestseal/manifestseal/engine/claims"
	"github.com/manifestseal/manifestseal/engine/digest"
	"github.com/manifestseal/manifestseal/engine/gate"
	"github.com/manifestseal/manifestseal/engine/manifest"
)

// The two states of an inspection. A painter that meets any other value paints
// NotGraded.
const (
	Graded    = "graded"
	NotGraded = "not_graded"
)

// Inspection is all that can be said of one manifest, for reading.
type Inspection struct {
	State     string // Graded or NotGraded
	Verdict   string // "Grade C, 74 of 100", or that it could not be graded
	Grade     string // "A" to "F", or "–"
	Lead      string // one plain sentence
	Outcome   string // what a gate says: "clean", "failed", "could_not_check"; empty where none was asked
	Gate      string // the same as a sentence, or empty
	Digest    string // aggregate digest; empty where nothing was graded
	ToolCount int
	Size      string // in bytes; how many tokens that is, rule C5 says
	Severity  []Count
	Tiers     []Count // each a filter of the tools
	Notices   []Notice
	Screens   []Screened
	List      []Failing // findings about the list alone
	Fixes     []FixLine
	Scores    []Bar // a bar for each of the lowest tools
	ScoresOf  string
	Hits      []Bar // a bar for each family of the screens that hit something
	Tools     []Inspected
	Notes     []Note
}

// Screened is what one rulebook says of the whole manifest.
type Screened struct {
	Rulebook string
	Ref      string // its place on the site, or empty where it has none
	Text     string // "No match." or how many and where
	Hit      bool
}

// FixLine is one change that brings points back.
type FixLine struct {
	Rule, Ref string
	Severity  string
	Text      string
	Gain      string // "+12"
	Of        string // "resolves 3 findings"
}

// Failing is one failed or undecided check.
type Failing struct {
	Rule     string
	Ref      string // the place of the rule's text on the site, or empty
	Severity string
	Message  string
	Fix      string
	Fails    bool   // it fails the gate
	Pointer  string // empty where it is too long to be handed on
	// The same for showing: names of members are manifest text.
	ShownPointer []Segment
	Evidence     []Segment
	Tool         []Segment // where it does not stand under its tool
}

// Inspect returns the inspection of a manifest from a gate's decision, which
// must hold the grade and the tiers.
func Inspect(m *manifest.Manifest, block *digest.Block, d *gate.Decision) *Inspection {
	v := &Inspection{
		State: NotGraded, Grade: "–", ToolCount: len(m.Entries), Notes: Notes("", m.Notes),
		Size: plural(len(m.Doc.Root().Source()), "byte"), Outcome: d.Outcome.String(),
	}
	if !d.Grade.Graded {
		v.Verdict = claims.CouldNotGrade
		v.Lead = "The manifest contains no tools, so there is nothing to look at. This says nothing about a server's tools."
		return v
	}
	v.State, v.Grade, v.Digest = Graded, d.Grade.Grade, block.Aggregate.Hex()
	v.Verdict = "Grade " + v.Grade + ", " + strconv.Itoa(d.Grade.Score) + " of 100"
	i := inspector{
		view: v, manifest: m, block: block, decision: d, fixes: map[string]string{},
		left: maxListed, leftHits: maxListedHits, leftText: maxTexts, hits: map[[2]string]int{}, books: map[string]*tally{},
	}
	for _, r := range claims.Rules() {
		i.fixes[r.ID] = r.Fix
	}
	i.tools()
	i.counts()
	i.fixList()
	i.bars()
	i.screens()
	v.Gate = i.gate()
	v.Lead = i.lead()
	v.Notices = i.notices()
	return v
}

// What is listed of all tools together, and the bytes of text in which hits are
// shown: a hostile manifest can have more than a browser can paint. What is left
// out is counted where it would stand, and the result as JSON has it.
const (
	maxListed     = 20_000 // failed checks
	maxListedHits = 4_000
	maxTexts      = 2 << 20
)

type inspector struct {
	view     *Inspection
	manifest *manifest.Manifest
	block    *digest.Block
	decision *gate.Decision
	fixes    map[string]string // a claims rule → how to fix it
	left     int
	leftHits int
	leftText int
	hits     map[[2]string]int // by rulebook and family, mentions apart
	books    map[string]*tally
}

func sizeOf(bytes int) string {
	// Four bytes a token is the rule of thumb for English and JSON.
	return plural(bytes, "byte") + ", about " + thousands((bytes+3)/4) + " tokens"
}

func (i *inspector) counts() {
	for k, name := range claims.Severities() {
		if n := i.decision.Grade.Counts.BySeverity[k]; n > 0 {
			i.view.Severity = append(i.view.Severity, Count{Status: name, N: n, Label: thousands(n) + " " + name})
		}
	}
	for _, t := range []capability.Tier{capability.Destructive, capability.Mutate, capability.Local, capability.Read, capability.Unknown} {
		if n := i.decision.Tiers.Count(t); n > 0 {
			i.view.Tiers = append(i.view.Tiers, Count{Status: t.String(), N: n, Label: tierCount(n, t)})
		}
	}
}

func (i *inspector) fixList() {
	rules := claims.Rules()
	for _, f := range i.decision.Grade.Fixes {
		r := &rules[f.Rule]
		i.view.Fixes = append(i.view.Fixes, FixLine{
			Rule: r.ID, Ref: refOf(claims.Criteria, r.ID), Severity: r.Severity.String(), Text: r.Fix,
			Gain: "+" + strconv.Itoa(f.Gain), Of: "resolves " + plural(len(f.Resolves), "finding"),
		})
	}
}

func tierCount(n int, t capability.Tier) string {
	text := plural(n, "tool") + " "
	if n == 1 {
		return text + tierLabel(t)
	}
	switch t {
	case capability.Read:
		return text + "read"
	case capability.Local:
		return text + "act locally"
	case capability.Mutate:
		return text + "change things"
	case capability.Destructive:
		return text + "destroy or execute"
	}
	return text + "not known"
}

func tierLabel(t capability.Tier) string {
	switch t {
	case capability.Read:
		return "reads"
	case capability.Local:
		return "acts locally"
	case capability.Mutate:
		return "changes things"
	case capability.Destructive:
		return "destroys or executes"
	}
	return "not known"
}
