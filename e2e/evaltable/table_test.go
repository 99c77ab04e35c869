package main

import (
	"strings"
	"testing"
)

// TestTable holds every bar that `make eval` prints: the same measure, list of
// exceptions and bars.
func TestTable(t *testing.T) {
	root, err := projectRoot()
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	table := newTable(root, &out)
	if err := table.run(); err != nil {
		t.Fatal(err)
	}
	t.Log("\n" + out.String())
	if table.below > 0 {
		t.Errorf("%d below the bar", table.below)
	}
}

// TestTableCanFail holds that a bar that is not met is counted and said.
func TestTableCanFail(t *testing.T) {
	var out strings.Builder
	table := newTable("", &out)
	table.line("a set", 1, 2, "0", false)
	if table.below != 1 || !strings.Contains(out.String(), "NOT MET") {
		t.Errorf("%d below; %s", table.below, out.String())
	}
}
