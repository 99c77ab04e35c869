package slim

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestValuesKeepEveryCounter(t *testing.T) {
	tests := map[string][]run{
		"one":               {{0, 1}},
		"frame":             {{0, 2}, {64, 40}},
		"back and forth":    {{0, 2}, {-1, 3}, {1 << 20, 400}, {-1 << 20, 401}},
		"last one long":     {{0, 1}, {8, 1 << 10}},
		"last one longer":   {{0, 1}, {8, 1 << 15}},
		"all that there is": {{0, 1 << 16}},
		"first is minus 1":  {{-1, 3}, {0, 4}},
	}
	for name, want := range tests {
		t.Run(name, func(t *testing.T) {
			values := newValueTables()
			place := values.add(want)
			d := decoder{values: values.bytes}
			got := d.table(place)
			if d.err != nil || len(got) != len(want) {
				t.Fatalf("want %v, got %v and %v", want, got, d.err)
			}
			for i := range want {
				if got[i].value != want[i].value || got[i].end < want[i].end || i < len(want)-1 && got[i].end != want[i].end {
					t.Errorf("run %d: want %v, got %v", i, want[i], got[i])
				}
			}
			if again := values.add(want); again != place {
				t.Errorf("the same table is at %d and %d", place, again)
			}
		})
	}
}

// Tables whose last values end at different counters are one table.
func TestValuesShareTables(t *testing.T) {
	values := newValueTables()
	first := values.add([]run{{0, 1}, {32, 7}})
	if second := values.add([]run{{0, 1}, {32, 90}}); second != first {
		t.Errorf("two tables, at %d and %d", first, second)
	}
	if third := values.add([]run{{0, 2}, {32, 7}}); third == first {
		t.Error("different tables became one")
	}
	if none := values.add(nil); none != 0 {
		t.Errorf("no table is at %d", none)
	}
}

func TestValuesRefuse(t *testing.T) {
	tests := map[string][]byte{
		"outside":           {0},
		"no end":            {0, 2, 1},
		"cut in a number":   {0, 2, 0x80},
		"counter too large": {0, 2, 0x81, 0x80, 0x04, 0},
		"value too large":   {0, 0x80, 0x80, 0x80, 0x80, 0x10, 1, 0},
	}
	for name, values := range tests {
		t.Run(name, func(t *testing.T) {
			d := decoder{values: values}
			if got := d.table(1); d.err == nil {
				t.Errorf("it was read as %v", got)
			}
			if diff := cmp.Diff([]run(nil), d.table(1), cmp.AllowUnexported(run{})); diff != "" {
				t.Errorf("after an error:\n%s", diff)
			}
		})
	}
}
