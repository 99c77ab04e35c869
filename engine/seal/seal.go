// Package seal implements the verifying half of signed reports: Ed25519 (RFC
// 8032) over canonical JSON, keys named by their RFC 7638 thumbprint and judged
// by their history, the strict reading of what was signed, one verdict over a
// document, and the exports that other tools verify. It follows the criteria's
// digest_block section and the report's published member table.
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
	PublicKey []byte // what the report claims; never trusted; absent in attestations
	Value     []byte // 64 bytes
}

// ReadSignature reads a signature object {algorithm, key_id, public_key, value},
// or the bare base64 of its value. The check is Valid when the form is right.
func ReadSignature(v jsonvalue.Value) (Signature, Check) {
	switch v.Kind() {
	case jsonvalue.Absent:
		return Signature{}, Unsigned
	case jsonvalue.String:
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

// Verify checks a signature over exact bytes against a key set. asOf is when
// the signed content says that it was made: it tells whether a key that is
// retired by now was active then. A signature object must name a key of the set,
// and the key it carries must be that one; a bare value is tried against every
// key that is not compromised.
func (k Keys) Verify(s Signature, signed []byte, asOf string) (Key, Check) {
	if s.KeyID == "" {
		for _, key := range k {
			if key.State != StateCompromised && verify(key.Public, signed, s.Value) {
				return key, key.weigh(asOf)
			}
		}
		return Key{}, UnknownKey
	}
	i := k.at(s.KeyID)
	if i < 0 {
		return Key{}, UnknownKey
	}
	key := k[i]
	if s.PublicKey != nil && string(key.Public) != string(s.PublicKey) || !verify(key.Public, signed, s.Value) {
		return key, Invalid
	}
	return key, key.weigh(asOf)
}

// VerifyBlock checks a digest block's own signature: over the canonical JSON of
// the block alone.
func (k Keys) VerifyBlock(block, signature jsonvalue.Value) (Key, Check) {
	return k.verifyValue(signature, BlockBytes(block), block.Get("as_of").Text())
}

// VerifyReport checks a report's own signature: over the canonical JSON of the
// report without its signature and attestations.
func (k Keys) VerifyReport(r *Report) (Key, Check) {
	return k.verifyValue(r.Root.Get("signature"), ReportBytes(r.Root), r.Root.Get("as_of").Text())
}

func (k Keys) verifyValue(signature jsonvalue.Value, signed []byte, asOf string) (Key, Check) {
	s, form := ReadSignature(signature)
	if form != Valid {
		return Key{}, form
	}
	return k.Verify(s, signed, asOf)
}
