package e2e

import (
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// The workers are hurt from outside, through the browser's debugging interface:
// the page that is tested is the one that is shipped.

// onCall makes every worker do something bad when it is given a document with
// POISON in it.
const onCall = `(engine => {
	manifestsealCall = (method, inputs) => {
		if (inputs.some(input => new TextDecoder().decode(input).includes('POISON'))) { HURT }
		return engine(method, inputs);
	};
})(manifestsealCall); true`

const poison = `{"tools":[{"name":"POISON"}]}`

// inWorkers runs an expression in both of the page's workers.
func (p *tab) inWorkers(expression string) {
	p.t.Helper()
	infos, err := chromedp.Targets(p.ctx)
	if err != nil {
		p.t.Fatal(err)
	}
	n := 0
	for _, info := range infos {
		if info.Type != "worker" || !strings.HasPrefix(info.URL, p.url) {
			continue
		}
		n++
		ctx, cancel := chromedp.NewContext(p.ctx, chromedp.WithTargetID(info.TargetID))
		p.t.Cleanup(cancel)
		if _, err := chromedp.Run(ctx, chromedp.Evaluate[bool](expression)); err != nil {
			p.t.Fatal(err)
		}
	}
	if n != 2 {
		p.t.Fatalf("the page has %d workers, want 2", n)
	}
}

// impatient lets a test shorten the page's limit for one call, so that it need
// not wait for it: where data-impatient stands, 30 seconds become half of one.
func impatient(p *tab) {
	const script = `(real => { window.setTimeout = (f, ms, ...more) => real(f, ms === 30000 && document.documentElement.dataset.impatient ? 500 : ms, ...more); })(window.setTimeout)`
	if _, err := chromedp.Call(p.ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: script}); err != nil {
		p.t.Fatal(err)
	}
}

// pasteToHurt pastes something that no worker will answer.
func (p *tab) pasteToHurt(text string) {
	p.t.Helper()
	eval[string](p, `document.documentElement.dataset.impatient = 'yes'`)
	if state := p.paste("current", text); state != "error" {
		p.t.Errorf("state %s", state)
	}
	eval[bool](p, `delete document.documentElement.dataset.impatient`)
}

// notCompared fails the test if the page shows anything but "could not compare".
func (p *tab) notCompared(reload bool) {
	p.t.Helper()
	outcome := p.text("outcome")
	if !strings.Contains(outcome, "COULD NOT COMPARE") || !strings.Contains(outcome, "engine_stopped") || strings.Contains(outcome, "UNCHANGED") {
		p.t.Errorf("the outcome reads %q", outcome)
	}
	if eval[bool](p, `document.querySelector('#outcome [data-state="unchanged"], #outcome [data-state="changed"]') !== null`) {
		p.t.Error("something is painted as a result")
	}
	if asks := strings.Contains(outcome, "Reload the page to go on."); asks != reload {
		p.t.Errorf("the page asks for a reload: %v, want %v: %q", asks, reload, outcome)
	}
	if status := p.text("status"); !strings.HasPrefix(status, "Could not compare: ") {
		p.t.Errorf("the status is %q", status)
	}
}

// However a worker ends, the page says that it could not compare, the spare one
// takes over, and the second end asks for a reload.
func TestWorkerEnds(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, hurt string }{
		{"it hangs", `for (;;);`},
		{"it throws", `throw new Error('hurt');`},
		{"it answers nonsense", `return undefined;`},
		{"the engine exits", `return new Array(3).fill(0).map(() => { throw new WebAssembly.RuntimeError('unreachable'); });`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := visit(t, newSite(t).url, "/", impatient)
			p.sealed()
			p.inWorkers(strings.Replace(onCall, "HURT", c.hurt, 1))
			p.paste("baseline", older)
			p.paste("current", older)
			if p.text("verdict") != "MANIFEST UNCHANGED" {
				t.Fatal("no result to begin with")
			}
			p.pasteToHurt(poison)
			p.notCompared(false)
			if p.paste("current", newer); p.text("verdict") != "MANIFEST CHANGED (3 tools)" {
				t.Errorf("with the spare worker: %q", p.text("outcome"))
			}
			p.pasteToHurt(poison)
			p.notCompared(true)
			p.paste("current", older)
			p.notCompared(true)
			p.do(chromedp.Reload())
			p.run = 0
			p.sealed()
			p.paste("baseline", older)
			if p.paste("current", older); p.text("verdict") != "MANIFEST UNCHANGED" {
				t.Errorf("after a reload: %q", p.text("outcome"))
			}
		})
	}
}

// A worker that ends behind its answer takes nothing from the answer; the spare
// one takes the next call, and when that ends so too, the page is spent.
func TestWorkerEndsBehindItsAnswer(t *testing.T) {
	t.Parallel()
	p := visit(t, newSite(t).url, "/", countEnds)
	p.sealed()
	p.inWorkers(strings.Replace(onCall, "HURT", `if (method === 'assess') setTimeout(() => { throw new Error('hurt'); });`, 1))
	p.paste("baseline", older)
	for _, ends := range []string{"1", "2"} {
		if p.paste("current", poison); p.text("verdict") != "MANIFEST CHANGED (4 tools)" {
			t.Errorf("after %s ends: %q", ends, p.text("outcome"))
		}
		p.until(`document.documentElement.dataset.ends === '` + ends + `'`)
	}
	p.paste("current", newer)
	p.notCompared(true)
}

