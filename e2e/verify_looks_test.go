package e2e

import (
	"testing"

	"github.com/manifestseal/manifestseal/engine"
	"github.com/manifestseal/manifestseal/engine/seal"
)

// signedAudit is an audit report by the independent signer.
func signedAudit(t *testing.T, letter, document string) string {
	t.Helper()
	a, err := engine.Audit([]byte(document), engine.Options{AsOf: signedAsOf})
	if err != nil {
		t.Fatal(err)
	}
	return string(signer(t, a.JSON(), letter, "https://issuer.example"))
}

// The states of the verify page in both themes and at both widths: without a
// finding of axe, and without scrolling in two directions.
func TestVerifyLooks(t *testing.T) {
	t.Parallel()
	keys := signersKeys(t, "a", nil)
	for _, c := range []struct {
		name, report, manifest string
		keys                   seal.Keys
	}{
		{"verify signed", signedReport(t, "a", older, newer), older, keys},
		{"verify hostile", signedReport(t, "b", hostileTools("a"), hostileTools("b")), hostileTools("c"), keys},
		{"verify audit", signedAudit(t, "a", newer), "", keys},
		{"verify empty", "", "", keys},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := verifyTab(t, c.keys, "/verify")
			if c.report != "" {
				p.paste("report", c.report)
				p.click("share")
			}
			if c.manifest != "" {
				p.paste("manifest", c.manifest)
			}
			p.looks(c.name)
			p.media("print")
			p.picture(c.name + " print")
		})
	}
}

// In forced colours what stands and what does not still differ by their frames.
func TestVerifyForcedColours(t *testing.T) {
	t.Parallel()
	p := verifyTab(t, signersKeys(t, "a", nil), "/verify")
	p.look(1280, "forced-colors=active", "prefers-color-scheme=dark")
	frames := map[string]string{}
	for name, report := range map[string]string{"signed": signedReport(t, "a", older, older), "changed": signedReport(t, "a", older, newer), "unknown": signedReport(t, "b", older, older)} {
		p.paste("report", report)
		frame := eval[string](p, `['.certificate', '.seal'].map(e => (s => [s.borderTopStyle, s.borderLeftStyle, s.borderLeftWidth].join(' '))(getComputedStyle(document.querySelector(e)))).join(', ')`)
		for other, taken := range frames {
			if taken == frame {
				t.Errorf("%s and %s have the same frames: %s", name, other, frame)
			}
		}
		frames[name] = frame
		p.picture("verify forced " + name)
	}
}
