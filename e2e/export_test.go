package e2e

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/google/go-cmp/cmp"
)

// The HTML file opens from disk, needs nothing, and shows what the page shows.
func TestHTMLFile(t *testing.T) {
	t.Parallel()
	p := newTab(t, "/")
	p.loaded()
	p.changedPair(hostileTools("a"), hostileTools("b"))
	p.until(`document.documentElement.dataset.sealed !== undefined`)
	file := p.download("download-html")
	if text := string(file); strings.Contains(text, "<script") || strings.Contains(text, "data-text") || !strings.HasPrefix(text, "<!DOCTYPE html>") {
		t.Errorf("the file begins with %.60q and has a script or bindings", text)
	}
	if err := wellFormed(file); err != nil {
		t.Errorf("the file is no XML: %v", err)
	}
	const shown = `(() => {
		const copy = document.querySelector('.result').cloneNode(true);
		copy.querySelectorAll('.needs-script, #shown, .vh, .rail').forEach(e => e.remove());
		return copy.textContent;
	})()`
	const style = `['.band', '.verdict', 'ins', 'del', 'mark', '.chip', '.row', '.tool'].map(s => { const c = getComputedStyle(document.querySelector(s)); return [s, c.backgroundColor, c.color, c.borderLeftWidth, c.fontFamily, c.display].join(' '); })`
	want, look := eval[string](p, shown), eval[[]string](p, style)
	// Both endings are read: the text is HTML and XML alike.
	for _, name := range []string{"report.html", "report.xhtml"} {
		q := p.beside("file://" + write(t, name, string(file)))
		if diff := cmp.Diff(want, eval[string](q, shown)); diff != "" {
			t.Errorf("%s: (-page +file)\n%s", name, diff)
		}
		if diff := cmp.Diff(look, eval[[]string](q, style)); diff != "" {
			t.Errorf("%s looks different: (-page +file)\n%s", name, diff)
		}
		short := eval[[]string](q, `[...document.querySelectorAll('.digest code')].filter(e => e.textContent.length !== 64 || e.scrollWidth > e.clientWidth + 1).map(e => e.textContent)`)
		if len(short) > 0 {
			t.Errorf("%s: digests are cut: %q", name, short)
		}
		if parts := eval[int](q, `document.querySelectorAll('script, link, img, iframe, button, input, select, a:not([href^="#"])').length`); parts != 0 {
			t.Errorf("%s has %d elements that do or load something", name, parts)
		}
		q.picture("file " + filepath.Ext(name))
	}
}

// beside opens an address in the test's own browser, in a tab of its own.
func (p *tab) beside(address string) *tab {
	p.t.Helper()
	root, err := chromium()
	if err != nil {
		p.t.Fatal(err)
	}
	ctx, closeTab := chromedp.NewContext(root, chromedp.WithNewBrowserContext())
	p.t.Cleanup(closeTab)
	q := &tab{t: p.t, ctx: ctx}
	q.do()
	if err := chromedp.Listen(ctx, q.listen); err != nil {
		p.t.Fatal(err)
	}
	q.do(chromedp.Navigate(address))
	if len(q.complain) > 0 {
		p.t.Errorf("%s complains: %q", address, q.complain)
	}
	return q
}

func wellFormed(document []byte) error {
	d := xml.NewDecoder(strings.NewReader(string(document)))
	for {
		if _, err := d.Token(); err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
	}
}

// A report from a link keeps its label in the file.
func TestHTMLFileOfASentReport(t *testing.T) {
	t.Parallel()
	p := newTab(t, "/#r="+linkOf(sentReport))
	p.loaded()
	p.settled()
	if file := string(p.download("download-html")); !strings.Contains(file, "Unsigned, as sent to you") || strings.Contains(file, "<b>t") {
		t.Error("the file lost the label, or has markup of the report")
	}
	if eval[bool](p, `document.querySelector('#download-digest').checkVisibility()`) {
		t.Error("a digest block is offered of a manifest that is not here")
	}
}

