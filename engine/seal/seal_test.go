package seal

import (
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"strings"
	"testing"

	"github.com/manifestseal/manifestseal/engine/jsonvalue"
)

// newKey is a key of a fixed seed; only its name differs from test to test.
func newKey(seed byte) (ed25519.PrivateKey, Key) {
	private := ed25519.NewKeyFromSeed([]byte(strings.Repeat(string(rune(seed)), 32)))
	public := private.Public().(ed25519.PublicKey)
	return private, Key{ID: KeyID(public), Public: public, State: StateActive}
}

func signatureJSON(key Key, value []byte) string {
	return `{"algorithm":"ed25519","key_id":"` + key.ID + `","public_key":"` + base64.StdEncoding.EncodeToString(key.Public) +
		`","value":"` + base64.StdEncoding.EncodeToString(value) + `"}`
}

func parse(t *testing.T, text string) jsonvalue.Value {
	t.Helper()
	doc, err := jsonvalue.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return doc.Root()
}

// RFC 8037, appendix A.3, gives this thumbprint of its key.
func TestKeyIDOfTheRFC(t *testing.T) {
	public, err := base64.RawURLEncoding.DecodeString("11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo")
	if err != nil {
		t.Fatal(err)
	}
	if got := KeyID(public); got != "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k" {
		t.Errorf("got %s", got)
	}
}

func TestVerify(t *testing.T) {
	private, key := newKey('a')
	_, stranger := newKey('b')
	block := parse(t, `{ "b": 1.0, "a": "é", "as_of": "2026-01-01T00:00:00.000Z" }`)
	value := ed25519.Sign(private, []byte(`{"a":"é","as_of":"2026-01-01T00:00:00.000Z","b":1}`))
	altered := append([]byte(nil), value...)
	altered[3] ^= 1
	retired, compromised, long := key, key, key
	retired.State, retired.RetiredAt, compromised.State = StateRetired, "2026-02-01T00:00:00Z", StateCompromised
	long.State, long.RetiredAt = StateRetired, "2025-02-01T00:00:00Z"
	bare := `"` + base64.StdEncoding.EncodeToString(value) + `"`
	for _, c := range []struct {
		name      string
		keys      Keys
		signature string
		want      Check
	}{
		{"active", Keys{stranger, key}, signatureJSON(key, value), Valid},
		{"bare value", Keys{stranger, key}, bare, Valid},
		{"retired", Keys{retired}, signatureJSON(key, value), ByRetiredKey},
		{"bare value, retired", Keys{retired}, bare, ByRetiredKey},
		{"retired before", Keys{long}, signatureJSON(key, value), AfterRetirement},
		{"bare value, retired before", Keys{long}, bare, AfterRetirement},
		{"compromised", Keys{compromised}, signatureJSON(key, value), Compromised},
		{"bare value, compromised", Keys{compromised}, bare, UnknownKey},
		{"unknown", Keys{stranger}, signatureJSON(key, value), UnknownKey},
		{"no keys", nil, signatureJSON(key, value), UnknownKey},
		{"bare value of nobody", Keys{stranger}, bare, UnknownKey},
		{"altered", Keys{key}, signatureJSON(key, altered), Invalid},
		{"a known name with another key", Keys{key}, signatureJSON(Key{ID: key.ID, Public: stranger.Public}, value), Invalid},
		{"another algorithm", Keys{key}, `{"algorithm":"rsa"}`, Unsupported},
		{"no object", Keys{key}, `5`, Malformed},
		{"null", Keys{key}, `null`, Malformed},
		{"short value", Keys{key}, signatureJSON(key, value[:63]), Malformed},
		{"unknown member", Keys{key}, strings.Replace(signatureJSON(key, value), "{", `{"x":1,`, 1), Malformed},
		{"left-over bits", Keys{key}, strings.Replace(bare, `=="`, `=="`, 1)[:87] + `B=="`, Malformed},
		{"line break inside", Keys{key}, `"` + base64.StdEncoding.EncodeToString(value)[:40] + `\n` + base64.StdEncoding.EncodeToString(value)[40:] + `"`, Malformed},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, check := c.keys.VerifyBlock(block, parse(t, c.signature))
			if check != c.want {
				t.Errorf("got %s, want %s", check, c.want)
			}
			if check.Holds() != (c.want == Valid || c.want == ByRetiredKey) || check.Holds() && got.ID != key.ID {
				t.Errorf("holds: %v, by %q", check.Holds(), got.ID)
			}
		})
	}
}

