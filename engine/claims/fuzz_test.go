package claims

import (
	"strings"
	"testing"

	"github.com/manifestseal/manifestseal/engine/claims/fold"
	"github.com/manifestseal/manifestseal/engine/jsonvalue"
	"github.com/manifestseal/manifestseal/engine/manifest"
)

func FuzzGrade(f *testing.F) {
	f.Add([]byte(list(goodTool)))
	for _, c := range ruleCases {
		for _, doc := range append(c.fails, c.passes...) {
			if strings.HasPrefix(doc, "[") {
				f.Add([]byte(doc))
			} else {
				f.Add([]byte("[" + doc + "]"))
			}
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := manifest.Read(data, manifest.Lenient)
		if err != nil {
			return
		}
		o := Grade(m)
		if _, err := jsonvalue.Parse(written(o)); err != nil {
			t.Fatalf("what is written is no JSON: %v", err)
		}
		if !o.Graded {
			return
		}
		if o.Score < 0 || o.Score > 100 {
			t.Errorf("score %d", o.Score)
		}
		for _, f := range o.Fixes {
			if f.Gain < 0 {
				t.Errorf("%s: gain %d", rules[f.Rule].ID, f.Gain)
			}
		}
		checkFindings(t, m.Doc.Root(), o)
	})
}

// hostile are documents whose size grows where a careless rule would be
// quadratic.
var hostile = []struct {
	name string
	make func(n int) string
}{
	{"required names", func(n int) string {
		return inputOf(`"required":[` + repeat(n, func(i int) string { return `"a` + itoa(i) + `"` }) + `],"properties":{` + repeat(n, func(i int) string { return `"b` + itoa(i) + `":{}` }) + `}`)
	}},
	{"branches that require", func(n int) string {
		return inputOf(`"properties":{"a":{"type":"string"}},"anyOf":[` + repeat(n, func(i int) string { return `{"required":["b` + itoa(i) + `"]}` }) + `]`)
	}},
	{"references into one list", func(n int) string {
		return inputOf(`"allOf":[` + repeat(n, func(i int) string { return `{"$ref":"#/allOf/` + itoa(n-1) + `"}` }) + `]`)
	}},
	{"references to nowhere", func(n int) string {
		return inputOf(`"properties":{` + repeat(n, func(i int) string { return `"a` + itoa(i) + `":{"$ref":"x` + itoa(i) + `","$id":"y` + itoa(i) + `"}` }) + `}`)
	}},
	{"one enum", func(n int) string {
		return inputOf(`"properties":{"a":{"default":-1,"enum":[` + repeat(n, itoa) + `]}}`)
	}},
	{"tools with one name", func(n int) string {
		return `[` + repeat(n, func(i int) string { return `{"name":"a","description":"b"}` }) + `]`
	}},
	{"tools that look alike", func(n int) string {
		return `[` + repeat(n, func(i int) string { return `{"name":"` + strings.Repeat("l", i%7) + strings.Repeat("1", 7-i%7) + `"}` }) + `]`
	}},
	{"combining marks", func(n int) string { return `[{"name":"a` + strings.Repeat("\u0301\u0323", n) + `"}]` }},
	{"back quotes", func(n int) string { return `[{"name":"a","description":"` + strings.Repeat("set `a_b` `", n) + `"}]` }},
	{"one long word", func(n int) string { return `[{"name":"a","description":"` + strings.Repeat("ghp_sk-AKIA", n) + `"}]` }},
	{"many keys", func(n int) string {
		return `[{"name":"a","description":"` + strings.Repeat("PRIVATE KEY-----", n) + `"}]`
	}},
	{"joiners", func(n int) string { return `[{"name":"a","description":"` + strings.Repeat("می\u200cخ", n) + `"}]` }},
	{"many words in one name", func(n int) string { return `[{"name":"` + strings.Repeat("aB_", n) + `"},{"name":"x"}]` }},
}

