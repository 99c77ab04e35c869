package view

import (
	"strconv"
	"strings"

	"github.com/manifestseal/manifestseal/engine/capability"
	"github.com/manifestseal/manifestseal/engine/claims"
	"github.com/manifestseal/manifestseal/engine/gate"
	"github.com/manifestseal/manifestseal/engine/manifest"
	"github.com/manifestseal/manifestseal/engine/screen"
)

// Inspected is one tool.
type Inspected struct {
	ID             string    // "tool-1", …: never made from manifest text
	Name           []Segment // cut when it is long, or the words "(no name)"
	PlainName      string    // for copying: the name as it is, "" when there is none
	Line           string    // for places that take plain text alone
	OccurrenceNote string    // "2nd of this name", or empty
	Status         string    // the tier in capitals, which the filter goes by
	Tier           string    // wire value
	TierLabel      string
	Glyph          string // the tier's number, or "?"
	Score          string
	Digest         string
	Size           string // in bytes, and about how many tokens
	Summary        string
	Open           bool
	Evidence       []TierSign
	Screen         string // what the screens say of this tool, in one sentence
	Hits           []ScreenHit
	Texts          []HitText
	Findings       []Failing
	More           string // what is not listed, counted; or empty
}

// TierSign is one thing that speaks for a tool's tier.
type TierSign struct {
	Axis, Tier   string
	Pointer      string // into the tool
	ShownPointer []Segment
	Text         []Segment
}

// ScreenHit is one hit of a rulebook.
type ScreenHit struct {
	Rulebook, Rule, Ref, Severity string
	Label                         string // what the rule finds
	Note                          string // "a mention, …" or "muted: …"; or empty
	Fails                         bool   // it fails the gate
	View                          string // the reading that was hit, where it is not the text itself
	Pointer                       string
	ShownPointer                  []Segment
	Excerpt                       []Segment
}

// HitText is a text in which something was hit, whole, with the hits marked.
type HitText struct {
	Pointer      string
	ShownPointer []Segment
	Text         []Segment
}

// tally counts what one rulebook hit.
type tally struct{ hits, mentions, tools, last int }

func (i *inspector) tools() {
	at := 0
	findings := i.decision.Findings
	for ; at < len(findings) && findings[at].Entry < 0; at++ {
		i.view.List = append(i.view.List, i.failing(&findings[at]))
	}
	repeated := map[string]bool{}
	for _, e := range i.manifest.Entries {
		if e.Occurrence > 1 {
			repeated[place{e.Name, e.Named, 0}.key()] = true
		}
	}
	for k, e := range i.manifest.Entries {
		end := at
		for end < len(findings) && findings[end].Entry == k {
			end++
		}
		t := i.tool(k, e)
		if repeated[place{e.Name, e.Named, 0}.key()] {
			t.OccurrenceNote = ordinal(e.Occurrence) + " of this name"
		}
		i.fill(&t, k, findings[at:end])
		i.view.Tools = append(i.view.Tools, t)
		at = end
	}
}

func (p place) key() string {
	if !p.named {
		return ""
	}
	return "=" + p.name
}

func (i *inspector) tool(k int, e manifest.Entry) Inspected {
	tier := &i.decision.Tiers.Results[k]
	t := Inspected{
		ID: "tool-" + strconv.Itoa(k+1), Name: cut(e.Name, maxShown), PlainName: e.Name,
		Score: strconv.Itoa(i.decision.Grade.Tools[k].Score), Digest: i.block.Tools[k].Digest.Hex(), Size: sizeOf(len(e.Value.Source())),
		Tier: tier.Tier.String(), TierLabel: tierLabel(tier.Tier), Glyph: "?",
	}
	if !e.Named {
		t.Name = []Segment{{Kind: equal, Text: "(no name)"}}
	}
	if tier.Tier != capability.Unknown {
		t.Glyph = t.Tier[1:2]
	}
	t.Status = strings.ToUpper(t.Tier)
	t.Line = line(t.Glyph, t.Name, t.TierLabel)
	for _, ev := range tier.Evidence {
		t.Evidence = append(t.Evidence, TierSign{
			Axis: ev.Axis.String(), Tier: ev.Tier.String(), Pointer: ev.Pointer, ShownPointer: cut(ev.Pointer, maxShown), Text: cut(ev.Text, maxSign),
		})
		if len(t.Evidence) == maxSigns {
			break
		}
	}
	return t
}