func TestZeroCheckIsNotValid(t *testing.T) {
	var c Check
	if c.Holds() || c.String() != "malformed" {
		t.Errorf("the zero check is %s", c)
	}
}

func TestVerifyReport(t *testing.T) {
	private, key := newKey('a')
	body := `{"criteria_id":"mcp-manifest-drift/v1","verdict":"MANIFEST UNCHANGED","as_of":"2026-01-01T00:00:00.000Z"}`
	signed := parse(t, body).AppendCanonical(nil)
	text := body[:len(body)-1] + `,"signature":` + signatureJSON(key, ed25519.Sign(private, signed)) + `,"attestations":{"jws":{}}}`
	r, err := ReadReport(text)
	if err != nil {
		t.Fatal(err)
	}
	if _, check := (Keys{key}).VerifyReport(r); check != Valid {
		t.Errorf("got %s", check)
	}
	for _, change := range [][2]string{{"UNCHANGED", "CHANGED"}, {"2026", "2027"}, {`"verdict"`, `"service"`}} {
		r, err := ReadReport(strings.Replace(text, change[0], change[1], 1))
		if err != nil {
			t.Fatal(err)
		}
		if _, check := (Keys{key}).VerifyReport(r); check != Invalid {
			t.Errorf("%s changed to %s: %s", change[0], change[1], check)
		}
	}
}

func TestReadReportStrictly(t *testing.T) {
	for _, c := range []struct{ name, text, pointer string }{
		{"repeated member", `{"verdict":"a","verdict":"b"}`, "/verdict"},
		{"repeated deep inside", `{"counts":{"changed":0,"changed":1}}`, "/counts/changed"},
		{"overflow", `{"counts":{"changed":1e999}}`, "/counts/changed"},
		{"unknown member", `{"verdict":"a","note":"trust me"}`, "/note"},
		{"no object", `[]`, ""},
		// A thousand harmless notes must not hide the one that matters.
		{"repeated behind many notes", `{"tools":[` + strings.Repeat("0.30000000000000000001,", 1100) + `0],"verdict":"a","verdict":"b"}`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := ReadReport(c.text)
			var e *ReadError
			if !errors.As(err, &e) || e.Pointer != c.pointer {
				t.Errorf("got %v, want a ReadError at %q", err, c.pointer)
			}
		})
	}
	if _, err := ReadReport(`{"tools":` + strings.Repeat("[", 1050) + strings.Repeat("]", 1050) + `}`); err != nil {
		t.Errorf("a report may be deeper than a manifest: %v", err)
	}
	var e *jsonvalue.Error
	if _, err := ReadReport(`{"tools":` + strings.Repeat("[", 1100) + strings.Repeat("]", 1100) + `}`); !errors.As(err, &e) || e.Class != jsonvalue.Depth {
		t.Errorf("1,101 levels: %v", err)
	}
}

