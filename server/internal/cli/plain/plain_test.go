package plain

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/manifestseal/manifestseal/engine/view"
)

func TestText(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"plain", "Adds two numbers.", "Adds two numbers."},
		{"other scripts stand as they are", "Добавить 数 عدد é", "Добавить 数 عدد é"},
		{"escape sequence", "\x1b[31mred", "‹U+001B›[31mred"},
		{"C1 control", "\u009b31m", "‹U+009B›31m"},
		{"line breaks", "a\nb\r\nc\u2028d", "a‹U+000A›b‹U+000D›‹U+000A›c‹U+2028›d"},
		{"tab", "a\tb", "a‹U+0009›b"},
		{"bidirectional", "safe_\u202Etxt.exe", "safe_‹U+202E›txt.exe"},
		{"invisible", "a\u200Bb\u2060c\uFEFFd", "a‹U+200B›b‹U+2060›c‹U+FEFF›d"},
		{"tag characters", "\U000E0041", "‹U+E0041›"},
		{"lone surrogate", "\xed\xa0\x80x", "‹U+D800›x"},
		{"no UTF-8", "a\xff\xfeb", "a‹byte FF›‹byte FE›b"},
		{"cut off", "a\xe2\x82", "a‹byte E2›‹byte 82›"},
		{"replacement character", "\uFFFD", "\uFFFD"},
		{"Cyrillic in a Latin word", "rеad", "rе‹U+0435›ad"},
		{"Greek in a Latin word", "cοpy", "cο‹U+03BF›py"},
		{"two words of two scripts", "Москва city", "Москва city"},
		{"a Cyrillic word that could be Latin", "сор", "сор"},
		{"not composed", "re\u0301sume\u0301", "re\u0301‹U+0301›sume\u0301‹U+0301›"},
		{"composed", "r\u00e9sum\u00e9", "résumé"},
		{"Korean not composed", "\u1100\u1161", "\u1100\u1161‹U+1161›"},
		{"empty", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, Text(tt.in)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func FuzzText(f *testing.F) {
	for _, s := range []string{"a\x1b[0m", "\xed\xa0\x80", "\xff", "a\u202e\n", "e\u0301\u0301", "rеad\u200b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := Text(s)
		if !utf8.ValidString(got) {
			t.Errorf("%q gives %q, which is no UTF-8", s, got)
		}
		for _, r := range got {
			if r == '\t' || view.IsHidden(r) {
				t.Errorf("%q gives %q, which holds U+%04X", s, got, r)
			}
		}
		if harmless(s) && got != s {
			t.Errorf("%q became %q", s, got)
		}
	})
}

func TestElide(t *testing.T) {
	long := strings.Repeat("word ", 100)
	tests := []struct {
		name string
		in   []Run
		want string
	}{
		{"short stays", []Run{{Text: "a b c "}, {Text: "d", Kind: Inserted}}, "a b c {+d+}"},
		{"the beginning", []Run{{Text: long}, {Text: "d", Kind: Inserted}}, "word ‹…479 equal characters…› word word word {+d+}"},
		{"the end", []Run{{Text: "d", Kind: Deleted}, {Text: long}}, "[-d-]word word word word ‹…474 equal characters…› word "},
		{"between", []Run{{Text: "d", Kind: Deleted}, {Text: long}, {Text: "e", Kind: Inserted}}, "[-d-]word word word word ‹…464 equal characters…› word word word {+e+}"},
		{"what differs stays whole", []Run{{Text: long, Kind: Inserted}}, "{+" + long + "+}"},
		{"what is matched stays whole", []Run{{Text: long, Hit: true}}, long},
		{"without spaces", []Run{{Text: strings.Repeat("x", 100)}, {Text: "d", Kind: Deleted}}, "xxxxxx‹…74 equal characters…›xxxxxxxxxxxxxxxxxxxx[-d-]"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, Marked(Elide(tt.in, 20))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestCut(t *testing.T) {
	runs := []Run{{Text: "abc"}, {Text: "déf", Kind: Inserted}, {Text: "ghi"}}
	for most, want := range map[int]string{
		9: "abcdéfghi", 100: "abcdéfghi", 8: "abcdéfgh‹…1 more character›", 5: "abcdé‹…4 more characters›", 0: "‹…9 more characters›",
	} {
		if got := Join(Cut(runs, most)); got != want {
			t.Errorf("to %d: got %q, want %q", most, got, want)
		}
	}
}

func TestRuns(t *testing.T) {
	segments := []view.Segment{
		{Kind: "equal", Text: "a\tb"}, {Kind: "ins", Text: "c\td"}, {Kind: "chip", Text: "U+200B", Title: "ZERO WIDTH SPACE"}, {Kind: "del", Text: "\x1b"},
	}
	if got, want := Marked(Runs(segments)), "a    b{+c‹U+0009›d+}‹U+200B›[-‹U+001B›-]"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := Marked(Whole(segments)), "a    bc    d‹U+200B›‹U+001B›"; got != want {
		t.Errorf("whole: got %q, want %q", got, want)
	}
}

func TestQuoted(t *testing.T) {
	runs := []Run{{Text: "a "}, {Text: "b", Hit: true}, {Text: "‹U+200B›", Kind: Chip, Hit: true}, {Text: "c", Hit: true}, {Text: " d"}, {Text: "e", Hit: true}}
	if got, want := Quoted(runs), "a >>b‹U+200B›c<< d>>e<<"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestCount(t *testing.T) {
	for want, got := range map[string]string{
		"1 tool": Count(1, "tool"), "0 tools": Count(0, "tool"), "2 matches": Count(2, "match"), "1,234,567 lines": Count(1234567, "line"), "999 lines": Count(999, "line"),
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
