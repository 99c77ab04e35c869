package submission

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/manifestseal/manifestseal/engine"
	"github.com/manifestseal/manifestseal/engine/seal"
	"github.com/manifestseal/manifestseal/server/internal/fetch"
	"github.com/manifestseal/manifestseal/server/internal/sign"
)

const (
	tools  = `{"tools":[{"name":"read","description":"Reads a file."},{"name":"list"}]}`
	wallet = "4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU"
	asOf   = "2026-03-01T12:00:00.000Z"
)

func signer(seed byte) *sign.Signer {
	return sign.New(ed25519.NewKeyFromSeed(bytes.Repeat([]byte{seed}, ed25519.SeedSize)))
}

func key(s *sign.Signer, state seal.State, retiredAt string) seal.Key {
	return seal.Key{ID: s.KeyID(), Public: s.Public(), State: state, RetiredAt: retiredAt}
}

// parts are a report, and its block and signature, as they were issued.
type parts struct {
	report           string
	Block            json.RawMessage `json:"manifest_digest"`
	Signature        json.RawMessage `json:"manifest_digest_signature"`
	SummarySignature json.RawMessage `json:"summary_signature"`
}

func issue(t *testing.T, s *sign.Signer) parts {
	t.Helper()
	audit, err := engine.Audit([]byte(tools), engine.Options{AsOf: asOf, Issuer: "https://example.org"})
	if err != nil {
		t.Fatal(err)
	}
	p := parts{report: string(audit.Sealed(s.Signing()))}
	if err := json.Unmarshal([]byte(p.report), &p); err != nil {
		t.Fatal(err)
	}
	return p
}

func (p parts) pair() string { return pair(string(p.Block), string(p.Signature)) }

func pair(block, signature string) string {
	return `"baseline_digests":` + block + `,"baseline_signature":` + signature
}

func (p parts) bare() string {
	var s struct{ Value string }
	if err := json.Unmarshal(p.Signature, &s); err != nil {
		panic(err)
	}
	return `"` + s.Value + `"`
}

func refused(t *testing.T, r *Reader, kind Kind, body, code, pointer string) {
	t.Helper()
	s, err := r.Read([]byte(body), kind)
	var refusal *Refusal
	if !errors.As(err, &refusal) || s != nil {
		t.Fatalf("got %+v, %v, want the refusal %s", s, err, code)
	}
	if refusal.Code != code || refusal.Pointer != pointer || !strings.HasSuffix(refusal.Detail, ".") && !strings.HasSuffix(refusal.Detail, "…") {
		t.Errorf("got %+v, want %s at %q", refusal, code, pointer)
	}
}

func reader(keys ...seal.Key) *Reader { return &Reader{Keys: keys, Fetch: fetch.New()} }

// Who may hold a baseline against us, by the state of the key that signed it.
func TestBaselineByKey(t *testing.T) {
	ours, stranger := signer(1), signer(2)
	p := issue(t, ours)
	active, before, after := key(ours, seal.StateActive, ""), key(ours, seal.StateRetired, "2026-02-01T00:00:00Z"), key(ours, seal.StateRetired, "2026-04-01T00:00:00Z")
	bareKey := pair(string(p.Block), p.bare())
	tests := []struct {
		name, baseline string
		keys           []seal.Key
		code, pointer  string // "" for accepted
	}{
		{"active", p.pair(), []seal.Key{active}, "", ""},
		{"active, bare", bareKey, []seal.Key{key(stranger, seal.StateActive, ""), active}, "", ""},
		{"active, report", `"baseline_report":` + p.report, []seal.Key{active}, "", ""},
		{"retired since", p.pair(), []seal.Key{after}, "", ""},
		{"retired since, bare", bareKey, []seal.Key{after}, "", ""},
		{"retired since, report", `"baseline_report":` + p.report, []seal.Key{after}, "", ""},
		{"retired before", p.pair(), []seal.Key{before}, "baseline_signed_after_retirement", "/baseline_signature"},
		{"retired before, bare", bareKey, []seal.Key{before}, "baseline_signed_after_retirement", "/baseline_signature"},
		{"retired before, report", `"baseline_report":` + p.report, []seal.Key{before}, "baseline_signed_after_retirement", "/baseline_report"},
		{"retired nobody knows when", p.pair(), []seal.Key{key(ours, seal.StateRetired, "")}, "baseline_signed_after_retirement", "/baseline_signature"},
		{"compromised", p.pair(), []seal.Key{key(ours, seal.StateCompromised, "")}, "baseline_key_revoked", "/baseline_signature"},
		{"compromised, bare", bareKey, []seal.Key{key(ours, seal.StateCompromised, "")}, "baseline_unknown_key", "/baseline_signature"},
		{"compromised, report", `"baseline_report":` + p.report, []seal.Key{key(ours, seal.StateCompromised, "")}, "baseline_key_revoked", "/baseline_report"},
		{"unknown", p.pair(), []seal.Key{key(stranger, seal.StateActive, "")}, "baseline_unknown_key", "/baseline_signature"},
		{"unknown, report", `"baseline_report":` + p.report, []seal.Key{key(stranger, seal.StateActive, "")}, "baseline_unknown_key", "/baseline_report"},
		{"no keys at all", p.pair(), nil, "baseline_unknown_key", "/baseline_signature"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			body := `{` + tt.baseline + `,"manifest":` + tools + `}`
			if tt.code != "" {
				refused(t, reader(tt.keys...), Drift, body, tt.code, tt.pointer)
				return
			}
			s, err := reader(tt.keys...).Read([]byte(body), Drift)
			if err != nil {
				t.Fatal(err)
			}
			if s.Baseline.Origin != "signed_report" || s.Baseline.KeyID != ours.KeyID() || len(s.Baseline.Block.Tools) != 2 {
				t.Errorf("got %+v", s.Baseline)
			}
		})
	}
}

