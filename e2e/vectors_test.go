package e2e

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"github.com/manifestseal/manifestseal/engine/enginetest"
)

// engineInPage starts the page's own worker script with the page's own engine,
// and gives the test a function to call it.
const engineInPage = `(async () => {
	const page = document.querySelector('#compare');
	const module = await WebAssembly.compileStreaming(fetch(page.dataset.engine, {integrity: page.dataset.engineIntegrity}));
	const worker = new Worker(page.dataset.worker);
	const waiting = new Map();
	await new Promise(resolve => {
		worker.onmessage = ({data}) => {
			if (data.kind === 'ready') resolve();
			else waiting.get(data.id)?.(data.outputs);
		};
		worker.postMessage({kind: 'start', module});
	});
	let last = 0;
	const bytes = text => Uint8Array.from(atob(text), c => c.charCodeAt(0)).buffer;
	const text = data => { let s = ''; for (const b of data) s += String.fromCharCode(b); return btoa(s); };
	globalThis.callEngine = async (method, inputs) => {
		const id = ++last;
		const outputs = await new Promise(resolve => {
			waiting.set(id, resolve);
			worker.postMessage({kind: 'call', id, method, inputs: inputs.map(bytes)});
		});
		return outputs.map(text);
	};
	return true;
})()`

// Every vector holds in the browser as it does natively.
func TestVectorsInTheBrowser(t *testing.T) {
	t.Parallel()
	vectors, err := enginetest.Load()
	if err != nil {
		t.Fatal(err)
	}
	p := newTab(t, "/")
	// The page's own policy admits no second maker of workers; the worker's is its
	// own response's, and stays.
	if _, err := chromedp.Call(p.ctx, page.SetBypassCSP, page.SetBypassCSPParams{Enabled: true}); err != nil {
		t.Fatal(err)
	}
	p.do(chromedp.Reload())
	p.loaded()
	eval[bool](p, engineInPage)
	for batch := range slices.Chunk(vectors, 100) {
		outputs := callEngine(p, batch)
		for i, v := range batch {
			if err := enginetest.Check(v, func(string, [][]byte) [][]byte { return outputs[i] }); err != nil {
				t.Errorf("%s: %v", v.ID, err)
			}
		}
	}
	t.Logf("%d vectors hold in the browser", len(vectors))
}

// callEngine runs many vectors in the page at once: asking for one at a time takes
// longer than the engine does.
func callEngine(p *tab, vectors []enginetest.Vector) [][][]byte {
	p.t.Helper()
	type call struct {
		Method string   `json:"method"`
		Inputs [][]byte `json:"inputs"` // base64, as JSON has it
	}
	calls := make([]call, len(vectors))
	for i, v := range vectors {
		calls[i] = call{v.Method, v.Inputs()}
	}
	arguments, err := json.Marshal(calls)
	if err != nil {
		p.t.Fatal(err)
	}
	return eval[[][][]byte](p, `Promise.all(`+string(arguments)+`.map(({method, inputs}) => callEngine(method, (inputs ?? []).map(i => i ?? ''))))`)
}
