package e2e

import (
	"strings"
	"testing"

	"github.com/manifestseal/manifestseal/engine/criteria"
)

// The published rulebooks can be read by everyone, on every screen.
func TestCriteriaPages(t *testing.T) {
	t.Parallel()
	paths := []string{"/criteria", "/docs/inspect"}
	for _, document := range criteria.All() {
		paths = append(paths, "/criteria/"+document.ID)
	}
	for _, path := range paths {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			p := newTab(t, path)
			p.looks("criteria " + strings.ReplaceAll(strings.Trim(path, "/"), "/", " "))
		})
	}
}
