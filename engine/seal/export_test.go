package seal_test

import (
	"crypto/ed25519"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/manifestseal/manifestseal/engine/enginetest/sign"
	"github.com/manifestseal/manifestseal/engine/seal"
)

func encode(text string) string { return base64.RawURLEncoding.EncodeToString([]byte(text)) }

func exported(t *testing.T, v *seal.Verdict, form string) []byte {
	t.Helper()
	data, ok := v.Export(form)
	if !ok {
		t.Fatalf("there is no %s", form)
	}
	return data
}

// What is taken away verifies with the standard library alone, for each kind.
func TestExportedSignatures(t *testing.T) {
	a := sign.New('a')
	for kind, text := range documents(t) {
		v := examine(t, a.Keys(nil), text)
		block, rest := pem.Decode(exported(t, v, seal.PublicKeyPEM))
		if block == nil || len(rest) > 0 {
			t.Fatalf("%s: no PEM", kind)
		}
		public, err := x509.ParsePKIXPublicKey(block.Bytes)
		if err != nil {
			t.Fatal(err)
		}
		if !ed25519.Verify(public.(ed25519.PublicKey), exported(t, v, seal.SignedBytes), exported(t, v, seal.RawSignature)) {
			t.Errorf("%s: the exported signature does not fit the exported bytes", kind)
		}
		keys, err := seal.ReadKeys(exported(t, v, seal.KeySet))
		if err != nil || len(keys) != 1 || keys[0].ID != a.Key.ID {
			t.Errorf("%s: the exported key set: %v, %v", kind, keys, err)
		}
	}
}

func TestExportedAttestations(t *testing.T) {
	a := sign.New('a')
	v := examine(t, a.Keys(nil), documents(t)[seal.DriftReport])
	payload := exported(t, v, seal.SignedBytes)
	var envelope struct {
		Payload     []byte `json:"payload"`
		PayloadType string `json:"payloadType"`
		Signatures  []struct {
			KeyID string `json:"keyid"`
			Sig   []byte `json:"sig"`
		} `json:"signatures"`
	}
	decode(t, exported(t, v, seal.DSSEEnvelope), &envelope)
	if string(envelope.Payload) != string(payload) || envelope.Signatures[0].KeyID != a.Key.ID || !ed25519.Verify(a.Key.Public, seal.PAE(envelope.Payload), envelope.Signatures[0].Sig) {
		t.Errorf("the envelope does not verify: %+v", envelope)
	}
	var flat struct{ Payload, Protected, Signature string }
	decode(t, exported(t, v, seal.JWSFlattened), &flat)
	compact := string(exported(t, v, seal.JWSCompact))
	if diff := cmp.Diff(flat.Protected+"."+flat.Payload+"."+flat.Signature, compact); diff != "" {
		t.Error(diff)
	}
	signature, err := base64.RawURLEncoding.DecodeString(flat.Signature)
	if err != nil || !ed25519.Verify(a.Key.Public, []byte(flat.Protected+"."+flat.Payload), signature) {
		t.Errorf("the JWS does not verify: %v", err)
	}
	var statement struct {
		Type    string `json:"_type"`
		Subject []struct {
			Name   string
			Digest map[string]string
		}
		Predicate struct{ Envelope json.RawMessage }
	}
	decode(t, exported(t, v, seal.Statement), &statement)
	want := map[string]string{"mcpManifestDriftV1": v.Root.Get("current").Get("aggregate_digest").Text()}
	if diff := cmp.Diff(want, statement.Subject[0].Digest); diff != "" || statement.Subject[0].Name != "mcp-manifest" {
		t.Errorf("%s %s", statement.Subject[0].Name, diff)
	}
	if got := string(statement.Predicate.Envelope); got != strings.TrimSpace(string(exported(t, v, seal.DSSEEnvelope))) {
		t.Errorf("the statement wraps another envelope: %.200s", got)
	}
}

func decode(t *testing.T, data []byte, into any) {
	t.Helper()
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatal(err)
	}
}

// What a document does not have is not made up: no key that is only claimed, no
// envelope without a signature.
func TestNothingIsMadeUp(t *testing.T) {
	docs := documents(t)
	for _, c := range []struct {
		name string
		keys seal.Keys
		text string
		none []string
	}{
		{"unknown key", nil, docs[seal.DriftReport], []string{seal.PublicKeyPEM, seal.KeySet}},
		{"unsigned", nil, string(drift(t, before, after)), []string{seal.RawSignature, seal.PublicKeyPEM, seal.KeySet, seal.DSSEEnvelope, seal.JWSCompact, seal.JWSFlattened, seal.Statement, seal.SignedBlock, seal.SignedSummary}},
		{"could not compare", sign.New('a').Keys(nil), docs[seal.CouldNotCompare], []string{seal.Statement, seal.SignedBlock, seal.SignedSummary}},
		{"summary", sign.New('a').Keys(nil), docs[seal.SummaryAlone], []string{seal.DSSEEnvelope, seal.JWSCompact, seal.JWSFlattened, seal.Statement, seal.SignedBlock}},
		{"a form that nobody knows", sign.New('a').Keys(nil), docs[seal.DriftReport], []string{"pdf", ""}},
	} {
		v := examine(t, c.keys, c.text)
		for _, form := range c.none {
			if data, ok := v.Export(form); ok {
				t.Errorf("%s: there is a %s: %.100s", c.name, form, data)
			}
		}
	}
}
