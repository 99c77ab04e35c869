package e2e

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/storage"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

// canary stands in every document of the test below and must turn up nowhere.
const canary = "canaryQ7hT2mZx9"

// Everything that a visitor can put in, in every way, while all that the
// page asks for goes through a proxy that writes it down.
func TestNothingLeavesThePage(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	root, err := chromium()
	if err != nil {
		t.Fatal(err)
	}
	// The proxy is this browser context's, so that it sees what the page, its
	// workers and its service worker ask for, and not what the browser wants for
	// itself. Chromium leaves this machine out of every proxy unless told not to.
	proxied := chromedp.WithNewBrowserContext(func(p *target.CreateBrowserContextParams) {
		p.ProxyServer, p.ProxyBypassList = s.url, "<-loopback>"
	})
	p := openTabIn(t, root, proxied, s.url, "/")
	p.sealed()
	before := len(s.seen())
	if seen := s.own(); !slices.Contains(seen, "GET /") || !slices.Contains(seen, "GET /sw.js") || !slices.Contains(seen, "GET /criteria") {
		t.Fatalf("the proxy does not see what page and service worker ask for: %v", seen)
	}
	manifest := func(text string) string {
		return `{"tools":[{"name":"` + canary + `","description":"` + text + canary + `"}]}`
	}
	p.paste("baseline", manifest("pasted"))
	p.paste("current", manifest("pasted anew"))
	p.open("baseline", write(t, canary+".json", manifest("from a file")))
	p.drop("current", canary+"2.json", manifest("dropped"))
	if verdict := p.text("verdict"); verdict != "MANIFEST CHANGED (1 tools)" {
		t.Errorf("verdict %q", verdict)
	}
	p.click("swap")
	p.settled()
	p.paste("current", `{"tools":[{"name":"`+canary+`",}]}`)
	if after := s.seen(); len(after) != before {
		t.Errorf("requests after the page was ready: %v", after[before:])
	}
	// Loading the page again asks the server anew, where a request could carry
	// what the page had kept.
	found := p.traces()
	p.do(chromedp.Reload())
	p.sealed()
	found = append(found, p.traces()...)
	for _, trace := range found {
		if strings.Contains(trace, canary) {
			t.Errorf("the canary is in %s", trace)
		}
	}
	for _, r := range s.seen() {
		if !strings.HasPrefix(r.url, s.url) {
			t.Errorf("another machine was asked: %s", r)
		}
		if strings.Contains(r.String(), canary) {
			t.Errorf("the canary is in a request:\n%s", r)
		}
	}
	if text := s.log.String(); strings.Contains(text, canary) || !strings.Contains(text, `"route":"/"`) {
		t.Errorf("the server's log holds the canary, or nothing:\n%s", text)
	}
}

// drop drops a file on a pane.
func (p *tab) drop(side, name, text string) {
	p.t.Helper()
	arguments, err := json.Marshal([]string{`[data-testid="pane-` + side + `"]`, name, text})
	if err != nil {
		p.t.Fatal(err)
	}
	eval[bool](p, `(([pane, name, text]) => {
		const data = new DataTransfer();
		data.items.add(new File([text], name));
		return document.querySelector(pane).dispatchEvent(new DragEvent('drop', {dataTransfer: data, bubbles: true, cancelable: true})) || true;
	})(`+string(arguments)+`)`)
	p.settled()
}

// traces is everything that a page could leave behind in a browser, as text.
func (p *tab) traces() []string {
	p.t.Helper()
	traces := eval[[]string](p, `(async () => {
		const found = ['address ' + location.href, 'history ' + JSON.stringify(history.state), 'window.name ' + window.name, 'cookies ' + document.cookie, 'title ' + document.title];
		for (const [name, store] of [['localStorage', localStorage], ['sessionStorage', sessionStorage]]) found.push(name + ' ' + JSON.stringify({...store}));
		for (const {name} of await indexedDB.databases()) found.push('IndexedDB ' + name);
		for (const name of await caches.keys()) {
			const cache = await caches.open(name);
			for (const request of await cache.keys()) {
				found.push('cache ' + name + ' ' + request.method + ' ' + request.url);
				found.push('cached ' + request.url + ' ' + new TextDecoder('latin1').decode(await (await cache.match(request)).arrayBuffer()));
			}
		}
		return found;
	})()`)
	for _, trace := range traces {
		for _, store := range []string{"localStorage {", "sessionStorage {", "IndexedDB ", "cookies "} {
			if rest, ok := strings.CutPrefix(trace, store); ok && rest != "}" && rest != "" {
				p.t.Errorf("something is stored: %s", trace)
			}
		}
	}
	cookies, err := chromedp.CallBrowser(p.ctx, storage.GetCookies, storage.GetCookiesParams{BrowserContextID: chromedp.FromContext(p.ctx).BrowserContextID})
	if err != nil {
		p.t.Fatal(err)
	}
	if len(cookies.Cookies) != 0 {
		p.t.Errorf("%d cookies are set", len(cookies.Cookies))
	}
	return traces
}
