package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"sync"
	"testing"
)

var axeSource = sync.OnceValues(func() (string, error) {
	text, err := os.ReadFile("npm/node_modules/axe-core/axe.min.js")
	return string(text), err
})

// axe returns what axe-core finds in the page as it stands, one line a finding.
// The script goes in through the debugger, which no policy of the page rules.
func (p *tab) axe(rules ...string) []string {
	p.t.Helper()
	if !eval[bool](p, `globalThis.axe !== undefined`) {
		source, err := axeSource()
		if err != nil {
			p.t.Fatalf("axe-core is not installed: run make npm: %v", err)
		}
		eval[bool](p, "("+"() => {"+source+"})(), true")
	}
	only, err := json.Marshal(rules)
	if err != nil {
		p.t.Fatal(err)
	}
	return eval[[]string](p, `(async (only) => {
		const options = {
			runOnly: only ?? ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
			rules: only ? {} : {'target-size': {enabled: true}},
			resultTypes: ['violations'],
			preload: false, // of the style sheets, for rules that are not asked for
		};
		const {violations} = await axe.run(document, options);
		return violations.flatMap(({id, nodes}) => nodes.slice(0, 5).map(n => id + ': ' + n.html.slice(0, 160) + ' | ' + n.failureSummary.replaceAll('\n', ' ').slice(0, 300)));
	})(`+string(only)+`)`)
}

// colourRules are the rules of axe that a theme can break: it sets colours, and
// nothing else.
var colourRules = []string{"color-contrast", "link-in-text-block"}

// looks goes through both themes and both widths: nothing for axe to find, and,
// at 320 CSS pixels, which is also 1280 at a zoom of 400 %, nothing that needs
// scrolling in two directions (WCAG 1.4.10). A name asks for pictures.
func (p *tab) looks(name string) {
	p.t.Helper()
	seen := map[string]bool{}
	for _, width := range []int64{320, 1280} {
		for _, theme := range []string{"light", "dark"} {
			p.look(width, "prefers-color-scheme="+theme)
			var rules []string
			if p.standsAsBefore() {
				rules = colourRules
			}
			findings := p.axe(rules...)
			if over := eval[float64](p, `document.documentElement.scrollWidth - innerWidth`); over > 0 {
				findings = append(findings, fmt.Sprintf("the page is %v px wider than the screen; %s", over, p.widest()))
			}
			for _, finding := range findings {
				if !seen[finding] {
					p.t.Errorf("%s, %s, %d px: %s", name, theme, width, finding)
				}
				seen[finding] = true
			}
			if name != "" {
				p.picture(fmt.Sprintf("%s %s %d", name, theme, width))
			}
		}
	}
}

// standsAsBefore tells whether every element stands where it stood when this was
// last asked. Where two themes have the same boxes, only the rules of colour can
// tell them apart.
func (p *tab) standsAsBefore() bool {
	p.t.Helper()
	return eval[bool](p, `(() => {
		const box = e => { const {x, y, width, height} = e.getBoundingClientRect(); return e.localName + [x, y, width, height].map(Math.round).join(); };
		const before = globalThis.boxes;
		globalThis.boxes = [...document.querySelectorAll('*')].map(box).join(' ');
		return globalThis.boxes === before;
	})()`)
}

// widest names the elements that stand out of the screen.
func (p *tab) widest() string {
	return eval[string](p, `[...document.querySelectorAll('main *')].filter(e => e.getBoundingClientRect().right > innerWidth + 1).slice(0, 4).map(e => e.tagName + '.' + e.className).join(', ')`)
}

// Every state is without a violation in both themes and at both widths.
func TestAccess(t *testing.T) {
	t.Parallel()
	for _, state := range pageStates() {
		t.Run(state.name, func(t *testing.T) {
			t.Parallel()
			p := newTab(t, state.path)
			p.loaded()
			state.reach(p)
			p.looks(state.name)
		})
	}
}

// In forced colours the states must still differ, by the shape of their frames.
func TestForcedColours(t *testing.T) {
	t.Parallel()
	frames := map[string]string{}
	p := newTab(t, "/")
	p.loaded()
	for _, state := range pageStates() {
		if !slices.Contains([]string{"unchanged", "changed", "zero tools"}, state.name) {
			continue
		}
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
