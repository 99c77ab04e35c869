package e2e

import (
	"fmt"
	"strings"
	"testing"
)

// What colour says is said by shape as well: in forced colours the bars can be
// seen, and the words of a gate have frames of their own.
func TestInspectForcedColours(t *testing.T) {
	t.Parallel()
	p := newTab(t, "/inspect")
	p.loaded()
	const clean = `[{"name":"get_note","title":"A note","description":"Returns one note by its id, as it was written.","inputSchema":{"type":"object","properties":{}},"annotations":{"readOnlyHint":true,"openWorldHint":false}}]`
	frames := map[string]string{}
	for outcome, document := range map[string]string{"clean": clean, "failed": mixed} {
		p.paste("manifest", document)
		p.look(1280, "forced-colors=active", "prefers-color-scheme=dark")
		if got := eval[string](p, `document.querySelector('.gate').dataset.outcome`); got != outcome {
			t.Errorf("the outcome is %s, want %s", got, outcome)
		}
		frames[outcome] = eval[string](p, `(s => s.borderTopStyle + ' ' + s.borderTopWidth)(getComputedStyle(document.querySelector('.gate')))`)
		if fills := eval[[]string](p, `['.value', '.track'].map(c => getComputedStyle(document.querySelector('.bar ' + c)).fill)`); fills[0] == fills[1] {
			t.Errorf("the bars can't be seen: %v", fills)
		}
		p.picture("inspect forced " + outcome)
	}
	if frames["clean"] == frames["failed"] {
		t.Errorf("clean and failed have the same frame: %v", frames)
	}
}

// A print is the whole inspection, with every tool open and every digest in full.
func TestInspectPrint(t *testing.T) {
	t.Parallel()
	p := newTab(t, "/inspect")
	p.loaded()
	p.paste("manifest", mixed)
	opened := eval[int](p, `document.querySelectorAll('.tool > details[open]').length`)
	p.media("print")
	eval[bool](p, `dispatchEvent(new Event('beforeprint')) ?? true`)
	if closed := eval[int](p, `document.querySelectorAll('#outcome details:not([open])').length`); closed != 0 {
		t.Errorf("%d folds are closed", closed)
	}
	hidden := eval[[]string](p, `['.panes', '.exports', '.rail', '.privacy', '.copy'].filter(s => document.querySelector(s).checkVisibility())`)
	shown := eval[[]string](p, `['.band', '.fixes', '.plot', '.bar', '.failing', '.hit-text', '.signs'].filter(s => !document.querySelector(s).checkVisibility())`)
	if len(hidden)+len(shown) > 0 {
		t.Errorf("printed %v, not printed %v", hidden, shown)
	}
	if cut := eval[bool](p, `(c => c.scrollWidth > c.clientWidth + 1)(document.querySelector('[data-testid="tool-digest"]'))`); cut {
		t.Error("a digest is cut")
	}
	p.picture("inspect print")
	eval[bool](p, `dispatchEvent(new Event('afterprint')) ?? true`)
	if open := eval[int](p, `document.querySelectorAll('.tool > details[open]').length`); open != opened || opened == 0 {
		t.Errorf("%d tools stay open, want %d", open, opened)
	}
}

// A long real list, for looking at, and for what only length shows.
func TestInspectRealManifest(t *testing.T) {
	t.Parallel()
	file := ofCorpus(t, "manifests/hostinger-api-mcp/1.63.2.json")
	p := newTab(t, "/inspect")
	p.loaded()
	if state := p.open("manifest", file); state != "done" || !strings.HasPrefix(p.text("verdict"), "Grade ") {
		t.Fatalf("state %s, %s", state, p.text("status"))
	}
	if n := len(p.texts("score-bar")); n != 20 || !strings.Contains(p.text("scores"), "401 tools") {
		t.Errorf("%d bars", n)
	}
	for _, width := range []int64{320, 1280} {
		p.look(width, "prefers-color-scheme=light")
		if over := eval[float64](p, `document.documentElement.scrollWidth - innerWidth`); over > 0 {
			t.Errorf("%d px: the page is %v px wider than the screen; %s", width, over, p.widest())
		}
		p.picture(fmt.Sprintf("inspect real %d", width))
	}
}