func TestReadKeys(t *testing.T) {
	_, key := newKey('a')
	x := base64.RawURLEncoding.EncodeToString(key.Public)
	good := `{"kty":"OKP","crv":"Ed25519","x":"` + x + `","kid":"` + key.ID + `","status":"retired","retired_at":"2026-01-01T00:00:00Z"}`
	keys, err := ReadKeys([]byte(`{"keys":[` + good + `]}`))
	if err != nil || len(keys) != 1 || keys[0].ID != key.ID || keys[0].State != StateRetired || keys[0].RetiredAt == "" {
		t.Errorf("%+v, %v", keys, err)
	}
	keys, err = ReadKeys([]byte(`{"keys":[],"revoked":[` + good + `]}`))
	if err != nil || len(keys) != 1 || keys[0].State != StateCompromised {
		t.Errorf("revoked beside the keys: %+v, %v", keys, err)
	}
	for name, set := range map[string]string{
		"in both lists":    `{"keys":[` + good + `],"revoked":[` + good + `]}`,
		"no JSON":          `{`,
		"no set":           `{"key":1}`,
		"another type":     `{"keys":[{"kty":"RSA"}]}`,
		"short key":        `{"keys":[{"kty":"OKP","crv":"Ed25519","x":"AAAA"}]}`,
		"small order":      `{"keys":[{"kty":"OKP","crv":"Ed25519","x":"` + base64.RawURLEncoding.EncodeToString([]byte(smallOrder[2])) + `"}]}`,
		"another key's id": `{"keys":[` + strings.Replace(good, key.ID, strings.ToLower(key.ID), 1) + `]}`,
		"unknown status":   `{"keys":[` + strings.Replace(good, "retired", "resting", 1) + `]}`,
		"retired, when":    `{"keys":[` + strings.Replace(good, "2026-01-01T00:00:00Z", "last week", 1) + `]}`,
		"twice":            `{"keys":[` + good + `,` + good + `]}`,
		"repeated member":  `{"keys":[],"keys":[]}`,
		"one bad of two":   `{"keys":[` + good + `,{"kty":"OKP"}]}`,
	} {
		if keys, err := ReadKeys([]byte(set)); err == nil {
			t.Errorf("%s: accepted as %v", name, keys)
		}
	}
}

// The identity point as a key "signs" everything: crypto/ed25519 says so, which
// is why such keys are refused before they are asked.
func TestSmallOrderKeysSignAnything(t *testing.T) {
	identity := []byte(smallOrder[1])
	forged := append(append([]byte(nil), identity...), make([]byte, 32)...)
	if !ed25519.Verify(identity, []byte("whatever"), forged) {
		t.Fatal("the premise is wrong: the forged signature does not verify")
	}
	for i, point := range smallOrder {
		for _, sign := range []byte{0, 0x80} {
			p := []byte(point)
			p[31] |= sign
			if acceptable(p) {
				t.Errorf("point %d with sign %x is accepted", i, sign)
			}
		}
	}
	if _, key := newKey('a'); !acceptable(key.Public) {
		t.Error("an honest key is refused")
	}
}

func TestBase64AgainstTheLibrary(t *testing.T) {
	for n := range 70 {
		data := []byte(strings.Repeat("\x00\xff\x5a\xa5", 20)[:n])
		if got := encodeURL(data); got != base64.RawURLEncoding.EncodeToString(data) {
			t.Errorf("%d bytes: %s", n, got)
		}
		for alphabet, library := range map[string]*base64.Encoding{standard: base64.StdEncoding, urlSafe: base64.RawURLEncoding} {
			if got, ok := decodeBase64(library.EncodeToString(data), alphabet, n); !ok || string(got) != string(data) {
				t.Errorf("%d bytes: %x, %v", n, got, ok)
			}
		}
	}
}

// Of two sets that hold one key, the other can take trust away, not add any.
func TestKeysWith(t *testing.T) {
	_, key := newKey('a')
	in := func(state State, retiredAt string) Key {
		k := key
		k.State, k.RetiredAt = state, retiredAt
		return k
	}
	active, gone := in(StateActive, ""), in(StateCompromised, "")
	early, late := in(StateRetired, "2026-01-01T00:00:00Z"), in(StateRetired, "2027-01-01T00:00:00Z")
	for _, c := range []struct{ ours, other, want Key }{
		{active, active, active}, {active, early, early}, {active, gone, gone},
		{early, active, early}, {early, late, early}, {late, early, early}, {early, gone, gone},
		{gone, active, gone}, {gone, early, gone}, {gone, gone, gone},
	} {
		got := Keys{c.ours}.From(Pinned).With(Keys{c.other}.From(Told))
		if len(got) != 1 || got[0].State != c.want.State || got[0].RetiredAt != c.want.RetiredAt && c.want.State != StateCompromised || got[0].Source != Pinned {
			t.Errorf("%v with %v: %+v", c.ours, c.other, got)
		}
	}
	_, other := newKey('b')
	got := Keys{active}.From(Pinned).With(Keys{other}.From(Told))
	if len(got) != 2 || got[1].Source != Told {
		t.Errorf("%+v", got)
	}
	other.ID, other.Public, other.Development = key.ID, key.Public, true
	if got := (Keys{active}).With(Keys{other}); !got[0].Development {
		t.Error("a key that another set calls one of development is not")
	}
}
