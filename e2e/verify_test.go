package e2e

import (
	"bytes"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/manifestseal/manifestseal/engine"
	"github.com/manifestseal/manifestseal/engine/manifest"
	"github.com/manifestseal/manifestseal/engine/seal"
	"github.com/manifestseal/manifestseal/server"
)

const signedAsOf = "2026-05-01T12:00:00.000Z"

// signedReport is a drift report, signed by the independent signer.
func signedReport(t *testing.T, letter, baseline, current string) string {
	t.Helper()
	c, err := engine.Compare([]byte(baseline), []byte(current), engine.Options{AsOf: signedAsOf, Mode: manifest.Lenient})
	if err != nil {
		t.Fatal(err)
	}
	return string(signer(t, c.Report, letter, "https://issuer.example"))
}

func signer(t *testing.T, input []byte, args ...string) []byte {
	t.Helper()
	node := exec.Command("node", append([]string{"recipes/sign.mjs"}, args...)...)
	node.Stdin = bytes.NewReader(input)
	var stderr bytes.Buffer
	node.Stderr = &stderr
	out, err := node.Output()
	if err != nil {
		t.Fatalf("the signer: %v\n%s", err, stderr.String())
	}
	return out
}

// signersKeys is the signer's key, in some state.
func signersKeys(t *testing.T, letter string, change func(*seal.Key)) seal.Keys {
	t.Helper()
	keys, err := seal.ReadKeys(signer(t, nil, letter, "--keys"))
	if err != nil {
		t.Fatal(err)
	}
	if change != nil {
		change(&keys[0])
	}
	return keys
}

// parts are a report's block and summary, each with its signature.
func parts(t *testing.T, report string) (block, summary string) {
	t.Helper()
	v, err := seal.Keys(nil).Examine(report)
	if err != nil {
		t.Fatal(err)
	}
	b, ok := v.Export(seal.SignedBlock)
	s, ok2 := v.Export(seal.SignedSummary)
	if !ok || !ok2 {
		t.Fatal("the report has no block or no summary")
	}
	return string(b), string(s)
}

// withHistory has a server know some keys. The history's own type is internal to
// the server, and need not be named for that.
func withHistory(config server.Config, keys seal.Keys) server.Config {
	config.History = slices.Grow(config.History, len(keys))[:len(keys)]
	for i, key := range keys {
		config.History[i].Key = key
	}
	return config
}

// verifyTab opens a page of a server that knows some keys.
func verifyTab(t *testing.T, keys seal.Keys, path string) *tab {
	t.Helper()
	p := visit(t, serveWith(t, withHistory(server.Config{}, keys)), path)
	p.loaded()
	return p
}

// The key matrix, as a person sees it: no state but the right one looks signed.
func TestVerifyPage(t *testing.T) {
	t.Parallel()
	report := signedReport(t, "a", older, newer)
	block, summary := parts(t, report)
	same := signedReport(t, "a", older, older)
	none := signedReport(t, "a", older, `[]`)
	active := signersKeys(t, "a", nil)
	state := func(s seal.State, at string) seal.Keys {
		return signersKeys(t, "a", func(k *seal.Key) { k.State, k.RetiredAt = s, at })
	}
	common := verifyTab(t, active, "/verify")
	for _, c := range []struct {
		name, document string
		keys           seal.Keys // other than the active one
		check, found   string
		says           string // in the certificate
	}{
		{"changed", report, nil, "valid", "changed", "MANIFEST CHANGED (3 tools)"},
		{"unchanged", same, nil, "valid", "unchanged", "MANIFEST UNCHANGED"},
		{"not compared", none, nil, "valid", "not_compared", "COULD NOT COMPARE"},
		{"summary", summary, nil, "valid", "changed", "the report itself is not here"},
		{"block", block, nil, "valid", "digests", "THE DIGESTS OF ONE MANIFEST"},
		{"retired later", report, state(seal.StateRetired, "2026-05-02T00:00:00Z"), "retired_key", "changed", "retired since 2026-05-02"},
		{"retired before", report, state(seal.StateRetired, "2026-05-01T00:00:00Z"), "signed_after_retirement", "changed", "void by rule"},
		{"revoked", report, state(seal.StateCompromised, ""), "key_revoked", "changed", "All that it ever signed is void"},
		{"unknown", report, signersKeys(t, "b", nil), "unknown_key", "changed", "What it claims; do not rely on it"},
		{"altered", strings.Replace(report, signedAsOf, "2026-05-01T12:00:00.001Z", 1), nil, "signature_invalid", "changed", "not what was signed"},
		{"malformed", strings.Replace(report, "{", `{"\u202enote":1,`, 1), nil, "malformed", "not_compared", "U+202E"},
		{"another version", strings.Replace(report, `"version":"1.1.0"`, `"version":"7"`, 1), nil, "unsupported", "changed", "A newer verifier may"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := common
			if c.keys != nil {
				p = verifyTab(t, c.keys, "/verify")
			}
			p.in(t)
			if got := p.paste("report", c.document); got != "done" {
				t.Fatalf("state %s: %s", got, p.text("status"))
			}
			got := eval[[]string](p, `(c => [document.documentElement.dataset.check, c.dataset.check, c.dataset.found, String(c.dataset.stands !== undefined)])(document.querySelector('[data-testid="certificate"]'))`)
			stands := c.check == "valid" || c.check == "retired_key"
			if want := []string{c.check, c.check, c.found, map[bool]string{true: "true", false: "false"}[stands]}; strings.Join(got, " ") != strings.Join(want, " ") {
				t.Errorf("the page is %v, want %v", got, want)
			}
			text := p.text("certificate")
			if !strings.Contains(text, c.says) {
				t.Errorf("it does not say %q: %.600s", c.says, text)
			}
			if signed := strings.HasPrefix(p.text("headline"), "SIGNED"); signed != stands && c.check != "signed_after_retirement" {
				t.Errorf("the headline is %q", p.text("headline"))
			}
			// The recipes are offered where they would say the same.
			if offered := len(p.texts("recipe")) > 0; offered != stands {
				t.Errorf("recipes: %v", p.texts("recipe"))
			}
			if !stands && strings.Contains(text, "What the issuer signed") {
				t.Error("a claim is told as signed")
			}
		})
	}
}

