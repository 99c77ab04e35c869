package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A mutation whose text is no longer in its file breaks nothing and proves
// nothing: it is found here, and not only when somebody runs all of them.
func TestMutationsCanBeMade(t *testing.T) {
	for _, m := range mutations {
		source, err := os.ReadFile(filepath.Join("../..", m.file))
		if err != nil {
			t.Error(err)
			continue
		}
		if n := strings.Count(string(source), m.old); n != 1 {
			t.Errorf("%s: the text to change stands %d times in %s", m.what, n, m.file)
		}
		if _, err := os.Stat(filepath.Join("../..", m.pkg)); err != nil {
			t.Errorf("%s: %v", m.what, err)
		}
	}
}
