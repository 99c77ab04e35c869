package server

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/manifestseal/manifestseal/engine/claims"
	"github.com/manifestseal/manifestseal/engine/poison"
	"github.com/manifestseal/manifestseal/engine/screen"
)

func allPaths() []string {
	return []string{"/", "/inspect", "/example", "/criteria", "/criteria/mcp-manifest-claims/v1", "/criteria/mcp-manifest-drift/v1", "/criteria/mcp-poison-rules/v1", rulesPath, "/report"}
}

// criteriaPaths are those that answer programs with JSON.
func criteriaPaths() []string {
	return slices.DeleteFunc(allPaths(), func(path string) bool { return !strings.HasPrefix(path, "/criteria") })
}

func TestPagesHaveNothingInline(t *testing.T) {
	s := start(t, Config{})
	for _, path := range append(allPaths(), "/nowhere") {
		root := document(t, ask(s, http.MethodGet, path, header{"Accept": browser}).Body)
		bad := count(root, func(n *html.Node) bool {
			if n.DataAtom == atom.Style || n.DataAtom == atom.Script && (n.FirstChild != nil || !has("type", "module")(n)) {
				return true
			}
			for _, a := range n.Attr {
				if a.Key == "style" || strings.HasPrefix(a.Key, "on") || strings.HasPrefix(strings.ToLower(a.Val), "javascript:") {
					return true
				}
			}
			return false
		})
		if bad != 0 {
			t.Errorf("%s has %d inline styles, scripts or handlers", path, bad)
		}
	}
}

func TestPagesAreFramed(t *testing.T) {
	s := start(t, Config{})
	tests := []struct{ path, script string }{
		{"/", "x/compare.js"}, {"/example", "x/example.js"}, {"/criteria", ""},
	}
	for _, tt := range tests {
		t.Run(tt.path, func(t *testing.T) {
			w := ask(s, http.MethodGet, tt.path, header{"Accept": browser})
			if got, want := w.Header().Get("Content-Type"), "text/html; charset=UTF-8"; got != want {
				t.Errorf("got type %q, want %q", got, want)
			}
			root := document(t, w.Body)
			checks := map[string]func(*html.Node) bool{
				"language":       has("lang", "en"),
				"build":          has("content", strings.Repeat("b", 64)),
				"skip link":      has("href", "#main"),
				"main":           has("id", "main"),
				"current page":   has("aria-current", "page"),
				"style":          has("href", "/static/x/site.css"),
				"integrity":      has("integrity", "sha384-site.css"),
				"first heading":  func(n *html.Node) bool { return n.DataAtom == atom.H1 },
				"viewport width": has("name", "viewport"),
			}
			for name, check := range checks {
				if got := count(root, shown(check)); got != 1 {
					t.Errorf("want one %s, got %d", name, got)
				}
			}
			if tt.script != "" && count(root, has("src", "/static/"+tt.script)) != 1 {
				t.Errorf("the page does not load %s", tt.script)
			}
		})
	}
}

// shown leaves out what stands in a template: the page's own frame is not the
// frame of a report that can be made from it.
func shown(test func(*html.Node) bool) func(*html.Node) bool {
	return func(n *html.Node) bool {
		for above := range n.Ancestors() {
			if above.DataAtom == atom.Template {
				return false
			}
		}
		return test(n)
	}
}

func TestComparePageHasItsParts(t *testing.T) {
	root := document(t, ask(start(t, Config{}), http.MethodGet, "/", nil).Body)
	for _, id := range []string{
		"pane-baseline", "pane-current", "input-baseline", "input-current", "file-baseline", "file-current",
		"clear-baseline", "clear-current", "load-example", "swap", "status", "outcome", "no-script", "download",
	} {
		if got := count(root, has("data-testid", id)); got != 1 && id != "no-script" {
			t.Errorf("got %d elements %q, want 1", got, id)
		}
	}
	if count(root, func(n *html.Node) bool { return n.DataAtom == atom.Form }) != 0 {
		t.Error("the compare page has a form: it could become an upload")
	}
}