// Two keys are told apart by who vouches for them, and a development key says so
// everywhere.
func TestVerifyDevelopmentKey(t *testing.T) {
	t.Parallel()
	keys := signersKeys(t, "a", func(k *seal.Key) { k.Development = true })
	p := visit(t, serveWith(t, withHistory(server.Config{Dev: true}, keys)), "/verify")
	p.loaded()
	p.paste("report", signedReport(t, "a", older, older))
	if got := p.text("headline"); got != "DEVELOPMENT KEY" || eval[bool](p, `document.querySelector('[data-stands]') !== null`) {
		t.Errorf("the headline is %q", got)
	}
	if text := p.text("certificate"); !strings.Contains(text, "told by this server, not pinned") || !strings.Contains(text, "What it claims; do not rely on it") {
		t.Errorf("it reads %.500s", text)
	}
}

func TestVerifyMatchesManifest(t *testing.T) {
	t.Parallel()
	report := signedReport(t, "a", older, newer)
	_, summary := parts(t, report)
	p := verifyTab(t, signersKeys(t, "a", nil), "/verify")
	p.paste("manifest", newer)
	if got := p.text("status"); got != "Waiting for the report." {
		t.Errorf("it says %q", got)
	}
	p.paste("report", report)
	for _, c := range []struct {
		report, manifest, state string
		tools                   int
	}{
		{report, newer, "matches", 0},
		{report, " " + newer, "matches", 0},
		{report, older, "matches_baseline", 3},
		{report, strings.Replace(newer, `"name":"come"`, `"name":"went"`, 1), "differs", 2},
		{summary, newer, "matches", 0},
		{summary, `[{"name":"x"}]`, "differs", 0},
	} {
		p.paste("report", c.report)
		p.paste("manifest", c.manifest)
		if got := eval[string](p, `document.querySelector('[data-testid="match"]').dataset.match`); got != c.state || len(p.texts("match-tool")) != c.tools {
			t.Errorf("%.40s against %.40s: %s, tools %v", c.manifest, c.report, got, p.texts("match-tool"))
		}
	}
	// A manifest that can't be read keeps nobody from verifying the report.
	p.paste("manifest", `{"tools":`)
	if p.text("headline") != "SIGNED" || p.text("match") != "" || p.text("problem-manifest") == "" {
		t.Errorf("headline %q, match %q, problem %q", p.text("headline"), p.text("match"), p.text("problem-manifest"))
	}
}

// What is no report is told under its pane, and nothing of an earlier verdict stays.
func TestVerifyRefusesOtherDocuments(t *testing.T) {
	t.Parallel()
	p := verifyTab(t, signersKeys(t, "a", nil), "/verify")
	p.paste("report", signedReport(t, "a", older, older))
	for name, text := range map[string]string{"no JSON": `{"a":`, "a manifest": older, "a lockfile": `{"scheme":"manifestseal-lock/v1"}`, "deep": strings.Repeat("[", 3000)} {
		if got := p.paste("report", text); got != "error" || p.text("outcome") != "" || p.text("problem-report") == "" || eval[bool](p, `document.documentElement.dataset.check !== undefined`) {
			t.Errorf("%s: state %s, outcome %q, problem %q", name, got, p.text("outcome"), p.text("problem-report"))
		}
		if eval[bool](p, `document.querySelector('#takeaway').checkVisibility() || document.querySelector('#exports').checkVisibility()`) {
			t.Errorf("%s: there is something to take away", name)
		}
	}
	p.do(chromedp.Click(byTestID("clear-report")))
	if got := p.settled(); got != "ready" || p.text("outcome") != "" {
		t.Errorf("cleared: %s, %q", got, p.text("outcome"))
	}
}

