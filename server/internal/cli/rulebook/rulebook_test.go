package rulebook

import (
	"errors"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/manifestseal/manifestseal/engine/gate"
	"github.com/manifestseal/manifestseal/engine/jsonvalue"
	"github.com/manifestseal/manifestseal/engine/manifest"
)

func book(pattern, flags string) string {
	return `{"id":"mine","rules":[{"id":"R-1","severity":"high","description":"Finds it.","pattern":` + string(jsonvalue.AppendQuoted(nil, pattern)) + `,"flags":"` + flags + `"}]}`
}

func read(t *testing.T, text string) *Rulebook {
	t.Helper()
	b, err := Read([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func document(t *testing.T, text string) *manifest.Manifest {
	t.Helper()
	m, err := manifest.Read([]byte(text), manifest.Lenient)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestRefused(t *testing.T) {
	const rule = `{"id":"R","severity":"high","description":"D.","pattern":"x"}`
	tests := []struct{ name, text, pointer, rule string }{
		{"an array", `[]`, "", ""},
		{"no id", `{"rules":[` + rule + `]}`, "/id", ""},
		{"an id that is a sentence", `{"id":"my rules","rules":[` + rule + `]}`, "/id", ""},
		{"no rules", `{"id":"a","rules":[]}`, "/rules", ""},
		{"rules an object", `{"id":"a","rules":{}}`, "/rules", ""},
		{"an unknown member", `{"id":"a","rules":[` + rule + `],"rule":[]}`, "/rule", ""},
		{"a member twice", `{"id":"a","rules":[` + rule + `],"rules":[` + rule + `]}`, "/rules", ""},
		{"a rule that is none", `{"id":"a","rules":[7]}`, "/rules/0", ""},
		{"no pattern", `{"id":"a","rules":[{"id":"R","severity":"high","description":"D."}]}`, "/rules/0/pattern", ""},
		{"a misspelt member", `{"id":"a","rules":[{"id":"R","severity":"high","description":"D.","pattern":"x","flag":"i"}]}`, "/rules/0/flag", ""},
		{"a severity that is none", strings.Replace(book("x", ""), `"high"`, `"grave"`, 1), "/rules/0/severity", "R-1"},
		{"a blank description", strings.Replace(book("x", ""), "Finds it.", " ", 1), "/rules/0/description", "R-1"},
		{"an id with markup", strings.Replace(book("x", ""), "R-1", "<b>", 1), "/rules/0/id", ""},
		{"an id twice", `{"id":"a","rules":[` + rule + `,` + rule + `]}`, "/rules/1/id", "R"},
		{"a pattern that is no string", strings.Replace(book("x", ""), `"x"`, `["x"]`, 1), "/rules/0/pattern", "R-1"},
		{"a pattern that is too long", book(strings.Repeat("x", maxPattern+1), ""), "/rules/0/pattern", "R-1"},
		{"no such flag", book("x", "iq"), "/rules/0/flags", "R-1"},
		{"a flag twice", book("x", "ii"), "/rules/0/flags", "R-1"},
		{"the flag u", book("x", "u"), "/rules/0/flags", "R-1"},
		{"the flag y", book("x", "y"), "/rules/0/flags", "R-1"},
	}
	for _, pattern := range []string{`(`, `)`, `[`, `*`, `a**`, `a{2,1}`, `[b-a]`, `\`, `(?<n>a)(?<n>b)`, `(?<n>a)\k<m>`, `(?>a)`, `(?i)a`, `(?#x)`, `(?'n'a)`, `(a)(?(1)b)`, `(?P<n>a)`, `(?x:a)`, `(?ii:a)`, `(?-:a)`, `(?<1>a)`, `(?<a-b>c)`} {
		tests = append(tests, struct{ name, text, pointer, rule string }{"pattern " + pattern, book(pattern, ""), "/rules/0/pattern", "R-1"})
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Read([]byte(tt.text))
			var e *Error
			if !errors.As(err, &e) {
				t.Fatalf("read without a word: %v", err)
			}
			if e.Pointer != tt.pointer || e.Rule != tt.rule || e.Message == "" {
				t.Errorf("at %q, rule %q: %v", e.Pointer, e.Rule, e)
			}
		})
	}
	var syntax *jsonvalue.Error
	if _, err := Read([]byte(`{"id":`)); !errors.As(err, &syntax) || syntax.Line != 1 {
		t.Errorf("no JSON: %v", err)
	}
	if _, err := Read([]byte(`"` + strings.Repeat("x", MaxBytes) + `"`)); err == nil {
		t.Error("a book without an end was read")
	}
}

// TestPatternsLikeNode holds what is taken for ECMAScript to Node's word. What
// only newer editions have is left out: modifiers, and a name in two alternatives.
func TestPatternsLikeNode(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("there is no Node here to ask")
	}
	patterns := []string{`(?>a)`, `(?i)a`, `(?#x)a`, `(?'n'a)`, `(?(1)a)`, `(a)(?(1)b|c)`, `{2}`, `a{2,1}`, `[b-a]`, `(`, `)`, `[`, `]`, `*a`, `a**`, `a*+`, `a++`,
		`(?<n>a)(?<n>b)`, `\k<n>`, `\k<n>(?<n>a)`, `\k`, `(?<1>a)`, `(?<n-m>a)`, `\1`, `\p{L}`, `\u{41}`, `\`, `(?=a)*`, `(?<=a)*`, `(?<!a)b`, `\A`, `\Z`, `\Qa\E`, `a{,3}`, `a{1`,
		`(?P<n>a)`, `(?:a`, `[[:alpha:]]`, `[a-z-[aeiou]]`, `^*`, `\b*`, `$?`, `(?n)a`, `(?x) a`, `(?<a b>c)`, `(?<>c)`, `[\d-z]`, `\c`, `\cA`, `\x1`, `\u12`, `(?-:a)`, `(?:)`, ``, `|`, `a|*`,
		`(?`, `(?<`, `(?!`, `[]`, `[^]`, `\R`, `}`, `(?R)`, `\g{1}`, `(?|a|b)`, `(*FAIL)`, `[(?>]`, `\(?>a`, `(?:[)])`, `(?<é>a)`, `(?<$_>a)`}
	var list jsonvalue.Builder
	list.Strings(patterns)
	out, err := exec.Command(node, "-e", `for(const p of `+string(list.Bytes)+`){try{new RegExp(p);console.log("yes")}catch{console.log("no")}}`).Output()
	if err != nil {
		t.Fatal(err)
	}
	for i, answer := range strings.Fields(string(out)) {
		_, _, err := compile(patterns[i], "")
		if (err == nil) != (answer == "yes") {
			t.Errorf("%s: Node says %s, we say %v", patterns[i], answer, err)
		}
	}
}

func TestScan(t *testing.T) {
	tests := []struct {
		name, pattern, flags, tool string
		want                       []string // pointer and anchor
	}{
		{"description", `id_(?<anchor>rsa|DSA)`, "i", `{"name":"a","description":"ID_RSA"}`, []string{"/0/description rsa"}},
		{"no flag", `id_rsa`, "", `{"name":"a","description":"ID_RSA"}`, nil},
		{"anywhere", `(?<anchor>x)`, "", `{"name":"x","inputSchema":{"properties":{"x":{"enum":["y","x"]}}},"_meta":{"a":[{"b":"x"}]}}`,
			[]string{"/0/_meta/a/0/b x", "/0/inputSchema/properties/x x", "/0/inputSchema/properties/x/enum/1 x", "/0/name x"}},
		{"no anchor", `b+`, "", `{"description":"abbba"}`, []string{"/0/description " + gate.AnchorOf("bbb")}},
		{"lines", `^b$`, "m", `{"description":"a\nb\nc"}`, []string{"/0/description " + gate.AnchorOf("b")}},
		{"dot", `(?<anchor>a.b)`, "s", `{"description":"a\nb"}`, []string{"/0/description a\nb"}},
		{"a unit is a character", `^(?<anchor>..)$`, "", `{"description":"\ud83d\ude00"}`, []string{"/0/description \U0001F600"}},
		{"an astral letter in the pattern", "(?<anchor>\U0001F600)", "", `{"description":"a\ud83d\ude00"}`, []string{"/0/description \U0001F600"}},
		{"half of a pair", `(?<anchor>\ud83d)`, "", `{"description":"\ud83d\ude00"}`, []string{"/0/description \xed\xa0\xbd"}},
		{"a lone surrogate", `^(?<anchor>\ud800)$`, "", `{"description":"\ud800"}`, []string{"/0/description \xed\xa0\x80"}},
		{"pointers are escaped", `(?<anchor>z)`, "", `{"a/b~":"z"}`, []string{"/0/a~1b~0 z"}},
		{"an entry that is no object", `(?<anchor>z)`, "", `"z"`, []string{"/0 z"}},
		{"two in one text", `(?<anchor>[ab])`, "", `{"title":"a b"}`, []string{"/0/title a", "/0/title b"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			found, failures := read(t, book(tt.pattern, tt.flags)).Scan(document(t, "["+tt.tool+"]"))
			var got []string
			for _, f := range found {
				got = append(got, f.Pointer+" "+f.Anchor)
			}
			if tt.name == "anywhere" {
				got = got[:4:4] // names of members are texts too: "x" of the name's own text comes last
			}
			if diff := cmp.Diff(tt.want, got); diff != "" || len(failures) > 0 {
				t.Errorf("(-want +got):\n%s%v", diff, failures)
			}
		})
	}
}

// TestRunsOutOfTime: a pattern that backtracks without an end is named, the
// other rules are run all the same, and nothing of it is a clean result.
func TestRunsOutOfTime(t *testing.T) {
	text := `[{"name":"a","description":"` + strings.Repeat("a", 5000) + `!"}]`
	for _, pattern := range []string{`(a+)+$`, `(a|a)*$`, `(a|aa)+$`, `(.*)*=`, `((a*)*)*$`} {
		b := read(t, `{"id":"mine","rules":[{"id":"SLOW","severity":"high","description":"D.","pattern":"`+pattern+`"},{"id":"FAST","severity":"low","description":"D.","pattern":"!"}]}`)
		b.perText = time.Millisecond
		found, failures := b.Scan(document(t, text))
		if len(failures) != 1 || failures[0].Rule != "SLOW" || !strings.Contains(failures[0].Message, "/0/description") {
			t.Errorf("%s: %v", pattern, failures)
		}
		if len(found) == 0 || found[len(found)-1].Rule != "FAST" {
			t.Errorf("%s: found %v", pattern, found)
		}
		if d := gate.Scan(document(t, text), gate.Defaults(), gate.Extra{Findings: found, Failures: failures}); d.Outcome != gate.CouldNotCheck {
			t.Errorf("%s: %v", pattern, d.Outcome)
		}
	}
}

// TestManyTexts: a rule's time is for the whole document, not for each text.
func TestManyTexts(t *testing.T) {
	b := read(t, book(`(a+)+$`, ""))
	b.perText, b.perDocument = time.Hour, time.Millisecond
	if _, failures := b.Scan(document(t, `[{"description":"`+strings.Repeat("a", 5000)+`!"}]`)); len(failures) != 1 {
		t.Errorf("failures: %v", failures)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(book(`(?<anchor>a)|b`, "im"), "abc")
	f.Add(book(`[\ud83d]|(?=x)`, ""), "\U0001F600")
	f.Fuzz(func(t *testing.T, text, description string) {
		b, err := Read([]byte(text))
		if err != nil {
			return
		}
		b.perText, b.perDocument = 10*time.Millisecond, 20*time.Millisecond
		m, err := manifest.Read([]byte(`[{"description":`+string(jsonvalue.AppendQuoted(nil, strings.ToValidUTF8(description, "")))+`}]`), manifest.Lenient)
		if err != nil {
			return
		}
		b.Scan(m)
	})
}

func FuzzUnits(f *testing.F) {
	f.Add("a\U0001F600\xed\xa0\x80")
	f.Fuzz(func(t *testing.T, text string) {
		doc, err := jsonvalue.Parse(`"` + strings.Trim(strconv.QuoteToASCII(strings.ToValidUTF8(text, "")), `"`) + `"`)
		if err != nil {
			return
		}
		units := runes16(nil, doc.Root().Text())
		if len(units) != jsonvalue.UTF16Len(doc.Root().Text()) || wtf8(units) != doc.Root().Text() {
			t.Errorf("%q became %q", doc.Root().Text(), wtf8(units))
		}
	})
}
