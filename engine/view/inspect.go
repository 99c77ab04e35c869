package view

import (
	"strconv"

	"github.com/manifestseal/manifestseal/engine/capability"
	"github.com/manifestseal/manifestseal/engine/claims"
	"github.com/manifestseal/manifestseal/engine/digest"
	"github.com/manifestseal/manifestseal/engine/jsonvalue"
	"github.com/manifestseal/manifestseal/engine/manifest"
	"github.com/manifestseal/manifestseal/engine/screen"
)

// Inspection is all that can be said of one manifest, for reading.
type Inspection struct {
	Graded    bool   // false: it has no tools, and nothing else is said
	Lead      string // one plain sentence
	Digest    string // aggregate digest
	ToolCount int
	Size      string // bytes, and about how many tokens
	Grade     string // "A" to "F", or "–"
	Score     string // "87 of 100"
	Severity  []Count
	Tiers     []Count
	Fixes     []FixLine
	Scores    []Bar // a bar for each tool, the lowest first
	Hits      []Bar // a bar for each category of the screen that matched
	Tools     []Inspected
	Notes     []Note
}

// FixLine is one change that brings points back.
type FixLine struct {
	Rule string
	Text string
	Gain string // "+12"
	Of   string // "resolves 3 findings"
}

// Bar is one line of a plot, and of the table beside it.
type Bar struct {
	Label []Segment
	Value string
	Width int // 0 to 100
	Kind  string
}

// Inspected is one tool.
type Inspected struct {
	ID         string
	Name       []Segment
	PlainName  string
	Occurrence string // "2nd of this name", or empty
	Score      string
	Tier       string // wire value
	TierLabel  string
	Digest     string
	Summary    string
	Open       bool
	Findings   []Failing
	Scan       *Scan
}

// Failing is one failed or undecided check.
type Failing struct {
	Rule, Severity, Message, Fix string
	Pointer                      string
	ShownPointer                 []Segment
	Evidence                     []Segment
}

// Bars are cut here: a plot of a thousand bars says less than its worst fifty.
const maxBars = 50

// Inspect returns the inspection of a manifest.
func Inspect(m *manifest.Manifest, block *digest.Block) *Inspection {
	v := &Inspection{
		Digest: block.Aggregate.Hex(), ToolCount: len(m.Entries), Notes: Notes("", m.Notes), Grade: "–",
		Size: sizeOf(len(m.Doc.Root().Source())),
	}
	grade := claims.Grade(m)
	if !grade.Graded {
		v.Lead = "The manifest contains no tools, so there is nothing to grade. This says nothing about a server's tools."
		return v
	}
	v.Graded = true
	v.Grade, v.Score = grade.Grade, strconv.Itoa(grade.Score)+" of 100"
	for i, name := range claims.Severities() {
		if n := grade.Counts.BySeverity[i]; n > 0 {
			v.Severity = append(v.Severity, Count{Status: name, N: n, Label: thousands(n) + " " + name})
		}
	}
	i := inspector{view: v, manifest: m, block: block, grade: grade, rules: claims.Rules(), tiers: capability.Manifest(m, capability.Options{})}
	i.tools()
	i.tierCounts()
	i.fixes()
	i.bars()
	v.Lead = i.lead()
	return v
}

func sizeOf(bytes int) string {
	// Four bytes a token is the rule of thumb for English and JSON.
	return thousands(bytes) + " bytes, about " + thousands((bytes+3)/4) + " tokens"
}

type inspector struct {
	view     *Inspection
	manifest *manifest.Manifest
	block    *digest.Block
	grade    *claims.Output
	rules    []claims.Rule
	tiers    *capability.Report
	matches  map[string]int // by category
}

