package gate

import (
	"github.com/manifestseal/manifestseal/engine/manifest"
	"github.com/manifestseal/manifestseal/engine/poison"
	"github.com/manifestseal/manifestseal/engine/screen"
)

// Poison screens every text of every tool with mcp-poison-rules/v1.
func Poison(m *manifest.Manifest) []Finding {
	var out []Finding
	for i, hits := range poison.Manifest(m) {
		for k := range hits {
			out = append(out, OfHit(&hits[k], i))
		}
	}
	return out
}

// OfHit makes a finding of a hit on an entry.
func OfHit(h *poison.Hit, entry int) Finding {
	severity, known := ParseSeverity(h.Severity)
	if !known {
		severity = High
	}
	f := Finding{Source: screen.Poison().ID, Rule: h.Rule, Severity: severity, Entry: entry, Pointer: h.Pointer,
		Message: PoisonText(h.Rule, h.Family), Evidence: h.Match, Anchor: h.Anchor, Mention: h.Mention,
		Text: h.Text, Start: h.Start, End: h.End}
	if h.View != poison.AsSubmitted {
		f.View = h.View
	}
	return f
}

// PoisonText is what a rule of mcp-poison-rules/v1 finds, in one sentence: that
// of the rule, or of its family.
func PoisonText(rule, family string) string {
	book := screen.Poison()
	for i := range book.Rules {
		if book.Rules[i].ID == rule {
			return book.Rules[i].Description
		}
	}
	switch rule {
	case "lookalike-name":
		return "A name that looks like another one and is not."
	case "hidden-text", "hidden-text-zero-width":
		return "Characters that nobody sees and a model reads."
	}
	for i := range book.Categories {
		if book.Categories[i].ID == family {
			return book.Categories[i].Text
		}
	}
	return "A text that works on the agent that reads it."
}
