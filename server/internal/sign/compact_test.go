package sign

import (
	"crypto/ed25519"
	"encoding/base64"
	"strings"
	"testing"
)

func TestCompact(t *testing.T) {
	s := New(private)
	parts := strings.Split(s.Compact(ReceiptType, []byte(`{"payer":"x"}`)), ".")
	if len(parts) != 3 {
		t.Fatalf("%d parts, want 3", len(parts))
	}
	var decoded [3][]byte
	for i, part := range parts {
		var err error
		if decoded[i], err = base64.RawURLEncoding.Strict().DecodeString(part); err != nil {
			t.Fatal(err)
		}
	}
	if want := `{"alg":"EdDSA","kid":"` + s.KeyID() + `","typ":"manifestseal-receipt+jws"}`; string(decoded[0]) != want {
		t.Errorf("header %s, want %s", decoded[0], want)
	}
	if string(decoded[1]) != `{"payer":"x"}` {
		t.Errorf("payload %s", decoded[1])
	}
	if !ed25519.Verify(s.Public(), []byte(parts[0]+"."+parts[1]), decoded[2]) {
		t.Error("the signature does not hold")
	}
}