func TestAlteredBaselines(t *testing.T) {
	ours := signer(1)
	p := issue(t, ours)
	swap := func(text, from, to string) string {
		if !strings.Contains(text, from) {
			t.Fatalf("%q is not there to be changed", from)
		}
		return strings.Replace(text, from, to, 1)
	}
	block, signature := string(p.Block), string(p.Signature)
	digest := block[strings.Index(block, `"digest":"`)+10:][:64]
	tests := []struct{ name, baseline, code, pointer string }{
		{"a digest of the block", pair(swap(block, digest, strings.Repeat("0", 64)), signature), "baseline_digests_inconsistent", "/baseline_digests"},
		{"the block's date", pair(swap(block, "2026-03-01", "2026-03-02"), signature), "baseline_signature_invalid", "/baseline_signature"},
		{"a field digest", pair(swap(block, `"annotations":null`, `"annotations":"`+digest+`"`), signature), "baseline_signature_invalid", "/baseline_signature"},
		{"a name and not the aggregate", pair(swap(block, `"read"`, `"reed"`), signature), "baseline_digests_inconsistent", "/baseline_digests"},
		{"the count", pair(swap(block, `"tool_count":2`, `"tool_count":3`), signature), "baseline_digests_inconsistent", "/baseline_digests"},
		{"a digest in capitals", pair(swap(block, digest, strings.ToUpper(digest)), signature), "baseline_digests_inconsistent", "/baseline_digests"},
		{"a member more", pair(swap(block, `{`, `{"x":1,`), signature), "baseline_digests_inconsistent", "/baseline_digests"},
		{"a member twice", pair(swap(block, `{`, `{"tool_count":2,`), signature), "baseline_digests_inconsistent", "/baseline_digests"},
		{"the signature's value", pair(block, swap(signature, `"value":"`, `"value":"AAAA`)), "baseline_malformed", "/baseline_signature"},
		{"a bit of the signature", pair(block, flip(t, signature)), "baseline_signature_invalid", "/baseline_signature"},
		{"the signature's key", pair(block, swap(signature, `"public_key":"`+base64.StdEncoding.EncodeToString(ours.Public()), `"public_key":"`+base64.StdEncoding.EncodeToString(signer(2).Public()))), "baseline_signature_invalid", "/baseline_signature"},
		{"the signature's algorithm", pair(block, swap(signature, `"ed25519"`, `"rsa"`)), "baseline_unsupported", "/baseline_signature"},
		{"the signature of something else", pair(block, string(p.SummarySignature)), "baseline_signature_invalid", "/baseline_signature"},
		{"a null signature", pair(block, `null`), "baseline_malformed", "/baseline_signature"},
		{"a null block", pair(`null`, signature), "baseline_digests_inconsistent", "/baseline_digests"},
		{"a report for a block", pair(p.report, signature), "baseline_digests_inconsistent", "/baseline_digests"},
		{"a grade of the report", `"baseline_report":` + swap(p.report, `"score":`, `"score":1`), "baseline_signature_invalid", "/baseline_report"},
		{"a member of the report more", `"baseline_report":` + swap(p.report, `{`, `{"note":"trust me",`), "baseline_malformed", "/baseline_report"},
		{"a member of the report twice", `"baseline_report":` + swap(p.report, `{`, `{"version":"1",`), "baseline_malformed", "/baseline_report"},
		{"no signature on the report", `"baseline_report":` + strip(t, p.report, "signature", "manifest_digest_signature", "summary_signature", "attestations"), "baseline_unsigned", "/baseline_report"},
		{"no signature on the whole report", `"baseline_report":` + strip(t, p.report, "signature"), "baseline_unsigned", "/baseline_report"},
		{"a manifest for a report", `"baseline_report":` + tools, "baseline_unreadable", "/baseline_report"},
		{"a null report", `"baseline_report":null`, "baseline_unreadable", "/baseline_report"},
		{"a report for a manifest", `"baseline_manifest":` + p.report, "not_a_manifest", "/baseline_manifest"},
		{"a block for a manifest", `"baseline_manifest":` + block, "not_a_manifest", "/baseline_manifest"},
		{"a null manifest", `"baseline_manifest":null`, "not_a_manifest", "/baseline_manifest"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			refused(t, reader(key(ours, seal.StateActive, "")), Drift, `{`+tt.baseline+`,"manifest":`+tools+`}`, tt.code, tt.pointer)
		})
	}
}