// How many signs of a tier are shown, and how much of each.
const (
	maxSigns = 12
	maxSign  = 80
)

// fill puts what was found into a tool, as far as the bounds go.
func (i *inspector) fill(t *Inspected, entry int, findings []gate.Finding) {
	left, failed := 0, 0
	texts := hitTexts{at: map[string]int{}}
	for k := range findings {
		f := &findings[k]
		book := isScreen(f.Source)
		if book {
			i.count(f, entry)
		} else {
			failed++
		}
		switch {
		case book && (i.leftHits == 0 || len(t.Hits) == maxToolHits), !book && i.left == 0:
			left++
		case book:
			i.leftHits--
			t.Hits = append(t.Hits, i.screenHit(f, &texts))
		default:
			i.left--
			t.Findings = append(t.Findings, i.failing(f))
		}
	}
	t.Texts = texts.marked(&i.leftText)
	if left > 0 {
		t.More = plural(left, "more finding") + " of this tool: the result as JSON lists them all."
	}
	t.Open = loud(findings)
	t.Screen = screenSentence(findings)
	t.Summary = "score " + t.Score
	if failed > 0 {
		t.Summary += "; " + plural(failed, "finding")
	}
	if hits := hitsOf(findings); hits > 0 {
		t.Summary += "; " + plural(hits, "hit") + " of the screens"
	}
}

// maxToolHits is how many hits of one tool are listed one by one.
const maxToolHits = 100

// isScreen says whether a source reads texts: the two rulebooks, or one of the
// user's own.
func isScreen(source string) bool { return source != claims.Criteria && source != gate.CapabilityTiers }

func hitsOf(findings []gate.Finding) (n int) {
	for k := range findings {
		if f := &findings[k]; isScreen(f.Source) && !f.Mention {
			n++
		}
	}
	return n
}

// loud says whether a hit waits to be read: mentions and what was muted don't.
func loud(findings []gate.Finding) bool {
	for k := range findings {
		if f := &findings[k]; isScreen(f.Source) && !f.Mention && f.Muted == "" {
			return true
		}
	}
	return false
}

func screenSentence(findings []gate.Finding) string {
	hits, mentions := hitsOf(findings), 0
	for k := range findings {
		if f := &findings[k]; isScreen(f.Source) && f.Mention {
			mentions++
		}
	}
	text := "No rule hits a text of this tool."
	if hits > 0 {
		text = plural(hits, "hit") + ". A hit is no verdict: read it."
	}
	if mentions > 0 {
		text += " " + plural(mentions, "mention") + ": quoted or described, not ordered."
	}
	return text
}

func (i *inspector) count(f *gate.Finding, entry int) {
	b := i.books[f.Source]
	if b == nil {
		b = &tally{last: -1}
		i.books[f.Source] = b
	}
	if f.Mention {
		b.mentions++
		return
	}
	b.hits++
	if b.last != entry {
		b.last = entry
		b.tools++
	}
	i.hits[[2]string{f.Source, familyOf(f)}]++
}

// familyOf is the family of a hit, which the rulebook knows by the rule.
func familyOf(f *gate.Finding) string {
	for _, book := range []*screen.Rulebook{screen.Injection(), screen.Poison()} {
		if book.ID != f.Source {
			continue
		}
		for k := range book.Rules {
			if book.Rules[k].ID == f.Rule {
				return book.Rules[k].Category
			}
		}
	}
	// What is code and no pattern: hidden-text, lookalike-name and their lesser forms.
	for _, family := range []string{"hidden-text", "lookalike"} {
		if f.Source == screen.Poison().ID && strings.HasPrefix(f.Rule, family) {
			return strings.Replace(family, "lookalike", "lookalike-name", 1)
		}
	}
	return f.Rule
}
