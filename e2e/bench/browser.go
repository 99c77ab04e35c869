package main

import (
	"context"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"github.com/manifestseal/manifestseal/engine/enginetest"
	"github.com/manifestseal/manifestseal/server"
)

//go:embed page.js
var pageScript string

// views.mjs of the conformance tests is the JavaScript that is measured in the
// page, too.
const viewsFile = "e2e/conformance/spans_views.mjs"

// tab is a page of the site in a Chromium of its own.
type tab struct {
	ctx context.Context
	url string
}

func browser(in *inputs, print func(row)) error {
	return inBrowser(in, print, coldLoad, inspectLargest, inPage)
}

func inspections(in *inputs, print func(row)) error { return inBrowser(in, print, inspectLargest) }

func firstResults(in *inputs, print func(row)) error { return inBrowser(in, print, coldLoad) }

func inBrowser(in *inputs, print func(row), parts ...func(*tab, *inputs, func(row)) error) error {
	path, err := exec.LookPath("chromium")
	if err != nil {
		return errors.New("no Chromium is installed: run make chromium")
	}
	s, err := server.New(server.Config{Listen: "127.0.0.1:0"})
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	go func() { _ = s.Run(ctx) }()
	options := append([]chromedp.ExecAllocatorOption{chromedp.ExecPath(path), chromedp.NoSandbox}, chromedp.DefaultExecAllocatorOptions[:]...)
	for _, flag := range []string{"disable-quic", "disable-background-networking", "disable-component-update", "disable-sync", "disable-dev-shm-usage"} {
		options = append(options, chromedp.Flag(flag, true))
	}
	allocator, cancel := chromedp.NewExecAllocator(ctx, options...)
	defer cancel()
	browserContext, cancel := chromedp.NewContext(allocator)
	defer cancel()
	if err := chromedp.Do(browserContext); err != nil { // starts it
		return err
	}
	t := &tab{browserContext, s.URL()}
	for _, part := range parts {
		if err := part(t, in, print); err != nil {
			return err
		}
	}
	return nil
}

