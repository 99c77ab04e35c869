package claims

import (
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/manifestseal/manifestseal/engine/jsonvalue"
)

// exactTotal is the manifest's score by fractions: the naive twin of the
// arithmetic in doubles.
func exactTotal(all []points, capped bool) int {
	sum, lowest := new(big.Rat), big.NewRat(100, 1)
	for _, p := range all {
		s := big.NewRat(int64(100*p.earned), int64(p.applicable))
		sum.Add(sum, s)
		if s.Cmp(lowest) < 0 {
			lowest = s
		}
	}
	mean := sum.Quo(sum, big.NewRat(int64(len(all)), 1))
	total := new(big.Rat).Add(mean.Mul(mean, big.NewRat(6, 10)), new(big.Rat).Mul(lowest, big.NewRat(4, 10)))
	total.Add(total, big.NewRat(1, 2))
	rounded := int(new(big.Int).Quo(total.Num(), total.Denom()).Int64())
	if capped {
		return min(rounded, 69)
	}
	return rounded
}

func TestScoreIsExact(t *testing.T) {
	for _, list := range []string{
		list(goodTool),
		list(goodTool, `{"name": "a"}`),
		list(goodTool, `null`),
		list(with(t, `{"title": "-"}`), with(t, `{"name": "b", "description": "x"}`), `{"name": "c", "inputSchema": {"type": "object"}}`),
		list(with(t, `{"annotations": "-"}`), with(t, `{"annotations": "-", "name": "b", "description": "The other tool of the two."}`)),
	} {
		o := grade(t, list)
		var all []points
		critical := false
		for i := range o.Tools {
			p := o.Tools[i].Checks.points()
			all = append(all, p)
			want := exactTotal([]points{p}, false)
			if o.Tools[i].Score != want {
				t.Errorf("tool %d: score %d, want %d", i, o.Tools[i].Score, want)
			}
			for r, s := range o.Tools[i].Checks {
				critical = critical || s == Fail && rules[r].Severity == Critical
			}
		}
		if want := exactTotal(all, critical); o.Score != want {
			t.Errorf("%.80s: score %d, want %d", list, o.Score, want)
		}
	}
}

// Scores of exactly a half are rounded up, whatever way the doubles lose.
func TestHalvesAreRoundedUp(t *testing.T) {
	for applicable := 1; applicable <= 60; applicable++ {
		for earned := 0; earned <= applicable; earned++ {
			p := points{earned, applicable}
			if got, want := roundHalfUp(p.score()), exactTotal([]points{p}, false); got != want {
				t.Fatalf("%d/%d: got %d, want %d", earned, applicable, got, want)
			}
			for _, q := range []points{{1, 3}, {7, 8}, {50, 51}} {
				all := []points{p, q, q}
				o := Output{Tools: make([]Tool, 3)}
				if got, want := o.total(all, new([ruleCount]int), -1), exactTotal(all, false); got != want {
					t.Fatalf("%v: got %d, want %d", all, got, want)
				}
			}
		}
	}
}

func TestWeightsAndGrades(t *testing.T) {
	var got []int
	for s := range severityNames {
		got = append(got, Severity(s).Weight())
	}
	if diff := cmp.Diff([]int{5, 3, 2, 1, 0}, got); diff != "" {
		t.Error(diff)
	}
	for score, want := range map[int]string{100: "A", 90: "A", 89: "B", 80: "B", 79: "C", 70: "C", 69: "D", 55: "D", 54: "F", 0: "F"} {
		if got := gradeOf(score); got != want {
			t.Errorf("%d: got %s, want %s", score, got, want)
		}
	}
}

func TestCriticalCaps(t *testing.T) {
	// Many good tools and one with a hidden character: the mean is near 100.
	var tools []string
	for i := range 50 {
		tools = append(tools, with(t, `{"name": "get_weather_`+itoa(i)+`", "description": "Returns the weather of city number `+itoa(i)+`."}`))
	}
	tools = append(tools, with(t, `{"description": "Returns\u200b the weather of a city."}`))
	o := grade(t, list(tools...))
	if o.Score != 69 || o.Grade != "D" {
		t.Errorf("got %d %s, want 69 D", o.Score, o.Grade)
	}
	if f := o.Fixes[0]; rules[f.Rule].ID != "I6" || f.Gain != 31 {
		t.Errorf("the first fix is %s with gain %d, want I6 with 31", rules[f.Rule].ID, f.Gain)
	}
}

// A gain is what the score becomes when the checks pass, less what it is; the
// test carries the fix out.
func TestGainsAreReal(t *testing.T) {
	before := grade(t, list(with(t, `{"title": "-", "description": "x"}`), with(t, `{"name": "b", "inputSchema": {"type": "object", "properties": {"q": {"type": "string"}}}}`)))
	after := map[string]string{
		"D2": list(with(t, `{"title": "-", "description": "Returns tomorrow's weather of a city."}`), with(t, `{"name": "b", "inputSchema": {"type": "object", "properties": {"q": {"type": "string"}}}}`)),
		"D4": list(with(t, `{"description": "x"}`), with(t, `{"name": "b", "inputSchema": {"type": "object", "properties": {"q": {"type": "string"}}}}`)),
		"D5": list(with(t, `{"title": "-", "description": "x"}`), with(t, `{"name": "b", "inputSchema": {"type": "object", "properties": {"q": {"type": "string", "description": "Q"}}}}`)),
	}
	if len(before.Fixes) != len(after) {
		t.Fatalf("got %d fixes, want %d: %+v", len(before.Fixes), len(after), before.Fixes)
	}
	for _, f := range before.Fixes {
		id := rules[f.Rule].ID
		if got, want := f.Gain, grade(t, after[id]).Score-before.Score; got != want {
			t.Errorf("%s: gain %d, want %d", id, got, want)
		}
		for _, i := range f.Resolves {
			if before.Findings[i].Rule != f.Rule {
				t.Errorf("%s resolves a finding of %s", id, rules[before.Findings[i].Rule].ID)
			}
		}
	}
	if !slices.IsSortedFunc(before.Fixes, func(a, b Fix) int { return b.Gain - a.Gain }) {
		t.Errorf("the fixes are not in the order of their gains: %+v", before.Fixes)
	}
}

