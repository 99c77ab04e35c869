package cases

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/manifestseal/manifestseal/engine/jsonvalue"
	"github.com/manifestseal/manifestseal/server/internal/cli/rulebook"
)

func read(t *testing.T, text string) []Case {
	t.Helper()
	list, err := Read([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func book(t *testing.T, id, pattern string) *rulebook.Rulebook {
	t.Helper()
	b, err := rulebook.Read([]byte(`{"id":"` + id + `","rules":[{"id":"R","severity":"high","description":"D.","pattern":"` + pattern + `"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

const sample = `{"id":"p1","tool":"get_a","description":"zebra","label":"poison","rules":["x/R","y"]}
{"id":"p2","tool":"get_b","description":"lion","label":"poison","rules":["y"]}
{"id":"p3","tool":"delete_c","description":"none","label":"poison"}
{"id":"b1","tool":"get_d","description":"zebra and lion","label":"benign"}
{"id":"b2","tool":"get_e","description":"none","label":"benign"}
`

func TestRun(t *testing.T) {
	e := Evaluation{Sets: []Set{{"s", read(t, sample)}}, Books: []*rulebook.Rulebook{book(t, "x", "zebra"), book(t, "y", "lion")}}
	r, failures := e.Run()
	if len(failures) > 0 {
		t.Fatal(failures)
	}
	want := &Result{
		Tally: Tally{3, 2, 2, 1}, Gold: 3, GoldHit: 2,
		BySet:    []SetTally{{"s", Tally{3, 2, 2, 1}}},
		ByFamily: map[string]Hits{"x": {1, 1}, "y": {1, 1}}, ByRule: map[string]Hits{"x/R": {1, 1}, "y/R": {1, 1}},
		Missed: []string{"p3"}, FalseHits: []FalseHit{{"b1", []string{"x/R", "y/R"}}},
	}
	if diff := cmp.Diff(want, r); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestAblate(t *testing.T) {
	e := Evaluation{Sets: []Set{{"s", read(t, sample)}}, Books: []*rulebook.Rulebook{book(t, "x", "zebra"), book(t, "y", "lion")}}
	whole, _ := e.Run()
	a, restored := e.Ablate(whole)
	if !restored {
		t.Error("the whole is not as it was")
	}
	hit := map[string]int{}
	for _, f := range a.Families {
		hit[f.Family] = f.Result.PoisonHit
	}
	if hit["x"] != 1 || hit["y"] != 1 {
		t.Errorf("without x or y: %v poisoned cases hit, want 1 each", hit)
	}
	changed := false
	for _, x := range a.Axes {
		changed = changed || x.Changed > 0
	}
	if !changed {
		t.Error("no axis decides anything")
	}
	// A measurement that is not the whole's is seen.
	whole.PoisonHit--
	if _, restored := e.Ablate(whole); restored {
		t.Error("a failed restore passes")
	}
}

func TestHold(t *testing.T) {
	r := &Result{Missed: []string{"a", "b"}, Boundaries: []Boundary{{"b", "r"}, {"c", "r"}}}
	undeclared, stale := r.Hold()
	if diff := cmp.Diff([][]string{{"a"}, {"c"}}, [][]string{undeclared, stale}); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestShares(t *testing.T) {
	for _, tt := range []struct {
		n, of int
		want  string
	}{{0, 0, "null"}, {0, 5, "0"}, {5, 5, "1"}, {31, 32, "0.9688"}, {347, 485, "0.7155"}, {1, 3, "0.3333"}} {
		var w jsonvalue.Builder
		w.Begin('{')
		share(&w, "x", tt.n, tt.of)
		w.End('}')
		if got, want := string(w.Bytes), `{"x":`+tt.want+`}`; got != want {
			t.Errorf("%d of %d: %s, want %s", tt.n, tt.of, got, want)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(sample)
	f.Add(`{"boundaries":[{"id":"a","reason":"b"}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		_, _ = ReadBoundaries([]byte(text))
		list, err := Read([]byte(text))
		if err != nil {
			return
		}
		e := Evaluation{Sets: []Set{{"s", list}}}
		r, _ := e.Run()
		if r.Poison+r.Benign != len(list) || len(r.Missed) != r.Poison-r.PoisonHit {
			t.Errorf("%d cases, counted %+v", len(list), r.Tally)
		}
	})
}
