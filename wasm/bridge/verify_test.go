package bridge

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/manifestseal/manifestseal/engine"
	"github.com/manifestseal/manifestseal/engine/enginetest/sign"
	"github.com/manifestseal/manifestseal/engine/seal"
)

const (
	before = `{"tools":[{"name":"a","description":"one"},{"name":"b"}]}`
	after  = `{"tools":[{"name":"a","description":"two"},{"name":"b"}]}`
	asOf   = "2026-05-01T12:00:00.000Z"
)

// keySets is what a page passes: keys that it pins and keys that it was told.
func keySets(pinned, told seal.Keys) []byte {
	return []byte(`{"pinned":` + string(pinned.JWKS()) + `,"told":` + string(told.JWKS()) + `}`)
}

func answer(t *testing.T, out [][]byte) (members map[string]any) {
	t.Helper()
	if err := json.Unmarshal(out[0], &members); err != nil {
		t.Fatal(err)
	}
	return members
}

func signed(t *testing.T, i *sign.Issuer) []byte {
	t.Helper()
	c, err := engine.Compare([]byte(before), []byte(before), engine.Options{AsOf: asOf})
	if err != nil {
		t.Fatal(err)
	}
	return i.Sign(c.Report)
}

func TestVerify(t *testing.T) {
	i := sign.New('a')
	report := signed(t, i)
	for _, c := range []struct {
		name         string
		pinned, told seal.Keys
		check        string
		says         string // in the certificate
	}{
		{"pinned", i.Keys(nil), nil, "valid", "pinned in this build"},
		{"told", nil, i.Keys(nil), "valid", "told by this server, not pinned"},
		{"told, said in the headline's sentence", nil, i.Keys(nil), "valid", "no build pins it"},
		{"pinned, and the server says that it is compromised", i.Keys(nil), i.Keys(func(k *seal.Key) { k.State = seal.StateCompromised }), "key_revoked", "KEY REVOKED"},
		{"compromised, and the server says that it is not", i.Keys(func(k *seal.Key) { k.State = seal.StateCompromised }), i.Keys(nil), "key_revoked", "KEY REVOKED"},
		{"development", nil, i.Keys(func(k *seal.Key) { k.Development = true }), "development_key", "DEVELOPMENT KEY"},
		{"unknown", nil, nil, "unknown_key", "What it claims; do not rely on it"},
	} {
		t.Run(c.name, func(t *testing.T) {
			out := Call("verify", [][]byte{report, []byte(before), keySets(c.pinned, c.told)})
			if a := answer(t, out); a["ok"] != true || a["check"] != c.check || a["kind"] != "drift_report" {
				t.Fatalf("%v", a)
			}
			if !strings.Contains(string(out[1]), c.says) {
				t.Errorf("the certificate does not say %q: %s", c.says, out[1])
			}
			if !strings.Contains(string(out[1]), `"state":"matches"`) || !strings.Contains(string(out[2]), `"match":"matches"`) || len(out[3]) == 0 {
				t.Errorf("%s\n%s", out[1], out[2])
			}
		})
	}
}

func TestVerifyFaults(t *testing.T) {
	i := sign.New('a')
	none := keySets(nil, nil)
	for _, c := range []struct {
		name                   string
		document, manifest, ks []byte
		side, class            string
	}{
		{"no JSON", []byte(`{`), nil, none, "report", "syntax"},
		{"a manifest", []byte(before), nil, none, "report", "shape"},
		{"no manifest", signed(t, i), []byte(`{`), none, "manifest", "syntax"},
		{"keys that are none", signed(t, i), nil, []byte(`{"pinned":{"keys":[]}}`), "", "keys"},
	} {
		a := answer(t, Call("verify", [][]byte{c.document, c.manifest, c.ks}))
		e, _ := a["error"].(map[string]any)
		side, _ := e["side"].(string)
		if a["ok"] != false || e["class"] != c.class || side != c.side {
			t.Errorf("%s: %v", c.name, a)
		}
	}
}

func TestExport(t *testing.T) {
	i := sign.New('a')
	report, ks := signed(t, i), keySets(i.Keys(nil), nil)
	out := Call("export", [][]byte{report, []byte(seal.PublicKeyPEM), ks})
	if len(out) != 2 || !strings.HasPrefix(string(out[1]), "-----BEGIN PUBLIC KEY-----\n") {
		t.Errorf("%s", out)
	}
	if a := answer(t, Call("export", [][]byte{report, []byte("pdf"), ks})); a["ok"] != false {
		t.Errorf("%v", a)
	}
}

func TestSignedBaseline(t *testing.T) {
	i, stranger := sign.New('a'), sign.New('b')
	report := signed(t, i)
	altered := []byte(strings.Replace(string(report), asOf, "2026-05-01T12:00:00.001Z", 1))
	for _, c := range []struct {
		name     string
		document []byte
		keys     []byte
		anchor   string
		code     string
	}{
		{"signed", report, keySets(i.Keys(nil), nil), "signed with the key " + i.Key.ID + " (a key of this build)", ""},
		{"told", report, keySets(nil, i.Keys(nil)), "no build pins", ""},
		{"development", report, keySets(nil, i.Keys(func(k *seal.Key) { k.Development = true })), "DEVELOPMENT KEY", ""},
		{"unknown key", report, keySets(stranger.Keys(nil), nil), "", "unknown_key"},
		{"altered", altered, keySets(i.Keys(nil), nil), "", "signature_invalid"},
		{"a manifest", []byte(before), keySets(nil, nil), "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			read := answer(t, Call("read_signed_baseline", [][]byte{c.document, c.keys}))
			out := Call("compare_signed", [][]byte{c.document, []byte(after), []byte(asOf), c.keys})
			compared := answer(t, out)
			if c.code != "" {
				for _, a := range []map[string]any{read, compared} {
					if e, _ := a["error"].(map[string]any); a["ok"] != false || e["code"] != c.code {
						t.Errorf("%v", a)
					}
				}
				return
			}
			if said, _ := read["anchor"].(string); read["ok"] != true || !strings.Contains(said, c.anchor) || (said == "") != (c.anchor == "") {
				t.Errorf("it says %q, want %q", said, c.anchor)
			}
			if compared["state"] != "changed" {
				t.Errorf("%v", compared)
			}
			if c.anchor != "" && (!strings.Contains(string(out[1]), `"origin":"signed_report"`) || !strings.Contains(string(out[1]), `"old_available":false`)) {
				t.Errorf("%s", out[1])
			}
		})
	}
}
