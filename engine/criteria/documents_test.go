package criteria

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/manifestseal/manifestseal/engine/claims"
	"github.com/manifestseal/manifestseal/engine/poison"
	"github.com/manifestseal/manifestseal/engine/screen"
)

func read[T any](t *testing.T, document []byte) T {
	t.Helper()
	var v T
	if err := json.Unmarshal(document, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

func TestClaimsAreTheTableThatGrades(t *testing.T) {
	got := read[struct {
		ID    string `json:"criteria_id"`
		Score struct {
			Weights map[string]int
			Cap     int            `json:"critical_cap"`
			Grades  map[string]int `json:"grades_from"`
		}
		Groups []struct{ Letter, Text string }
		Rules  []struct {
			ID, Severity, Fix string
			Fails             string `json:"fails_when"`
		}
	}](t, Claims())
	rules := claims.Rules()
	if got.ID != claims.Criteria || len(got.Rules) != len(rules) {
		t.Fatalf("%s with %d rules, want %d", got.ID, len(got.Rules), len(rules))
	}
	letters := map[string]bool{}
	for _, g := range got.Groups {
		letters[g.Letter] = g.Text != ""
	}
	for i, r := range rules {
		p := got.Rules[i]
		if p.ID != r.ID || p.Severity != r.Severity.String() || p.Fix != r.Fix || p.Fails != r.Fails || p.Fails == "" {
			t.Errorf("%s is published as %+v", r.ID, p)
		}
		if !letters[r.ID[:1]] {
			t.Errorf("%s is in no group", r.ID)
		}
	}
	if diff := cmp.Diff(map[string]int{"critical": 5, "high": 3, "medium": 2, "low": 1, "info": 0}, got.Score.Weights); diff != "" {
		t.Errorf("weights (-want +got)\n%s", diff)
	}
	if diff := cmp.Diff(map[string]int{"A": 90, "B": 80, "C": 70, "D": 55, "F": 0}, got.Score.Grades); diff != "" || got.Score.Cap != 69 {
		t.Errorf("grades (-want +got)\n%s", diff)
	}
}

func TestPoisonIsTheTableThatScans(t *testing.T) {
	got := read[struct {
		Rulebook string
		Families []screen.Category
		Rules    []struct {
			ID, Family, Severity, Description string
			Patterns                          []struct{ Pattern, Flags, Severity string }
			Hit                               []string `json:"must_hit"`
			Miss                              []string `json:"must_not_hit"`
		}
	}](t, Poison())
	if diff := cmp.Diff(poison.Families(), got.Families); diff != "" || got.Rulebook != screen.Poison().ID {
		t.Errorf("families (-run +published)\n%s", diff)
	}
	published := 0
	for i, r := range poison.Rules() {
		p := got.Rules[i]
		if p.ID != r.ID || p.Family != r.Family || p.Severity != r.Severity || len(p.Hit) != 2 || len(p.Miss) != 2 || p.Hit[0] == "" {
			t.Errorf("%s is published as %+v", r.ID, p)
		}
		for k, pattern := range p.Patterns {
			if pattern.Pattern != r.Patterns[k] || pattern.Flags != "i" {
				t.Errorf("pattern %d of %s is %+v", k, r.ID, pattern)
			}
			severity := pattern.Severity
			if severity == "" {
				severity = p.Severity
			}
			if want := screen.Poison().Rules[published].Severity; severity != want {
				t.Errorf("pattern %d of %s has severity %s, and runs as %s", k, r.ID, severity, want)
			}
			published++
		}
	}
	if published != len(screen.Poison().Rules) {
		t.Errorf("%d patterns are published of %d that run", published, len(screen.Poison().Rules))
	}
}

func TestInjectionIsAPieceOfTheIssuedDocument(t *testing.T) {
	got := read[struct {
		Rulebook string
		Rules    []screen.Rule
	}](t, Injection())
	if diff := cmp.Diff(screen.Injection().Rules, got.Rules); diff != "" || got.Rulebook != screen.Injection().ID {
		t.Errorf("rules (-run +published)\n%s", diff)
	}
}

func TestAllHasFourDocumentsUnderTheirOwnIDs(t *testing.T) {
	var ids []string
	for _, d := range All() {
		ids = append(ids, d.ID)
		own := read[map[string]any](t, d.JSON)
		if d.Purpose == "" || own["criteria_id"] != d.ID && own["rulebook"] != d.ID && own["id"] != d.ID {
			t.Errorf("%s does not bear its id", d.ID)
		}
	}
	want := []string{"mcp-manifest-claims/v1", "mcp-manifest-drift/v1", "prompt-injection-rules/v1", "mcp-poison-rules/v1"}
	if diff := cmp.Diff(want, ids); diff != "" {
		t.Errorf("documents (-want +got)\n%s", diff)
	}
}
