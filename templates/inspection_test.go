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

// sampleInspection has something to paint in every component, hostile text
// included.
func sampleInspection() view.Inspection {
	hostile := `</template><script>alert(1)</script><img src=x onerror=alert(1)>`
	digest := strings.Repeat("0123456789abcdef", 4)
	chips := []view.Segment{{Kind: "equal", Text: hostile}, {Kind: "chip", Text: "U+202E", Title: "RIGHT-TO-LEFT OVERRIDE", Hit: true}, {Kind: "equal", Text: "x", Title: "IO-1", Hit: true}, {Kind: "fold", Text: hostile, Title: "9 more characters"}}
	failing := view.Failing{Rule: "A2", Ref: "/criteria/mcp-manifest-claims/v1#A2", Severity: "critical", Message: hostile, Fix: "Rename.", Fails: true, Pointer: "/tools/0/" + hostile, ShownPointer: chips, Evidence: chips}
	long := view.Failing{Rule: "D4", Ref: "/criteria/mcp-manifest-claims/v1#D4", Severity: "low", Message: "m", ShownPointer: plain("/tools/0…")}
	return view.Inspection{
		State: view.Graded, Verdict: "Grade F, 12 of 100", Grade: "F", Lead: "2 tools.", Outcome: "failed", Gate: "A gate fails.", Digest: digest, ToolCount: 0, Size: "1,234 bytes",
		Severity: []view.Count{{Status: "critical", N: 1, Label: "1 critical"}},
		Tiers:    []view.Count{{Status: "T0_read", N: 1, Label: "1 reads"}, {Status: "unknown", N: 1, Label: "1 not known"}},
		Notices:  []view.Notice{{Kind: "screen", Text: "To be read first:", Tools: []view.Mention{{ID: "tool-1", Name: plain(hostile)}}, More: "and 2 more"}},
		Screens:  []view.Screened{{Rulebook: "prompt-injection-rules/v1", Ref: "/criteria/prompt-injection-rules/v1", Text: "No match."}, {Rulebook: "mcp-poison-rules/v1", Ref: "/criteria/mcp-poison-rules/v1", Text: "1 hit.", Hit: true}},
		List:     []view.Failing{long},
		Fixes:    []view.FixLine{{Rule: "A2", Ref: "/criteria/mcp-manifest-claims/v1#A2", Severity: "critical", Text: "Rename.", Gain: "+12", Of: "resolves 1 finding"}},
		Scores:   []view.Bar{{ID: "tool-1", Label: chips, Value: "12", Width: 12, Kind: "score"}, {ID: "tool-2", Label: plain("b"), Value: "0", Kind: "score"}}, ScoresOf: "The 2 lowest.",
		Hits: []view.Bar{{Ref: "/criteria/mcp-poison-rules/v1#family-exfil-name", Label: plain("exfil-name"), Note: "mcp-poison-rules/v1", Value: "1", Width: 100, Kind: "hit"}},
		Tools: []view.Inspected{
			{
				ID: "tool-1", Name: chips, PlainName: hostile, Line: "3 " + hostile, OccurrenceNote: "1st of this name", Status: "T3_DESTRUCTIVE_OR_EXEC", Tier: "T3_destructive_or_exec", TierLabel: "destroys or executes",
				Glyph: "3", Score: "12", Digest: digest, Size: "12 bytes", Summary: "score 12; 1 finding", Open: true, Screen: "1 hit.", More: "3 more findings.",
				Evidence: []view.TierSign{{Axis: "name", Tier: "T3_destructive_or_exec", Pointer: "/name", ShownPointer: plain("/name"), Text: plain("delete")}},
				Hits:     []view.ScreenHit{{Rulebook: "mcp-poison-rules/v1", Rule: "exfil-name", Ref: "/criteria/mcp-poison-rules/v1#exfil-name", Severity: "high", Label: "A name.", Note: "Muted: " + hostile, Fails: true, View: "escaped", Pointer: "/tools/0/" + hostile, ShownPointer: chips, Excerpt: chips}, {Rulebook: "b", Rule: "r", Ref: "/criteria/r", Severity: "info", Label: "l", Excerpt: plain("x")}},
				Texts:    []view.HitText{{Pointer: "/tools/0/description", ShownPointer: plain("/tools/0/description"), Text: chips}},
				Findings: []view.Failing{failing, long},
			},
			{ID: "tool-2", Name: plain("(no name)"), Line: "? (no name)", Status: "UNKNOWN", Tier: "unknown", TierLabel: "not known", Glyph: "?", Score: "0", Digest: digest, Summary: "score 0", Screen: "No rule hits."},
		},
		Notes: []view.Note{{Code: "duplicate_member", Pointer: "/tools/0/name", Place: "line 3, column 14", Message: hostile}},
	}
}

