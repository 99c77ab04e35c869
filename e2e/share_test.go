package e2e

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// A report goes out by an explicit action, comes back the same, and says what
// it is worth.
func TestShareLink(t *testing.T) {
	t.Parallel()
	p := examplePair(t)
	p.until(`document.documentElement.dataset.sealed !== undefined`)
	mine := p.download("download")
	if eval[bool](p, `document.querySelector('#share-panel').checkVisibility() || document.querySelector('#link').value !== ''`) {
		t.Error("a link is there before anybody asked for it")
	}
	p.click("share")
	if said := p.text("share-panel"); !strings.Contains(said, "whole report") || !strings.Contains(said, "old and new text") {
		t.Errorf("the panel does not say what the link holds: %q", said)
	}
	p.click("make-link")
	p.until(`document.querySelector('#link').value !== ''`)
	link := eval[string](p, `document.querySelector('#link').value`)
	if !strings.HasPrefix(link, p.url+"/#r=AX") && !strings.HasPrefix(link, p.url+"/#r=A") {
		t.Fatalf("the link is %.80q", link)
	}
	if at := eval[string](p, `location.href`); strings.Contains(at, "#r=") {
		t.Error("the page's own address holds the report")
	}
	verdict, tools := p.text("verdict"), len(p.texts("tool"))

	q := newTab(t, strings.TrimPrefix(link, p.url))
	q.loaded()
	if state := q.settled(); state != "done" || q.text("verdict") != verdict || len(q.texts("tool")) != tools {
		t.Errorf("opened: state %s, verdict %q, %d tools", state, q.text("verdict"), len(q.texts("tool")))
	}
	if said := q.text("sent"); !strings.HasPrefix(said, "Unsigned, as sent to you") {
		t.Errorf("the label reads %q", said)
	}
	if eval[bool](q, `document.querySelector('.panes').checkVisibility()`) {
		t.Error("the panes stand beside a report from somebody else")
	}
	if sent := q.download("download"); !bytes.Equal(mine, sent) {
		t.Error("the report that came is not the one that went")
	}
	if !strings.Contains(eval[string](q, `location.hash`), "#r=") {
		t.Error("the address lost the report although nobody did anything")
	}
	q.click("put-away")
	q.settled()
	if eval[string](q, `location.hash`) != "" || q.text("outcome") != "" || q.text("sent") != "" || !eval[bool](q, `document.querySelector('.panes').checkVisibility()`) {
		t.Errorf("put away, and there is still %q and %q", eval[string](q, `location.hash`), q.text("outcome"))
	}
}

