package poison

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/manifestseal/manifestseal/engine/manifest"
)

//go:embed testdata/exceptions.json
var exceptionList []byte

// exception is a hit on a harmless text that somebody read and agrees with, or cannot help.
type exception struct{ Where, Rule, Anchor, Reason string }

func exceptions(t *testing.T) []exception {
	t.Helper()
	var all []exception
	if err := json.Unmarshal(exceptionList, &all); err != nil {
		t.Fatal(err)
	}
	for _, e := range all {
		if e.Reason == "" {
			t.Errorf("%+v has no reason", e)
		}
	}
	return all
}

// score is what the rules do on one set.
type score struct {
	poison, caught, benign, hit int
	families                    map[string]int
	missed, false_              []string
}

func scoreOf(t *testing.T, where string, rows []row) score {
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
		hits = slices.DeleteFunc(hits, func(h Hit) bool { return excepted(t, where, &h) })
		if len(hits) > 0 {
			s.hit++
			s.false_ = append(s.false_, fmt.Sprintf("%s %s %q %q", r.ID, hits[0].Rule, hits[0].Anchor, hits[0].Match))
		}
	}
	return s
}

func excepted(t *testing.T, where string, h *Hit) bool {
	return slices.ContainsFunc(exceptions(t), func(e exception) bool { return e.Where == where && e.Rule == h.Rule && e.Anchor == h.Anchor })
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
	s := scoreOf(t, "own", rows)
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
	s := scoreOf(t, "paraphrase", readRows(t, readFile(t, "../screen/testdata/cases/paraphrase.jsonl")))
	s.log(t, "paraphrases")
	if s.caught < 50 || s.hit > 1 {
		t.Error("below the table: 50 of 70 caught, 1 of 90 harmless hit")
	}
}

// TestCorpusSets holds the bars of the guard's design on the sets of the corpus.
func TestCorpusSets(t *testing.T) {
	others := score{}
	for _, file := range corpus(t, "poisoned/*.jsonl") {
		name := strings.TrimSuffix(filepath.Base(file), ".jsonl")
		s := scoreOf(t, name, readRows(t, readFile(t, file)))
		s.log(t, name)
		switch name {
		case "mcptox.NOREDIST":
			if percent(s.caught, s.poison) < 95 {
				t.Errorf("%s: below 95 %%", name)
			}
		case "cisco_overt": // names hostile tools plainly and instructs no agent
		default:
			others.poison += s.poison
			others.caught += s.caught
		}
	}
	others.log(t, "the others together")
	if percent(others.caught, others.poison) < 90 {
		t.Error("the others together: below 90 %")
	}
	for _, file := range corpus(t, "benign/*.jsonl") {
		name := strings.TrimSuffix(filepath.Base(file), ".jsonl")
		s := scoreOf(t, name, readRows(t, readFile(t, file)))
		s.log(t, name)
		if s.hit > 0 {
			t.Errorf("%s: hits that are on no list", name)
		}
	}
}

// TestCorpusManifests looks at every string of every real tool: a hit above info must be on the list.
func TestCorpusManifests(t *testing.T) {
	tools, hit := 0, 0
	for _, file := range corpus(t, "manifests/*/*.json*") {
		m, err := manifest.Read(readFile(t, file), manifest.Lenient)
		if err != nil {
			t.Fatal(err)
		}
		where := filepath.Base(filepath.Dir(file))
		for i, hits := range Manifest(m) {
			tools++
			for _, h := range gravest(hits) {
				hit++
				if !excepted(t, where, &h) {
					t.Errorf("%s %s: %+v", where, m.Entries[i].Name, h)
				}
			}
		}
	}
	t.Logf("%d tools, %d hits above info, all on the list", tools, hit)
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
