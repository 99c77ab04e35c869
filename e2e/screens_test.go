package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// Where pictures of each state go, for whoever wants to look at them.
var screens = os.Getenv("MANIFESTSEAL_SCREENS")

// picture keeps what the page looks like, whole.
func (p *tab) picture(name string) {
	p.t.Helper()
	if screens == "" {
		return
	}
	beyond := true
	size := eval[struct {
		Width  float64 `json:"width"`
		Height float64 `json:"height"`
	}](p, `({width: innerWidth, height: Math.min(document.documentElement.scrollHeight, 3600)})`)
	shot, err := chromedp.Call(p.ctx, page.CaptureScreenshot, page.CaptureScreenshotParams{
		CaptureBeyondViewport: &beyond, Clip: &page.Viewport{Width: size.Width, Height: size.Height, Scale: 1},
	})
	if err != nil {
		p.t.Fatal(err)
	}
	file := filepath.Join(screens, strings.ReplaceAll(name, " ", "-")+".png")
	if err := os.WriteFile(file, shot.Data, 0o644); err != nil {
		p.t.Fatal(err)
	}
}

// Pairs from the world, for looking at.
func TestRealPairs(t *testing.T) {
	t.Parallel()
	for _, pair := range []struct{ name, baseline, current string }{
		{"github", "manifests/github-mcp-server/0.30.0.json", "manifests/github-mcp-server/1.0.0.json"},
		{"rugpull", "poisoned/rugpull/mcp-shield-fact.before.json", "poisoned/rugpull/mcp-shield-fact.after.json"},
		{"rugpull parameter", "poisoned/rugpull/syn-param-description.before.json", "poisoned/rugpull/syn-param-description.after.json"},
	} {
		t.Run(pair.name, func(t *testing.T) {
			t.Parallel()
			baseline, current := ofCorpus(t, pair.baseline), ofCorpus(t, pair.current)
			p := newTab(t, "/")
			p.loaded()
			p.open("baseline", baseline)
			if state := p.open("current", current); state != "done" || !strings.HasPrefix(p.text("verdict"), "MANIFEST CHANGED") {
				t.Errorf("state %s, verdict %q", state, p.text("verdict"))
			}
			for _, width := range []int64{320, 1280} {
				p.look(width, "prefers-color-scheme=light")
				if over := eval[float64](p, `document.documentElement.scrollWidth - innerWidth`); over > 0 {
					t.Errorf("%d px: the page is %v px wider than the screen; %s", width, over, p.widest())
				}
				p.picture(fmt.Sprintf("%s %d", pair.name, width))
			}
			p.media("print")
			p.picture(pair.name + " print")
		})
	}
}
