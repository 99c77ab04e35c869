package e2e

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/manifestseal/manifestseal/e2e/devnet"
)

// shop is a chain, a server that sells on it, and the wire between the server and
// its visitors, which can lose an answer.
type shop struct {
	*devnet.Devnet
	url  string // of the wire
	lose atomic.Int32
	paid atomic.Int32 // requests that bore a payment
}

func openShop(t *testing.T) *shop {
	t.Helper()
	d, err := devnet.Start(t.Context(), t.TempDir(), 50*time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	s := &shop{Devnet: d}
	target, err := url.Parse(s.run(t))
	if err != nil {
		t.Fatal(err)
	}
	forward := httputil.NewSingleHostReverseProxy(target)
	wire := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Payment-Signature") == "" {
			forward.ServeHTTP(w, r)
			return
		}
		s.paid.Add(1)
		if s.lose.Add(-1) < 0 {
			forward.ServeHTTP(w, r)
			return
		}
		// The server answers whole, and the buyer gets the beginning of it. (When
		// nothing at all arrives, Chromium itself asks again.)
		whole := httptest.NewRecorder()
		forward.ServeHTTP(whole, r)
		w.Header().Set("Content-Length", strconv.Itoa(whole.Body.Len()))
		_, _ = w.Write(whole.Body.Bytes()[:whole.Body.Len()/2])
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	}))
	t.Cleanup(wire.Close)
	s.url = wire.URL
	return s
}

var served = regexp.MustCompile(`http://127\.0\.0\.1:\d+`)

// run starts the server on the chain and returns where it is.
func (s *shop) run(t *testing.T) string {
	t.Helper()
	command := exec.CommandContext(t.Context(), program(t), "serve", "--dev", "--listen", "127.0.0.1:0", "--metrics-listen", "off",
		"--database", filepath.Join(t.TempDir(), "shop.db"))
	command.Env = append(os.Environ(), "MANIFESTSEAL_NETWORK=devnet", "MANIFESTSEAL_SOLANA_RPC="+s.URL, "MANIFESTSEAL_PAY_TO="+s.PayTo,
		"MANIFESTSEAL_FEE_PAYER_FILE="+s.FeePayerKey, "MANIFESTSEAL_DEV_WALLET="+s.Wallet)
	command.Cancel = func() error { return command.Process.Signal(os.Interrupt) }
	var log strings.Builder
	command.Stderr = &log
	output, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = command.Wait() })
	line, err := bufio.NewReader(output).ReadString('\n')
	at := served.FindString(line)
	if err != nil || at == "" {
		t.Fatalf("the server did not start: %v: %s%s", err, line, log.String())
	}
	return at
}

// charged is what the chain says that was paid.
func (s *shop) charged(t *testing.T) []devnet.Transfer {
	t.Helper()
	state, err := s.Control(t.Context(), devnet.Command{})
	if err != nil {
		t.Fatal(err)
	}
	return state.Transfers
}

// visit opens the report page with a wallet that behaves as told.
func (s *shop) visit(t *testing.T, wallet map[string]any) *tab {
	t.Helper()
	root, err := chromium()
	if err != nil {
		t.Fatal(err)
	}
	return s.visitIn(t, root, chromedp.WithNewBrowserContext(), wallet)
}

func (s *shop) visitIn(t *testing.T, root context.Context, inside chromedp.ContextOption, wallet map[string]any) *tab {
	t.Helper()
	settings, err := json.Marshal(wallet)
	if err != nil {
		t.Fatal(err)
	}
	p := openTabIn(t, root, inside, s.url, "/report", func(p *tab) {
		p.do(chromedp.Navigate(p.url + "/docs"))
		eval[bool](p, `(localStorage.setItem('burner-wallet', `+string(quoted(t, string(settings)))+`), true)`)
	})
	p.loaded()
	return p
}

func quoted(t *testing.T, text string) []byte {
	t.Helper()
	q, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	return q
}

// put fills a pane of the report page.
func (p *tab) put(side, text string) {
	p.t.Helper()
	q := quoted(p.t, text)
	eval[bool](p, `(() => {
		const input = document.querySelector('[data-testid="input-`+side+`"]');
		input.value = `+string(q)+`;
		input.dispatchEvent(new Event('input', {bubbles: true}));
		return true;
	})()`)
}

func (p *tab) chooseAudit(manifest string) {
	p.t.Helper()
	p.click("kind-audit")
	p.put("current", manifest)
	p.until(`document.documentElement.dataset.order !== 'none'`)
}

// pay presses the wallet's button and returns the stage that the purchase ends in.
func (p *tab) pay() string {
	p.t.Helper()
	p.until(`document.querySelector('[data-testid="wallet"]')?.disabled === false`)
	p.click("wallet")
	return p.ended()
}