func TestInspectionFragmentsPaintTheSame(t *testing.T) {
	p := Painter{RulesURL: rules}
	fragments := render(t, p.InspectionFragments())
	for name, v := range map[string]view.Inspection{"everything": sampleInspection(), "nothing": {}, "stopped": stoppedInspection()} {
		t.Run(name, func(t *testing.T) {
			root := parse(t, render(t, p.Inspection(v)))
			want := serialised(t, find(root, byTestID("result"))[0])
			got := serialised(t, newTwin(t, fragments).paint("t-inspection", plainValue(reflect.ValueOf(v)))...)
			if diff := cmp.Diff(split(want), split(got)); diff != "" {
				t.Errorf("painted (-) and bound (+) differ:\n%s", diff)
			}
		})
	}
}

// A file holds no link out of itself, nothing that needs a script, and nothing of
// a manifest that is not for showing.
func TestInspectionDocumentStandsAlone(t *testing.T) {
	v := sampleInspection()
	text := render(t, InspectionDocument(v, "p{}"))
	root := parse(t, text)
	for _, n := range find(root, func(n *html.Node) bool { return n.DataAtom == atom.A }) {
		if !strings.HasPrefix(attr(n, "href"), "#") {
			t.Errorf("it links to %q", attr(n, "href"))
		}
	}
	bad := find(root, func(n *html.Node) bool {
		return n.DataAtom == atom.Script || n.DataAtom == atom.Img || n.DataAtom == atom.Input || n.DataAtom == atom.Select
	})
	if len(bad) > 0 {
		t.Errorf("it has <%s>", bad[0].Data)
	}
	for _, n := range find(root, byTestID("pointer")) {
		if attr(n, "data-exact") != "" {
			t.Error("a pointer is there to be copied by a script")
		}
	}
	if n := len(find(root, byTestID("tool"))); n != len(v.Tools) {
		t.Errorf("it shows %d tools, want %d", n, len(v.Tools))
	}
}

// What is not known is never painted as a grade.
func TestNotInspected(t *testing.T) {
	for _, v := range []view.Inspection{stoppedInspection(), spentInspection(), unreadableInspection()} {
		root := parse(t, render(t, Painter{}.Inspection(v)))
		result := find(root, byTestID("result"))[0]
		if attr(result, "data-state") != view.NotGraded || len(find(root, byTestID("gate"))) > 0 || !strings.Contains(innerText(result), "COULD NOT INSPECT") {
			t.Errorf("%s", innerText(result))
		}
	}
}

// The number stands beside the bar, so that nobody needs to see it.
func TestBarsAreTables(t *testing.T) {
	root := parse(t, render(t, Painter{RulesURL: rules}.Inspection(sampleInspection())))
	rows := find(root, func(n *html.Node) bool {
		return attr(n, "data-testid") == "score-bar" || attr(n, "data-testid") == "hit-bar"
	})
	if len(rows) != 3 {
		t.Fatalf("%d rows", len(rows))
	}
	for _, row := range rows {
		head := find(row, func(n *html.Node) bool { return n.DataAtom == atom.Th && attr(n, "scope") == "row" })
		pictures := find(row, func(n *html.Node) bool { return n.Data == "svg" && attr(n, "aria-hidden") == "true" })
		cells := find(row, func(n *html.Node) bool { return n.DataAtom == atom.Td })
		if len(head) != 1 || len(pictures) != 1 || len(cells) != 1 || strings.TrimSpace(innerText(cells[0])) == "" {
			t.Errorf("row %s", innerText(row))
		}
	}
}
