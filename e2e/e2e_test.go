// Package e2e implements the tests that drive the whole product: a server in
// this process on a free port, and Chromium against it. They wait for states
// that the page sets (data-state and data-run of the root element), never for
// time, and reach nothing beyond this machine.
package e2e

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	script "github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/manifestseal/manifestseal/server"
)

// limit ends a test that hangs; no test passes or fails by it otherwise.
const limit = 2 * time.Minute

func TestMain(m *testing.M) {
	flag.Parse()
	together()
	code := m.Run()
	closeBrowser()
	os.Exit(code)
}

// together has one test more run at a time than there are processors, if nobody
// said how many: a test that waits for its page leaves its own idle.
func together() {
	if f := flag.Lookup("test.parallel"); f.Value.String() == f.DefValue {
		_ = flag.Set(f.Name, strconv.Itoa(runtime.GOMAXPROCS(0)+1)) // it is a number
	}
}

// chromium is one Chromium for all tests; each test has a tab, in a context of
// its own.
var chromium = sync.OnceValues(func() (context.Context, error) { return startBrowser() })

// unwanted is what Chromium does for itself: it would ask what kinds of fields a
// form has, and it draws the parts of its own window with pages, two in each
// window, which cost more than the page that is tested.
const unwanted = "AutofillServerCommunication,WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup,WebUIOmniboxSimplification,PreloadTopChromeWebUI,SpareRendererForSitePerProcess"

var closers []func()

func closeBrowser() {
	for _, c := range closers {
		c()
	}
}

func startBrowser(flags ...chromedp.ExecAllocatorOption) (context.Context, error) {
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if p, err := exec.LookPath(name); err == nil {
			path = p
			break
		}
	}
	if path == "" {
		return nil, errors.New("no Chromium is installed: run make chromium")
	}
	profile, err := os.MkdirTemp("", "manifestseal-e2e-")
	if err != nil {
		return nil, err
	}
	options := []chromedp.ExecAllocatorOption{
		chromedp.ExecPath(path), chromedp.UserDataDir(profile), chromedp.Headless, chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.NoFirstRun, chromedp.NoDefaultBrowserCheck, chromedp.WindowSize(1280, 900),
	}
	for _, flag := range []string{"disable-quic", "disable-background-networking", "disable-component-update", "disable-sync", "disable-dev-shm-usage", "mute-audio"} {
		options = append(options, chromedp.Flag(flag, true))
	}
	// What Chromium itself wants of its maker goes to a proxy that is not there.
	options = append(options, chromedp.Flag("proxy-server", "http://127.0.0.1:9"), chromedp.Flag("disable-features", unwanted))
	allocator, cancelAllocator := chromedp.NewExecAllocator(context.Background(), append(options, flags...)...)
	ctx, cancel := chromedp.NewContext(allocator)
	closers = append(closers, func() {
		cancel()
		cancelAllocator()
		_ = os.RemoveAll(profile)
	})
	return ctx, chromedp.Do(ctx)
}

// tab is one page of a test.
type tab struct {
	t        *testing.T
	ctx      context.Context
	url      string // of the server
	run      int    // the last run that was waited for
	complain []string
	mu       sync.Mutex
}

// newTab opens a page of the common server.
func newTab(t *testing.T, path string) *tab {
	t.Helper()
	url, err := common()
	if err != nil {
		t.Fatal(err)
	}
	return visit(t, url, path)
}

// common is one server for all tests that need nothing special of it. It keeps
// nothing of what the pages are used for.
var common = sync.OnceValues(func() (string, error) {
	url, stop, err := start(server.Config{})
	closers = append(closers, func() { _ = stop() })
	return url, err
})

// serveWith starts a server with settings of its own.
func serveWith(t *testing.T, config server.Config) string {
	t.Helper()
	url, stop, err := start(config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := stop(); err != nil {
			t.Errorf("the server ended with %v", err)
		}
	})
	return url
}

// start starts a server on a free port.
func start(config server.Config) (url string, stop func() error, err error) {
	config.Listen = "127.0.0.1:0"
	s, err := server.New(config)
	if err != nil {
		return "", func() error { return nil }, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- s.Run(ctx) }()
	return s.URL(), func() error { cancel(); return <-served }, nil
}

// visit opens a page in the common browser.
func visit(t *testing.T, url, path string, before ...func(*tab)) *tab {
	t.Helper()
	root, err := chromium()
	if err != nil {
		t.Fatal(err)
	}
	return openTab(t, root, url, path, before...)
}

// openTab opens a page in a browser. What comes before runs in the empty tab.
func openTab(t *testing.T, root context.Context, url, path string, before ...func(*tab)) *tab {
	t.Helper()
	return openTabIn(t, root, chromedp.WithNewBrowserContext(), url, path, before...)
}

// openTabIn opens a page in a browser context of its own. A test fails when its
// page logs an error that nobody expected.
func openTabIn(t *testing.T, root context.Context, inside chromedp.ContextOption, url, path string, before ...func(*tab)) *tab {
	t.Helper()
	tabContext, closeTab := chromedp.NewContext(root, inside)
	t.Cleanup(closeTab)
	tabContext, cancelTab := context.WithTimeout(tabContext, limit)
	t.Cleanup(cancelTab)
	p := &tab{t: t, ctx: tabContext, url: url}
	p.do() // the tab exists from its first action on
	if err := chromedp.Listen(tabContext, p.listen); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		for _, c := range p.complain {
			t.Errorf("the page complains: %s", c)
		}
	})
	for _, f := range before {
		f(p)
	}
	p.do(chromedp.Navigate(p.url + path))
	return p
}

