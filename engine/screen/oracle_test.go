package screen

import (
	"runtime"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// generated is how many texts a test generates. regexp2 is slow in WASM.
func generated(n int) int {
	if runtime.GOARCH == "wasm" {
		return n / 4
	}
	return n
}

// rulebooks are all that the matcher runs: every rule of each goes through every oracle.
func rulebooks() []*Rulebook { return []*Rulebook{Injection(), Poison()} }

// ruleSpans are the spans of one rule in the text as submitted, from the shipped matcher.
func ruleSpans(s *Scanner, rule int, text string) []found {
	s.classes, _ = classify(s.classes, text)
	var met bits
	s.events, met = s.book.table.survey(s.events[:0], s.classes)
	s.hits = s.hits[:0]
	s.find(s.classes, s.events, &met)
	var out []found
	for _, h := range s.hits {
		if h.rule == int32(rule) {
			out = append(out, found{Span{int(h.start), int(h.end)}, Span{int(h.anchor[0]), int(h.anchor[1])}})
		}
	}
	return out
}

// TestOracle runs every rule of the rulebooks through regexp2 on the same texts.
func TestOracle(t *testing.T) {
	for _, rb := range rulebooks() {
		if runtime.GOOS == "js" && rb != Injection() {
			continue // regexp2 takes minutes there; the matcher is the same, and meets Poison natively
		}
		t.Run(rb.ID, func(t *testing.T) {
			g := newGenerator(1, rb)
			s := NewScanner(rb)
			fired := make([]int, len(rb.Rules))
			texts := caseTexts(t)
			for range generated(oracleTexts(rb)) {
				texts = append(texts, g.text())
			}
			for i := range 8 * len(rb.Rules) { // every rule in its plainest form
				texts = append(texts, g.shape(parse(patterned(rb)[i/8].Pattern), 1))
			}
			for _, text := range texts {
				units := utf16(text)
				for r := range rb.Rules {
					got, want := ruleSpans(s, r, text), merged(rb, r, units)
					if diff := cmp.Diff(want, got); diff != "" {
						t.Fatalf("%s %s in %q (-want +got):\n%s", rb.Rules[r].ID, patterned(rb)[r].Pattern, text, diff)
					}
					fired[r] += len(want)
				}
			}
			for r, n := range fired {
				if n == 0 {
					t.Errorf("%s never fired: %s", rb.Rules[r].ID, patterned(rb)[r].Pattern)
				}
			}
			t.Log(fired)
		})
	}
}

// oracleTexts is how many texts a rulebook is tried on: as many a rule, within the time of a test.
func oracleTexts(rb *Rulebook) int {
	if rb == Injection() {
		return 8000
	}
	return 2000
}

// TestScanEqualsNaive compares whole scans, all views.
func TestScanEqualsNaive(t *testing.T) {
	for _, rb := range rulebooks() {
		t.Run(rb.ID, func(t *testing.T) {
			g := newGenerator(2, rb)
			s := NewScanner(rb)
			var views [Base64 + 1]int
			for range generated(oracleTexts(rb)) {
				text := g.text()
				want, got := naiveScan(rb, text), s.Scan(text)
				if diff := cmp.Diff(want, got); diff != "" {
					t.Fatalf("%q (-want +got):\n%s", text, diff)
				}
				for _, m := range want {
					views[m.View]++
				}
			}
			if v := slices.Index(views[:], 0); v >= 0 {
				t.Errorf("no hit in view %v", View(v))
			}
			t.Log(views)
		})
	}
}
