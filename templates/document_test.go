package templates

import (
	"strings"
	"testing"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// pagesToCheck has every page of the package, with hostile text where a page
// takes any.
func pagesToCheck(t *testing.T) map[string]string {
	t.Helper()
	p := Painter{RulesURL: rules}
	hostile := `"><script>alert(1)</script>`
	entries, err := Outline([]byte(`{"a":{"b":["x",{"c":null}]},"</dt><script>":"<script>"}`))
	if err != nil {
		t.Fatal(err)
	}
	example := Example{{Kind: "equal", Text: hostile}, {Kind: "chip", Text: "U+200B"}}
	book := Rulebook{ID: "r", Prose: entries, Groups: []Group{{Anchor: "group-c", ID: "c", Rules: []Rule{{
		ID: "IO-1", Severity: "high", Text: hostile, Where: "names", Fix: "Rename.",
		Patterns: []Pattern{{Source: `<\s*system>`, Flags: "i", Severity: "medium"}}, Hits: []Example{example}, Misses: []Example{example},
	}}}}}
	return map[string]string{
		"compare":   render(t, ComparePage(Compare{}, p)),
		"example":   render(t, ExamplePage(Page{}, p, sample())),
		"index":     render(t, CriteriaIndex(Page{}, []Book{{ID: hostile, Purpose: hostile}})),
		"criteria":  render(t, CriteriaPage(Page{}, "id", entries)),
		"rulebook":  render(t, RulebookPage(Page{}, book)),
		"fault":     render(t, FaultPage(Page{Title: hostile}, Fault{Detail: hostile, RequestID: hostile})),
		"fragments": render(t, p.Fragments()),
		"states":    render(t, p.StateFragments()),
		"report":    render(t, ReportDocument(sample(), "p{}")),
		"inspect":   render(t, InspectPage(Inspect{}, p)),
		"verify":    render(t, VerifyPage(Verify{Keys: hostile}, p)),
		"inspected": render(t, p.Inspection(sampleInspection())),
	}
}

func TestNothingInline(t *testing.T) {
	for name, text := range pagesToCheck(t) {
		bad := find(parse(t, text), func(n *html.Node) bool {
			if n.DataAtom == atom.Script || n.DataAtom == atom.Style && name != "report" {
				return true
			}
			for _, a := range n.Attr {
				if a.Key == "style" || strings.HasPrefix(a.Key, "on") || strings.HasPrefix(a.Val, "javascript:") {
					return true
				}
			}
			return false
		})
		for _, n := range bad {
			t.Errorf("%s has inline %s", name, n.Data)
		}
	}
}

func TestIDsAreUnique(t *testing.T) {
	for name, text := range pagesToCheck(t) {
		if name == "fragments" || name == "states" {
			continue
		}
		seen := make(map[string]bool)
		for _, n := range find(parse(t, text), func(n *html.Node) bool { return attr(n, "id") != "" && !inTemplate(n) }) {
			if id := attr(n, "id"); seen[id] {
				t.Errorf("%s has two elements with id %q", name, id)
			}
			seen[attr(n, "id")] = true
		}
	}
}

func inTemplate(n *html.Node) bool {
	for p := range n.Ancestors() {
		if p.DataAtom == atom.Template {
			return true
		}
	}
	return false
}

func TestReportDocumentStandsAlone(t *testing.T) {
	style := `p::before{content:"</style><script>alert(1)</script>"}`
	root := parse(t, render(t, ReportDocument(sample(), style)))
	outside := find(root, func(n *html.Node) bool {
		switch n.DataAtom {
		case atom.Script, atom.Link, atom.Img, atom.Iframe, atom.Form, atom.Base:
			return true
		}
		return attr(n, "src") != ""
	})
	for _, n := range outside {
		t.Errorf("the report has <%s>", n.Data)
	}
	for _, n := range find(root, func(n *html.Node) bool { return n.DataAtom == atom.A }) {
		if !strings.HasPrefix(attr(n, "href"), "#") {
			t.Errorf("the report links to %q", attr(n, "href"))
		}
	}
	policy := find(root, func(n *html.Node) bool { return attr(n, "http-equiv") == "Content-Security-Policy" })
	if len(policy) != 1 || !strings.HasPrefix(attr(policy[0], "content"), "default-src 'none'") {
		t.Error("the report has no policy of its own")
	}
	for n := range root.Descendants() {
		if n.Type == html.DoctypeNode {
			return
		}
	}
	t.Error("the report has no doctype")
}

func TestOutlineKeepsOrderAndWords(t *testing.T) {
	entries, err := Outline([]byte(`{"z":1.50,"a":[true,null],"m":{"k é":"text"}}`))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	var walk func([]Entry)
	walk = func(list []Entry) {
		for _, e := range list {
			got = append(got, e.Anchor+"="+e.Text)
			walk(e.Entries)
		}
	}
	walk(entries)
	want := "z=1.50 a= a.1=true a.2=null m= m.k--=text"
	if text := strings.Join(got, " "); text != want {
		t.Errorf("got %q, want %q", text, want)
	}
	for _, bad := range []string{"", "{", `{"a":1} x`, `{"a":1} 2`, `{"a":}`} {
		if _, err := Outline([]byte(bad)); err == nil {
			t.Errorf("%q was read", bad)
		}
	}
}
