package templates

import (
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/manifestseal/manifestseal/engine/view"
)

const rules = "/criteria/prompt-injection-rules/v1"

func TestFragmentsPaintWhatComponentsPaint(t *testing.T) {
	quietOnly := sample()
	quietOnly.State, quietOnly.Tools = view.Unchanged, quietOnly.Tools[3:4]
	loudOnly := sample()
	loudOnly.Tools, loudOnly.Quiet = loudOnly.Tools[:3], ""
	tests := []struct {
		name string
		view view.View
	}{
		{"everything", sample()},
		{"empty", view.View{}},
		{"not compared", stopped()},
		{"only tools in which nothing differs", quietOnly},
		{"only tools that differ", loudOnly},
	}
	p := Painter{RulesURL: rules}
	fragments := render(t, p.Fragments())
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			root := parse(t, render(t, p.Result(tt.view)))
			want := serialised(t, find(root, byTestID("result"))[0])
			got := serialised(t, newTwin(t, fragments).paint("t-result", plainValue(reflect.ValueOf(tt.view)))...)
			if diff := cmp.Diff(split(want), split(got)); diff != "" {
				t.Errorf("painted (-) and bound (+) differ:\n%s", diff)
			}
		})
	}
}

func split(text string) []string { return strings.SplitAfter(text, ">") }

func TestFragmentsHoldNoStrayText(t *testing.T) {
	root := parse(t, render(t, Painter{RulesURL: rules}.Fragments()))
	for n := range root.Descendants() {
		if n.DataAtom != atom.Template {
			continue
		}
		for child := range n.ChildNodes() {
			if child.Type == html.TextNode {
				t.Errorf("fragment %q has text %q beside its elements", attr(n, "id"), child.Data)
			}
		}
	}
}

func TestResultShowsEachState(t *testing.T) {
	for _, state := range []string{view.Unchanged, view.Changed, view.NotCompared} {
		root := parse(t, render(t, Painter{}.Result(view.View{State: state, Verdict: "V"})))
		result := find(root, byTestID("result"))
		if len(result) != 1 || attr(result[0], "data-state") != state {
			t.Errorf("state %q is not on the result", state)
		}
	}
}

// A file has no script that could copy an exact text, and so no attribute that
// holds one with its hidden characters.
func TestAFileHoldsNoExactText(t *testing.T) {
	if html := render(t, Painter{}.Result(sample())); strings.Contains(html, "data-exact") {
		t.Error("it has data-exact")
	}
}

func TestQuietTools(t *testing.T) {
	root := parse(t, render(t, Painter{}.Result(sample())))
	quiet := find(root, byTestID("quiet"))
	if len(quiet) != 1 {
		t.Fatalf("got %d folds of quiet tools, want 1", len(quiet))
	}
	var ids []string
	for _, tool := range find(quiet[0], byTestID("tool")) {
		ids = append(ids, attr(tool, "id"))
	}
	// tool-5 is unchanged by its digest, yet a member outside it differs.
	if diff := cmp.Diff([]string{"tool-4"}, ids); diff != "" {
		t.Errorf("quiet tools (-want +got):\n%s", diff)
	}
}

func TestHostileTextStaysText(t *testing.T) {
	root := parse(t, render(t, Painter{RulesURL: rules}.Result(sample())))
	bad := find(root, func(n *html.Node) bool { return n.DataAtom == atom.Script || n.DataAtom == atom.Img })
	if len(bad) != 0 {
		t.Errorf("manifest text became %d elements", len(bad))
	}
	name := find(root, byTestID("tool-name"))[0]
	if got, want := innerText(name), sample().Tools[0].PlainName; got != want {
		t.Errorf("name reads %q, want %q", got, want)
	}
	if name.DataAtom != atom.Bdi || attr(name, "dir") != "auto" {
		t.Error("the name does not stand in <bdi dir=auto>")
	}
}

func TestRowsSayTheirKindInWords(t *testing.T) {
	tests := []struct{ kind, want string }{
		{"added", "Added line"}, {"removed", "Removed line"}, {"changed", "Changed line"},
	}
	for _, tt := range tests {
		text := innerText(parse(t, render(t, Painter{}.Row(view.Row{Kind: tt.kind}))))
		if !strings.Contains(text, tt.want) {
			t.Errorf("%s row says %q", tt.kind, text)
		}
	}
}

func TestHitLinksToItsRule(t *testing.T) {
	hit := view.Hit{Rule: "IO-1"}
	link := find(parse(t, render(t, Painter{RulesURL: rules}.Hit(hit))), func(n *html.Node) bool { return n.DataAtom == atom.A })
	if len(link) != 1 || attr(link[0], "href") != rules+"#IO-1" {
		t.Errorf("the rule is not linked to its text: %v", link)
	}
	if text := render(t, Painter{}.Hit(hit)); strings.Contains(text, "<a") {
		t.Error("a hit links somewhere although no place was given")
	}
}
