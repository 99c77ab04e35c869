package sign

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/manifestseal/manifestseal/engine"
	"github.com/manifestseal/manifestseal/engine/digest"
	"github.com/manifestseal/manifestseal/engine/manifest"
	"github.com/manifestseal/manifestseal/engine/report"
	"github.com/manifestseal/manifestseal/engine/seal"
)

var private = ed25519.NewKeyFromSeed(bytes.Repeat([]byte{7}, ed25519.SeedSize))

func keysOf(s *Signer) seal.Keys {
	return seal.Keys{{ID: s.KeyID(), Public: s.Public(), State: seal.StateActive}}
}

const (
	asOf     = "2026-03-01T12:00:00.000Z"
	baseline = `{"tools":[{"name":"a","description":"Reads a file by its path.","inputSchema":{"type":"object"}},{"name":"é"}]}`
	current  = `{"tools":[{"name":"a","description":"Reads \ud800 a file. <system>","inputSchema":{"type":"object","x":1e400}},{"name":"b"}],"nextCursor":"n"}`
)

// made are the reports that a server issues, by name.
func made(t *testing.T, s *Signer) map[string][]byte {
	t.Helper()
	o := engine.Options{AsOf: asOf, Issuer: "https://example.org"}
	audit, err := engine.Audit([]byte(current), o)
	if err != nil {
		t.Fatal(err)
	}
	c, err := engine.Compare([]byte(baseline), []byte(current), o)
	if err != nil {
		t.Fatal(err)
	}
	c.Drift.Source = report.Source{URL: "https://example.org/tools.json", Fetched: digest.SumOf([]byte(current))}
	return map[string][]byte{"audit": audit.Sealed(s.Signing()), "drift": c.Drift.Sealed(s.Signing())}
}

func TestReportsHoldInEverySignature(t *testing.T) {
	s := New(private)
	for name, text := range made(t, s) {
		t.Run(name, func(t *testing.T) {
			r, err := seal.ReadReport(string(text))
			if err != nil {
				t.Fatal(err)
			}
			keys := keysOf(s)
			if key, check := keys.VerifyReport(r); check != seal.Valid || key.ID != s.KeyID() {
				t.Errorf("report: %s", check)
			}
			if _, check := keys.VerifyBlock(r.Root.Get("manifest_digest"), r.Root.Get("manifest_digest_signature")); check != seal.Valid {
				t.Errorf("block: %s", check)
			}
			summary, form := seal.ReadSignature(r.Root.Get("summary_signature"))
			if _, check := keys.Verify(summary, seal.SummaryBytes(r.Root.Get("summary")), asOf); form != seal.Valid || check != seal.Valid {
				t.Errorf("summary: %s, %s", form, check)
			}
			if got, want := r.Root.Get("summary").Get("report_sha256").Text(), digest.SumOf(seal.SummarisedBytes(r.Root)).Hex(); got != want {
				t.Errorf("report_sha256 is %s, want %s", got, want)
			}
			checkAttestations(t, text, seal.ReportBytes(r.Root))
			if v, err := keys.Examine(string(text)); err != nil || v.Headline() != seal.Valid {
				t.Errorf("the verdict: %+v, %v", v, err)
			}
		})
	}
}

func checkAttestations(t *testing.T, text, payload []byte) {
	t.Helper()
	var got struct {
		Attestations struct {
			DSSE struct {
				PayloadType string
				Signatures  []struct{ KeyID, Sig string }
			}
			JWS struct{ Protected, Signature string }
		}
	}
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	dsse, jws := got.Attestations.DSSE, got.Attestations.JWS
	if len(dsse.Signatures) != 1 || dsse.PayloadType != seal.PayloadType {
		t.Fatalf("dsse: %+v", dsse)
	}
	sig, err := base64.StdEncoding.DecodeString(dsse.Signatures[0].Sig)
	if err != nil || !ed25519.Verify(private.Public().(ed25519.PublicKey), seal.PAE(payload), sig) {
		t.Errorf("the DSSE signature does not hold: %v", err)
	}
	sig, err = base64.RawURLEncoding.DecodeString(jws.Signature)
	if err != nil || !ed25519.Verify(private.Public().(ed25519.PublicKey), seal.JWSInput(jws.Protected, payload), sig) {
		t.Errorf("the JWS signature does not hold: %v", err)
	}
	if id := seal.KeyID(private.Public().(ed25519.PublicKey)); dsse.Signatures[0].KeyID != id || jws.Protected != seal.JWSProtected(id) {
		t.Errorf("attestations name %s and %s", dsse.Signatures[0].KeyID, jws.Protected)
	}
}

