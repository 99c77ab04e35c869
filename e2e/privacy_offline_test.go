package e2e

import (
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/google/go-cmp/cmp"

	"github.com/manifestseal/manifestseal/server"
)

// Loaded once, the page does everything with its server gone.
func TestOffline(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	p := visit(t, s.url, "/")
	p.sealed()
	s.front.Close()
	p.do(chromedp.Reload())
	p.sealed()
	p.click("load-example")
	if state := p.settled(); state != "done" || len(p.texts("tool")) < 5 {
		t.Errorf("state %s with %d tools: %s", state, len(p.texts("tool")), p.text("status"))
	}
	p.paste("baseline", older)
	if p.paste("current", newer); p.text("verdict") != "MANIFEST CHANGED (3 tools)" {
		t.Errorf("verdict %q", p.text("verdict"))
	}
	for _, path := range []string{"/example", "/criteria", "/criteria/prompt-injection-rules/v1", "/#example"} {
		p.do(chromedp.Navigate(s.url + path))
		if !eval[bool](p, `document.querySelector('main h1') !== null && getComputedStyle(document.querySelector('.skip')).position === 'absolute'`) {
			t.Errorf("%s is not there with its style", path)
		}
	}
}

// The engine is asked for once, by the page's header and its script together,
// and the service worker takes what the page has just loaded.
func TestEveryFileIsFetchedOnce(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	p := visit(t, s.url, "/")
	p.sealed()
	times := make(map[string]int)
	for _, r := range s.own() {
		if strings.Contains(r, "/static/") {
			times[r]++
		}
	}
	for r, n := range times {
		if n > 1 && !strings.Contains(r, "favicon") {
			t.Errorf("%d × %s", n, r)
		}
	}
	if len(times) < 7 {
		t.Errorf("only %d files were fetched: %v", len(times), times)
	}
}

// The cache holds the release and nothing else, whatever the page does.
func TestCacheHoldsTheReleaseOnly(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	p := visit(t, s.url, "/")
	p.sealed()
	was := p.cached()
	if len(was) < 12 || !slices.Contains(was, "/") {
		t.Fatalf("the cache holds %v", was)
	}
	p.do(chromedp.Navigate(s.url + "/?query=" + canary))
	p.sealed()
	p.paste("baseline", older)
	p.paste("current", newer)
	for _, path := range []string{"/docs", "/nowhere", "/healthz", "/#r=" + canary} {
		p.do(chromedp.Navigate(s.url + path))
	}
	if diff := cmp.Diff(was, p.cached()); diff != "" {
		t.Errorf("the cache changed (-was +is)\n%s", diff)
	}
}

// cached lists the paths in every cache of the site.
func (p *tab) cached() []string {
	p.t.Helper()
	return eval[[]string](p, `(async () => {
		const found = [];
		for (const name of await caches.keys())
			for (const request of await (await caches.open(name)).keys()) found.push(request.url.slice(location.origin.length));
		return found.sort();
	})()`)
}

// A new release waits until it is asked for, and then takes over.
func TestUpdateAsks(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	p := visit(t, s.url, "/")
	p.sealed()
	build := func() string { return eval[string](p, `document.querySelector('meta[name="build"]').content`) }
	first := build()
	s.release(t, server.Config{Assets: nextRelease(t)})
	p.do(chromedp.Reload())
	p.sealed()
	p.until(`!document.querySelector('#update').hidden`)
	if build() != first {
		t.Error("the new release took over without being asked for")
	}
	p.paste("baseline", older)
	p.do(chromedp.Reload())
	p.sealed()
	if build() != first {
		t.Error("a reload of one's own took the new release without being asked for")
	}
	p.until(`!document.querySelector('#update').hidden`)
	reload := chromedp.Click(byTestID("update-reload"))
	if _, err := chromedp.Run(p.ctx, chromedp.WaitEvent(page.LoadEventFired, nil, reload)); err != nil {
		t.Fatal(err)
	}
	p.sealed()
	if build() != strings.Repeat("1", 64) {
		t.Error("the new release did not take over")
	}
	if names := eval[[]string](p, `caches.keys()`); len(names) != 1 {
		t.Errorf("the caches are %v", names)
	}
	if hidden := eval[bool](p, `document.querySelector('#update').hidden`); !hidden {
		t.Error("the line about a new version is still there")
	}
}

// A release whose files are not what its list says is not stored at all.
func TestAWrongFileIsNotStored(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.spoil("/criteria", "text/html", "<!doctype html><title>Another page</title>")
	p := visit(t, s.url, "/")
	p.loaded()
	p.until(`document.documentElement.dataset.offline === 'no' && document.documentElement.dataset.sealed === 'true'`)
	if names := eval[[]string](p, `caches.keys()`); len(names) != 0 {
		t.Errorf("the caches are %v", names)
	}
	p.paste("baseline", older)
	if p.paste("current", newer); p.text("verdict") != "MANIFEST CHANGED (3 tools)" {
		t.Errorf("verdict %q", p.text("verdict"))
	}
}

// The kill switch takes out the service worker and what it stored, and pages
// that are loaded afterwards have none.
func TestKillSwitch(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	p := visit(t, s.url, "/")
	p.sealed()
	s.release(t, server.Config{NoServiceWorker: true})
	p.do(chromedp.Reload()) // the browser looks for a newer service worker after this
	p.until(`(async () => (await caches.keys()).length === 0 && (await navigator.serviceWorker.getRegistrations()).length === 0)()`)
	p.do(chromedp.Reload())
	p.until(`document.documentElement.dataset.sealed === 'true' && document.documentElement.dataset.offline === 'no'`)
	if text := p.text("offline-state"); !strings.Contains(text, "switched off") {
		t.Errorf("the page says %q", text)
	}
	p.paste("baseline", older)
	if p.paste("current", newer); p.text("verdict") != "MANIFEST CHANGED (3 tools)" {
		t.Errorf("verdict %q", p.text("verdict"))
	}
	if left := p.cached(); len(left) != 0 {
		t.Errorf("the cache holds %v", left)
	}
}
