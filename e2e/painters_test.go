package e2e

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// One view, two painters: what templ painted on the server and what the page
// painted from cloned fragments must be one and the same.
func TestPaintersAgree(t *testing.T) {
	t.Parallel()
	host := newTab(t, "/example")
	// Times differ from page to page, and nothing else may.
	const outcome = `(() => {
		const copy = document.querySelector('[data-testid="result"]').cloneNode(true);
		for (const time of copy.querySelectorAll('time')) { time.textContent = ''; time.removeAttribute('datetime'); }
		return copy.outerHTML.replaceAll('><', '>\n<');
	})()`
	painted := eval[string](host, outcome)
	page := newTab(t, "/")
	page.loaded()
	page.click("load-example")
	page.settled()
	cloned := eval[string](page, outcome)
	if len(painted) < 5000 {
		t.Fatalf("the server's painting has only %d characters", len(painted))
	}
	if diff := cmp.Diff(painted, cloned); diff != "" {
		t.Errorf("(-templ +page)\n%s", diff)
	}
}
