package poison

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/manifestseal/manifestseal/engine/manifest"
)

// score is what the rules do on one set.
type score struct {
	poison, caught, benign, hit int
	families                    map[string]int
	missed, false_              []string
}

func scoreOf(t *testing.T, rows []row) score {
	t.Helper()
	s := score{families: map[string]int{}}
	scanner := NewScanner()
	for _, r := range rows {
		hits := gravest(scanner.Scan(r.entry(t), ""))
		if r.Label == "poison" {
			s.poison++
			if len(hits) > 0 {
				s.caught++
			} else {
				s.missed = append(s.missed, r.ID)
			}
			seen := map[string]bool{}
			for _, h := range hits {
				if !seen[h.Family] {
					s.families[h.Family]++
				}
				seen[h.Family] = true
			}
			continue
		}
		s.benign++
		if len(hits) > 0 {
			s.hit++
			s.false_ = append(s.false_, fmt.Sprintf("%s %s %q %q", r.ID, hits[0].Rule, hits[0].Anchor, hits[0].Match))
		}
	}
	return s
}

func (s *score) log(t *testing.T, name string) {
	t.Helper()
	t.Logf("%-32s poison %3d of %3d %5.1f %%   benign hit %3d of %4d   %v", name, s.caught, s.poison, percent(s.caught, s.poison), s.hit, s.benign, s.families)
	for _, f := range s.false_ {
		t.Logf("    false: %s", f)
	}
	if len(s.missed) > 0 && len(s.missed) < 20 {
		t.Logf("    missed: %s", strings.Join(s.missed, " "))
	}
}

func percent(n, of int) float64 { return 100 * float64(n) / float64(max(of, 1)) }

// TestOwnCases holds the project's own cases: 200 poisoned texts, each hit by the family that it was written for, and 200
// harmless ones, of which the hard ones begin with hard.
func TestOwnCases(t *testing.T) {
	rows := readRows(t, readFile(t, "../screen/testdata/cases/poison.jsonl"))
	s := scoreOf(t, rows)
	s.log(t, "own cases")
	if s.poison != 200 || s.benign != 200 {
		t.Fatalf("got %d poisoned and %d harmless cases", s.poison, s.benign)
	}
	if s.caught < 199 || s.hit > 0 {
		t.Error("below the table: 199 of 200 caught, none of the harmless hit")
	}
	hard, gold := 0, 0
	scanner := NewScanner()
	for _, r := range rows {
		if strings.HasPrefix(r.ID, "hard") {
			hard++
		}
		if r.Label == "poison" && slices.ContainsFunc(scanner.Scan(r.entry(t), ""), func(h Hit) bool { return slices.Contains(r.Rules, h.Family) }) {
			gold++
		}
	}
	t.Logf("family written for: %d of 200; hard negatives: %d", gold, hard)
	if hard < 60 || gold < 185 {
		t.Error("below the table: 60 hard negatives, 185 hit by the family that they were written for")
	}
}

// TestParaphrases holds the table of texts that avoid every usual wording. Half of them are a known boundary: they hold no
// word that a rule could go by.
func TestParaphrases(t *testing.T) {
	s := scoreOf(t, readRows(t, readFile(t, "../screen/testdata/cases/paraphrase.jsonl")))
	s.log(t, "paraphrases")
	if s.caught < 50 || s.hit > 1 {
		t.Error("below the table: 50 of 70 caught, 1 of 90 harmless hit")
	}
}

// TestRugPulls holds that what turned hostile raises the alarm where the hostile part is a text, and what did not does
// not.
func TestRugPulls(t *testing.T) {
	for _, before := range corpus(t, "poisoned/rugpull/*.before.json") {
		after := strings.Replace(before, ".before.", ".after.", 1)
		if _, err := os.Stat(after); err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(filepath.Base(before), ".before.json")
		alarm, rules := rugPull(t, before, after)
		t.Logf("%-28s alarm %v %v", name, alarm, rules)
		switch name {
		case "syn-annotations-flip", "syn-reorder", "syn-duplicate-shadow":
			// No text gives an order: the tiers have the first, and the comparison has the others.
		default:
			if !alarm {
				t.Errorf("%s: no alarm", name)
			}
		}
	}
}

func rugPull(t *testing.T, before, after string) (alarm bool, rules []string) {
	t.Helper()
	var sides [2]*manifest.Manifest
	for i, file := range []string{before, after} {
		m, err := manifest.Read(readFile(t, file), manifest.Lenient)
		if err != nil {
			t.Fatal(err)
		}
		sides[i] = m
	}
	old, current := Pair(sides[0], sides[1])
	d := Compare(slices.Concat(old...), slices.Concat(current...))
	return d.Alarm, append(d.NewHits, d.ChangedHits...)
}
