package e2e

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// What qualifies a verdict stands beside it: differences outside the digest, order,
// members of the list, and what was met in reading.
func TestNotices(t *testing.T) {
	t.Parallel()
	p := newTab(t, "/")
	p.loaded()
	p.paste("baseline", `{"tools":[{"name":"a","title":"One"},{"name":"b","twice":1,"twice":2}]}`)
	p.paste("current", `{"tools":[{"name":"b","twice":2},{"name":"a","title":"Another"}],"nextCursor":"x","_meta":{"n":12345678901234567890}}`)
	if got := p.text("verdict"); got != "MANIFEST UNCHANGED" {
		t.Errorf("verdict %q", got)
	}
	kinds := eval[[]string](p, `[...document.querySelectorAll('[data-testid="notice"]')].map(e => e.dataset.kind)`)
	for _, want := range []string{"outside", "order", "list", "partial"} {
		if !slices.Contains(kinds, want) {
			t.Errorf("no notice %s among %q", want, kinds)
		}
	}
	codes := eval[[]string](p, `[...document.querySelectorAll('[data-testid="note"]')].map(e => e.dataset.code)`)
	if len(codes) < 3 {
		t.Errorf("the reading notes are %q", codes)
	}
	p.click("mention")
	if got := eval[string](p, `(t => t.querySelector('.tool-name').textContent + ' ' + t.querySelector('[data-outside] [data-testid="part-title"]').textContent)(document.activeElement.closest('.tool'))`); got != "a title" {
		t.Errorf("the notice leads to %q", got)
	}
}

// Where two texts have little in common they stand as blocks, and the page says so.
func TestTooDifferentIsSaid(t *testing.T) {
	t.Parallel()
	text := func(word string) string {
		var b strings.Builder
		for i := range 2000 {
			fmt.Fprintf(&b, "%s%d ", word, i)
		}
		return `[{"name":"t","description":"` + b.String() + `"}]`
	}
	p := newTab(t, "/")
	p.loaded()
	p.paste("baseline", text("x"))
	p.paste("current", text("y"))
	if note := eval[string](p, `document.querySelector('.part-note').textContent`); !strings.Contains(note, "whole blocks") {
		t.Errorf("it says %q", note)
	}
}

// While someone types, the old result stays in sight and is marked as old; the new
// one comes by itself.
func TestTyping(t *testing.T) {
	t.Parallel()
	p := newTab(t, "/")
	p.loaded()
	p.paste("baseline", older)
	p.paste("current", older)
	p.do(chromedp.Focus(byTestID("input-current")))
	state := eval[string](p, `(() => {
		const field = document.querySelector('[data-testid="input-current"]');
		field.setRangeText('{"name":"typed"},', field.value.indexOf('[') + 1, field.value.indexOf('[') + 1);
		field.dispatchEvent(new InputEvent('input', {bubbles: true}));
		const outcome = document.querySelector('#outcome');
		return [document.documentElement.dataset.state, outcome.getAttribute('aria-busy'), outcome.querySelector('.verdict')?.textContent].join(', ');
	})()`)
	if state != "busy, true, MANIFEST UNCHANGED" {
		t.Errorf("while typing: %s", state)
	}
	if got := p.settled(); got != "done" || p.text("verdict") != "MANIFEST CHANGED (1 tools)" || eval[bool](p, `document.querySelector('#outcome').hasAttribute('aria-busy')`) {
		t.Errorf("after typing: %s, %q", got, p.text("verdict"))
	}
}

// Who asks for less motion gets none.
func TestReducedMotion(t *testing.T) {
	t.Parallel()
	p := examplePair(t)
	eval[bool](p, `(document.querySelector('#outcome').setAttribute('aria-busy', 'true'), true)`)
	const moving = `[...document.querySelectorAll('*')].filter(e => (s => parseFloat(s.transitionDuration) > 0 || s.animationName !== 'none' || s.scrollBehavior === 'smooth')(getComputedStyle(e))).length`
	p.look(1280, "prefers-reduced-motion=no-preference")
	if eval[int](p, moving) == 0 {
		t.Error("nothing ever moves: there is nothing to look for")
	}
	p.look(1280, "prefers-reduced-motion=reduce")
	if n := eval[int](p, moving); n != 0 {
		t.Errorf("%d elements move", n)
	}
}
