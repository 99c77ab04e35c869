package view

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Whatever is kept together, the words are those of the whole line.
func TestTokensAreTheWords(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	pieces := []string{"word ", " ", "\t", "é", "漢字 ", "a-b ", "\u200b", "x", "same same ", "😀 "}
	draw := func(n int) string {
		var b strings.Builder
		for range n {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		return b.String()
	}
	for range 100 {
		head, tail := draw(r.IntN(3000)), draw(r.IntN(3000))
		old, new := head+draw(r.IntN(30))+tail, head+draw(r.IntN(30))+tail
		before, after, _ := lineTokens(old, new)
		for _, side := range []struct {
			line string
			got  []string
		}{{old, before}, {new, after}} {
			var got []string
			for _, token := range side.got {
				got = append(got, words(token)...)
			}
			if !slices.Equal(words(side.line), got) {
				t.Fatal(cmp.Diff(words(side.line), got))
			}
		}
	}
}

// A long line that differs in one word is one small difference, not two blocks.
func TestLongLineKeepsItsWords(t *testing.T) {
	same := strings.Repeat("word ", 100_000)
	rows, note := (&work{left: maxWork}).sideBySide(same+"old "+same, same+"new "+same, nil)
	if len(rows) != 1 || note != "" {
		t.Fatalf("%d rows, note %q", len(rows), note)
	}
	var marked []string
	for _, s := range append(rows[0].Old, rows[0].New...) {
		if s.Kind != equal {
			marked = append(marked, s.Kind+" "+s.Text)
		}
	}
	if diff := cmp.Diff([]string{"del old", "ins new"}, marked); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// What is too much to be taken apart is two blocks, and says so.
func TestHugeLinesAreBlocks(t *testing.T) {
	rows, note := (&work{left: maxWork}).sideBySide(strings.Repeat("word ", 200_000), strings.Repeat("other ", 200_000), nil)
	if len(rows) != 1 || note == "" {
		t.Errorf("%d rows, note %q", len(rows), note)
	}
}

// Thousands of lines that have nothing in common end at the bound of all work,
// and both sides are shown all the same.
func TestWorkIsBounded(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	lines := func() []string {
		out := make([]string, 1500)
		for i := range out {
			var b strings.Builder
			for range 700 {
				b.WriteString([]string{"a ", "b ", "c ", "d "}[r.IntN(4)])
			}
			out[i] = b.String()
		}
		return out
	}
	old, new := lines(), lines()
	w := work{left: maxWork}
	rows, note := w.sideBySide(strings.Join(old, "\n"), strings.Join(new, "\n"), nil)
	if note == "" || w.left > 0 || w.left < -maxEdits*maxEdits {
		t.Errorf("note %q, %d steps left", note, w.left)
	}
	if got := text(t, rows, newSide); got != strings.Join(new, "\n") {
		t.Error("a side is not whole")
	}
}
