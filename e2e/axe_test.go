package e2e

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
)

var axeSource = sync.OnceValues(func() (string, error) {
	text, err := os.ReadFile("npm/node_modules/axe-core/axe.min.js")
	return string(text), err
})

// axe returns what axe-core finds in the page as it stands, one line a finding.
// The script goes in through the debugger, which no policy of the page rules.
func (p *tab) axe() []string {
	p.t.Helper()
	source, err := axeSource()
	if err != nil {
		p.t.Fatalf("axe-core is not installed: run make npm: %v", err)
	}
	eval[bool](p, "globalThis.axe === undefined && ("+"() => {"+source+"})(), true")
	return eval[[]string](p, `(async () => {
		const options = {
			runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
			rules: {'target-size': {enabled: true}},
			resultTypes: ['violations'],
		};
		const {violations} = await axe.run(document, options);
		return violations.flatMap(({id, nodes}) => nodes.slice(0, 5).map(n => id + ': ' + n.html.slice(0, 160) + ' | ' + n.failureSummary.replaceAll('\n', ' ').slice(0, 300)));
	})()`)
}

// Every state, theme and width is without a violation.
func TestAccess(t *testing.T) {
	t.Parallel()
	for _, state := range pageStates() {
		t.Run(state.name, func(t *testing.T) {
			t.Parallel()
			p := newTab(t, state.path)
			p.loaded()
			state.reach(p)
			seen := map[string]bool{}
			for _, theme := range []string{"light", "dark"} {
				for _, width := range []int64{320, 1280} {
					p.look(width, "prefers-color-scheme="+theme)
					for _, finding := range p.axe() {
						if !seen[finding] {
							t.Errorf("%s, %d px: %s", theme, width, finding)
						}
						seen[finding] = true
					}
				}
			}
		})
	}
}

// In forced colours the states must still differ, by the shape of their frames.
func TestForcedColours(t *testing.T) {
	t.Parallel()
	frames := map[string]string{}
	for _, state := range pageStates() {
		if !strings.Contains("unchanged changed zero tools", state.name) {
			continue
		}
		p := newTab(t, state.path)
		p.loaded()
		state.reach(p)
		p.look(1280, "forced-colors=active", "prefers-color-scheme=dark")
		p.picture("forced " + state.name)
		frame := eval[string](p, `(s => [s.borderTopStyle, s.borderTopWidth, s.borderLeftWidth].join(' '))(getComputedStyle(document.querySelector('.band')))`)
		for other, taken := range frames {
			if taken == frame {
				t.Errorf("%s and %s have the same frame: %s", state.name, other, frame)
			}
		}
		frames[state.name] = frame
		if state.name != "changed" {
			continue
		}
		lines := eval[[]string](p, `['ins', 'del'].map(name => getComputedStyle(document.querySelector(name)).textDecorationLine)`)
		if fmt.Sprint(lines) != "[underline line-through]" {
			t.Errorf("inserted and deleted words have the lines %v", lines)
		}
		unseen := eval[[]string](p, `[...document.querySelectorAll('.chip, mark, ins, del')].filter(e => (s => s.color === s.backgroundColor)(getComputedStyle(e))).map(e => e.textContent)`)
		if len(unseen) > 0 {
			t.Errorf("text in the colour of its ground: %q", unseen)
		}
	}
	if len(frames) != 3 {
		t.Errorf("only %d states were seen", len(frames))
	}
}
