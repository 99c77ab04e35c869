package poison

import (
	"github.com/manifestseal/manifestseal/engine/poison/intent"
	"github.com/manifestseal/manifestseal/engine/screen"
)

// Rule is a rule as it is published.
type Rule struct {
	ID, Family, Severity string
	Sentence             string   // what it finds
	Patterns             []string // ECMAScript, read with the flags i and g; none where the rule is code
	Conditions           []string // what a rule by meaning asks for, one way a line; none where the rule has patterns or is code
	Surfaces             string   // where it looks
	Hits, Misses         [2]string
}

// Where rules look.
const (
	everyText      = "every string and every member name of a tool"
	parameterNames = "names of parameters of the input schema"
	parameterTexts = "descriptions of parameters of the input schema"
	toolNames      = "names of tools, those of the baseline included"
)

// Rules returns every rule in published order, with two texts that it must hit and two that it must not. It is for who
// publishes or tests the rulebook.
func Rules() []Rule {
	var all []Rule
	patterns := screen.PoisonPatterns()
	for i, r := range screen.Poison().Rules {
		if len(all) == 0 || all[len(all)-1].ID != r.ID {
			info := Rule{ID: r.ID, Family: r.Category, Severity: r.Severity, Sentence: r.Description, Surfaces: everyText}
			if r.Category == familyName {
				info.Surfaces = parameterNames
			}
			all = append(all, info)
		}
		last := &all[len(all)-1]
		last.Patterns = append(last.Patterns, patterns[i])
	}
	for _, k := range intent.Kinds() {
		r := Rule{ID: k.ID, Family: k.Family, Severity: k.Severity, Sentence: k.Sentence, Conditions: intent.Conditions(k.ID), Surfaces: everyText}
		if k.Param {
			r.Surfaces = parameterTexts
		}
		all = append(all, r)
	}
	all = append(all,
		Rule{
			ID: ruleHidden, Family: familyHidden, Severity: Critical, Surfaces: everyText,
			Sentence: "Tag characters outside a flag, bidirectional controls, terminal escapes, or a run of variation selectors.",
		},
		Rule{
			ID: ruleZeroWidth, Family: familyHidden, Severity: Medium, Surfaces: everyText,
			Sentence: "Another character that cannot be seen, outside emoji and the scripts that need it.",
		},
		Rule{
			ID: ruleLookalike, Family: ruleLookalike, Severity: Critical, Surfaces: toolNames,
			Sentence: "A name that looks like another name without being it, or like ASCII without being it.",
		},
		Rule{
			ID: ruleLookalikeText, Family: ruleLookalike, Severity: Medium, Surfaces: everyText,
			Sentence: "A word in which Cyrillic or Greek letters pose as Latin ones.",
		},
	)
	for i := range all {
		for _, e := range examples {
			if e.rule == all[i].ID {
				all[i].Hits, all[i].Misses = e.hits, e.misses
			}
		}
	}
	return all
}

// Families returns the families with a sentence each, in published order.
func Families() []screen.Category {
	return append(append([]screen.Category{}, screen.Poison().Categories...),
		screen.Category{ID: familyHidden, Text: "Characters that a person does not see and an agent reads."},
		screen.Category{ID: ruleLookalike, Text: "Names that pose as other names, and letters that pose as other letters."})
}
