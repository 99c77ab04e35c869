package e2e

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// The same construction as on the compare page: what the self-test tries is
// refused from page and worker.
func TestInspectSelfTest(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	p := visit(t, s.url, "/inspect")
	p.sealed()
	p.selfTest()
	if summary := p.text("self-test-summary"); !strings.Contains(summary, "refused 25") || strings.Contains(summary, "got through") {
		t.Errorf("the page says %q", summary)
	}
	for _, r := range s.own() {
		if strings.Contains(r, "self-test") {
			t.Errorf("the server was asked: %s", r)
		}
	}
}

func TestInspectOffline(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	p := visit(t, s.url, "/inspect")
	p.sealed()
	s.front.Close()
	p.do(chromedp.Reload())
	p.sealed()
	p.click("load-example")
	if state := p.settled(); state != "done" || !strings.HasPrefix(p.text("verdict"), "Grade ") {
		t.Errorf("state %s: %s", state, p.text("status"))
	}
}

// However a worker ends, the page says that it could not inspect, the spare one
// takes over, and the second end asks for a reload.
func TestInspectWorkerEnds(t *testing.T) {
	t.Parallel()
	for _, hurt := range []string{`for (;;);`, `throw new Error('hurt');`, `return [new TextEncoder().encode('{"ok":true}'), new TextEncoder().encode('{"state":"unchanged"}')];`} {
		t.Run(hurt, func(t *testing.T) {
			t.Parallel()
			p := visit(t, newSite(t).url, "/inspect", impatient)
			p.sealed()
			p.inWorkers(strings.Replace(onCall, "HURT", hurt, 1))
			p.paste("manifest", older)
			if !strings.HasPrefix(p.text("verdict"), "Grade ") {
				t.Fatal("no result to begin with")
			}
			notInspected := func(reload bool) {
				t.Helper()
				outcome := p.text("outcome")
				if !strings.HasPrefix(outcome, "COULD NOT INSPECT") || eval[bool](p, `document.querySelector('#outcome [data-state="graded"]') !== null`) {
					t.Errorf("the outcome reads %.200q", outcome)
				}
				if asks := strings.Contains(outcome, "Reload the page to go on."); asks != reload {
					t.Errorf("the page asks for a reload: %v, want %v", asks, reload)
				}
			}
			poisoned := func() {
				t.Helper()
				eval[string](p, `document.documentElement.dataset.impatient = 'yes'`)
				if state := p.paste("manifest", poison); state != "error" {
					t.Errorf("state %s", state)
				}
				eval[bool](p, `delete document.documentElement.dataset.impatient`)
			}
			nonsense := strings.HasPrefix(hurt, "return")
			poisoned()
			notInspected(false)
			if p.paste("manifest", newer); !strings.HasPrefix(p.text("verdict"), "Grade ") {
				t.Errorf("with the spare worker: %.200q", p.text("outcome"))
			}
			poisoned()
			notInspected(!nonsense)
		})
	}
}
