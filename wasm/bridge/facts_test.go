package bridge

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A comparison says of its two documents what reading each of them would, so
// that a page need not read them again.
func TestCompareTellsWhatReadingDoes(t *testing.T) {
	notes := `{"tools":[{"name":"a","name":"b"},{"name":"` + "\u202e" + `","x":1e999}],"nextCursor":"2"}`
	block := string(Call("digest", [][]byte{[]byte(before), []byte(asOf)})[1])
	for _, c := range []struct{ name, baseline, current string }{
		{"plain", before, after},
		{"reading notes on both sides", notes, notes},
		{"no tools", `[]`, `{"result":{"tools":[]}}`},
		{"digests only", block, notes},
		{"a wrapped baseline", "```json\n" + before + "\n```", `[{}]`},
	} {
		t.Run(c.name, func(t *testing.T) {
			compared := answer(t, Call("compare", [][]byte{[]byte(c.baseline), []byte(c.current), []byte(asOf)}))
			for side, alone := range map[string]map[string]any{
				"baseline": answer(t, Call("read_baseline", [][]byte{[]byte(c.baseline)})),
				"current":  answer(t, Call("read", [][]byte{[]byte(c.current)})),
			} {
				if alone["ok"] != true {
					t.Fatalf("%s is refused: %v", side, alone)
				}
				delete(alone, "ok")
				if diff := cmp.Diff(any(alone), compared[side]); diff != "" {
					t.Errorf("%s (-read +compare)\n%s", side, diff)
				}
			}
		})
	}
}
