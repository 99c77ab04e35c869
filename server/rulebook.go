package server

import (
	"encoding/json"
	"strings"

	"github.com/manifestseal/manifestseal/engine/criteria"
	"github.com/manifestseal/manifestseal/engine/view"
	"github.com/manifestseal/manifestseal/templates"
)

// published is what the rulebooks' documents have, each some of it. Categories
// stand in the outline: the issued document writes them as an object, in order.
type published struct {
	Groups   []struct{ ID, Letter, Text string }
	Families []struct{ ID, Text string }
	Rules    []publishedRule
}

type publishedRule struct {
	ID, Category, Family, Severity, Description, Surfaces, Fix string
	FailsWhen                                                  string `json:"fails_when"`
	Pattern, Flags                                             string
	Patterns                                                   []struct{ Pattern, Flags, Severity string }
	Conditions                                                 []string
	MustHit                                                    []string `json:"must_hit"`
	MustNotHit                                                 []string `json:"must_not_hit"`
}

// rulebookOf makes the page of a rulebook from the document itself, so that the
// two can't say different things.
func rulebookOf(document criteria.Document, entries []templates.Entry) (templates.Rulebook, error) {
	var p published
	if err := json.Unmarshal(document.JSON, &p); err != nil {
		return templates.Rulebook{}, err
	}
	book := templates.Rulebook{
		ID: document.ID, Purpose: document.Purpose,
		Prose: templates.Without(entries, "criteria_id", "rulebook", "groups", "families", "categories", "rules"),
	}
	for _, g := range p.Groups {
		book.Groups = append(book.Groups, templates.Group{Anchor: "group-" + g.ID, ID: g.ID, Text: g.Text})
	}
	for _, f := range p.Families {
		book.Groups = append(book.Groups, templates.Group{Anchor: "family-" + f.ID, ID: f.ID, Text: f.Text})
	}
	for _, e := range entries {
		if e.Key == "categories" {
			book.Groups = append(book.Groups, categoriesOf(e)...)
		}
	}
	for _, r := range p.Rules {
		if g := groupOf(book.Groups, p, r); g != nil {
			g.Rules = append(g.Rules, r.page())
		}
	}
	return book, nil
}

func categoriesOf(e templates.Entry) []templates.Group {
	var groups []templates.Group
	for _, category := range e.Entries {
		groups = append(groups, templates.Group{Anchor: category.Key, ID: category.Key, Text: category.Text})
	}
	return groups
}

func groupOf(groups []templates.Group, p published, r publishedRule) *templates.Group {
	id := r.Category + r.Family
	for _, g := range p.Groups {
		if strings.HasPrefix(r.ID, g.Letter) {
			id = g.ID
		}
	}
	for i := range groups {
		if groups[i].ID == id {
			return &groups[i]
		}
	}
	return nil
}

func (r publishedRule) page() templates.Rule {
	rule := templates.Rule{ID: r.ID, Severity: r.Severity, Text: r.Description, Where: r.Surfaces, Fix: r.Fix, Conditions: r.Conditions}
	if r.FailsWhen != "" {
		rule.Text = "Fails when " + r.FailsWhen + "."
	}
	if r.Pattern != "" {
		rule.Patterns = append(rule.Patterns, templates.Pattern{Source: r.Pattern, Flags: r.Flags})
	}
	for _, pattern := range r.Patterns {
		rule.Patterns = append(rule.Patterns, templates.Pattern{Source: pattern.Pattern, Flags: pattern.Flags, Severity: pattern.Severity})
	}
	for _, text := range r.MustHit {
		rule.Hits = append(rule.Hits, view.Plain(text))
	}
	for _, text := range r.MustNotHit {
		rule.Misses = append(rule.Misses, view.Plain(text))
	}
	return rule
}
