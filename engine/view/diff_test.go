package view

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// naiveCommon is the length of the longest common subsequence by the textbook's
// table: what an edit script may keep at most.
func naiveCommon(a, b []string) int {
	row := make([]int, len(b)+1)
	for i := range a {
		diagonal := 0
		for j := range b {
			above := row[j+1]
			if a[i] == b[j] {
				row[j+1] = diagonal + 1
			} else {
				row[j+1] = max(row[j+1], row[j])
			}
			diagonal = above
		}
	}
	return row[len(b)]
}

// apply checks that a script describes both sides, and returns how many tokens
// it keeps.
func apply(t *testing.T, a, b []string, script []op) int {
	t.Helper()
	kept := 0
	var old, new []string
	for _, s := range script {
		switch s.kind {
		case equal:
			old = append(old, a[s.from:s.to]...)
			new = append(new, a[s.from:s.to]...)
			kept += s.to - s.from
		case del:
			old = append(old, a[s.from:s.to]...)
		case ins:
			new = append(new, b[s.from:s.to]...)
		}
	}
	if strings.Join(old, "\x00") != strings.Join(a, "\x00") || strings.Join(new, "\x00") != strings.Join(b, "\x00") {
		t.Fatalf("the script does not describe %q and %q: %v", a, b, script)
	}
	return kept
}

func tokens(text string) []string { return strings.Split(text, "") }

func FuzzDiff(f *testing.F) {
	f.Add("abcabba", "cbabac")
	f.Add("", "x")
	f.Add("aaaaab", "baaaaa")
	f.Fuzz(func(t *testing.T, x, y string) {
		if len(x)+len(y) > maxEdits {
			return
		}
		a, b := tokens(x), tokens(y)
		script, ok := diffTokens(a, b, maxEdits)
		if !ok {
			t.Fatal("a small diff was given up")
		}
		if kept, want := apply(t, a, b, script), naiveCommon(a, b); kept != want {
			t.Fatalf("%q, %q: keeps %d tokens, the longest common subsequence has %d", x, y, kept, want)
		}
	})
}

func TestDiffIsShortest(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 20_000 {
		draw := func() []string {
			out := make([]string, r.IntN(24))
			for i := range out {
				out[i] = string(rune('a' + r.IntN(4)))
			}
			return out
		}
		a, b := draw(), draw()
		script, ok := diffTokens(a, b, maxEdits)
		if kept, want := apply(t, a, b, script), naiveCommon(a, b); !ok || kept != want {
			t.Fatalf("%q, %q: keeps %d, want %d", a, b, kept, want)
		}
	}
}

func TestSpacesBetweenReplacedWordsGoWithThem(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"Read Text File", "Send it all", "-Read Text File +Send it all"},
		{"a b", "a x b", "=a  +x  =b"},
		{"a x b", "a b", "=a  -x  =b"},
		{"one two three", "one 2 three", "=one  -two +2 = three"},
	} {
		before, after := words(c.old), words(c.new)
		script, _ := diffTokens(before, after, maxEdits)
		merged := mergeSpaces(script, before)
		apply(t, before, after, merged)
		got := ""
		for _, s := range merged {
			if got != "" {
				got += " "
			}
			switch s.kind {
			case equal:
				got += "=" + strings.Join(before[s.from:s.to], "")
			case del:
				got += "-" + strings.Join(before[s.from:s.to], "")
			case ins:
				got += "+" + strings.Join(after[s.from:s.to], "")
			}
		}
		if got != c.want {
			t.Errorf("%q, %q: got %q, want %q", c.old, c.new, got, c.want)
		}
	}
}

func TestDiffBeyondItsBoundIsTwoBlocks(t *testing.T) {
	a, b := make([]string, 2*maxEdits), make([]string, 2*maxEdits)
	for i := range a {
		a[i], b[i] = "a"+string(rune(i+0x100)), "b"+string(rune(i+0x100))
	}
	a[0], b[0] = "same", "same"
	script, ok := diffTokens(a, b, maxEdits)
	if ok {
		t.Error("it should have been given up")
	}
	if kept := apply(t, a, b, script); kept != 1 {
		t.Errorf("keeps %d tokens, want the common prefix alone", kept)
	}
}

func BenchmarkDiffWorst(b *testing.B) {
	x, y := make([]string, 20_000), make([]string, 20_000)
	for i := range x {
		x[i], y[i] = "x"+string(rune(i)), "y"+string(rune(i))
	}
	for b.Loop() {
		diffTokens(x, y, maxEdits)
	}
}