func inputOf(schema string) string {
	return `[{"name":"a","inputSchema":{"type":"object",` + schema + `}}]`
}

func repeat(n int, f func(int) string) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(f(i))
	}
	return b.String()
}

// Every rule is linear: a quadratic one would take minutes over these. What they
// take is BenchmarkHostile's to tell; a test knows no clock.
func TestHostile(t *testing.T) {
	const n = 30_000
	for _, h := range hostile {
		t.Run(h.name, func(t *testing.T) {
			if o := grade(t, h.make(n)); !o.Graded {
				t.Error("not graded")
			}
		})
	}
}

// Nesting as deep as the reader allows, with findings at the bottom.
func TestDeep(t *testing.T) {
	const deep = 320
	o := grade(t, inputOf(`"properties":`+strings.Repeat(`{"a":{"properties":`, deep)+`{"b":{"required":"x","enum":[]}}`+strings.Repeat(`}}`, deep)))
	if o.Tools[0].Checks[ruleS2] != Fail || o.Tools[0].Checks[ruleS6] != Fail {
		t.Errorf("got S2 %v and S6 %v, want fail", o.Tools[0].Checks[ruleS2], o.Tools[0].Checks[ruleS6])
	}
}

func BenchmarkHostile(b *testing.B) {
	for _, h := range hostile {
		m := read(b, h.make(20_000))
		b.Run(h.name, func(b *testing.B) {
			b.SetBytes(int64(len(m.Doc.Root().Source())))
			for b.Loop() {
				Grade(m)
			}
		})
	}
}

// BenchmarkLargest grades the largest manifest of the corpus: 3.6 MB, 1,006 tools.
func BenchmarkLargest(b *testing.B) {
	var largest corpusFile
	for _, file := range corpus(b) {
		if len(file.data) > len(largest.data) {
			largest = file
		}
	}
	m := readManifest(b, largest)
	b.SetBytes(int64(len(largest.data)))
	for b.Loop() {
		Grade(m)
	}
}

// The look at a tool's source must never overlook a secret that the walk over
// its strings finds.
func FuzzSecretInSource(f *testing.F) {
	const secret = "ghp_9aKq27LmXwPz0RtYv4BsNc8JdFg3Hu1Ei5Qo"
	for _, s := range []string{`"` + secret + `"`, `"\n` + secret + `"`, `"\\n` + secret + `"`, `"\\` + secret + `."`, `"\u0067` + secret[1:] + `"`, `"\"\/` + secret + `"`, `"\t-` + secret + `-"`, `["AKIAJ7Q2LMXW9PZ4RTYV"]`, `"\u0027` + secret + `\u0027"`, `"\u003c\u0027-` + secret + `"`, `"\u005f` + secret + `"`, `"\\u0027` + secret + `"`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		doc, err := jsonvalue.Parse(text)
		if err != nil {
			return
		}
		if search(doc.Root(), findSecret) != nil && !maySpellSecret(doc.Root().Source()) {
			t.Errorf("%s: overlooked", text)
		}
	})
}

// The look at a tool's source must never overlook a hidden character either.
func FuzzHiddenInSource(f *testing.F) {
	for _, s := range []string{`"a\u200bb"`, `"a\u0027b"`, `"a\u007fb"`, `"a\bb"`, `"\\b"`, `"\\\u200b"`, "\"\u200b\"", "\"é\u202e\"", `{"\u0000":1}`, `"\ud800"`, `"\uDB40\uDC41"`, "\"\x7f\""} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		doc, err := jsonvalue.Parse(text)
		if err != nil {
			return
		}
		find := func(text string) (int, int, bool) {
			at, size := fold.FindHidden(text, 0)
			return at, at + size, at >= 0
		}
		if search(doc.Root(), find) != nil && !mayHide(doc.Root().Source()) {
			t.Errorf("%s: overlooked", text)
		}
	})
}