func TestInspectPageHasItsParts(t *testing.T) {
	root := document(t, ask(start(t, Config{}), http.MethodGet, "/inspect", nil).Body)
	for _, id := range []string{
		"pane-manifest", "input-manifest", "file-manifest", "clear-manifest", "load-example", "status", "outcome", "download",
		"download-grade", "download-html", "download-digest", "copy-digest", "print", "self-test", "seal-state", "offline-state", "update",
	} {
		if got := count(root, has("data-testid", id)); got != 1 {
			t.Errorf("got %d elements %q, want 1", got, id)
		}
	}
	if count(root, func(n *html.Node) bool { return n.DataAtom == atom.Form }) != 0 {
		t.Error("the inspect page has a form: it could become an upload")
	}
}

func TestEveryPageLeadsToInspect(t *testing.T) {
	s := start(t, Config{})
	for _, path := range append(allPaths(), "/docs", "/nowhere") {
		root := document(t, ask(s, http.MethodGet, path, header{"Accept": browser}).Body)
		if count(root, func(n *html.Node) bool { return n.DataAtom == atom.A && has("href", "/inspect")(n) }) == 0 {
			t.Errorf("%s does not lead there", path)
		}
	}
}

func TestExampleIsPaintedWhole(t *testing.T) {
	root := document(t, ask(start(t, Config{}), http.MethodGet, "/example", nil).Body)
	if count(root, func(n *html.Node) bool { return has("data-testid", "result")(n) && has("data-state", "changed")(n) }) != 1 {
		t.Error("the example has no changed result")
	}
	for _, id := range []string{"tool", "part", "row", "hit", "quiet", "notice", "aggregate"} {
		if count(root, has("data-testid", id)) == 0 {
			t.Errorf("the example shows no %s", id)
		}
	}
	for _, status := range []string{"CHANGED", "ADDED", "REMOVED", "UNCHANGED"} {
		if count(root, has("data-status", status)) == 0 {
			t.Errorf("the example has no tool that is %s", status)
		}
	}
}

func TestCriteriaByAccept(t *testing.T) {
	s := start(t, Config{})
	tests := []struct{ name, accept, want string }{
		{"a browser", browser, "text/html; charset=UTF-8"},
		{"nothing", "", "application/json"},
		{"anything", "*/*", "application/json"},
		{"JSON", "application/json", "application/json"},
		{"JSON before HTML", "text/html;q=0.5, application/json", "application/json"},
		{"HTML excluded", "text/html;q=0, */*", "application/json"},
		{"JSON excluded", "application/json;q=0, */*", "text/html; charset=UTF-8"},
		{"a weight that is none", "text/html;q=nan, application/json;q=0.1", "application/json"},
		{"all text", "text/*", "text/html; charset=UTF-8"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, path := range criteriaPaths() {
				w := ask(s, http.MethodGet, path, header{"Accept": tt.accept})
				if got := w.Header().Get("Content-Type"); got != tt.want {
					t.Errorf("%s: got %q, want %q", path, got, tt.want)
				}
				if got := w.Header().Get("Vary"); !strings.Contains(got, "Accept") {
					t.Errorf("%s: Vary is %q", path, got)
				}
			}
		})
	}
}

