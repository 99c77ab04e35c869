package sign

import (
	"crypto/ed25519"
	"encoding/base64"

	"github.com/manifestseal/manifestseal/engine/jsonvalue"
)

// Compact signs a payload as a JWS in compact form (RFC 7515). typ says what it
// is, so that it can't be taken for anything else this key signs.
func (s *Signer) Compact(typ string, payload []byte) string {
	var w jsonvalue.Builder
	w.Begin('{')
	w.Member("alg", "EdDSA")
	w.Member("kid", s.id)
	w.Member("typ", typ)
	w.End('}')
	input := base64.RawURLEncoding.EncodeToString(w.Bytes) + "." + base64.RawURLEncoding.EncodeToString(payload)
	return input + "." + base64.RawURLEncoding.EncodeToString(ed25519.Sign(s.private, []byte(input)))
}

// ReceiptType is the typ of a receipt for a payment.
const ReceiptType = "manifestseal-receipt+jws"