// in has a part of the test speak for the tab until it ends.
func (p *tab) in(t *testing.T) {
	whole := p.t
	p.t = t
	t.Cleanup(func() { p.t = whole })
}

func (p *tab) listen(event any) {
	text := ""
	switch e := event.(type) {
	case *script.EventExceptionThrown:
		text = e.ExceptionDetails.Text
	case *script.EventConsoleAPICalled:
		if e.Type == script.ConsoleAPICalledTypeError {
			for _, a := range e.Args {
				text += string(a.Value) + a.Description
			}
		}
	}
	if text != "" {
		p.mu.Lock()
		p.complain = append(p.complain, text)
		p.mu.Unlock()
	}
}

func (p *tab) do(actions ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	if err := chromedp.Do(p.ctx, actions...); err != nil {
		p.t.Fatal(err)
	}
}

// eval returns the value of an expression, which may be a promise.
func eval[T any](p *tab, expression string) T {
	p.t.Helper()
	v, err := chromedp.Run(p.ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		p.t.Fatal(err)
	}
	return v
}

func byTestID(id string) chromedp.CSS { return chromedp.CSS(`[data-testid="` + id + `"]`) }

func (p *tab) click(id string) {
	p.t.Helper()
	p.do(chromedp.Click(byTestID(id)))
}

func (p *tab) text(id string) string {
	p.t.Helper()
	return strings.TrimSpace(eval[string](p, `document.querySelector('`+string(byTestID(id))+`')?.textContent ?? ''`))
}

func (p *tab) texts(id string) []string {
	p.t.Helper()
	return eval[[]string](p, `[...document.querySelectorAll('`+string(byTestID(id))+`')].map(e => e.textContent.trim())`)
}

// until waits until an expression holds.
func (p *tab) until(expression string) {
	p.t.Helper()
	_, err := chromedp.Run(p.ctx, chromedp.Poll[bool](expression, chromedp.WithPollingInterval(20*time.Millisecond), chromedp.WithPollingTimeout(limit)))
	if err != nil {
		p.t.Fatalf("waiting for %s: %v", expression, err)
	}
}

// loaded waits until the engine is ready.
func (p *tab) loaded() {
	p.t.Helper()
	p.until(`Boolean(document.documentElement.dataset.state) && document.documentElement.dataset.state !== 'loading'`)
}

// settled waits until a run later than the last one settled, and returns its
// state.
func (p *tab) settled() string {
	p.t.Helper()
	p.until(`Number(document.documentElement.dataset.run ?? 0) > ` + strconv.Itoa(p.run) + ` && document.documentElement.dataset.state !== 'busy'`)
	now := eval[struct {
		Run   int    `json:"run"`
		State string `json:"state"`
	}](p, `({run: Number(document.documentElement.dataset.run), state: document.documentElement.dataset.state})`)
	p.run = now.Run
	p.painted()
	return now.State
}

// painted waits until nothing is on its way any more: long lists and folds are
// painted piece by piece.
func (p *tab) painted() {
	p.t.Helper()
	p.until(`document.querySelector('[data-pending]') === null`)
}

// paste puts text into a pane as a paste does: the page hears of it first, and
// then the text comes at once, with an input event.
func (p *tab) paste(side, text string) string {
	p.t.Helper()
	q, err := json.Marshal(text)
	if err != nil {
		p.t.Fatal(err)
	}
	field := byTestID("input-" + side)
	p.do(chromedp.Focus(field))
	taken := eval[bool](p, `(() => {
		const field = document.querySelector('`+string(field)+`');
		field.select();
		const clipboardData = new DataTransfer();
		clipboardData.setData('text/plain', `+string(q)+`);
		return !field.dispatchEvent(new ClipboardEvent('paste', {clipboardData, bubbles: true, cancelable: true}));
	})()`)
	if taken {
		return p.settled()
	}
	if _, err := chromedp.Call(p.ctx, input.InsertText, input.InsertTextParams{Text: text}); err != nil {
		p.t.Fatal(err)
	}
	return p.settled()
}

// open gives a pane a file through its file picker.
func (p *tab) open(side, file string) string {
	p.t.Helper()
	p.do(chromedp.SetUploadFiles(byTestID("file-"+side), []string{file}, chromedp.NodeReady))
	return p.settled()
}

// write makes a file for a test.
func write(t *testing.T, name, content string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// program is the command, built once. Building takes its time on a busy machine:
// ask for it before there is a tab, whose time is limited.
func program(t *testing.T) string {
	t.Helper()
	file, err := command()
	if err != nil {
		t.Fatal(err)
	}
	return file
}

var command = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "manifestseal-bin-")
	if err != nil {
		return "", err
	}
	closers = append(closers, func() { _ = os.RemoveAll(dir) })
	file := filepath.Join(dir, "manifestseal")
	build := exec.Command("go", "build", "-o", file, "../server/cmd/manifestseal")
	out, err := build.CombinedOutput()
	if err != nil {
		return "", errors.New(string(out))
	}
	return file, nil
})