// Whoever asks for /criteria without a wish gets the claims criteria; a person
// gets the list, and every entry of it answers in both forms.
func TestCriteriaIndex(t *testing.T) {
	s := start(t, Config{})
	var claimsDocument struct {
		ID string `json:"criteria_id"`
	}
	if err := json.Unmarshal(ask(s, http.MethodGet, "/criteria", nil).Body.Bytes(), &claimsDocument); err != nil || claimsDocument.ID != claims.Criteria {
		t.Errorf("got %q, %v, want %s", claimsDocument.ID, err, claims.Criteria)
	}
	var ids []string
	root := document(t, ask(s, http.MethodGet, "/criteria", header{"Accept": browser}).Body)
	for n := range root.Descendants() {
		if n.Type == html.ElementNode && has("data-testid", "criteria-link")(n) {
			path := attrOf(n, "href")
			ids = append(ids, path)
			for _, accept := range []string{"", browser} {
				if got := ask(s, http.MethodGet, path, header{"Accept": accept}).Code; got != http.StatusOK {
					t.Errorf("%s answers %d to %q", path, got, accept)
				}
			}
		}
	}
	want := []string{"/criteria/mcp-manifest-claims/v1", "/criteria/mcp-manifest-drift/v1", "/criteria/prompt-injection-rules/v1", "/criteria/mcp-poison-rules/v1"}
	if diff := cmp.Diff(want, ids); diff != "" {
		t.Errorf("criteria (-want +got):\n%s", diff)
	}
}

func attrOf(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func TestUnknownCriteriaAreNotFound(t *testing.T) {
	s := start(t, Config{})
	for _, path := range []string{"/criteria/mcp-manifest-claims/v2", "/criteria/mcp-manifest-claims", "/criteria/x/y", "/criteria/mcp-manifest-claims/v1/x", "/criteria//v1"} {
		if got := ask(s, http.MethodGet, path, header{"Accept": browser}).Code; got != http.StatusNotFound {
			t.Errorf("%s answers %d", path, got)
		}
	}
}

// rulesOf are the ids of each rulebook's rules, of the tables that run.
func rulesOf() map[string][]string {
	all := map[string][]string{}
	for _, r := range claims.Rules() {
		all["mcp-manifest-claims/v1"] = append(all["mcp-manifest-claims/v1"], r.ID)
	}
	for _, r := range screen.Injection().Rules {
		all[screen.Injection().ID] = append(all[screen.Injection().ID], r.ID)
	}
	for _, r := range poison.Rules() {
		all[screen.Poison().ID] = append(all[screen.Poison().ID], r.ID)
	}
	return all
}

func TestEveryRuleHasAnAnchor(t *testing.T) {
	s := start(t, Config{})
	for book, rules := range rulesOf() {
		root := document(t, ask(s, http.MethodGet, "/criteria/"+book, header{"Accept": browser}).Body)
		for _, rule := range rules {
			if n := count(root, func(n *html.Node) bool { return has("id", rule)(n) && has("data-testid", "rule")(n) }); n != 1 {
				t.Errorf("%s: %d places of rule %s", book, n, rule)
			}
		}
		if got, want := count(root, has("data-testid", "rule")), len(rules); got != want {
			t.Errorf("%s: %d rules, want %d", book, got, want)
		}
		ids := map[string]bool{}
		for n := range root.Descendants() {
			if id := attrOf(n, "id"); id != "" && ids[id] {
				t.Errorf("%s: two elements with id %q", book, id)
			} else {
				ids[id] = true
			}
		}
	}
}

// Characters that nobody sees are told, also in our own examples.
func TestExamplesShowHiddenCharacters(t *testing.T) {
	root := document(t, ask(start(t, Config{}), http.MethodGet, "/criteria/mcp-poison-rules/v1", header{"Accept": browser}).Body)
	var text strings.Builder
	for n := range root.Descendants() {
		if n.Type == html.TextNode {
			text.WriteString(n.Data)
		}
	}
	if !strings.Contains(text.String(), "U+202E") || strings.ContainsAny(text.String(), "\u202e\u200b\u2060\U000E0072") {
		t.Error("an example hides what it is about")
	}
}

func TestInjectionJSONIsTheMatchersRulebook(t *testing.T) {
	var published struct {
		Rulebook string
		Rules    []screen.Rule
	}
	if err := json.Unmarshal(ask(start(t, Config{}), http.MethodGet, rulesPath, nil).Body.Bytes(), &published); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(screen.Injection().Rules, published.Rules); diff != "" || published.Rulebook != screen.Injection().ID {
		t.Errorf("rules of the matcher (-) and as published (+):\n%s", diff)
	}
}
