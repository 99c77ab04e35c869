package screen

import (
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/manifestseal/manifestseal/engine/enginetest"
)

func addTexts(f *testing.F) {
	g := newGenerator(4, Injection())
	for range 100 {
		f.Add(g.text())
	}
	for _, text := range enginetest.Hostile(400) {
		f.Add(text)
	}
}

// FuzzScan compares the shipped matcher with the naive twin.
func FuzzScan(f *testing.F) {
	addTexts(f)
	f.Fuzz(func(t *testing.T, text string) {
		got := Injection().Scan(text)
		if !utf8.ValidString(text) || len(text) > 2000 {
			return // the naive twin reads no other text, and is quadratic
		}
		if diff := cmp.Diff(naiveScan(Injection(), text), got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

// FuzzViews compares what the views make of a text: its classes after percent-decoding with their places, and its tokens.
func FuzzViews(f *testing.F) {
	addTexts(f)
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) {
			return
		}
		s := NewScanner(Injection())
		s.classes, _ = classify(nil, text)
		units := utf16(text)
		decoded, from, _ := naivePercent(units)
		if s.decodePercent() {
			want, _ := classify(nil, wtf8(decoded))
			if diff := cmp.Diff(want, s.view); diff != "" {
				t.Errorf("percent-decoded (-want +got):\n%s", diff)
			}
			for i, at := range from {
				if int(s.origin[i]) != at {
					t.Errorf("unit %d: got place %d, want %d", i, s.origin[i], at)
				}
			}
		} else if len(decoded) != len(units) {
			t.Error("an escape was not decoded")
		}
		compareTokens(t, s, text, naiveTokens(units))
	})
}

func compareTokens(t *testing.T, s *Scanner, text string, want []naiveToken) {
	t.Helper()
	for from := 0; ; {
		start, end := nextToken(text, from)
		if start < 0 {
			break
		}
		from = end
		if !s.decodeToken(text[start:end]) {
			continue
		}
		if len(want) == 0 || want[0].start != units(text[:start]) || wtf8(want[0].content) != string(s.decoded) {
			t.Fatalf("token %q at %d is none of %v", text[start:end], start, want)
		}
		want = want[1:]
	}
	if len(want) > 0 {
		t.Errorf("tokens not found: %v", want)
	}
}
