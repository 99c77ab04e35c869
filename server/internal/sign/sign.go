// Package sign implements the signing half of reports: Ed25519 (RFC 8032) over
// the exact bytes that engine/seal names, as signature objects, a DSSE signature
// and a detached JWS. Ed25519 is deterministic: the same report gives the same
// bytes.
//
// It never knows what a report says, and never shows a private key.
package sign

import (
	"crypto/ed25519"
	"encoding/base64"

	"github.com/manifestseal/manifestseal/engine/jsonvalue"
	"github.com/manifestseal/manifestseal/engine/report"
	"github.com/manifestseal/manifestseal/engine/seal"
)

// Signer signs with one key. It is safe for concurrent use.
type Signer struct {
	private   ed25519.PrivateKey
	public    ed25519.PublicKey
	id        string
	protected string // the JWS header, encoded
}

// New returns a signer. The key must be one of ed25519.NewKeyFromSeed.
func New(private ed25519.PrivateKey) *Signer {
	public := private.Public().(ed25519.PublicKey)
	id := seal.KeyID(public)
	return &Signer{private: private, public: public, id: id, protected: seal.JWSProtected(id)}
}

// KeyID is the RFC 7638 thumbprint of the signer's key.
func (s *Signer) KeyID() string { return s.id }

// Public is the public half of the signer's key.
func (s *Signer) Public() ed25519.PublicKey { return s.public }

// Signing is what a report asks for its signatures.
func (s *Signer) Signing() *report.Signing {
	return &report.Signing{Signature: s.signature, Attestations: s.attestations}
}

func (s *Signer) sign(message []byte) string {
	return base64.StdEncoding.EncodeToString(ed25519.Sign(s.private, message))
}

// signature is the signature object of the reports' member table.
func (s *Signer) signature(signed []byte) string {
	var w jsonvalue.Builder
	w.Begin('{')
	w.Member("algorithm", seal.Algorithm)
	w.Member("key_id", s.id)
	w.Member("public_key", base64.StdEncoding.EncodeToString(s.public))
	w.Member("value", s.sign(signed))
	w.End('}')
	return string(w.Bytes)
}

// attestations are made over the canonical report without repeating it.
func (s *Signer) attestations(payload []byte) string {
	var w jsonvalue.Builder
	w.Begin('{')
	w.Name("dsse")
	w.Begin('{')
	w.Member("payloadType", seal.PayloadType)
	w.Name("signatures")
	w.Begin('[')
	w.Begin('{')
	w.Member("keyid", s.id)
	w.Member("sig", s.sign(seal.PAE(payload)))
	w.End('}')
	w.End(']')
	w.End('}')
	w.Name("jws")
	w.Begin('{')
	w.Member("protected", s.protected)
	w.Member("signature", base64.RawURLEncoding.EncodeToString(ed25519.Sign(s.private, jwsInput(s.protected, payload))))
	w.End('}')
	w.End('}')
	return string(w.Bytes)
}

// jwsInput is seal.JWSInput by the standard library's encoder, which is many
// times faster on a large report.
func jwsInput(protected string, payload []byte) []byte {
	out := make([]byte, 0, len(protected)+1+base64.RawURLEncoding.EncodedLen(len(payload)))
	out = append(out, protected...)
	out = append(out, '.')
	return base64.RawURLEncoding.AppendEncode(out, payload)
}
