package cli

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/manifestseal/manifestseal/engine"
	"github.com/manifestseal/manifestseal/engine/enginetest/sign"
	"github.com/manifestseal/manifestseal/engine/manifest"
	"github.com/manifestseal/manifestseal/engine/seal"
)

const (
	verifyBefore = `{"tools":[{"name":"a","description":"one"},{"name":"b"}]}`
	verifyAfter  = `{"tools":[{"name":"a","description":"two"},{"name":"b"}]}`
	verifyAsOf   = "2026-05-01T12:00:00.000Z"
)

func jwks(i *sign.Issuer, change func(*seal.Key)) string { return string(i.Keys(change).JWKS()) }

// verifyFiles are reports and key sets in every state that the command tells.
func verifyFiles(t *testing.T) func(string) string {
	t.Helper()
	a, b := sign.New('a'), sign.New('b')
	c, err := engine.Compare([]byte(verifyBefore), []byte(verifyAfter), engine.Options{AsOf: verifyAsOf, Mode: manifest.Lenient})
	if err != nil {
		t.Fatal(err)
	}
	none, err := engine.Compare([]byte(verifyBefore), []byte(`[]`), engine.Options{AsOf: verifyAsOf})
	if err != nil {
		t.Fatal(err)
	}
	report := string(a.Sign(c.Report))
	v, err := a.Keys(nil).Examine(report)
	if err != nil {
		t.Fatal(err)
	}
	summary, _ := v.Export(seal.SignedSummary)
	block, _ := v.Export(seal.SignedBlock)
	return files(t, map[string]string{
		"report": report, "summary": string(summary), "block": string(block), "not-compared": string(a.Sign(none.Report)),
		"unsigned": string(c.Report), "altered": strings.Replace(report, verifyAsOf, "2026-05-01T12:00:00.001Z", 1),
		"malformed": strings.Replace(report, `{`, `{"note\u001b[2J":"x",`, 1), "other-criteria": strings.Replace(report, "mcp-manifest-drift/v1", "mcp-manifest-drift/v9", 1),
		"broken": `{`, "before": verifyBefore, "after": verifyAfter, "empty": "",
		"active": jwks(a, nil), "stranger": jwks(b, nil),
		"later":       jwks(a, func(k *seal.Key) { k.State, k.RetiredAt = seal.StateRetired, "2026-05-01T12:00:00.001Z" }),
		"earlier":     jwks(a, func(k *seal.Key) { k.State, k.RetiredAt = seal.StateRetired, verifyAsOf }),
		"compromised": jwks(a, func(k *seal.Key) { k.State = seal.StateCompromised }),
		"development": jwks(a, func(k *seal.Key) { k.Development = true }),
		"no-set":      `{"keys":[{"kty":"RSA"}]}`,
	})
}

func TestVerifyStatus(t *testing.T) {
	path := verifyFiles(t)
	for _, tt := range []struct {
		report, keys, manifest string
		want                   int
		check                  string
	}{
		{"report", "active", "", 0, "valid"},
		{"summary", "active", "", 0, "valid"},
		{"block", "active", "", 0, "valid"},
		{"not-compared", "active", "", 0, "valid"},
		{"report", "later", "", 0, "retired_key"},
		{"report", "earlier", "", 1, "signed_after_retirement"},
		{"report", "compromised", "", 1, "key_revoked"},
		{"report", "development", "", 2, "development_key"},
		{"report", "stranger", "", 2, "unknown_key"},
		{"report", "", "", 2, "unknown_key"},
		{"unsigned", "active", "", 2, "unsigned"},
		{"altered", "active", "", 1, "signature_invalid"},
		{"altered", "stranger", "", 1, "mismatch"},
		{"malformed", "active", "", 2, "malformed"},
		{"other-criteria", "active", "", 2, "unsupported"},
		{"report", "active", "after", 0, "valid"},
		{"report", "active", "before", 1, "valid"},
		{"summary", "active", "before", 1, "valid"},
		{"not-compared", "active", "before", 2, "valid"},
		{"report", "stranger", "after", 2, "unknown_key"},
		{"altered", "active", "after", 1, "signature_invalid"},
		{"report", "active", "broken", 2, ""},
		{"report", "active", "empty", 2, ""},
		{"report", "active", "missing", 2, ""},
		{"report", "no-set", "", 2, ""},
		{"report", "missing", "", 2, ""},
		{"broken", "active", "", 2, ""},
		{"before", "active", "", 2, ""},
		{"missing", "active", "", 2, ""},
	} {
		t.Run(tt.report+" "+tt.keys+" "+tt.manifest, func(t *testing.T) {
			args := []string{"verify", path(tt.report)}
			if tt.keys != "" {
				args = append(args, "--keys", path(tt.keys))
			}
			if tt.manifest != "" {
				args = append(args, "--manifest", path(tt.manifest))
			}
			text := run(t, "", append(args, "--format", "text")...)
			got := run(t, "", append(args, "--format", "json")...)
			if got.status != tt.want || text.status != tt.want {
				t.Errorf("status %d and %d in text, want %d\n%s%s", got.status, text.status, tt.want, got.stdout, got.stderr)
			}
			var answer struct {
				Check string
				Error map[string]any
			}
			if err := json.Unmarshal([]byte(got.stdout), &answer); err != nil || answer.Check != tt.check || (answer.Error != nil) != (tt.check == "") {
				t.Errorf("check %q, want %q (%v): %s", answer.Check, tt.check, err, got.stdout)
			}
			// No state but the right ones reads as signed.
			if signed := strings.HasPrefix(text.stdout, "SIGNED\n") || strings.HasPrefix(text.stdout, "SIGNED, BY"); signed != (tt.check == "valid" || tt.check == "retired_key") {
				t.Errorf("the text begins with %.60q", text.stdout)
			}
			for _, output := range []string{text.stdout, text.stderr} {
				if c, bad := firstControl(output); bad {
					t.Errorf("it holds U+%04X: %q", c, output)
				}
			}
		})
	}
}

