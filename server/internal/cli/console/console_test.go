package console

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/manifestseal/manifestseal/engine"
	"github.com/manifestseal/manifestseal/engine/jsonvalue"
	"github.com/manifestseal/manifestseal/engine/manifest"
	"github.com/manifestseal/manifestseal/engine/view"
)

func texts(lines [][]glyph) (out []string) {
	for _, line := range lines {
		var b strings.Builder
		for _, g := range line {
			b.WriteRune(g.r)
		}
		out = append(out, b.String())
	}
	return out
}

func TestWrap(t *testing.T) {
	tests := []struct {
		name, in string
		width    int
		want     []string
	}{
		{"fits", "abc def", 7, []string{"abc def"}},
		{"at a space", "abc def ghi", 8, []string{"abc def", "ghi"}},
		{"no space", "abcdefghij", 4, []string{"abcd", "efgh", "ij"}},
		{"a space too early", "a bcdefghijkl", 9, []string{"a bcdefgh", "ijkl"}},
		{"wide characters", "数数数数数", 4, []string{"数数", "数数", "数"}},
		{"combining marks take no room", "e\u0301e\u0301e\u0301", 3, []string{"e\u0301e\u0301e\u0301"}},
		{"empty", "", 4, []string{""}},
		{"spaces", "          ", 4, []string{"   ", "   ", "  "}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, texts(wrap(glyphs([]piece{{tt.in, none}}), tt.width))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestStackedMarksAreWrapped(t *testing.T) {
	lines := wrap(glyphs([]piece{{"e" + strings.Repeat("\u0301", 1000), none}}), 20)
	for _, line := range lines {
		if len(line) > 20+maxStacked+1 {
			t.Errorf("a line of %d characters", len(line))
		}
	}
}

func FuzzWrap(f *testing.F) {
	f.Add("abc def ghi", uint8(4))
	f.Add("数 数e\u0301", uint8(0))
	f.Fuzz(func(t *testing.T, s string, w uint8) {
		width := int(w) + 2
		got := texts(wrap(glyphs([]piece{{s, none}}), width))
		for _, line := range got {
			if len([]rune(line)) > width*(maxStacked+1) {
				t.Errorf("%q at %d: a line of %d characters", s, width, len([]rune(line)))
			}
		}
		// Nothing is lost but the spaces at which lines are cut.
		squeeze := func(s string) string { return strings.ReplaceAll(s, " ", "") }
		if squeeze(strings.Join(got, "")) != squeeze(string([]rune(s))) {
			t.Errorf("%q became %q", s, got)
		}
	})
}

func compared(t *testing.T, old, new string) *view.View {
	t.Helper()
	c, err := engine.Compare([]byte(old), []byte(new), engine.Options{AsOf: "2026-01-31T12:00:00.000Z", Mode: manifest.Lenient})
	if err != nil {
		t.Fatal(err)
	}
	return c.View()
}

const (
	oldDocument = `{"tools":[{"name":"add","description":"Adds two numbers.\nSecond line.","inputSchema":{"type":"object","properties":{"a":{"type":"number"}}}},{"name":"gone"},{"name":"sub"}]}`
	newDocument = `{"tools":[{"name":"add","description":"Adds two\u200b figures.\nSecond line.","inputSchema":{"type":"object","properties":{"a":{"type":"string"}}}},{"name":"sub","title":"Sub"},{"name":"new","description":"Do."}],"nextCursor":"x"}`
)

func TestResult(t *testing.T) {
	got := Result(compared(t, oldDocument, newDocument), Options{Width: 80})
	got = regexp.MustCompile(`[0-9a-f]{64}`).ReplaceAllString(got, "<digest>")
	// The sentences on top are the engine's: only their place is tested here.
	_, got, _ = strings.Cut(got, "As of ")
	want := `    2026-01-31T12:00:00.000Z

! Poison alarm: in 1 tool the poison rules hit something that they did not hit
  in the baseline. Read it before anything else.
    hidden-text-zero-width in add: U+200B  /tools/0/description
  The grade is D (69 of 100), as it was.
  By what they say of themselves, no tool can do more than before, and no new
  one destroys or executes.

~ add  CHANGED  description, inputSchema changed; 1 pattern match in the new
    description  POISON ALARM: hidden-text-zero-width
  description  /tools/0/description
    - Adds two[- numbers-].
    + Adds two‹U+200B›{+ figures+}.
      Second line.
  inputSchema › properties › a  /tools/0/inputSchema/properties/a
      {
    -   "type": "[-number-]"
    +   "type": "{+string+}"
      }
  Screen: 1 match under prompt-injection-rules/v1.
    OB-1  obfuscation, characters 8–9
      Adds two>>‹U+200B›<< figures.‹↵›Second line.

+ new  ADDED  only in the current manifest
  description (added)  /tools/2/description
    + Do.

- gone  REMOVED  only in the baseline

= sub  UNCHANGED  differs outside the digest
  title (added) [outside the digest]  /tools/1/title
    + Sub

The list itself (outside the digest)
  nextCursor (added) [outside the digest]  /nextCursor
    + x

Reading notes
`
	if !strings.HasPrefix(got, want) {
		t.Error(cmp.Diff(want, got))
	}
}

// TestColorAndMarksSayTheSame: without its escape sequences the coloured text is
// the other one without its marks.
func TestColorAndMarksSayTheSame(t *testing.T) {
	v := compared(t, oldDocument, newDocument)
	color := regexp.MustCompile("\x1b\\[[0-9;]*m").ReplaceAllString(Result(v, Options{Width: 200, Color: true}), "")
	marks := strings.NewReplacer("[-", "", "-]", "", "{+", "", "+}", "", ">>", "", "<<", "").Replace(Result(v, Options{Width: 200}))
	if diff := cmp.Diff(marks, color); diff != "" {
		t.Errorf("(-marks +color):\n%s", diff)
	}
}

func TestLongThingsAreCutAndSaySo(t *testing.T) {
	lines := strings.Repeat(`a line\n`, 500)
	old := `[{"name":"t","description":"x"}]`
	new := `[{"name":"t","description":"` + lines + strings.Repeat("y", 5000) + `"}]`
	short := Result(compared(t, old, new), Options{Width: 80})
	if !strings.Contains(short, "442 more lines (--full shows them)") || strings.Contains(short, "yyyy") {
		t.Errorf("not cut: %.300q", short)
	}
	full := Result(compared(t, old, new), Options{Width: 80, Full: true})
	if strings.Count(full, "a line") != 500 || strings.Count(full, "y") < 5000 {
		t.Error("--full does not show everything")
	}
}

func TestNotComparedIsNeverUnchanged(t *testing.T) {
	for _, pair := range [][2]string{{`[]`, `[{"name":"a"}]`}, {`[{"name":"a"}]`, `[]`}, {`[]`, `[]`}} {
		got := Titled("a.json", compared(t, pair[0], pair[1]), Options{Width: 80})
		if !strings.Contains(got, "COULD NOT COMPARE") || strings.Contains(got, "MANIFEST UNCHANGED") {
			t.Errorf("%s against %s: %q", pair[0], pair[1], got)
		}
	}
}

func TestFault(t *testing.T) {
	tests := []struct{ name, source, want string }{
		{"plain", `{"a": x}`, "manifestseal: f.json: line 1, column 7: bad\n    {\"a\": x}\n          ^\n    Mend it.\n"},
		{"hidden characters before", "\"\u200b\" x", "manifestseal: f.json: line 1, column 5: bad\n    \"‹U+200B›\" x\n               ^\n    Mend it.\n"},
		{"wide characters before", "\"数\" x", "manifestseal: f.json: line 1, column 5: bad\n    \"数\" x\n         ^\n    Mend it.\n"},
		{"escape sequences", "\x1b[31m x", "manifestseal: f.json: line 1, column 7: bad\n    ‹U+001B›[31m x\n                 ^\n    Mend it.\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := (&jsonvalue.Error{Message: "bad", Advice: "Mend it."}).At(tt.source, strings.Index(tt.source, "x"))
			if diff := cmp.Diff(tt.want, Fault("f.json", e, Options{Width: 80})); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
