package engine_test

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"strings"
	"testing"

	"github.com/manifestseal/manifestseal/engine"
	"github.com/manifestseal/manifestseal/engine/jsonvalue"
	"github.com/manifestseal/manifestseal/engine/manifest"
	"github.com/manifestseal/manifestseal/engine/pin"
	"github.com/manifestseal/manifestseal/engine/seal"
	"github.com/manifestseal/manifestseal/engine/view"
)

const (
	before = `[{"name":"a","description":"Reads."}]`
	after  = `[{"name":"a","description":"Writes."}]`
	asOf   = "2026-01-02T03:04:05.678Z"
)

// issuer signs as a service would.
type issuer struct {
	private ed25519.PrivateKey
	key     seal.Key
}

func newIssuer() issuer {
	private := ed25519.NewKeyFromSeed([]byte(strings.Repeat("k", ed25519.SeedSize)))
	public := private.Public().(ed25519.PublicKey)
	return issuer{private, seal.Key{ID: seal.KeyID(public), Public: public, State: seal.StateActive}}
}

func (i issuer) sign(t *testing.T, value string) string {
	t.Helper()
	canonical, _, err := engine.Canonical([]byte(value), engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return `{"algorithm":"ed25519","key_id":"` + i.key.ID + `","public_key":"` + base64.StdEncoding.EncodeToString(i.key.Public) +
		`","value":"` + base64.StdEncoding.EncodeToString(ed25519.Sign(i.private, canonical)) + `"}`
}

func options(keys ...seal.Key) engine.Options {
	return engine.Options{AsOf: asOf, Keys: keys, Mode: manifest.Lenient}
}

func block(t *testing.T) string {
	t.Helper()
	b, err := engine.Digest([]byte(before), options())
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func lockfile(t *testing.T) string {
	t.Helper()
	m, err := manifest.Read([]byte(before), manifest.Wire)
	if err != nil {
		t.Fatal(err)
	}
	l, err := pin.New(m, asOf)
	if err != nil {
		t.Fatal(err)
	}
	return string(l.JSON())
}

// signedReport is a drift report with all its signatures.
func signedReport(t *testing.T, i issuer) string {
	t.Helper()
	c, err := engine.Compare([]byte(before), []byte(before), options())
	if err != nil {
		t.Fatal(err)
	}
	r := strings.TrimSuffix(strings.TrimSpace(string(c.Report)), "}")
	r += `,"manifest_digest_signature":` + i.sign(t, block(t))
	return r + `,"signature":` + i.sign(t, r+"}") + `}`
}

func TestBaselines(t *testing.T) {
	i := newIssuer()
	compromised := i.key
	compromised.State = seal.StateCompromised
	retired := i.key
	retired.State, retired.RetiredAt = seal.StateRetired, "2001-01-01T00:00:00Z"
	plain, err := engine.Compare([]byte(before), []byte(before), options())
	if err != nil {
		t.Fatal(err)
	}
	wrapped := `{"manifest_digest":` + block(t) + `,"manifest_digest_signature":` + i.sign(t, block(t)) + `}`
	report := signedReport(t, i)
	for _, c := range []struct {
		name, baseline string
		keys           []seal.Key
		origin, mode   string // of the report
		class          jsonvalue.Class
		code           string
	}{
		{"manifest", before, nil, "customer_asserted", "manifest", "", ""},
		{"bare block", block(t), nil, "customer_asserted", "digests", "", ""},
		{"unsigned report", string(plain.Report), nil, "customer_asserted", "report", "", ""},
		{"signed block", wrapped, []seal.Key{i.key}, "signed_report", "digests", "", ""},
		{"signed report", report, []seal.Key{i.key}, "signed_report", "report", "", ""},
		{"signed block, unknown key", wrapped, nil, "", "", engine.SignatureError, "unknown_key"},
		{"signed report, unknown key", report, nil, "", "", engine.SignatureError, "unknown_key"},
		{"signed block, revoked key", wrapped, []seal.Key{compromised}, "", "", engine.SignatureError, "key_revoked"},
		{"signed block, dated after the key's retirement", wrapped, []seal.Key{retired}, "", "", engine.SignatureError, "signed_after_retirement"},
		{"altered verdict", strings.Replace(report, "UNCHANGED", "CHANGED", 1), []seal.Key{i.key}, "", "", engine.SignatureError, "signature_invalid"},
		{"signature taken away", `{"manifest_digest":` + block(t) + `}`, []seal.Key{i.key}, "", "", engine.SignatureError, "unsigned"},
		{"report with the block's signature alone", strings.Replace(string(plain.Report), `"reading_notes"`, `"manifest_digest_signature":`+i.sign(t, block(t))+`,"reading_notes"`, 1), []seal.Key{i.key}, "", "", engine.SignatureError, "unsigned"},
		{"altered block", strings.Replace(block(t), `"tool_count":1`, `"tool_count":2`, 1), nil, "", "", engine.BlockError, "inconsistent"},
		{"report with an unknown member", strings.Replace(string(plain.Report), `{`, `{"note":1,`, 1), nil, "", "", engine.SignatureError, "malformed"},
		{"could not compare", `{"criteria_id":"mcp-manifest-drift/v1","verdict":"COULD NOT COMPARE"}`, nil, "", "", jsonvalue.Shape, "report_without_block"},
		{"lockfile", lockfile(t), nil, "customer_asserted", "manifest", "", ""},
		{"lockfile edited by hand", strings.Replace(lockfile(t), "Reads.", "Writes.", 1), nil, "", "", engine.LockfileError, "not_as_written"},
		{"lockfile of nothing", `{"scheme":"manifestseal-lock/v1"}`, nil, "", "", engine.LockfileError, "not_as_written"},
		{"no JSON", `{`, nil, "", "", jsonvalue.Syntax, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := engine.Compare([]byte(c.baseline), []byte(after), options(c.keys...))
			if c.class != "" {
				var e *jsonvalue.Error
				var side *engine.InputError
				if !errors.As(err, &e) || e.Class != c.class || e.Code != c.code || !errors.As(err, &side) || side.Side != "baseline" {
					t.Fatalf("got %v, want class %s, code %s", err, c.class, c.code)
				}
				if e.Advice == "" && e.Class != jsonvalue.Syntax {
					t.Error("the error does not say what to do")
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			doc, err := jsonvalue.Parse(string(got.Report))
			if err != nil {
				t.Fatal(err)
			}
			b := doc.Root().Get("baseline")
			if b.Get("origin").Text() != c.origin || b.Get("mode").Text() != c.mode {
				t.Errorf("origin %s, mode %s", b.Get("origin").Text(), b.Get("mode").Text())
			}
			if signed := c.origin == "signed_report"; signed != (b.Get("key_id").Text() == i.key.ID) {
				t.Errorf("key_id %q", b.Get("key_id").Text())
			}
			if got.State() != view.Changed {
				t.Errorf("state %s", got.State())
			}
		})
	}
}

// Our own documents are refused by name where a manifest is expected.
func TestOwnDocumentsAsCurrent(t *testing.T) {
	for code, document := range map[string]string{
		"own_digest_block": block(t),
		"own_report":       signedReport(t, newIssuer()),
		"own_lockfile":     `{"scheme":"manifestseal-lock/v1","tools":[{"name":"a"}]}`,
	} {
		_, err := engine.Compare([]byte(before), []byte(document), options())
		var e *jsonvalue.Error
		if !errors.As(err, &e) || e.Class != jsonvalue.Shape || e.Code != code {
			t.Errorf("%s: got %v", code, err)
		}
	}
}

// The summary names the report by the digest of its canonical form before it.
func TestSummaryNamesTheReport(t *testing.T) {
	c, err := engine.Compare([]byte(before), []byte(after), options())
	if err != nil {
		t.Fatal(err)
	}
	r, err := seal.ReadReport(string(c.Report))
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256Hex(seal.SummarisedBytes(r.Root))
	if got := r.Root.Get("summary").Get("report_sha256").Text(); got != sum {
		t.Errorf("got %s, want %s", got, sum)
	}
}

func TestMembersStandInTheirOrder(t *testing.T) {
	c, err := engine.Compare([]byte(before), []byte(after), options())
	if err != nil {
		t.Fatal(err)
	}
	at := -1
	for _, member := range []string{"criteria_id", "service", "version", "as_of", "baseline", "current", "verdict", "counts", "tools", "order_changed",
		"changed_description_scan", "poison_delta", "outside_digest", "regrade", "manifest_digest", "reading_notes", "summary"} {
		i := strings.Index(string(c.Report), `"`+member+`":`)
		if member == "baseline" || member == "current" || member == "tools" {
			i = at + 1 // also the name of inner members: only the outer order is asked for
		}
		if i <= at {
			t.Errorf("%s stands at %d, before %d", member, i, at)
		}
		at = max(at, i)
	}
	if !strings.HasSuffix(string(c.Report), "}\n") || strings.Count(string(c.Report), "\n") != 1 {
		t.Error("a report is one line with one LF at its end")
	}
}

func sha256Hex(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// A report that somebody sent is read strictly and shown for what it says.
func TestReportView(t *testing.T) {
	c, err := engine.Compare([]byte(before), []byte(after), options())
	if err != nil {
		t.Fatal(err)
	}
	v, err := engine.ReportView(c.Report)
	if err != nil || v.State != view.Changed || len(v.Tools) != 1 {
		t.Fatalf("%+v, %v", v, err)
	}
	for name, document := range map[string]string{
		"no JSON":          "{",
		"a manifest":       before,
		"another object":   `{"verdict":"MANIFEST UNCHANGED"}`,
		"unknown member":   strings.Replace(string(c.Report), "{", `{"note":"fine",`, 1),
		"repeated verdict": strings.Replace(string(c.Report), `"verdict":`, `"verdict":"MANIFEST UNCHANGED","verdict":`, 1),
		"another criteria": strings.Replace(string(c.Report), "mcp-manifest-drift/v1", "mcp-manifest-claims/v1", 1),
	} {
		if v, err := engine.ReportView([]byte(document)); err == nil {
			t.Errorf("%s: shown as %s", name, v.State)
		}
	}
	forged := strings.Replace(string(c.Report), "MANIFEST CHANGED (1 tools)", "MANIFEST UNCHANGED", 1)
	if v, err := engine.ReportView([]byte(forged)); err != nil || v.State != view.NotCompared {
		t.Errorf("a verdict that its counts deny is shown as %v, %v", v, err)
	}
}
