package e2e

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// alive fails a test whose page does not answer: it must paint a frame and
// follow a click.
func (p *tab) alive() {
	p.t.Helper()
	eval[bool](p, `new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))`)
	before := eval[bool](p, `document.querySelector('#keys').open`)
	p.click("keys-summary")
	if eval[bool](p, `document.querySelector('#keys').open`) == before {
		p.t.Error("the page does not follow a click")
	}
	if eval[bool](p, `document.querySelector('#outcome [data-state="unchanged"]') !== null`) {
		p.t.Error("something is painted as unchanged")
	}
}

// changedPair opens two documents that differ.
func (p *tab) changedPair(baseline, current string) {
	p.t.Helper()
	p.open("baseline", write(p.t, "old.json", baseline))
	if state := p.open("current", write(p.t, "new.json", current)); state != "done" || !strings.HasPrefix(p.text("verdict"), "MANIFEST CHANGED") {
		p.t.Fatalf("state %s, verdict %q: %s", state, p.text("verdict"), p.text("status"))
	}
	p.alive()
}

func largeManifest(tools int, version string) string {
	var b strings.Builder
	b.WriteString(`{"tools":[`)
	for i := range tools {
		if i > 0 {
			b.WriteByte(',')
		}
		words := strings.Repeat("lists what the project "+strconv.Itoa(i)+" holds; ", 16)
		if i%3 == 0 {
			words += version
		}
		fmt.Fprintf(&b, `{"name":"tool_%d","description":%q,"inputSchema":{"type":"object","properties":{"q":{"type":"string","description":"%s"}}}}`, i, words, version)
	}
	b.WriteString(`]}`)
	return b.String()
}

// Thousands of tools come in batches; filter and print reach all of them.
func TestTwoLargeManifests(t *testing.T) {
	t.Parallel()
	p := newTab(t, "/")
	p.loaded()
	const tools = 6500
	baseline, current := largeManifest(tools, "first"), largeManifest(tools, "second")
	if len(current) < 4<<20 {
		t.Fatalf("the manifests have only %d bytes", len(current))
	}
	p.changedPair(baseline, current)
	count := func() int { return eval[int](p, `document.querySelectorAll('.tools > div > .tool').length`) }
	if got := count(); got != 1000 {
		t.Errorf("%d tools are painted at once, want 1000", got)
	}
	eval[bool](p, `document.querySelector('.tools > div > .more button').click() ?? true`)
	p.painted()
	if got := count(); got != 2000 {
		t.Errorf("%d tools after asking for more, want 2000", got)
	}
	if !eval[bool](p, `document.activeElement.matches('.tool')`) {
		t.Error("the focus is lost with the button")
	}
	p.typed("filter", "tool_6499")
	p.until(`document.querySelector('#shown').textContent.startsWith('1 of')`)
	if got := p.text("shown"); got != "1 of 6,500 tools." || len(p.shownTools()) != 1 {
		t.Errorf("the filter says %q and shows %q", got, p.shownTools())
	}
	if leads := eval[[]string](p, `[...document.querySelectorAll('.rail li .tool-name, #jump option')].map(e => e.textContent)`); len(leads) != 2 {
		t.Errorf("to the tool lead %q", leads)
	}
	// Without the filter the list is as it was, in the report's order.
	eval[bool](p, `(() => { const f = document.querySelector('#filter'); f.value = ''; f.dispatchEvent(new InputEvent('input', {bubbles: true})); return true; })()`)
	p.until(`document.querySelector('#shown').textContent === ''`)
	p.painted()
	if got := eval[[]string](p, `[...document.querySelectorAll('.tools > div > .tool')].map(e => e.id)`); len(got) != 1000 || got[0] != "tool-1" || got[999] != "tool-1000" {
		t.Errorf("%d tools stand after the filter", len(got))
	}
}

// Each run of matches is marked; what is listed is bounded, and says so.
func TestManyMatches(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{"one run": strings.Repeat("<||>", 131_000), "apart": strings.Repeat("<||> ", 131_000), "lines": strings.Repeat(`<||>\n`, 131_000)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newTab(t, "/")
			p.loaded()
			p.changedPair(`[{"name":"t","description":"x"}]`, `[{"name":"t","description":"`+text+`"}]`)
			if label := eval[string](p, `document.querySelector('.scan-label').textContent`); !strings.HasPrefix(label, "131,000 matches") || !strings.Contains(label, "first 1,000") {
				t.Errorf("the screen says %q", label)
			}
			if hits := eval[int](p, `document.querySelectorAll('.hit').length`); hits != 1000 {
				t.Errorf("%d matches are listed", hits)
			}
			if most := eval[int](p, `Math.max(...[...document.querySelectorAll('#outcome *')].map(e => e.children.length))`); most > 1001 {
				t.Errorf("an element has %d children at once", most)
			}
		})
	}
}

func TestDeepSchemas(t *testing.T) {
	t.Parallel()
	deep := func(leaf string) string {
		return `{"tools":[{"name":"t","inputSchema":` + strings.Repeat(`{"type":"object","properties":{"a":`, 245) + leaf + strings.Repeat(`}}`, 245) + `}]}`
	}
	p := newTab(t, "/")
	p.loaded()
	p.changedPair(deep(`{"type":"string"}`), deep(`{"type":"number"}`))
	if folded := p.text("fold"); !strings.Contains(folded, "unchanged lines") {
		t.Errorf("what is equal is not folded: %q", folded)
	}
}

