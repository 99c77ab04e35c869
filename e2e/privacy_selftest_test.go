package e2e

import (
	"strings"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// finding is a line of the self-test as the page shows it.
type finding struct{ Where, Way, Outcome, Said string }

func (p *tab) selfTest() []finding {
	p.t.Helper()
	eval[bool](p, `document.querySelector('[data-testid="enforced"]').open = true`)
	p.click("self-test")
	p.until(`document.querySelector('#self-test-summary').textContent.length > 20`)
	return eval[[]finding](p, `['page', 'worker'].flatMap(where => [...document.querySelectorAll('#self-test-' + where + ' li')].map(line => ({
		Where: where, Outcome: line.dataset.outcome,
		Way: line.querySelector('.probe-way').textContent, Said: line.querySelector('.probe-said').textContent,
	})))`)
}

// Whatever the self-test tries, the browser refuses, says by which rule, and
// nothing of it reaches the server.
func TestSelfTest(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	p := visit(t, s.url, "/")
	p.sealed()
	findings := p.selfTest()
	outcomes := make(map[string]string)
	for _, f := range findings {
		t.Logf("%s, %s: %s (%s)", f.Where, f.Way, f.Outcome, f.Said)
		outcomes[f.Where+" "+f.Way] = f.Outcome
	}
	for _, way := range []string{
		"page fetch", "page XMLHttpRequest", "page WebSocket", "page EventSource", "page import()", "page new Worker", "page sendBeacon",
		"page image", "page script", "page style sheet", "page prefetch", "page image in a style", "page font", "page sound", "page frame",
		"page object", "page form", "page service worker",
		"worker fetch", "worker XMLHttpRequest", "worker WebSocket", "worker EventSource", "worker import()", "worker new Worker", "worker importScripts",
	} {
		if outcomes[way] != "refused" {
			t.Errorf("%s: %q, want refused", way, outcomes[way])
		}
	}
	if outcomes["worker WebRTC"] != "absent" {
		t.Errorf("WebRTC in the worker: %q", outcomes["worker WebRTC"])
	}
	if summary := p.text("self-test-summary"); !strings.Contains(summary, "refused 25") || strings.Contains(summary, "got through") {
		t.Errorf("the page says %q", summary)
	}
	for _, r := range s.own() {
		if strings.Contains(r, "self-test") {
			t.Errorf("the server was asked: %s", r)
		}
	}
	// The page still works: what the test put into it is gone.
	p.paste("baseline", older)
	if p.paste("current", newer); p.text("verdict") != "MANIFEST CHANGED (3 tools)" {
		t.Errorf("verdict %q", p.text("verdict"))
	}
	if eval[bool](p, `document.querySelector('.probe-bench') !== null`) {
		t.Error("the self-test left its things in the page")
	}
}

// The self-test can fail: without the policies it says that things got through.
func TestSelfTestTellsTheTruth(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	p := visit(t, s.url, "/", func(p *tab) {
		if _, err := chromedp.Call(p.ctx, page.SetBypassCSP, page.SetBypassCSPParams{Enabled: true}); err != nil {
			t.Fatal(err)
		}
	})
	p.loaded()
	p.until(`document.documentElement.dataset.sealed === 'no'`)
	if text := p.text("seal-state"); !strings.HasPrefix(text, "Not sealed:") {
		t.Errorf("the page says %q", text)
	}
	sent := make(map[string]bool)
	for _, f := range p.selfTest() {
		if f.Where == "page" && f.Outcome == "refused" {
			t.Errorf("%s is said to be refused (%s), and no policy is in force", f.Way, f.Said)
		}
		sent[f.Where+" "+f.Way] = f.Outcome == "sent"
	}
	if !sent["page fetch"] || !sent["page XMLHttpRequest"] || sent["worker fetch"] {
		t.Errorf("what is said to be sent: %v", sent)
	}
	if summary := p.text("self-test-summary"); !strings.Contains(summary, "do not trust") {
		t.Errorf("the page says %q", summary)
	}
}