func TestZeroTools(t *testing.T) {
	for _, document := range []string{`[]`, `{"tools": []}`, `{"result": {"tools": []}}`} {
		o := grade(t, document)
		want := `{"criteria_id":"mcp-manifest-claims/v1","spec_versions":["2025-03-26","2025-06-18","2025-11-25"],"verdict":"` + CouldNotGrade + `","reason":"zero_tools"}`
		if diff := cmp.Diff(want, written(o)); diff != "" || o.Graded {
			t.Errorf("%s: graded %v, %s", document, o.Graded, diff)
		}
	}
}

func TestWritten(t *testing.T) {
	got := written(grade(t, list(with(t, `{"title": "-"}`))))
	checks := []string{}
	for _, r := range rules {
		s := "na"
		switch r.ID {
		case "I1", "I2", "I3", "I4", "I4b", "I5", "I6", "I7", "D1", "D2", "D3", "D5", "D7", "S1", "S2", "S3", "S4", "S8", "S9", "S12", "A1", "A2", "A3", "A4", "A9b", "A10", "A12", "C1", "C3", "C4":
			s = "pass"
		case "D4":
			s = "fail"
		}
		checks = append(checks, `"`+r.ID+`":"`+s+`"`)
	}
	want := `{"criteria_id":"mcp-manifest-claims/v1","spec_versions":["2025-03-26","2025-06-18","2025-11-25"],"score":99,"grade":"A",` +
		`"counts":{"pass":30,"fail":1,"not_applicable":14,"unknown":0,"by_severity":{"critical":0,"high":0,"medium":0,"low":1,"info":0}},` +
		`"tools":[{"name":"get_weather","occurrence":1,"score":99,"checks":{` + strings.Join(checks, ",") + `}}],"findings":[` +
		`{"id":"C5","severity":"info","tool":null,"occurrence":null,"pointer":"/tools","message":"The list holds 1 tool, about 69 tokens of a model's context (estimated at four characters a token).","evidence":"","fix":"Offer fewer tools or shorter texts where the list fills a model's context."},` +
		`{"id":"D4","severity":"low","tool":"get_weather","occurrence":1,"pointer":"/tools/0","message":"The tool has no title that people could read.","evidence":"get_weather","fix":"Add a title for people to read."}],` +
		`"fix_list":[{"fix":"Add a title for people to read.","resolves":[1],"gain":1}]}`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestOccurrences(t *testing.T) {
	o := grade(t, `[{"name":"a"},null,{"name":"a"},{"name":""},{"name":"b"}]`)
	var got []Tool
	for _, tool := range o.Tools {
		got = append(got, Tool{Name: tool.Name, Named: tool.Named, Occurrence: tool.Occurrence})
	}
	want := []Tool{{Name: "a", Named: true, Occurrence: 1}, {Occurrence: 1}, {Name: "a", Named: true, Occurrence: 2}, {Occurrence: 2}, {Name: "b", Named: true, Occurrence: 1}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// The rulebook is published: every rule has a sentence that says when it fails
// and one that says what to do, and counts add up.
func TestRulebook(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range Rules() {
		if seen[r.ID] || r.Fails == "" || !strings.HasSuffix(r.Fix, ".") || strings.HasSuffix(r.Fails, ".") {
			t.Errorf("rule %s: %+v", r.ID, r)
		}
		seen[r.ID] = true
	}
	o := grade(t, list(goodTool, `null`, `{"name": "delete_x", "annotations": {"readOnlyHint": true}}`))
	if n := o.Counts.Pass + o.Counts.Fail + o.Counts.NotApplicable + o.Counts.Unknown; n != 3*ruleCount {
		t.Errorf("%d checks are counted, want %d", n, 3*ruleCount)
	}
	sum := 0
	for _, n := range o.Counts.BySeverity {
		sum += n
	}
	if sum != o.Counts.Fail {
		t.Errorf("by_severity sums to %d, want the %d failed", sum, o.Counts.Fail)
	}
}

// TestOutputIsLinear holds that pointers, of which each finding has one, grow with the document and not with its square:
// a tool has one finding a rule, and it points into the tool.
func TestOutputIsLinear(t *testing.T) {
	size := func(n int) (in, out int) {
		deep := strings.Repeat(`{"type":"nonsense","properties":{"`+strings.Repeat("n", n)+`":`, 20) + `{"type":7,"required":"x","pattern":"("}` + strings.Repeat("}}", 20)
		var tools []string
		for range 20 {
			tools = append(tools, with(t, `{"inputSchema": `+deep+`}`))
		}
		document := list(tools...)
		var w jsonvalue.Builder
		grade(t, document).Write(&w)
		return len(document), len(w.Bytes)
	}
	in, out := size(200)
	in2, out2 := size(800)
	if grown, allowed := float64(out2)/float64(out), 1.5*float64(in2)/float64(in); grown > allowed || out2 > 16*in2 {
		t.Errorf("%d bytes make %d and %d make %d", in, out, in2, out2)
	}
}