// countEnds lets a test wait for the errors that end workers.
func countEnds(p *tab) {
	const script = `(Real => {
		window.Worker = class extends Real {
			constructor(url) {
				super(url);
				const { dataset } = document.documentElement;
				this.addEventListener('error', () => { dataset.ends = String(1 + Number(dataset.ends ?? 0)); });
			}
		};
	})(Worker)`
	if _, err := chromedp.Call(p.ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: script}); err != nil {
		p.t.Fatal(err)
	}
}

// A worker can end without a word; what is asked of it then is never answered.
func TestWorkerIsGoneSilently(t *testing.T) {
	t.Parallel()
	p := visit(t, newSite(t).url, "/", impatient)
	p.sealed()
	p.paste("baseline", older)
	p.inWorkers(`close() ?? true`)
	p.pasteToHurt(older)
	p.notCompared(false)
	p.pasteToHurt(newer)
	p.notCompared(true)
}

// What waited behind a question that ended the worker is not lost with it.
func TestQueuedRunOutlivesTheWorker(t *testing.T) {
	t.Parallel()
	p := visit(t, newSite(t).url, "/", impatient)
	p.sealed()
	p.inWorkers(strings.Replace(onCall, "HURT", `for (;;);`, 1))
	p.paste("baseline", older)
	eval[bool](p, `(() => {
		document.documentElement.dataset.impatient = 'yes';
		for (const text of ['`+poison+`', '`+newer+`']) {
			const data = new DataTransfer();
			data.items.add(new File([text], 'new.json'));
			document.querySelector('[data-testid="pane-current"]').dispatchEvent(new DragEvent('drop', {dataTransfer: data, bubbles: true, cancelable: true}));
		}
		return true;
	})()`)
	if state := p.settled(); state != "done" || p.text("verdict") != "MANIFEST CHANGED (3 tools)" {
		t.Errorf("state %s, the outcome reads %q", state, p.text("outcome"))
	}
}

// A slow run that was overtaken keeps its worker, which a sealed page could not
// start again; the newer input does not wait for it.
func TestOvertakenRunDoesNotBlock(t *testing.T) {
	t.Parallel()
	p := visit(t, newSite(t).url, "/")
	p.sealed()
	p.inWorkers(strings.Replace(onCall, "HURT", `for (;;);`, 1))
	p.paste("baseline", older)
	began := eval[float64](p, `(() => {
		const field = document.querySelector('[data-testid="input-current"]');
		field.value = '`+poison+`';
		field.dispatchEvent(new InputEvent('input', {bubbles: true}));
		return performance.now();
	})()`)
	if began == 0 {
		t.Fatal("the page has no clock")
	}
	// A run counts as slow after a second, and the typing pause comes before it.
	p.until(`document.documentElement.dataset.state === 'busy' && performance.now() > ` + strconv.FormatFloat(began+1600, 'f', 0, 64))
	if p.paste("current", newer); p.text("verdict") != "MANIFEST CHANGED (3 tools)" {
		t.Errorf("the outcome reads %q", p.text("outcome"))
	}
}

// An engine that is not the one the page was built with is never run.
func TestAnotherEngineIsNotRun(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	wasm, _, ok := nextRelease(t).Lookup("engine.wasm")
	if !ok {
		t.Fatal("no engine")
	}
	s.spoil(wasm, "application/wasm", "\x00asm\x01\x00\x00\x00") // a module, and empty
	p := visit(t, s.url, "/")
	p.loaded()
	if state := eval[string](p, `document.documentElement.dataset.state`); state != "error" || !strings.Contains(p.text("status"), "could not start") {
		t.Errorf("state %s, status %q", state, p.text("status"))
	}
	p.until(`document.documentElement.dataset.sealed === 'true'`)
	p.paste("baseline", older)
	p.paste("current", older)
	p.notCompared(true)
}

// The engine out of memory: real documents, in a browser that allows a module
// little of it.
func TestOutOfMemory(t *testing.T) {
	t.Parallel()
	root, err := startBrowser(chromedp.Flag("js-flags", "--wasm-max-mem-pages=700"))
	if err != nil {
		t.Fatal(err)
	}
	p := openTab(t, root, newSite(t).url, "/")
	p.sealed()
	large := func(word string) string {
		return `{"tools":[{"name":"a","description":"` + strings.Repeat(word+" ", 4<<20/len(word)) + `"}]}`
	}
	p.open("baseline", write(t, "old.json", large("reads")))
	if state := p.open("current", write(t, "new.json", large("writes"))); state != "error" {
		t.Errorf("state %s", state)
	}
	p.notCompared(false)
	if status := p.text("status"); !strings.Contains(status, "memory") {
		t.Errorf("the status is %q", status)
	}
	// Both at once: a pair with one of the large documents would end that as well.
	eval[bool](p, `(() => {
		const data = new DataTransfer();
		for (const text of ['`+older+`', '`+newer+`']) data.items.add(new File([text], 'new.json'));
		return document.querySelector('[data-testid="pane-baseline"]').dispatchEvent(new DragEvent('drop', {dataTransfer: data, bubbles: true, cancelable: true})) || true;
	})()`)
	if p.settled(); p.text("verdict") != "MANIFEST CHANGED (3 tools)" {
		t.Errorf("with the spare worker: %q", p.text("outcome"))
	}
}