// Batches that were not painted yet are in the file, and so is what the filter hides.
func TestHTMLFileIsWhole(t *testing.T) {
	t.Parallel()
	p := newTab(t, "/")
	p.loaded()
	lines := strings.Repeat(`line\n`, 3000)
	p.changedPair(`[{"name":"t","description":"x"},{"name":"gone"}]`, `[{"name":"t","description":"`+lines+`"}]`)
	p.typed("filter", "zzz")
	file := string(p.download("download-html"))
	if rows := strings.Count(file, `class="row"`); rows < 3000 || strings.Contains(file, " hidden=") {
		t.Errorf("the file has %d rows of 3,000, or hides something", rows)
	}
}

func TestDigestBlock(t *testing.T) {
	t.Parallel()
	p := examplePair(t)
	p.until(`document.documentElement.dataset.sealed !== undefined`)
	var block struct {
		Aggregate string           `json:"aggregate_digest"`
		Tools     []map[string]any `json:"tools"`
	}
	if err := json.Unmarshal(p.download("download-digest"), &block); err != nil {
		t.Fatal(err)
	}
	if aggregates := p.texts("aggregate"); !slices.Contains(aggregates[1:], block.Aggregate) || len(block.Tools) != 7 {
		t.Errorf("the block has %d tools and the aggregate %s, the page says %v", len(block.Tools), block.Aggregate, aggregates)
	}
}

// A print holds everything, whatever is folded, filtered or not painted yet.
func TestPrintIsWhole(t *testing.T) {
	t.Parallel()
	p := newTab(t, "/")
	p.loaded()
	same := strings.Repeat(`the same line\n`, 2500)
	p.changedPair(`[{"name":"t","description":"`+same+`a","title":"x"},{"name":"gone"},{"name":"quiet"}]`,
		`[{"name":"t","description":"`+same+`b","title":"y"},{"name":"come","description":"New."},{"name":"quiet"}]`)
	p.typed("filter", "zzz")
	eval[bool](p, `(() => {
		window.printed = null;
		window.addEventListener('beforeprint', () => {
			const shows = s => [...document.querySelectorAll(s)].filter(e => e.checkVisibility({contentVisibilityAuto: false})).length;
			const cut = [...document.querySelectorAll('.tool .digest code, .band .digest code')].filter(e => e.textContent.length !== 64).length;
			printed = {rows: document.querySelectorAll('.row').length, closed: document.querySelectorAll('.result details:not([open])').length, more: document.querySelectorAll('.result [data-more]').length, cut, tools: document.querySelectorAll('.tool').length};
		});
		return true;
	})()`)
	background := true
	pdf, err := chromedp.Call(p.ctx, page.PrintToPDF, page.PrintToPDFParams{PrintBackground: &background})
	if err != nil {
		t.Fatal(err)
	}
	if len(pdf.Data) < 50_000 {
		t.Errorf("the PDF has only %d bytes", len(pdf.Data))
	}
	if screens != "" {
		if err := os.WriteFile(filepath.Join(screens, "print.pdf"), pdf.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	printed := eval[map[string]int](p, `printed`)
	if printed["rows"] < 2500 || printed["closed"] != 0 || printed["more"] != 0 || printed["cut"] != 0 || printed["tools"] != 4 {
		t.Errorf("printed: %v", printed)
	}
	if open := eval[int](p, `document.querySelectorAll('.fold[open]').length`); open != 0 {
		t.Errorf("%d folds stay open after printing", open)
	}
	p.media("print")
	hidden := eval[[]string](p, `[...document.querySelectorAll('.tool, .digest code, .row')].filter(e => !e.closest('.pane') && getComputedStyle(e).display === 'none').map(e => e.className)`)
	clipped := eval[int](p, `[...document.querySelectorAll('.result .digest code')].filter(e => e.scrollWidth > e.clientWidth + 1 && e.checkVisibility()).length`)
	if len(hidden) > 0 || clipped > 0 {
		t.Errorf("in print %d elements are hidden and %d digests are cut", len(hidden), clipped)
	}
}
