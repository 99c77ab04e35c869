//go:build !js

package screen

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// nodeOracle runs patterns over texts as V8 does, and prints [start, end, anchor start, anchor end] of every match.
const nodeOracle = `
const {patterns, texts} = JSON.parse(require("fs").readFileSync(0, "utf8"));
const rules = patterns.map((p) => new RegExp(p, "gid"));
const out = texts.map((t) => rules.map((re) => [...t.matchAll(re)].map((m) => {
  const a = m.indices.groups?.anchor ?? [0, 0];
  return [m.index, m.index + m[0].length, a[0], a[1]];
})));
console.log(JSON.stringify(out));`

// TestNode runs every rule of every rulebook on V8 itself: on generated texts and on the project's cases.
func TestNode(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("no node: ", err)
	}
	for _, rb := range rulebooks() {
		t.Run(rb.ID, func(t *testing.T) {
			g := newGenerator(5, rb)
			texts := caseTexts(t)
			for range 1000 {
				texts = append(texts, valid(g.text()))
			}
			patterns := []string{}
			for _, r := range patterned(rb) {
				patterns = append(patterns, r.Pattern)
			}
			input, err := json.Marshal(map[string]any{"patterns": patterns, "texts": texts})
			if err != nil {
				t.Fatal(err)
			}
			run := exec.Command(node, "-e", nodeOracle)
			run.Stdin = bytes.NewReader(input)
			output, err := run.Output()
			if err != nil {
				t.Fatal(err)
			}
			var all [][][][4]int
			if err := json.Unmarshal(output, &all); err != nil {
				t.Fatal(err)
			}
			s := NewScanner(rb)
			for i, text := range texts {
				compareNode(t, s, text, all[i])
			}
		})
	}
}

func compareNode(t *testing.T, s *Scanner, text string, rules [][][4]int) {
	t.Helper()
	for r := range s.book.Rules {
		if s.book.table.merging.has(r) {
			continue // RegExp does not merge what stands together
		}
		var want []found
		for _, m := range rules[r] {
			want = append(want, found{Span{m[0], m[1]}, Span{m[2], m[3]}})
		}
		if diff := cmp.Diff(want, ruleSpans(s, r, text)); diff != "" {
			t.Fatalf("%s %s in %q (-want +got):\n%s", s.book.Rules[r].ID, patterned(s.book)[r].Pattern, text, diff)
		}
	}
}

// valid leaves lone surrogates out: they cannot travel in UTF-8.
func valid(text string) string { return string(bytes.ToValidUTF8([]byte(text), []byte("?"))) }
