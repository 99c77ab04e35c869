package seal_test

import (
	"testing"

	"github.com/manifestseal/manifestseal/engine/enginetest/sign"
	"github.com/manifestseal/manifestseal/engine/seal"
)

// Whatever comes in, nothing vouches but what was signed, and no input panics.
func FuzzExamine(f *testing.F) {
	keys := sign.New('a').Keys(nil)
	signed := make(map[string]bool)
	for _, text := range documents(f) {
		v, err := keys.Examine(text)
		if err != nil || !v.Headline().Vouches() {
			f.Fatalf("a seed does not stand: %v", err)
		}
		data, _ := v.Export(seal.SignedBytes)
		signed[string(data)] = true
		f.Add(text)
	}
	f.Add(before)
	f.Fuzz(func(t *testing.T, text string) {
		v, err := keys.Examine(text)
		if err != nil {
			return
		}
		for _, form := range seal.Forms() {
			v.Export(form)
		}
		if data, _ := v.Export(seal.SignedBytes); v.Headline().Vouches() && !signed[string(data)] {
			t.Errorf("it vouches for what nobody signed: %.500s", text)
		}
	})
}

// Key sets come from servers and files: no set panics, and what is read is what
// is written again.
func FuzzReadKeys(f *testing.F) {
	f.Add(string(sign.New('a').Keys(nil).JWKS()))
	f.Add(string(sign.New('b').Keys(set(seal.StateRetired, "2026-01-01T00:00:00Z", true)).JWKS()))
	f.Add(`{"keys":[],"revoked":[]}`)
	f.Fuzz(func(t *testing.T, text string) {
		keys, err := seal.ReadKeys([]byte(text))
		if err != nil {
			return
		}
		again, err := seal.ReadKeys(keys.JWKS())
		if err != nil || len(again) != len(keys) {
			t.Fatalf("%v of %s", err, keys.JWKS())
		}
		for i := range keys {
			if again[i].ID != keys[i].ID || again[i].State != keys[i].State || again[i].Development != keys[i].Development {
				t.Errorf("%+v became %+v", keys[i], again[i])
			}
		}
	})
}