// Hostile text stands on the page as text: no script runs, and there is no
// element or attribute that the templates do not have, and no link or address
// of the manifest's making.
func TestHostileText(t *testing.T) {
	t.Parallel()
	p := newTab(t, "/")
	p.loaded()
	const kinds = `(roots) => [...new Set(roots.flatMap(r => [...r.querySelectorAll('*')]).flatMap(e => [e.localName, ...[...e.attributes].map(a => e.localName + ' ' + a.name)]))].sort()`
	known := eval[[]string](p, `(`+kinds+`)([...document.querySelectorAll('template')].map(t => t.content).concat(document.querySelector('#compare')))`)
	known = append(known, "textarea aria-invalid") // the page's own word on its own field
	eval[bool](p, `(() => { window.ran = false; window.alert = () => { ran = true; }; return true; })()`)
	p.changedPair(hostileTools("a"), hostileTools("b"))
	eval[bool](p, `[...document.querySelectorAll('details')].forEach(d => d.open = true) ?? true`)
	if eval[bool](p, `window.ran`) {
		t.Error("a script of the manifest ran")
	}
	for _, kind := range eval[[]string](p, `(`+kinds+`)([document.querySelector('#outcome'), document.querySelector('.panes')])`) {
		if !slices.Contains(known, kind) {
			t.Errorf("the hostile pair makes %q", kind)
		}
	}
	bad := eval[[]string](p, `[...document.querySelectorAll('#outcome a')].map(a => a.getAttribute('href')).filter(h => !/^(#tool-\d+|#tools|\/criteria\/prompt-injection-rules\/v1#[A-Z]{2}-\d+|\/criteria\/mcp-poison-rules\/v1#[a-z-]+)$/.test(h))`)
	bad = append(bad, eval[[]string](p, `[...document.querySelectorAll('#outcome [id]')].map(e => e.id).filter(id => !/^(tool-\d+|tools|verdict|assessment|filter|shown|jump)$/.test(id))`)...)
	if len(bad) > 0 {
		t.Errorf("links or ids made of the manifest: %q", bad)
	}
	// Nothing that is shown holds a character that hides or turns text.
	raw := eval[[]string](p, `[...document.querySelectorAll('#outcome *, .pane-facts *')].filter(e => e.children.length === 0 && /[\u0000-\u0008\u000b-\u001f\u200b-\u200f\u202a-\u202e\u2066-\u2069]/.test(e.textContent)).map(e => e.outerHTML.slice(0, 200))`)
	if len(raw) > 0 {
		t.Errorf("shown as it is: %q", raw)
	}
	if chips := eval[[]string](p, `[...new Set([...document.querySelectorAll('#outcome .chip')].map(e => e.textContent))]`); !slices.Contains(chips, "U+202E") || !slices.Contains(chips, "U+001B") || !slices.Contains(chips, "U+200B") {
		t.Errorf("the chips are %q", chips)
	}
	outside := eval[[]string](p, `[...document.querySelectorAll('#outcome :is(.tool-name, h4, .old, .new)')].filter(e => e.textContent.includes('onerror') && e.closest('bdi') === null && e.querySelector('bdi') === null).map(e => e.className)`)
	if len(outside) > 0 {
		t.Errorf("manifest text outside <bdi>: %q", outside)
	}
	if long := eval[int](p, `Math.max(...[...document.querySelectorAll('#outcome .tool-name')].map(e => e.textContent.length))`); long > 400 {
		t.Errorf("a name of %d characters is shown", long)
	}
}

// A paste while a comparison runs: the newest wins, and nothing comes after it.
func TestPasteWhileComparing(t *testing.T) {
	t.Parallel()
	p := newTab(t, "/")
	p.loaded()
	large := largeManifest(3000, "first")
	p.open("baseline", write(t, "old.json", large))
	eval[bool](p, `(async () => {
		const drop = (side, text) => {
			const data = new DataTransfer();
			data.items.add(new File([text], 'm.json'));
			document.querySelector('[data-testid="pane-' + side + '"]').dispatchEvent(new DragEvent('drop', {dataTransfer: data, bubbles: true, cancelable: true}));
		};
		const input = document.querySelector('[data-testid="input-current"]');
		window.seen = [];
		new MutationObserver(() => { const v = document.querySelector('.verdict'); if (v !== null) seen.push(v.textContent); })
			.observe(document.querySelector('#outcome'), {childList: true});
		drop('current', `+"`"+strings.ReplaceAll(largeManifest(2999, "second"), "`", "")+"`"+`);
		await new Promise(done => { const look = () => document.documentElement.dataset.state === 'busy' ? done() : setTimeout(look); look(); });
		for (const [side, text] of [['current', '{"tools":[{"name":"b"}]}'], ['baseline', '{"tools":[{"name":"a"}]}']]) drop(side, text);
		return true;
	})()`)
	p.until(`document.documentElement.dataset.state === 'done' && document.querySelector('#baseline-facts').textContent.includes('24 bytes') && document.querySelector('#current-facts').textContent.includes('24 bytes')`)
	if got := p.text("verdict"); got != "MANIFEST CHANGED (2 tools)" {
		t.Errorf("the verdict is %q", got)
	}
	// Another comparison goes through the same worker: whatever was under way has
	// come in by its end.
	p.paste("current", `{"tools":[{"name":"a"}]}`)
	if seen := eval[[]string](p, `seen`); len(seen) == 0 || seen[len(seen)-1] != "MANIFEST UNCHANGED" || slices.Contains(seen, "MANIFEST CHANGED (3000 tools)") {
		t.Errorf("painted one after the other: %q", seen)
	}
}
