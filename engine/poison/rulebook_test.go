package poison

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/manifestseal/manifestseal/engine/manifest"
	"github.com/manifestseal/manifestseal/engine/screen"
)

// toolWith is a manifest with a tool that has a text where a rule looks.
func toolWith(t *testing.T, surface, text string) *manifest.Manifest {
	t.Helper()
	tools := []any{map[string]any{"name": "t", "description": text}}
	switch surface {
	case parameterNames:
		tools = []any{map[string]any{"name": "t", "inputSchema": map[string]any{"properties": map[string]any{text: map[string]any{}}}}}
	case parameterTexts:
		tools = []any{map[string]any{"name": "t", "inputSchema": map[string]any{"properties": map[string]any{"p": map[string]any{"description": text}}}}}
	case toolNames:
		tools = []any{map[string]any{"name": "send_mail"}, map[string]any{"name": text}}
	}
	data, err := json.Marshal(tools)
	if err != nil {
		t.Fatal(err)
	}
	m, err := manifest.Read(data, manifest.Wire)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestExamples holds that every rule hits its two texts, none above info its two others, and that each has them.
func TestExamples(t *testing.T) {
	for _, r := range Rules() {
		t.Run(r.ID, func(t *testing.T) {
			hitBy := func(text string) []Hit {
				return slices.Concat(Manifest(toolWith(t, r.Surfaces, text))...)
			}
			for _, text := range r.Hits {
				if !slices.ContainsFunc(hitBy(text), func(h Hit) bool { return h.Rule == r.ID && h.Severity == r.Severity && h.Family == r.Family }) {
					t.Errorf("no hit in %q: %+v", text, hitBy(text))
				}
			}
			for _, text := range r.Misses {
				if hits := gravest(hitBy(text)); len(hits) > 0 || text == "" {
					t.Errorf("%q: %+v", text, hits)
				}
			}
		})
	}
}

// TestFamilies holds that the rules are of the published families and every family has one.
func TestFamilies(t *testing.T) {
	rules := Rules()
	for _, f := range Families() {
		if !slices.ContainsFunc(rules, func(r Rule) bool { return r.Family == f.ID }) || f.Text == "" {
			t.Errorf("%s has no rule or no text", f.ID)
		}
	}
	for _, r := range rules {
		if !slices.ContainsFunc(Families(), func(f screen.Category) bool { return f.ID == r.Family }) {
			t.Errorf("%s is of no family", r.ID)
		}
	}
}