func (i *inspector) tools() {
	scanner := screen.NewScanner(screen.Injection())
	i.matches = make(map[string]int)
	findings := make([][]Failing, len(i.manifest.Entries))
	for k := range i.grade.Findings {
		f := &i.grade.Findings[k]
		if f.Tool < 0 {
			continue
		}
		rule := i.rules[f.Rule]
		findings[f.Tool] = append(findings[f.Tool], Failing{
			Rule: rule.ID, Severity: rule.Severity.String(), Message: f.Message, Fix: rule.Fix,
			Pointer: f.Pointer, ShownPointer: cut(f.Pointer, maxShown), Evidence: Plain(f.Evidence),
		})
	}
	for k, e := range i.manifest.Entries {
		t := Inspected{
			ID: "tool-" + strconv.Itoa(k+1), Name: cut(e.Name, maxShown), PlainName: e.Name,
			Score: strconv.Itoa(i.grade.Tools[k].Score), Digest: i.block.Tools[k].Digest.Hex(),
			Tier: i.tiers.Results[k].Tier.String(), TierLabel: tierLabel(i.tiers.Results[k].Tier),
			Findings: findings[k],
		}
		if !e.Named {
			t.Name = []Segment{{Kind: equal, Text: "(no name)"}}
		}
		if e.Occurrence > 1 {
			t.Occurrence = ordinal(e.Occurrence) + " of this name"
		}
		t.Scan = i.scan(scanner, e)
		t.Open = len(t.Scan.Hits) > 0
		t.Summary = inspectedSummary(&t)
		i.view.Tools = append(i.view.Tools, t)
	}
}

// scan screens a tool's description as it stands.
func (i *inspector) scan(scanner *screen.Scanner, e manifest.Entry) *Scan {
	description := e.Value.Get("description")
	s := &Scan{Scanned: description.Kind() == jsonvalue.String}
	if !s.Scanned {
		s.Label = "Not screened: the description is absent or no text."
		return s
	}
	matches := scanner.Scan(description.Text())
	s.count = len(matches)
	s.Label = scanLabel(s.count)
	x := newExcerpter(description.Text())
	for k, m := range matches {
		i.matches[m.Rule.Category]++
		if k < maxHits {
			view := ""
			if m.View != screen.AsSubmitted {
				view = m.View.String()
			}
			s.Hits = append(s.Hits, x.hit(m.Rule.ID, m.Rule.Category, view, m.Start, m.End))
		}
	}
	return s
}

func inspectedSummary(t *Inspected) string {
	text := t.TierLabel
	if n := len(t.Findings); n > 0 {
		text += "; " + plural(n, "finding")
	}
	if n := t.Scan.count; n > 0 {
		text += "; " + matchesLabel(n) + " in the description"
	}
	return text
}

func matchesLabel(n int) string {
	if n == 1 {
		return "1 pattern match"
	}
	return thousands(n) + " pattern matches"
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
	return "not known what it can do"
}

func (i *inspector) tierCounts() {
	for _, t := range []capability.Tier{capability.Destructive, capability.Mutate, capability.Local, capability.Read, capability.Unknown} {
		if n := i.tiers.Count(t); n > 0 {
			i.view.Tiers = append(i.view.Tiers, Count{Status: t.String(), N: n, Label: thousands(n) + " " + tierLabel(t)})
		}
	}
}

func (i *inspector) fixes() {
	for _, f := range i.grade.Fixes {
		i.view.Fixes = append(i.view.Fixes, FixLine{
			Rule: i.rules[f.Rule].ID, Text: i.rules[f.Rule].Fix, Gain: "+" + strconv.Itoa(f.Gain), Of: "resolves " + plural(len(f.Resolves), "finding"),
		})
	}
}

func (i *inspector) lead() string {
	text := plural(i.view.ToolCount, "tool") + ", graded " + i.view.Grade + " (" + i.view.Score + ")."
	hits := 0
	for _, n := range i.matches {
		hits += n
	}
	if hits == 0 {
		return text + " No description matches the injection screen, which is no proof that none is hostile."
	}
	return text + " The injection screen has " + matchesLabel(hits) + ": read them."
}
