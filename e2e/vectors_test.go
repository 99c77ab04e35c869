package e2e

import (
	"encoding/base64"
	"encoding/json"
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
	call := func(method string, in [][]byte) [][]byte {
		encoded := make([]string, len(in))
		for i, b := range in {
			encoded[i] = base64.StdEncoding.EncodeToString(b)
		}
		arguments, err := json.Marshal(encoded)
		if err != nil {
			t.Fatal(err)
		}
		out := eval[[]string](p, `callEngine('`+method+`', `+string(arguments)+`)`)
		decoded := make([][]byte, len(out))
		for i, text := range out {
			if decoded[i], err = base64.StdEncoding.DecodeString(text); err != nil {
				t.Fatal(err)
			}
		}
		return decoded
	}
	for _, v := range vectors {
		if err := enginetest.Check(v, call); err != nil {
			t.Errorf("%s: %v", v.ID, err)
		}
	}
	t.Logf("%d vectors hold in the browser", len(vectors))
}
