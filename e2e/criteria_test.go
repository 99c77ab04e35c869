package e2e

import (
	"fmt"
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
			for _, theme := range []string{"light", "dark"} {
				for _, width := range []int64{320, 1280} {
					p.look(width, "prefers-color-scheme="+theme)
					for _, finding := range p.axe() {
						t.Errorf("%s, %d px: %s", theme, width, finding)
					}
					if over := eval[float64](p, `document.documentElement.scrollWidth - innerWidth`); over > 0 {
						t.Errorf("%s, %d px: the page is %v px wider than the screen; %s", theme, width, over, p.widest())
					}
				}
			}
			p.picture(fmt.Sprintf("criteria %s", strings.ReplaceAll(strings.Trim(path, "/"), "/", " ")))
		})
	}
}