// A link holds the summary by default and the whole by a button of its own; each is
// verified anew where it is opened.
func TestVerifyLinks(t *testing.T) {
	t.Parallel()
	keys := signersKeys(t, "a", nil)
	p := verifyTab(t, keys, "/verify")
	p.paste("report", signedReport(t, "a", older, newer))
	p.click("share")
	make := func(button string) string {
		t.Helper()
		p.click(button)
		p.until(`document.querySelector('#share-status').textContent !== ''`)
		return strings.TrimPrefix(eval[string](p, `document.querySelector('#link').value`), p.url)
	}
	summary, whole := make("link-summary"), make("link-whole")
	if !strings.HasPrefix(summary, "/verify#s=A") || !strings.HasPrefix(whole, "/verify#r=A") || len(summary) > 1000 {
		t.Fatalf("the links are %.60q (%d) and %.60q", summary, len(summary), whole)
	}
	for link, has := range map[string]bool{summary: false, whole: true} {
		q := verifyTab(t, keys, link)
		if got := q.settled(); got != "done" || q.text("headline") != "SIGNED" || !strings.HasPrefix(q.text("says"), "MANIFEST CHANGED (3 tools)") {
			t.Errorf("%.20s: %s, %q, %q", link, got, q.text("headline"), q.text("says"))
		}
		if shown := strings.Contains(q.text("outcome"), "read_file"); shown != has {
			t.Errorf("%.20s: manifest text is there: %v", link, shown)
		}
		if !strings.Contains(eval[string](q, `location.hash`), link[8:20]) {
			t.Errorf("%.20s: the address lost the document although nobody did anything", link)
		}
		q.paste("report", `{`)
		if eval[string](q, `location.hash`) != "" {
			t.Errorf("%.20s: the address keeps a document that is done with", link)
		}
	}
	// A broken link says so; a good one after it is opened.
	q := verifyTab(t, keys, "/verify#s=AQ")
	if got := q.settled(); got != "error" || !strings.HasPrefix(q.text("outcome"), "COULD NOT OPEN THE LINK") {
		t.Errorf("%s: %.100s", got, q.text("outcome"))
	}
	q.do(chromedp.Navigate(q.url + summary))
	q.until(`document.documentElement.dataset.check === 'valid'`)
}

// A signed baseline on the compare page: digests only, and never compared as if it
// were not signed.
func TestSignedBaseline(t *testing.T) {
	t.Parallel()
	report := signedReport(t, "a", newer, older)
	block, _ := parts(t, report)
	p := verifyTab(t, signersKeys(t, "a", nil), "/")
	for _, document := range []string{report, block} {
		p.paste("baseline", document)
		if got := p.paste("current", newer); got != "done" || p.text("verdict") != "MANIFEST CHANGED (3 tools)" {
			t.Errorf("state %s, verdict %q", got, p.text("verdict"))
		}
		if said := p.text("facts-baseline"); !strings.Contains(said, "signed with the key") || !strings.Contains(said, "old values are not available") || !strings.Contains(said, "a key that this server told") {
			t.Errorf("under the pane: %q", said)
		}
		if text := p.text("outcome"); !strings.Contains(text, "old values are not held") || !strings.Contains(text, "Ignore all previous instructions") {
			t.Errorf("the result: %.600s", text)
		}
		if eval[bool](p, `[...document.querySelectorAll('[data-testid="tool"][data-status="CHANGED"]')].some(tool => tool.querySelector('[data-testid="part"]') === null)`) {
			t.Error("a changed tool shows nothing")
		}
		if p.paste("current", older); p.text("verdict") != "MANIFEST UNCHANGED" {
			t.Errorf("verdict %q", p.text("verdict"))
		}
	}
	stranger := signedReport(t, "b", newer, older)
	for name, document := range map[string]string{
		"unknown key": stranger, "altered": strings.Replace(report, signedAsOf, "2026-05-01T12:00:00.001Z", 1),
		"the signature gone": `{"manifest_digest":` + strings.SplitN(strings.SplitN(block, `"manifest_digest":`, 2)[1], `,"manifest_digest_signature"`, 2)[0] + `}`,
	} {
		if got := p.paste("baseline", document); got != "error" || p.text("problem-baseline") == "" || strings.Contains(p.text("outcome"), "MANIFEST ") {
			t.Errorf("%s: state %s, problem %q, outcome %.100q", name, got, p.text("problem-baseline"), p.text("outcome"))
		}
	}
}
