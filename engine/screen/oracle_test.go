package screen

import (
	"runtime"
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

// ruleSpans are the spans of one rule in the text as submitted, from the shipped matcher.
func ruleSpans(s *Scanner, rule int, text string) [][2]int {
	s.classes, _ = classify(s.classes, text)
	var met bits
	s.events, met = s.book.table.survey(s.events[:0], s.classes)
	s.hits = s.hits[:0]
	s.find(s.classes, s.events, &met)
	var out [][2]int
	for _, h := range s.hits {
		if h.rule == int32(rule) {
			out = append(out, [2]int{int(h.start), int(h.end)})
		}
	}
	return out
}

// TestOracle runs every rule of the rulebook through regexp2 on the same texts.
func TestOracle(t *testing.T) {
	g := newGenerator(1)
	s := NewScanner(Injection())
	fired := make([]int, len(oracle()))
	for range generated(8000) {
		text := g.text()
		units := utf16(text)
		for r := range Injection().Rules {
			got, want := ruleSpans(s, r, text), merged(r, units)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("%s in %q (-want +got):\n%s", Injection().Rules[r].ID, text, diff)
			}
			fired[r] += len(want)
		}
	}
	for r, n := range fired {
		if n == 0 {
			t.Errorf("%s never fired", Injection().Rules[r].ID)
		}
	}
	t.Log(fired)
}

// TestScanEqualsNaive compares whole scans, all views.
func TestScanEqualsNaive(t *testing.T) {
	g := newGenerator(2)
	s := NewScanner(Injection())
	var views [Base64 + 1]int
	for range generated(8000) {
		text := g.text()
		want, got := naiveScan(text), s.Scan(text)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%q (-want +got):\n%s", text, diff)
		}
		for _, m := range want {
			views[m.View]++
		}
	}
	for v, n := range views {
		if n == 0 {
			t.Errorf("no hit in view %v", View(v))
		}
	}
	t.Log(views)
}
