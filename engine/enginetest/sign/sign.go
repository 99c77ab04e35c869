// Package sign implements the signing of reports for tests: as a server does
// it, with keys made from a letter, so that each test has signed reports at hand
// without a server. It shares the bytes that are signed with the verifier; the
// signer that shares nothing is in e2e/recipes.
package sign

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"strings"

	"github.com/manifestseal/manifestseal/engine/jsonvalue"
	"github.com/manifestseal/manifestseal/engine/seal"
)

// Issuer holds a key.
type Issuer struct {
	Key     seal.Key
	private ed25519.PrivateKey
}

// New is the issuer whose key is made from a letter.
func New(letter byte) *Issuer {
	private := ed25519.NewKeyFromSeed([]byte(strings.Repeat(string(rune(letter)), ed25519.SeedSize)))
	public := private.Public().(ed25519.PublicKey)
	return &Issuer{seal.Key{ID: seal.KeyID(public), Public: public, State: seal.StateActive}, private}
}

// Keys is a key set of the issuer's key alone, in some state.
func (i *Issuer) Keys(change func(*seal.Key)) seal.Keys {
	key := i.Key
	if change != nil {
		change(&key)
	}
	return seal.Keys{key}
}

// Signature is a signature object over some bytes.
func (i *Issuer) Signature(signed []byte) string {
	var w jsonvalue.Builder
	w.Begin('{')
	w.Member("algorithm", seal.Algorithm)
	w.Member("key_id", i.Key.ID)
	w.Member("public_key", base64.StdEncoding.EncodeToString(i.Key.Public))
	w.Member("value", i.Value(signed))
	w.End('}')
	return string(w.Bytes)
}

// Value is a signature in base64.
func (i *Issuer) Value(signed []byte) string {
	return base64.StdEncoding.EncodeToString(ed25519.Sign(i.private, signed))
}

// Sign signs a report that page or command made: its block, its summary and the
// whole, with both attestations. The members come out in canonical order.
func (i *Issuer) Sign(report []byte) []byte {
	r := with(string(report), "issuer", `"https://issuer.example"`)
	if block := value(r).Get("manifest_digest"); block.Exists() {
		r = with(r, "manifest_digest_signature", i.Signature(seal.BlockBytes(block)))
		summary := with(value(r).Get("summary").Source(), "issuer", `"https://issuer.example"`)
		sum := sha256.Sum256(seal.SummarisedBytes(value(r)))
		summary = with(summary, "report_sha256", `"`+hex.EncodeToString(sum[:])+`"`)
		r = with(r, "summary", summary)
		r = with(r, "summary_signature", i.Signature(seal.SummaryBytes(value(summary))))
	}
	payload := seal.ReportBytes(value(r))
	r = with(r, "signature", i.Signature(payload))
	protected := seal.JWSProtected(i.Key.ID)
	jws := base64.RawURLEncoding.EncodeToString(ed25519.Sign(i.private, seal.JWSInput(protected, payload)))
	return []byte(with(r, "attestations", `{"dsse":{"payloadType":"`+seal.PayloadType+`","signatures":[{"keyid":"`+i.Key.ID+`","sig":"`+i.Value(seal.PAE(payload))+
		`"}]},"jws":{"protected":"`+protected+`","signature":"`+jws+`"}}`))
}

func value(text string) jsonvalue.Value {
	doc, err := jsonvalue.ParsePart(text, 0, len(text), jsonvalue.MaxDepth+100)
	if err != nil {
		panic(err) // a test gave no JSON
	}
	return doc.Root()
}

// with is an object with one member set.
func with(object, member, json string) string {
	var w jsonvalue.Builder
	w.Begin('{')
	for name, v := range value(object).Members() {
		if name != member {
			w.Name(name)
			w.Value(v)
		}
	}
	w.Name(member)
	w.Raw(json)
	w.End('}')
	return string(w.Bytes)
}
