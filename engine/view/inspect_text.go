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

// screens says of each rulebook what it found, also when that is nothing.
func (i *inspector) screens() {
	names := []string{screen.Injection().ID, screen.Poison().ID}
	for k := range i.decision.Findings {
		source := i.decision.Findings[k].Source
		if isScreen(source) && !contains(names, source) {
			names = append(names, source)
		}
	}
	for k, name := range names {
		b := i.books[name]
		if b == nil {
			b = &tally{}
		}
		s := Screened{Rulebook: Labelled(name), Hit: b.hits > 0, Text: "No match."}
		if k < 2 {
			s.Ref = "/criteria/" + name
		}
		if b.hits > 0 {
			s.Text = plural(b.hits, "hit") + " in " + plural(b.tools, "tool") + "."
		}
		if b.mentions > 0 {
			s.Text += " " + plural(b.mentions, "mention") + ", which " + verb(b.mentions, "counts", "count") + " for nothing."
		}
		i.view.Screens = append(i.view.Screens, s)
	}
}

func contains(list []string, one string) bool {
	for _, s := range list {
		if s == one {
			return true
		}
	}
	return false
}

func (i *inspector) lead() string {
	text := plural(i.view.ToolCount, "tool") + "; " + plural(i.decision.Grade.Counts.Fail, "failed check") + "."
	hits := 0
	for _, b := range i.books {
		hits += b.hits
	}
	if hits == 0 {
		return text + " The screens hit nothing, which is no proof that no text is hostile."
	}
	return text + " The screens have " + plural(hits, "hit") + ": read " + verb(hits, "it", "them") + "."
}

// gate says what a gate in CI would say, and by which rules.
func (i *inspector) gate() string {
	d := i.decision
	asked := "--fail-on " + d.Options.FailOn.String()
	if d.Options.FailOnCapability != capability.Unknown {
		asked += ", --fail-on-capability " + d.Options.FailOnCapability.String()
	}
	if d.Options.RequireAnnotations {
		asked += ", --require-annotations"
	}
	text := "A gate (" + asked + ") "
	switch d.Outcome {
	case gate.Clean:
		return text + "passes."
	case gate.Failed:
		return text + "fails: " + plural(d.Failing, "finding") + " " + verb(d.Failing, "reaches", "reach") + " it."
	}
	if d.Failing > 0 {
		return text + "could not be checked, and " + plural(d.Failing, "finding") + " " + verb(d.Failing, "fails", "fail") + " it."
	}
	return text + "could not be checked. This is not clean."
}

func (i *inspector) notices() []Notice {
	var out []Notice
	for k := range i.decision.Failures {
		if k == maxFailures {
			out = append(out, Notice{Kind: "reason", Text: plural(len(i.decision.Failures)-k, "more rule") + " could not be checked."})
			break
		}
		f := &i.decision.Failures[k]
		text := f.Message
		if f.Rule != "" && f.Source != gate.CapabilityTiers {
			text = "rule " + f.Rule + " of " + f.Source + ": " + text
		}
		out = append(out, Notice{Kind: "reason", Text: "Could not be checked: " + Labelled(text) + "."})
	}
	if cap := claims.Scoring().CriticalCap; i.decision.Grade.Score == cap && i.decision.Grade.Counts.BySeverity[claims.Critical] > 0 {
		out = append(out, Notice{Kind: "cap", Text: "A failed critical check caps the score at " + strconv.Itoa(cap) + ". Until it is mended, mending anything else brings few points or none."})
	}
	if n := i.naming("screen", "To be read first:", func(t *Inspected) bool { return t.Open }); len(n.Tools) > 0 {
		out = append(out, n)
	}
	if unknown := i.decision.Tiers.Count(capability.Unknown); unknown > 0 {
		text := "Of " + plural(unknown, "tool") + " nothing says what " + verb(unknown, "it", "they") + " can do. Unknown is never read-only:"
		out = append(out, i.naming("unknown", text, func(t *Inspected) bool { return t.Glyph == "?" }))
	}
	for _, n := range i.view.Notes {
		if n.Code == manifest.MorePages {
			out = append(out, Notice{Kind: "partial", Text: strings.TrimSuffix(n.Message, ".") + "."})
		}
	}
	return out
}

// maxFailures is how many rules that could not be run are named.
const maxFailures = 20

// naming is a notice with the tools that it is about.
func (i *inspector) naming(kind, text string, which func(*Inspected) bool) Notice {
	n := Notice{Kind: kind, Text: text}
	more := 0
	for k := range i.view.Tools {
		switch t := &i.view.Tools[k]; {
		case !which(t):
		case len(n.Tools) == maxMentions:
			more++
		default:
			n.Tools = append(n.Tools, Mention{ID: t.ID, Name: t.Name})
		}
	}
	if more > 0 {
		n.More = "and " + thousands(more) + " more"
	}
	return n
}