func (p *tab) ended() string {
	p.t.Helper()
	p.until(`['delivered','expired','refused','declined','poor','wrong_network','lost','failed'].includes(document.documentElement.dataset.stage)`)
	return eval[string](p, `document.documentElement.dataset.stage`)
}

// report is what the page offers for download.
func (p *tab) report() map[string]any {
	p.t.Helper()
	text := eval[string](p, `(async () => {
		const make = URL.createObjectURL;
		let blob;
		URL.createObjectURL = (b) => { blob = b; return make.call(URL, b); };
		document.querySelector('[data-testid="download"]').click();
		URL.createObjectURL = make;
		return blob.text();
	})()`)
	var report map[string]any
	if err := json.Unmarshal([]byte(text), &report); err != nil {
		p.t.Fatalf("the download is no JSON: %v", err)
	}
	return report
}

// One purchase costs a chain, a server and a browser: the shop's tests share them,
// each with a manifest of its own.
const forSale = `{"tools":[{"name":"%","description":"Adds two numbers","inputSchema":{"type":"object"}}]}`

func selling(name string) string { return strings.ReplaceAll(forSale, "%", name) }

func TestBuyAReport(t *testing.T) {
	t.Parallel()
	s := openShop(t)

	t.Run("audit", func(t *testing.T) {
		before := len(s.charged(t))
		p := s.visit(t, map[string]any{"answer": "sign"})
		p.chooseAudit(selling("audited"))
		if got := p.text("headline"); !strings.HasPrefix(got, "1 tool, digest ") {
			t.Errorf("the headline is %q", got)
		}
		if got := p.text("price"); got != "0.05 USDC" {
			t.Errorf("the price is %q", got)
		}
		if stage := p.pay(); stage != "delivered" {
			t.Fatalf("the purchase ended in %s: %s", stage, p.text("stage"))
		}
		if got := p.report(); got["criteria_id"] != "mcp-manifest-claims/v1" || got["signature"] == nil {
			t.Errorf("the report is %v", got)
		}
		made := s.charged(t)
		if len(made) != before+1 || made[before].Amount != 50_000 || made[before].Payer != s.Buyer {
			t.Fatalf("the chain has %+v", made)
		}
		if got := p.text("transaction"); got != made[before].Signature {
			t.Errorf("the page names the transaction %s, want %s", got, made[before].Signature)
		}
		p.looks("report delivered")
		if kept := eval[int](p, `Object.keys(localStorage).filter(k => k.startsWith('manifestseal')).length`); kept != 0 {
			t.Errorf("%d payments are kept after the answer", kept)
		}
	})

	t.Run("before anything is put in", func(t *testing.T) {
		p := s.visit(t, map[string]any{"answer": "sign"})
		p.until(`document.querySelector('[data-testid="wallet"]') !== null`)
		eval[bool](p, `(document.querySelector('[data-testid="buy-help"]').open = true)`)
		p.looks("report empty")
	})

	t.Run("hostile documents", func(t *testing.T) {
		p := s.visit(t, map[string]any{"answer": "sign"})
		p.click("kind-audit")
		for text, want := range map[string]string{
			`{"tools":[]}`:                   "no tools",
			`{"tools":[{"name`:               "Could not read the manifest",
			`"<img src=x onerror=alert(1)>"`: "Could not read the manifest",
			`{"tools":[{"name":"big","description":"` + strings.Repeat("x", 600_000) + `"}]}`: "the service takes 524,288",
		} {
			p.put("current", text)
			p.until(`document.querySelector('[data-testid="headline"]').textContent !== 'Reading.'`)
			if got := p.text("headline"); !strings.Contains(got, want) {
				t.Errorf("%.40s: the headline is %q, want %q in it", text, got, want)
			}
			if !eval[bool](p, `document.querySelector('[data-testid="wallet"]').disabled`) {
				t.Errorf("%.40s: it can be paid for", text)
			}
		}
	})

	t.Run("a baseline that can't be read", func(t *testing.T) {
		p := s.visit(t, map[string]any{"answer": "sign"})
		p.put("baseline", `{"tools":[`)
		p.put("current", selling("fine"))
		p.until(`document.querySelector('[data-testid="headline"]').textContent.includes("the baseline can't be read")`)
	})

	t.Run("the node is down", func(t *testing.T) {
		p := s.visit(t, map[string]any{"answer": "sign"})
		p.chooseAudit(selling("unreachable"))
		p.until(`document.querySelector('[data-testid="wallet"]')?.disabled === false`)
		if _, err := s.Control(t.Context(), devnet.Command{Fault: devnet.Down}); err != nil {
			t.Fatal(err)
		}
		stage := p.pay()
		if _, err := s.Control(t.Context(), devnet.Command{Clear: true}); err != nil {
			t.Fatal(err)
		}
		if told := p.text("stage"); stage != "failed" || strings.Count(told, "Nothing was taken") != 1 {
			t.Errorf("the purchase ended in %s: %q", stage, told)
		}
		if stage := p.pay(); stage != "delivered" {
			t.Errorf("when it is back the purchase ends in %s: %q", stage, p.text("stage"))
		}
	})

	t.Run("drift", func(t *testing.T) {
		p := s.visit(t, map[string]any{"answer": "sign"})
		p.put("baseline", selling("shifted"))
		p.put("current", strings.Replace(selling("shifted"), "two", "three", 1))
		p.until(`document.documentElement.dataset.order === 'ready' || document.querySelector('[data-testid="headline"]').textContent.startsWith('Could')`)
		if got := p.text("headline"); !strings.Contains(got, "1 CHANGED") && !strings.Contains(got, "1 changed") {
			t.Errorf("the headline is %q", got)
		}
		if stage := p.pay(); stage != "delivered" {
			t.Fatalf("the purchase ended in %s: %s", stage, p.text("stage"))
		}
		if got := p.report(); got["criteria_id"] != "mcp-manifest-drift/v1" || got["signature"] == nil {
			t.Errorf("the report is %v", got)
		}
	})

	t.Run("the answer is lost", func(t *testing.T) {
		before := len(s.charged(t))
		p := s.visit(t, map[string]any{"answer": "sign"})
		p.chooseAudit(selling("lost"))
		s.lose.Store(1)
		if stage := p.pay(); stage != "lost" {
			t.Fatalf("the purchase ended in %s: %s", stage, p.text("stage"))
		}
		if !strings.Contains(p.text("stage"), "Do not pay again") {
			t.Errorf("the page says %q", p.text("stage"))
		}
		p.until(`!document.querySelector('[data-testid="pending"]').hidden && document.querySelector('[data-testid="wallet"]').disabled`)
		p.click("resume")
		if stage := p.ended(); stage != "delivered" {
			t.Fatalf("fetching again ended in %s: %s", stage, p.text("stage"))
		}
		if made := s.charged(t); len(made) != before+1 {
			t.Errorf("the buyer was charged %d times", len(made)-before)
		}
	})

	t.Run("the tab is closed", func(t *testing.T) {
		before := len(s.charged(t))
		root, err := chromium()
		if err != nil {
			t.Fatal(err)
		}
		first := s.visit(t, map[string]any{"answer": "sign"})
		first.chooseAudit(selling("closed"))
		s.lose.Store(1)
		if stage := first.pay(); stage != "lost" {
			t.Fatalf("the purchase ended in %s", stage)
		}
		// The second tab's wallet would refuse: nobody may ask it.
		inside := chromedp.WithExistingBrowserContext(chromedp.FromContext(first.ctx).BrowserContextID)
		second := s.visitIn(t, root, inside, map[string]any{"answer": "reject"})
		first.do(chromedp.Navigate("about:blank"))
		second.until(`!document.querySelector('[data-testid="elsewhere"]').hidden`)
		second.chooseAudit(selling("closed"))
		second.until(`!document.querySelector('[data-testid="pending"]').hidden`)
		second.click("resume")
		if stage := second.ended(); stage != "delivered" {
			t.Fatalf("fetching from a new tab ended in %s: %s", stage, second.text("stage"))
		}
		if made := s.charged(t); len(made) != before+1 {
			t.Errorf("the buyer was charged %d times", len(made)-before)
		}
	})

	for name, c := range map[string]struct {
		wallet map[string]any
		stage  string
	}{
		"the buyer refuses": {map[string]any{"answer": "reject"}, "declined"},
		"not enough USDC":   {map[string]any{"answer": "sign", "account": "poor"}, "poor"},
		"no account at all": {map[string]any{"answer": "sign", "account": "stranger"}, "poor"},
		"it comes late":     {map[string]any{"answer": "sign", "late": 300}, "delivered"},
	} {
		t.Run(name, func(t *testing.T) {
			before, paid := len(s.charged(t)), s.paid.Load()
			p := s.visit(t, c.wallet)
			p.chooseAudit(selling(strings.ReplaceAll(name, " ", "_")))
			if stage := p.pay(); stage != c.stage {
				t.Fatalf("the purchase ended in %s, want %s: %s", stage, c.stage, p.text("stage"))
			}
			if c.stage == "delivered" {
				return
			}
			if !strings.Contains(p.text("stage"), "Nothing was taken") {
				t.Errorf("the page says %q", p.text("stage"))
			}
			if made := s.charged(t); len(made) != before || s.paid.Load() != paid {
				t.Errorf("%d charges, %d payments sent: want none", len(made)-before, s.paid.Load()-paid)
			}
		})
	}

	t.Run("another network", func(t *testing.T) {
		p := s.visit(t, map[string]any{"chains": []string{"solana:mainnet"}})
		p.until(`document.querySelector('[data-testid="wallet-elsewhere"]') !== null`)
		if got := p.text("wallet-elsewhere"); !strings.Contains(got, "Solana devnet") {
			t.Errorf("the page says %q", got)
		}
	})
}