func value[T any](t *tab, expression string) (T, error) {
	return chromedp.Run(t.ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
}

// coldLoad is the time from the navigation on, in a fresh profile, when two files
// of 512 KiB are dropped as soon as the document is there: to the first result,
// which is a frame with the verdict, the counts of all tools and a screenful of
// what differs in them; to all of that painted; and to the grade and the report.
func coldLoad(t *tab, in *inputs, print func(row)) error {
	var first, inEngine, whole []float64
	for range 5 {
		got, err := t.coldPair(manifestOf("Reads", 512<<10), manifestOf("Writes", 512<<10))
		if err != nil {
			return err
		}
		if got.Verdict != "MANIFEST CHANGED (357 tools)" || got.Parts < 10 || got.Tools != 357 {
			return fmt.Errorf("the first result says %q, and %d places of it are painted; in the end %d tools", got.Verdict, got.Parts, got.Tools)
		}
		first, inEngine, whole = append(first, got.First), append(inEngine, got.Engine), append(whole, got.Whole)
	}
	print(row{what: "Chromium: cold load to the first result of two 512 KiB manifests", ours: fromMS(middle(first)), bar: coldBar})
	print(row{what: "Chromium: engine time until that first result (cold)", ours: fromMS(middle(inEngine))})
	print(row{what: "Chromium: until all 357 tools are painted, graded and in a report", ours: fromMS(middle(whole))})
	return nil
}

// cold is what one cold load gave, in ms since the navigation began.
type cold struct {
	First, Engine, Whole float64
	Verdict              string
	Parts, Tools         int
}

func (t *tab) coldPair(baseline, current []byte) (got cold, err error) {
	fresh, cancel := chromedp.NewContext(t.ctx, chromedp.WithNewBrowserContext())
	defer cancel()
	if err := chromedp.Do(fresh); err != nil {
		return got, err
	}
	texts, err := json.Marshal([]string{string(baseline), string(current)})
	if err != nil {
		return got, err
	}
	script := page.AddScriptToEvaluateOnNewDocumentParams{Source: strings.Replace(dropAtOnce, "TEXTS", string(texts), 1)}
	if _, err := chromedp.Call(fresh, page.AddScriptToEvaluateOnNewDocument, script); err != nil {
		return got, err
	}
	if err := chromedp.Do(fresh, chromedp.Navigate(t.url+"/")); err != nil {
		return got, err
	}
	return value[cold](&tab{fresh, t.url}, `cold`)
}

// dropAtOnce holds the files before the page is there, and waits in a worker's
// way: for changes, and for the frame behind them.
const dropAtOnce = `(() => {
	const files = TEXTS.map((text, i) => new File([text], i + '.json'));
	const root = () => document.documentElement.dataset;
	const until = holds => new Promise(resolve => {
		const look = () => { if (holds()) { watch.disconnect(); resolve(); } };
		const watch = new MutationObserver(look);
		watch.observe(document.documentElement, {attributes: true, subtree: true, attributeFilter: ['data-shown', 'data-state', 'data-pending']});
		look();
	});
	const frame = () => new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve)));
	const loaded = new Promise(resolve => document.addEventListener('DOMContentLoaded', resolve));
	window.cold = (async () => {
		await loaded;
		const data = new DataTransfer();
		for (const f of files) data.items.add(f);
		document.querySelector('[data-testid="pane-baseline"]').dispatchEvent(new DragEvent('drop', {dataTransfer: data, bubbles: true, cancelable: true}));
		await until(() => root().shown !== undefined);
		await frame();
		const First = performance.now();
		const Verdict = document.querySelector('[data-testid="verdict"]').textContent;
		const Parts = document.querySelectorAll('.part').length;
		const took = /([\d,.]+) ms/.exec(document.querySelector('[data-testid="status"]').textContent);
		await until(() => root().state === 'done' && document.querySelector('[data-pending]') === null);
		await frame();
		return {First, Verdict, Parts, Engine: took ? Number(took[1].replaceAll(',', '')) : 0, Whole: performance.now(), Tools: document.querySelectorAll('.tool').length};
	})();
})()`

func middle(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[len(sorted)/2]
}

// inPage measures the engine in its worker beside the page's own JavaScript.
func inPage(t *tab, in *inputs, print func(row)) error {
	if _, err := chromedp.Call(t.ctx, page.SetBypassCSP, page.SetBypassCSPParams{Enabled: true}); err != nil {
		return err
	}
	if err := chromedp.Do(t.ctx, chromedp.Navigate(t.url+"/")); err != nil {
		return err
	}
	views, err := os.ReadFile(viewsFile)
	if err != nil {
		return err
	}
	rulebook, err := os.ReadFile(in.rulebook)
	if err != nil {
		return err
	}
	script := strings.ReplaceAll(string(views), "export ", "")
	script = strings.Replace(script, `import { isUtf8 } from "node:buffer";`, "", 1)
	script = strings.NewReplacer("/*VIEWS*/", script, "/*RULES*/", string(rulebook)).Replace(pageScript)
	if _, err := value[bool](t, script); err != nil {
		return fmt.Errorf("the page's script: %w", err)
	}
	for _, part := range []func(*tab, *inputs, func(row)) error{digestInPage, screenInPage, hostileInPage, compareInPage} {
		if err := part(t, in, print); err != nil {
			return err
		}
	}
	return nil
}

// pair is what one measurement in the page gives, in ms.
type pair struct{ Ours, Theirs float64 }

func call(t *tab, function string, arguments ...any) (pair, error) {
	encoded := make([]string, len(arguments))
	for i, a := range arguments {
		if b, ok := a.([]byte); ok {
			a = base64.StdEncoding.EncodeToString(b)
		}
		data, err := json.Marshal(a)
		if err != nil {
			return pair{}, err
		}
		encoded[i] = string(data)
	}
	return value[pair](t, "bench."+function+"("+strings.Join(encoded, ",")+")")
}

func digestInPage(t *tab, in *inputs, print func(row)) error {
	data, err := os.ReadFile(in.manifests[0])
	if err != nil {
		return err
	}
	p, err := call(t, "digest", data)
	print(row{what: "Chromium, warm: digest block of 512 KiB", ours: fromMS(p.Ours), theirs: fromMS(p.Theirs), beside: "the page's own JavaScript, crypto.subtle awaited", bar: digestWASMBar})
	return err
}

func screenInPage(t *tab, in *inputs, print func(row)) error {
	p, err := call(t, "screen", in.texts)
	print(row{what: fmt.Sprintf("Chromium, warm: screen of %d descriptions, four views (reading them from JSON included)", len(in.texts)), ours: fromMS(p.Ours), theirs: fromMS(p.Theirs), beside: "the page's RegExp", bar: screenWASMBar})
	return err
}

func hostileInPage(t *tab, in *inputs, print func(row)) error {
	texts := enginetest.Hostile(hostileUnits)
	worst, worstTime := "", 0.0
	for _, name := range sorted(texts) {
		p, err := call(t, "hostile", texts[name])
		if err != nil {
			return err
		}
		if p.Ours > worstTime {
			worst, worstTime = name, p.Ours
		}
	}
	print(row{what: fmt.Sprintf("Chromium: the worst hostile text of 512 Ki units (%s)", worst), ours: fromMS(worstTime), theirs: fromMS(in.prose), beside: "V8's RegExp on as much prose, in Node", bar: hostileBar})
	return nil
}

func compareInPage(t *tab, _ *inputs, print func(row)) error {
	p, err := call(t, "compare", manifestOf("Reads", 512<<10), manifestOf("Writes", 512<<10))
	if err != nil {
		return err
	}
	print(row{what: "Chromium, warm: two 512 KiB manifests compared, every tool changed, view included", ours: fromMS(p.Ours), bar: compareWASMBar})
	p, err = call(t, "assess", manifestOf("Reads", 512<<10), manifestOf("Writes", 512<<10))
	print(row{what: "Chromium, warm: the same two graded and screened, and the report made, behind the comparison", ours: fromMS(p.Ours)})
	return err
}
