package main

import (
	"compress/gzip"
	"encoding/base64"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/chromedp/chromedp"
)

// inspectBar is the most that a whole inspection of the largest real manifest
// may take in the browser, in ms: reading, grade, screens, tiers and painting.
const inspectBar = 1500

// largest is the largest manifest of the corpus, or one made as large.
func largest() (name string, document []byte, err error) {
	file := filepath.Join(corpus, "manifests", "gitlab-mcp-server-jmrplens__individual", "1.4.4.json.gz")
	f, err := os.Open(file)
	if os.IsNotExist(err) {
		return "made", manifestOf("Reads", 3_600_000), nil
	}
	if err != nil {
		return "", nil, err
	}
	defer func() { _ = f.Close() }()
	unpacked, err := gzip.NewReader(f)
	if err != nil {
		return "", nil, err
	}
	document, err = io.ReadAll(unpacked)
	return filepath.Base(filepath.Dir(file)), document, err
}

// inspectLargest is the time from a drop to a painted result, in pages that are
// loaded and have run the engine on nothing but their own example.
func inspectLargest(t *tab, _ *inputs, print func(row)) error {
	name, document, err := largest()
	if err != nil {
		return err
	}
	var first, total, inEngine, complete []float64
	for range 5 {
		fresh, cancel := chromedp.NewContext(t.ctx, chromedp.WithNewBrowserContext())
		if err := chromedp.Do(fresh, chromedp.Navigate(t.url+"/inspect")); err != nil {
			cancel()
			return err
		}
		got, err := value[struct{ First, Total, Engine, Complete float64 }](&tab{fresh, t.url}, inspection(document))
		cancel()
		if err != nil {
			return err
		}
		first, total = append(first, got.First), append(total, got.Total)
		inEngine, complete = append(inEngine, got.Engine), append(complete, got.Complete)
	}
	print(row{what: fmt.Sprintf("Chromium: %s, %d KB, inspected and every tool painted", name, len(document)/1000), ours: fromMS(middle(total)), bar: inspectBar})
	print(row{what: "Chromium: until the grade and the first tools are in sight", ours: fromMS(middle(first))})
	print(row{what: "Chromium: engine time in that inspection", ours: fromMS(middle(inEngine))})
	print(row{what: "Chromium: until the inside of every closed fold is painted as well", ours: fromMS(middle(complete))})
	return nil
}

func inspection(document []byte) string {
	return `(async () => {
	const root = document.documentElement;
	const until = holds => new Promise(resolve => {
		const look = () => { if (holds()) resolve(); else setTimeout(look, 5); };
		look();
	});
	await until(() => root.dataset.state === 'ready' && root.dataset.sealed !== undefined);
	const bytes = Uint8Array.from(atob("` + base64.StdEncoding.EncodeToString(document) + `"), c => c.charCodeAt(0));
	const data = new DataTransfer();
	data.items.add(new File([bytes], 'manifest.json'));
	const began = performance.now();
	document.querySelector('[data-testid="pane-manifest"]').dispatchEvent(new DragEvent('drop', {dataTransfer: data, bubbles: true, cancelable: true}));
	const settled = holds => new Promise(resolve => {
		const look = () => { if (holds()) resolve(); };
		new MutationObserver(look).observe(root, {attributes: true});
		look();
	});
	const frame = () => new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve)));
	await settled(() => root.dataset.shown !== undefined);
	await frame();
	const first = performance.now() - began;
	await settled(() => root.dataset.state === 'done');
	await frame();
	const painted = performance.now() - began;
	await until(() => document.querySelector('[data-pending]') === null);
	const took = /([\d,.]+) ms/.exec(document.querySelector('[data-testid="status"]').textContent);
	return {First: first, Total: painted, Complete: performance.now() - began, Engine: took ? Number(took[1].replaceAll(',', '')) : 0};
})()`
}
