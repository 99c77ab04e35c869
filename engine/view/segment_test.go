package view

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// naiveSegments looks at each character by itself.
func naiveSegments(text string, spans []span) []Segment {
	var out []Segment
	unit := 0
	for text != "" {
		r, size := decodeWide(text)
		var rules []string
		for _, s := range spans {
			if s.start <= unit && unit < s.end && len(rules) < maxRulesNamed {
				rules = append(rules, s.rule)
			}
		}
		s := Segment{Kind: equal, Text: text[:size], Title: strings.Join(rules, ", "), Hit: len(rules) > 0}
		if IsHidden(r) {
			s.Kind, s.Text = chip, ChipLabel(r)
			s.Title = strings.Join(append([]string{chipName(r)}, rules...), ", ")
			out = append(out, s)
		} else {
			out = join(out, s)
		}
		unit += unitsOf(r)
		text = text[size:]
	}
	return out
}

func TestSegmentsAgainstTheNaive(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	pool := []string{"a", "b c", strings.Repeat("plain text ", 3), "~", "\x7f", "\t", "é", "😀", "\u200b", "\xed\xa0\xbd", "\u202e", "\x00"}
	for range 4_000 {
		var text strings.Builder
		for range r.IntN(8) {
			text.WriteString(pool[r.IntN(len(pool))])
		}
		var spans []span
		for range r.IntN(7) {
			start := r.IntN(40)
			spans = append(spans, span{start, start + 1 + r.IntN(20), string(rune('A' + r.IntN(3)))})
		}
		slices.SortStableFunc(spans, func(a, b span) int { return a.start - b.start })
		got := (&marker{spans: spans}).add(nil, text.String(), equal)
		if diff := cmp.Diff(naiveSegments(text.String(), spans), got); diff != "" {
			t.Fatalf("%q %v (-naive +ours)\n%s", text.String(), spans, diff)
		}
	}
}

func TestLabelledIsWhatIsShown(t *testing.T) {
	for _, text := range []string{"", "plain", "a\x7fb", "tab\there", "é", strings.Repeat("x", maxLabelled), strings.Repeat("x", maxLabelled+1), strings.Repeat("é", maxLabelled)} {
		var want strings.Builder
		for _, s := range cut(text, maxLabelled) {
			want.WriteString(s.Text)
		}
		if got := Labelled(text); got != want.String() {
			t.Errorf("%q: got %q, want %q", text, got, want.String())
		}
	}
}