func TestVerifySeveral(t *testing.T) {
	path := verifyFiles(t)
	got := run(t, "", "verify", path("report"), path("altered"), path("broken"), "--keys", path("active"))
	lines := strings.Split(strings.TrimSpace(got.stdout), "\n")
	if got.status != 2 || len(lines) != 3 || !strings.Contains(lines[0], `"result":{"check":"valid"`) || !strings.Contains(lines[1], `"check":"signature_invalid"`) || !strings.Contains(lines[2], `"error":`) {
		t.Errorf("status %d:\n%s", got.status, got.stdout)
	}
	if got := run(t, "", "verify", "-", "--keys", "-"); got.status != 2 || !strings.Contains(got.stderr, "named twice") {
		t.Errorf("standard input twice: %d %s", got.status, got.stderr)
	}
	if got := run(t, "", "verify"); got.status != 2 || !strings.Contains(got.stderr, "no report is named") {
		t.Errorf("no report: %d %s", got.status, got.stderr)
	}
}

func TestVerifyExport(t *testing.T) {
	path := verifyFiles(t)
	for _, tt := range []struct {
		report, keys, form string
		want               int
		begins             string
	}{
		{"report", "active", "public_key", 0, "-----BEGIN PUBLIC KEY-----"},
		{"report", "active", "signed", 0, `{"as_of":"`},
		{"report", "active", "dsse", 0, `{"payload":"`},
		{"report", "active", "block", 0, `{"manifest_digest":{`},
		{"altered", "active", "signed", 1, `{"as_of":"`},
		{"report", "stranger", "dsse", 2, `{"payload":"`},
		{"report", "development", "dsse", 2, `{"payload":"`},
		{"report", "stranger", "public_key", 2, ""},
		{"unsigned", "active", "jws", 2, ""},
		{"report", "active", "pdf", 2, ""},
		{"broken", "active", "signed", 2, ""},
	} {
		got := run(t, "", "verify", path(tt.report), "--keys", path(tt.keys), "--export", tt.form, "--format", "text")
		if got.status != tt.want || !strings.HasPrefix(got.stdout, tt.begins) || (tt.begins == "") != (got.stdout == "") || (got.stderr == "") != (tt.want == 0) {
			t.Errorf("%s under %s as %s: status %d, want %d: %.100q %q", tt.report, tt.keys, tt.form, got.status, tt.want, got.stdout, got.stderr)
		}
	}
	if got := run(t, "", "verify", path("report"), path("report"), "--export", "signed"); got.status != 2 {
		t.Errorf("two reports: %d", got.status)
	}
}

// A signed baseline: what stands is compared, digests only; nothing else is ever
// compared as if it were a plain block.
func TestDriftAgainstSignedBaseline(t *testing.T) {
	path := verifyFiles(t)
	for _, tt := range []struct {
		baseline, keys, current string
		want                    int
		says                    string
	}{
		{"report", "active", "after", 0, `"origin":"signed_report","mode":"report"`},
		{"block", "active", "after", 0, `"origin":"signed_report","mode":"digests"`},
		{"block", "active", "before", 1, `"old_available":false`},
		{"block", "later", "before", 1, `"old_available":false`},
		{"block", "development", "after", 0, `"origin":"signed_report"`},
		{"block", "earlier", "before", 2, `"code":"signed_after_retirement"`},
		{"block", "compromised", "before", 2, `"code":"key_revoked"`},
		{"block", "stranger", "before", 2, `"code":"unknown_key"`},
		{"block", "", "after", 2, `"code":"unknown_key"`},
		{"altered", "active", "after", 2, `"code":"signature_invalid"`},
		{"unsigned", "", "after", 0, `"origin":"customer_asserted","mode":"report"`},
	} {
		args := []string{"drift", "--baseline", path(tt.baseline), "--current", path(tt.current), "--format", "json"}
		if tt.keys != "" {
			args = append(args, "--keys", path(tt.keys))
		}
		if got := run(t, "", args...); got.status != tt.want || !strings.Contains(got.stdout, tt.says) {
			t.Errorf("%s under %s: status %d, want %d: %.300s %s", tt.baseline, tt.keys, got.status, tt.want, got.stdout, got.stderr)
		} else if strings.Contains(got.stderr, "DEVELOPMENT KEY") != (tt.keys == "development") {
			t.Errorf("%s under %s: it says %q", tt.baseline, tt.keys, got.stderr)
		}
	}
}
