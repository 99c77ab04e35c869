// Package seal implements the verifying half of signed reports: Ed25519 (RFC
// 8032) over canonical JSON, keys named by their RFC 7638 thumbprint, and the
// strict reading of what was signed. It follows the criteria's digest_block
// section and the report's published member table.
//
// The exact bytes to sign, for whoever holds a key: BlockBytes, SummaryBytes,
// ReportBytes, PAE and JWSInput with JWSProtected.
//
// It cannot sign, and never repairs what it reads.
package seal

import (
	"github.com/manifestseal/manifestseal/engine/jsonvalue"
)

// Algorithm is the only signature algorithm there is.
const Algorithm = "ed25519"

const (
	publicKeySize = 32
	signatureSize = 64
)

// Signature is a signature object of a report.
type Signature struct {
	KeyID     string // empty for a bare base64 value
	PublicKey []byte // what the report claims; never trusted
	Value     []byte // 64 bytes
}

// Check is what a verification found. The zero Check is Malformed, so that a
// forgotten case never looks valid.
type Check uint8

const (
	Malformed    Check = iota // not the form of a signature, or of what it covers
	Unsupported               // another algorithm
	UnknownKey                // a key that is not in the key set
	Invalid                   // a known key did not sign these bytes
	Compromised               // the key was revoked: all that it signed is void
	ByRetiredKey              // signed by a key that is retired by now
	Valid                     // signed by an active key
)

// Holds reports whether the signature stands: made by a key of the set that is
// not compromised. When a retired key signed is for the verdict to weigh.
func (c Check) Holds() bool { return c == Valid || c == ByRetiredKey }

// String names a check as it stands in reports and messages.
func (c Check) String() string {
	switch c {
	case Unsupported:
		return "unsupported"
	case UnknownKey:
		return "unknown_key"
	case Invalid:
		return "signature_invalid"
	case Compromised:
		return "key_revoked"
	case ByRetiredKey:
		return "retired_key"
	case Valid:
		return "valid"
	}
	return "malformed"
}

// ReadSignature reads a signature object {algorithm, key_id, public_key, value},
// or the bare base64 of its value. The check is Valid when the form is right.
func ReadSignature(v jsonvalue.Value) (Signature, Check) {
	if v.Kind() == jsonvalue.String {
		value, ok := decodeBase64(v.Text(), standard, signatureSize)
		if !ok {
			return Signature{}, Malformed
		}
		return Signature{Value: value}, Valid
	}
	if v.Get("algorithm").Kind() == jsonvalue.String && v.Get("algorithm").Text() != Algorithm {
		return Signature{}, Unsupported
	}
	value, ok := decodeBase64(v.Get("value").Text(), standard, signatureSize)
	public, ok2 := decodeBase64(v.Get("public_key").Text(), standard, publicKeySize)
	id := v.Get("key_id").Text()
	if !ok || !ok2 || id == "" || v.Len() != 4 || v.Get("algorithm").Text() != Algorithm {
		return Signature{}, Malformed
	}
	return Signature{id, public, value}, Valid
}

// Verify checks a signature over exact bytes against a key set. A signature
// object must name a key of the set, and the key it carries must be that one; a
// bare value is tried against every key that is not compromised.
func (k Keys) Verify(s Signature, signed []byte) (Key, Check) {
	if s.KeyID == "" {
		for _, key := range k {
			if key.State != StateCompromised && verify(key.Public, signed, s.Value) {
				return key, key.check()
			}
		}
		return Key{}, UnknownKey
	}
	for _, key := range k {
		if key.ID != s.KeyID {
			continue
		}
		if string(key.Public) != string(s.PublicKey) || !verify(key.Public, signed, s.Value) {
			return key, Invalid
		}
		return key, key.check()
	}
	return Key{}, UnknownKey
}

// VerifyBlock checks a digest block's own signature: over the canonical JSON of
// the block alone.
func (k Keys) VerifyBlock(block, signature jsonvalue.Value) (Key, Check) {
	s, form := ReadSignature(signature)
	if form != Valid {
		return Key{}, form
	}
	return k.Verify(s, BlockBytes(block))
}

// VerifyReport checks a report's own signature: over the canonical JSON of the
// report without its signature and attestations.
func (k Keys) VerifyReport(r *Report) (Key, Check) {
	s, form := ReadSignature(r.Root.Get("signature"))
	if form != Valid {
		return Key{}, form
	}
	return k.Verify(s, ReportBytes(r.Root))
}