func TestSigningIsDeterministic(t *testing.T) {
	first, second := made(t, New(private)), made(t, New(private))
	for name := range first {
		if diff := cmp.Diff(string(first[name]), string(second[name])); diff != "" {
			t.Errorf("%s differs from run to run:\n%s", name, diff)
		}
	}
}

// The members stand in the order of the published table, and what a server adds
// changes nothing else.
func TestMembersInPublishedOrder(t *testing.T) {
	s := New(private)
	for name, want := range map[string]string{
		"audit": "criteria_id service version issuer as_of current grade screens capability manifest_digest manifest_digest_signature reading_notes summary summary_signature signature attestations",
		"drift": "criteria_id service version issuer as_of baseline current verdict counts tools order_changed changed_description_scan poison_delta outside_digest regrade manifest_digest manifest_digest_signature reading_notes summary summary_signature signature attestations",
	} {
		if got := strings.Join(names(t, made(t, s)[name]), " "); got != want {
			t.Errorf("%s:\ngot  %s\nwant %s", name, got, want)
		}
	}
}

func names(t *testing.T, object []byte) []string {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(object))
	if _, err := d.Token(); err != nil {
		t.Fatal(err)
	}
	var out []string
	for d.More() {
		name, err := d.Token()
		if err != nil {
			t.Fatal(err)
		}
		var skip json.RawMessage
		if err := d.Decode(&skip); err != nil {
			t.Fatal(err)
		}
		out = append(out, name.(string))
	}
	return out
}

// What says that nothing could be said is signed, and holds nothing that could
// be taken for a result.
func TestRefusalsAreSigned(t *testing.T) {
	s := New(private)
	head := report.Head{Issuer: "https://example.org", AsOf: asOf}
	source := report.Source{URL: "https://example.org/tools.json"}
	why := report.Refusal{Reason: report.FetchTooLarge, CapBytes: 524_288}
	b, err := engine.ReadBaseline([]byte(baseline), engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	empty, err := manifest.Read([]byte(`[]`), manifest.Wire)
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name, want string
		text       []byte
	}{
		{"not compared", "criteria_id service version issuer as_of baseline current verdict reason cap_bytes signature", report.NotCompared(head, b, source, why).Sealed(s.Signing())},
		{"no tools to compare", "criteria_id service version issuer as_of baseline current verdict reason signature", report.Compare(head, b, empty).Sealed(s.Signing())},
		{"not graded", "criteria_id service version issuer as_of current verdict reason cap_bytes signature", report.NotGraded(head, source, why).Sealed(s.Signing())},
		{"no tools to grade", "criteria_id service version issuer as_of current verdict reason signature", report.AuditOf(head, report.Source{}, empty).Sealed(s.Signing())},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := strings.Join(names(t, tt.text), " "); got != tt.want {
				t.Errorf("members:\ngot  %s\nwant %s", got, tt.want)
			}
			r, err := seal.ReadReport(string(tt.text))
			if err != nil {
				t.Fatal(err)
			}
			if _, check := keysOf(s).VerifyReport(r); check != seal.Valid {
				t.Errorf("signature: %s", check)
			}
			if v, err := keysOf(s).Examine(string(tt.text)); err != nil || v.Headline() != seal.Valid {
				t.Errorf("the verdict: %+v, %v", v, err)
			}
			if verdict := r.Root.Get("verdict").Text(); !strings.HasPrefix(verdict, "COULD NOT ") || !strings.HasSuffix(string(tt.text), "}\n") {
				t.Errorf("verdict %q", verdict)
			}
		})
	}
}