// flip changes one bit of a signature object's value.
func flip(t *testing.T, signature string) string {
	t.Helper()
	var s map[string]string
	if err := json.Unmarshal([]byte(signature), &s); err != nil {
		t.Fatal(err)
	}
	value, err := base64.StdEncoding.DecodeString(s["value"])
	if err != nil {
		t.Fatal(err)
	}
	value[20] ^= 4
	s["value"] = base64.StdEncoding.EncodeToString(value)
	return marshal(t, s)
}

func strip(t *testing.T, report string, names ...string) string {
	t.Helper()
	var r map[string]json.RawMessage
	if err := json.Unmarshal([]byte(report), &r); err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		delete(r, name)
	}
	return marshal(t, r)
}

func marshal(t *testing.T, v any) string {
	t.Helper()
	out, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func TestBodies(t *testing.T) {
	const m, b = `"manifest":` + tools, `"baseline_manifest":` + tools
	deep := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	tests := []struct {
		name          string
		kind          Kind
		body          string
		code, pointer string
	}{
		{"empty", Audit, ``, "invalid_json", ""},
		{"no JSON", Audit, `{"manifest":`, "invalid_json", ""},
		{"trailing comma", Audit, `{` + m + `,}`, "invalid_json", ""},
		{"two documents", Audit, `{` + m + `}{}`, "invalid_json", ""},
		{"no object", Audit, `[` + tools + `]`, "not_an_object", ""},
		{"null", Audit, `null`, "not_an_object", ""},
		{"not UTF-8", Audit, "{\"manifest\":[{\"name\":\"\xff\"}]}", "invalid_encoding", ""},
		{"UTF-16", Audit, "\xff\xfe{\x00}\x00", "invalid_encoding", ""},
		{"gzip", Audit, "\x1f\x8b\x08\x00", "invalid_encoding", ""},
		{"a bomb of brackets", Audit, `{"manifest":` + strings.Repeat("[", 500_000), "too_deep", ""},
		{"a manifest deeper than 1,000", Audit, `{"manifest":` + deep(1001) + `}`, "too_deep", "/manifest"},
		{"unknown member", Audit, `{` + m + `,"price":0}`, "unknown_member", "/price"},
		{"unknown member that can't be printed", Audit, `{` + m + `,"<b>\u202e":0}`, "unknown_member", ""},
		{"prototype", Audit, `{` + m + `,"__proto__":{"url":"x"}}`, "unknown_member", "/__proto__"},
		{"a baseline in an audit", Audit, `{` + m + `,` + b + `}`, "unknown_member", "/baseline_manifest"},
		{"a caller in an audit", Audit, `{` + m + `,"caller":"` + wallet + `"}`, "unknown_member", "/caller"},
		{"repeated member", Audit, `{` + m + `,` + m + `}`, "repeated_member", "/manifest"},
		{"repeated in another spelling", Audit, `{` + m + `,"\u006danifest":[]}`, "repeated_member", "/manifest"},
		{"no manifest", Audit, `{}`, "current_missing", ""},
		{"no current side", Drift, `{` + b + `}`, "current_missing", ""},
		{"manifest and url", Audit, `{` + m + `,"url":"https://example.org/"}`, "current_exclusive", "/url"},
		{"manifest and null url", Audit, `{` + m + `,"url":null}`, "current_exclusive", "/url"},
		{"null manifest and url", Audit, `{"manifest":null,"url":"https://example.org/"}`, "current_exclusive", "/url"},
		{"null manifest", Audit, `{"manifest":null}`, "not_a_manifest", "/manifest"},
		{"manifest as a string", Audit, `{"manifest":"[]"}`, "not_a_manifest", "/manifest"},
		{"a client's configuration", Audit, `{"manifest":{"mcpServers":{}}}`, "not_a_manifest", "/manifest"},
		{"null url", Audit, `{"url":null}`, "invalid_url", "/url"},
		{"url that is no string", Audit, `{"url":["https://example.org/"]}`, "invalid_url", "/url"},
		{"url inside", Audit, `{"url":"http://127.0.0.1/"}`, "invalid_url", "/url"},
		{"url with a password", Audit, `{"url":"https://a:b@example.org/"}`, "invalid_url", "/url"},
		{"no baseline", Drift, `{` + m + `}`, "baseline_missing", ""},
		{"block and manifest", Drift, `{` + m + `,` + b + `,"baseline_digests":{},"baseline_signature":""}`, "baseline_exclusive", ""},
		{"manifest and null report", Drift, `{` + m + `,` + b + `,"baseline_report":null}`, "baseline_exclusive", ""},
		{"manifest and half a pair", Drift, `{` + m + `,` + b + `,"baseline_signature":null}`, "baseline_exclusive", ""},
		{"block alone", Drift, `{` + m + `,"baseline_digests":{}}`, "baseline_pair_incomplete", "/baseline_digests"},
		{"signature alone", Drift, `{` + m + `,"baseline_signature":""}`, "baseline_pair_incomplete", "/baseline_signature"},
		{"null pair", Drift, `{` + m + `,"baseline_digests":null,"baseline_signature":null}`, "baseline_digests_inconsistent", "/baseline_digests"},
		{"no caller", Precheck, `{` + m + `,` + b + `}`, "caller_missing", ""},
		{"null caller", Precheck, `{` + m + `,` + b + `,"caller":null}`, "invalid_caller", "/caller"},
		{"caller of 31 bytes", Precheck, `{` + m + `,` + b + `,"caller":"` + strings.Repeat("1", 31) + `2"}`, "", ""},
		{"caller that is short", Precheck, `{` + m + `,` + b + `,"caller":"` + wallet[:40] + `"}`, "invalid_caller", "/caller"},
		{"caller of 33 bytes", Precheck, `{` + m + `,` + b + `,"caller":"` + strings.Repeat("z", 44) + `"}`, "invalid_caller", "/caller"},
		{"caller with another letter", Precheck, `{` + m + `,` + b + `,"caller":"0` + wallet[1:] + `"}`, "invalid_caller", "/caller"},
		{"a bad caller of a paid call", Drift, `{` + m + `,` + b + `,"caller":7}`, "invalid_caller", "/caller"},
		{"what a paid call takes", Drift, `{` + m + `,` + b + `,"caller":"` + wallet + `"}`, "", ""},
		{"behind a byte order mark", Audit, "\ufeff{" + m + `}`, "", ""},
		{"5,001 tools", Audit, `{"manifest":[` + strings.Repeat("1,", MaxTools) + `1]}`, "too_many_tools", "/manifest"},
		{"5,001 tools on the other side", Drift, `{` + m + `,"baseline_manifest":[` + strings.Repeat("{},", MaxTools) + `1]}`, "too_many_tools", "/baseline_manifest"},
		{"5,000 tools", Audit, `{"manifest":[` + strings.Repeat("1,", MaxTools-1) + `1]}`, "", ""},
		{"1,000 levels", Audit, `{"manifest":` + deep(1000) + `}`, "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.code != "" {
				refused(t, reader(), tt.kind, tt.body, tt.code, tt.pointer)
			} else if _, err := reader().Read([]byte(tt.body), tt.kind); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestWallets(t *testing.T) {
	for text, want := range map[string]bool{
		wallet:                                        true,
		"11111111111111111111111111111111":            true, // the system program: 32 zero bytes
		"111111111111111111111111111111111":           false,
		"1111111111111111111111111111111":             false,
		"So11111111111111111111111111111111111111112": true,
		"": false, " " + wallet: false, wallet + "1": false, "1" + wallet: false,
		"O" + wallet[1:]: false, "l" + wallet[1:]: false, "é" + wallet[2:]: false,
	} {
		if got := isWallet(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, seed := range []string{`{"manifest":` + tools + `}`, `{"baseline_manifest":[],"url":"https://example.org/"}`, `{"baseline_report":{"criteria_id":"mcp-manifest-claims/v1"},"manifest":[1]}`, `{"baseline_digests":{"criteria_id":"mcp-manifest-drift/v1","aggregate_digest":""},"baseline_signature":"AA==","manifest":[]}`} {
		f.Add([]byte(seed), byte(1))
	}
	r := reader()
	f.Fuzz(func(t *testing.T, body []byte, kind byte) {
		s, err := r.Read(body, Kind(kind%3))
		var refusal *Refusal
		if err != nil && (!errors.As(err, &refusal) || refusal.Code == "" || s != nil) {
			t.Errorf("%v, %v", s, err)
		}
		if err == nil && (s.Manifest == nil) == (s.Target == nil) {
			t.Errorf("neither or both: %+v", s)
		}
	})
}
