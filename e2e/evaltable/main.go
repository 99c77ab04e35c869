// Command evaltable prints the bars of the guard's design as one table: recall of
// mcp-poison-rules/v1 by set and by family, hits on real descriptions and on whole
// real manifests with the exceptions that were read, hard negatives, and how the
// capability tiers agree with what tools say of themselves. It ends with 1 when a
// bar is not met. What the corpus beside the project would say is left out, and
// that is said, where there is none.
package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	root, err := projectRoot()
	if err != nil {
		fmt.Fprintln(os.Stderr, "evaltable:", err)
		os.Exit(2)
	}
	t := newTable(root, os.Stdout)
	if err := t.run(); err != nil {
		fmt.Fprintln(os.Stderr, "evaltable:", err)
		os.Exit(2)
	}
	if t.below > 0 {
		fmt.Printf("\n%d below the bar\n", t.below)
		os.Exit(1)
	}
	fmt.Println("\nEvery bar is met.")
}

// projectRoot is the folder of go.mod above the working directory.
func projectRoot() (string, error) {
	dir, err := os.Getwd()
	for err == nil && dir != filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		dir = filepath.Dir(dir)
	}
	return "", fmt.Errorf("no go.mod above the working directory: %v", err)
}

// table is measured once, here and by the test that guards it: one list of
// exceptions and one set of bars.
type table struct {
	root, corpus string
	out          io.Writer
	below        int
	families     map[string]int
	exceptions   []exception
}

func newTable(root string, out io.Writer) *table {
	return &table{root: root, corpus: filepath.Join(root, "..", "shared", "corpus"), out: out}
}

func (t *table) run() error {
	if err := t.readExceptions(); err != nil {
		return err
	}
	fmt.Fprintln(t.out, "The project's own cases")
	if err := t.ownCases(); err != nil {
		return err
	}
	if err := t.blind(); err != nil {
		return err
	}
	if _, err := os.Stat(t.corpus); err != nil {
		fmt.Fprintln(t.out, "\nThere is no corpus beside the project: its sets were not measured.")
		return nil
	}
	for _, part := range []func() error{t.poisoned, t.benign, t.manifests} {
		if err := part(); err != nil {
			return err
		}
	}
	return nil
}

// line prints n of a number, and holds the share to a bar where there is one.
func (t *table) line(name string, n, of int, bar string, met bool) {
	share := "–"
	if of > 0 {
		share = fmt.Sprintf("%.1f %%", 100*float64(n)/float64(of))
	}
	verdict := ""
	if bar != "" {
		verdict = "bar " + bar
		if !met {
			verdict += "   NOT MET"
			t.below++
		}
	}
	fmt.Fprintln(t.out, strings.TrimRight(fmt.Sprintf("  %-46s %6d of %6d %9s   %s", name, n, of, share, verdict), " "))
}

func atLeast(n, of, percent int) bool { return 100*n >= percent*of }
func atMost(n, of, percent int) bool  { return 100*n <= percent*of }