// A link that can't be opened says what is wrong, and nothing looks unchanged.
func TestBrokenLinks(t *testing.T) {
	t.Parallel()
	whole := linkOf(sentReport)
	unchanged := `{"criteria_id":"mcp-manifest-drift/v1","verdict":"MANIFEST UNCHANGED","counts":{"unchanged":1,"changed":0,"added":0,"removed":0}`
	p := newTab(t, "/docs")
	for i, c := range []struct{ name, fragment, says string }{
		{"nothing", "", "damaged"},
		{"no base64url", "A+/=", "damaged"},
		{"version 2", packed(2, []byte(sentReport)), "version"},
		{"cut", whole[:len(whole)/2], "damaged"},
		{"more after the end", packed(1, []byte(sentReport)) + "AAAA", "damaged"},
		{"longer than a link may be", strings.Repeat("A", 65*1024), "longer than 64 KiB"},
		{"a gigabyte", packedZeros(1 << 30), "longer than 64 KiB"},
		{"more than it may unpack to", packedZeros(40 << 20), "more than 8 MiB"},
		{"no JSON", packed(1, []byte("MANIFEST UNCHANGED")), "no drift report"},
		{"JSON that is no report", packed(1, []byte(`{"verdict":"MANIFEST UNCHANGED"}`)), "no drift report"},
		{"another criteria", packed(1, []byte(`{"criteria_id":"mcp-manifest-claims/v1"}`)), "no drift report"},
		{"a repeated member", packed(1, []byte(unchanged+`,"verdict":"MANIFEST CHANGED"}`)), "no drift report"},
		{"a member of its own", packed(1, []byte(unchanged+`,"\u202ex":1}`)), "U+202E"},
		{"no UTF-8", packed(1, []byte(unchanged+",\"as_of\":\"\xff\"}")), "no drift report"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p.in(t)
			if i == 0 {
				p.do(chromedp.Navigate(p.url + "/#r=" + c.fragment)) // the page is loaded with it
				p.loaded()
			} else {
				eval[bool](p, `(location.hash = `+string(quoted(t, "#r="+c.fragment))+`, true)`)
			}
			if state := p.settled(); state != "error" {
				t.Errorf("the page's state is %s", state)
			}
			if got := p.text("outcome"); !strings.HasPrefix(got, "COULD NOT OPEN THE REPORT") || !strings.Contains(got, c.says) || strings.Contains(got, "MANIFEST UNCHANGED") {
				t.Errorf("the outcome reads %.300q, want something of %q", got, c.says)
			}
			if eval[bool](p, `document.querySelector('#outcome [data-state="unchanged"]') !== null || document.querySelector('.result').dataset.state !== 'not_compared'`) {
				t.Error("it is painted as a result")
			}
			// The page is alive, and the reader's own comparison takes its place.
			p.paste("baseline", older)
			p.paste("current", older)
			if p.text("verdict") != "MANIFEST UNCHANGED" || eval[string](p, `location.hash`) != "" {
				t.Errorf("afterwards: %q at %.40q", p.text("verdict"), eval[string](p, `location.hash`))
			}
		})
	}
}

// A report that contradicts itself is no result, whoever sent it.
func TestSentReportContradictsItself(t *testing.T) {
	t.Parallel()
	p := newTab(t, "/#r="+linkOf(strings.Replace(sentReport, "MANIFEST CHANGED (1 tools)", "MANIFEST UNCHANGED", 1)))
	p.loaded()
	p.settled()
	if got := eval[string](p, `document.querySelector('.result').dataset.state`); got != "not_compared" {
		t.Errorf("it is painted as %q", got)
	}
}

// What is too long for a link is offered as a file.
func TestTooLongForALink(t *testing.T) {
	t.Parallel()
	p := newTab(t, "/")
	p.loaded()
	var noise strings.Builder
	for i := range uint32(60_000) {
		noise.WriteByte("abcdefghijklmnopqrstuvwxyz"[(i*i*2654435761>>13)%26])
	}
	p.open("baseline", write(t, "old.json", `[{"name":"t","description":"`+noise.String()+`"}]`))
	p.open("current", write(t, "new.json", `[{"name":"t","description":"x`+strings.ToUpper(noise.String())+`"}]`))
	p.click("share")
	p.click("make-link")
	p.until(`document.querySelector('#share-status').textContent !== ''`)
	if said := p.text("share-status"); !strings.Contains(said, "64 KiB") || !strings.Contains(said, "file") {
		t.Errorf("it says %q", said)
	}
	if eval[bool](p, `document.querySelector('#link').checkVisibility()`) {
		t.Error("a link is shown")
	}
}

// A link that is opened in a page at work takes its place there too.
func TestLinkIntoAnOpenPage(t *testing.T) {
	t.Parallel()
	p := examplePair(t)
	p.do(chromedp.Navigate(p.url + "/#r=" + linkOf(sentReport)))
	if state := p.settled(); state != "done" || p.text("verdict") != "MANIFEST CHANGED (1 tools)" || p.text("sent") == "" {
		t.Errorf("state %s, verdict %q, label %q", state, p.text("verdict"), p.text("sent"))
	}
	var report map[string]any
	if err := json.Unmarshal(p.download("download"), &report); err != nil || report["verdict"] != "MANIFEST CHANGED (1 tools)" {
		t.Errorf("the report: %v, %v", report["verdict"], err)
	}
}
