package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/manifestseal/manifestseal/engine"
	"github.com/manifestseal/manifestseal/engine/manifest"
	"github.com/manifestseal/manifestseal/engine/view"
)

const manyTools = 90

func manyChanged(verb string) string {
	var b strings.Builder
	for i := range manyTools {
		fmt.Fprintf(&b, `,{"name":"tool_%d","description":"%s record %d.","inputSchema":{"type":"object","properties":{"p":{"type":"string","maxLength":%d}}}}`, i, verb, i, len(verb)+i)
	}
	return "[" + b.String()[1:] + "]"
}

// stopFrames keeps a page from painting what is on its way, and from being asked
// for it: it stays as it was when the first of it was in sight.
const stopFrames = `(() => {
	window.requestAnimationFrame = () => 0;
	const later = window.setTimeout;
	window.setTimeout = (f, ms, ...rest) => ms === 100 ? 0 : later(f, ms, ...rest);
	return true;
})()`

// The first of a long result is in sight while the rest is on its way, and the
// counts are those of the whole. Whoever looks for something then finds it.
func TestFirstOfAManyTools(t *testing.T) {
	t.Parallel()
	for name, act := range map[string]string{
		"a jump":   `(() => { const a = document.createElement('a'); a.href = '#tool-88'; a.dataset.tool = ''; document.querySelector('.notices, .band').append(a); a.click(); return document.activeElement.closest('.tool')?.id === 'tool-88'; })()`,
		"a filter": `(() => { const f = document.querySelector('#filter'); f.value = 'tool_88'; f.dispatchEvent(new InputEvent('input', {bubbles: true})); return [...document.querySelectorAll('.tools > div > .tool')].filter(e => !e.hidden).length === 1; })()`,
		"a key":    `(document.body.dispatchEvent(new KeyboardEvent('keydown', {key: 'p', bubbles: true})), document.activeElement.closest('.tool')?.id === 'tool-90')`,
		"a print":  `(window.dispatchEvent(new Event('beforeprint')), document.querySelector('#tool-90') !== null)`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newTab(t, "/")
			p.loaded()
			eval[bool](p, stopFrames)
			p.hold(manyChanged("Reads"), manyChanged("Writes"))
			p.until(`document.documentElement.dataset.shown !== undefined`)
			first := eval[struct {
				Tools, Filled int
				Count, State  string
			}](p, `({
				Tools: document.querySelectorAll('.tools > div > .tool').length,
				Filled: document.querySelectorAll('.tool .part').length,
				Count: document.querySelector('[data-testid="count"]').textContent,
				State: document.documentElement.dataset.state,
			})`)
			if first.Tools < 10 || first.Tools >= manyTools || first.Filled == 0 || first.Count != "90 changed" || first.State != "busy" {
				t.Errorf("at first: %+v", first)
			}
			if !eval[bool](p, act) {
				t.Error("it is not found")
			}
		})
	}
}

// hold drops a pair and does not wait.
func (p *tab) hold(baseline, current string) {
	p.t.Helper()
	eval[bool](p, fmt.Sprintf(`(() => {
		const data = new DataTransfer();
		for (const text of [%q, %q]) data.items.add(new File([text], 'pair.json'));
		document.querySelector('[data-testid="pane-baseline"]').dispatchEvent(new DragEvent('drop', {dataTransfer: data, bubbles: true, cancelable: true}));
		return true;
	})()`, baseline, current))
}

// What came in pieces is in the end what comes at once.
func TestPiecesAreTheWhole(t *testing.T) {
	t.Parallel()
	p := newTab(t, "/")
	p.loaded()
	p.hold(manyChanged("Reads"), manyChanged("Writes"))
	if state := p.settled(); state != "done" {
		t.Fatalf("state %s: %s", state, p.text("status"))
	}
	c, err := engine.Compare([]byte(manyChanged("Reads")), []byte(manyChanged("Writes")), engine.Options{AsOf: "2026-01-02T03:04:05.678Z", Mode: manifest.Lenient})
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, tool := range c.View().Tools {
		want = append(want, tool.ID+" "+rowsOf(tool))
	}
	got := eval[[]string](p, `[...document.querySelectorAll('.tool')].map(t => t.id + ' ' + [...t.querySelectorAll('.row .new')].map(n => n.textContent).join('|'))`)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-view +page)\n%s", diff)
	}
}

func rowsOf(tool view.Tool) string {
	var rows []string
	for _, part := range tool.Parts {
		for _, row := range part.Rows {
			text := ""
			for _, s := range row.New {
				text += s.Text
			}
			rows = append(rows, text)
		}
	}
	return strings.Join(rows, "|")
}
