package e2e

import (
	"strings"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// The label of a report that came in a link leads to where its signatures are
// checked, with the report.
func TestSentReportLeadsToVerification(t *testing.T) {
	t.Parallel()
	p := verifyTab(t, signersKeys(t, "a", nil), "/#r="+linkOf(signedReport(t, "a", older, newer)))
	p.settled()
	follow := chromedp.Click(byTestID("verify-sent"))
	if _, err := chromedp.Run(p.ctx, chromedp.WaitEvent(page.LoadEventFired, nil, follow)); err != nil {
		t.Fatal(err)
	}
	p.until(`location.pathname === '/verify' && document.documentElement.dataset.check !== undefined`)
	if got := p.text("headline"); got != "SIGNED" || !strings.Contains(p.text("outcome"), "read_file") {
		t.Errorf("the headline is %q", got)
	}
}
