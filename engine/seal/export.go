package seal

import (
	"github.com/manifestseal/manifestseal/engine/digest"
	"github.com/manifestseal/manifestseal/engine/jsonvalue"
)

// The forms in which a document can be taken away, for tools that are not ours.
// Each is made anew from the document, with the same bytes that were verified.
const (
	SignedBytes   = "signed"       // what the signature covers
	RawSignature  = "signature"    // its 64 bytes
	PublicKeyPEM  = "public_key"   // of the known key that made it, as SubjectPublicKeyInfo (RFC 8410)
	KeySet        = "keys"         // the same key as a JWKS with its history
	DSSEEnvelope  = "dsse"         // with the payload put in
	JWSCompact    = "jws"          // payload put in
	JWSFlattened  = "jws_json"     // the same in the flattened JSON form
	Statement     = "in_toto"      // a Statement around the envelope; itself unsigned
	SignedBlock   = "block"        // {manifest_digest, manifest_digest_signature}: the next baseline
	SignedSummary = "summary_link" // {summary, summary_signature}
)

// Forms lists the forms in the order in which they are offered.
func Forms() []string {
	return []string{SignedBytes, RawSignature, PublicKeyPEM, KeySet, DSSEEnvelope, JWSCompact, JWSFlattened, Statement, SignedBlock, SignedSummary}
}

// The in-toto Statement names its subject by our aggregate digest, under a
// digest name of our own: it is no file's sha256.
const (
	statementType  = "https://in-toto.io/Statement/v1"
	subjectName    = "mcp-manifest"
	subjectDigest  = "mcpManifestDriftV1"
	PredicateType  = "https://github.com/manifestseal/manifestseal/blob/main/static/docs/verify.md#in-toto"
	predicateField = "envelope"
)

// Export gives a document in one of the forms, and whether it has that form:
// one without an attestation has no envelope, and a key that is not known is not
// passed on. Whether the signatures hold is the verdict's to say.
func (v *Verdict) Export(form string) ([]byte, bool) {
	name, signed := v.main()
	switch form {
	case SignedBytes:
		return signed, signed != nil
	case RawSignature:
		s, check := ReadSignature(v.Root.Get(name))
		return s.Value, check == Valid
	case PublicKeyPEM:
		return v.Key.PEM(), v.Key.ID != ""
	case KeySet:
		return Keys{v.Key}.JWKS(), v.Key.ID != ""
	case DSSEEnvelope, Statement, JWSCompact, JWSFlattened:
		return v.attestation(form)
	case SignedBlock:
		return v.pair("manifest_digest")
	case SignedSummary:
		return v.pair("summary")
	}
	return nil, false
}

// main is the member of the document's own signature, and what it covers.
func (v *Verdict) main() (name string, signed []byte) {
	switch v.Kind {
	case SummaryAlone:
		return "summary_signature", SummaryBytes(v.Root.Get("summary"))
	case BlockAlone:
		if !v.Root.Get("manifest_digest").Exists() {
			return "manifest_digest_signature", BlockBytes(v.Root)
		}
		return "manifest_digest_signature", BlockBytes(v.Root.Get("manifest_digest"))
	}
	return "signature", ReportBytes(v.Root)
}

// pair is a part with its signature.
func (v *Verdict) pair(name string) ([]byte, bool) {
	part, signature := v.Root.Get(name), v.Root.Get(name+"_signature")
	if !part.Exists() || !signature.Exists() {
		return nil, false
	}
	var w jsonvalue.Builder
	w.Begin('{')
	w.Name(name)
	w.Value(part)
	w.Name(name + "_signature")
	w.Value(signature)
	w.End('}')
	return append(w.Bytes, '\n'), true
}

func (v *Verdict) attestation(form string) ([]byte, bool) {
	dsse, jws := v.Root.Get("attestations").Get("dsse"), v.Root.Get("attestations").Get("jws")
	payload := ReportBytes(v.Root)
	var w jsonvalue.Builder
	switch form {
	case DSSEEnvelope:
		writeEnvelope(&w, dsse, payload)
		return append(w.Bytes, '\n'), dsse.Exists()
	case Statement:
		if v.Block == nil || !dsse.Exists() {
			return nil, false
		}
		writeStatement(&w, v.Block.Aggregate, dsse, payload)
		return append(w.Bytes, '\n'), true
	case JWSCompact:
		compact := JWSInput(jws.Get("protected").Text(), payload)
		return append(append(compact, '.'), jws.Get("signature").Text()...), jws.Exists()
	}
	w.Begin('{')
	w.Member("payload", encodeURL(payload))
	w.Member("protected", jws.Get("protected").Text())
	w.Member("signature", jws.Get("signature").Text())
	w.End('}')
	return append(w.Bytes, '\n'), jws.Exists()
}

func writeEnvelope(w *jsonvalue.Builder, dsse jsonvalue.Value, payload []byte) {
	w.Begin('{')
	w.Member("payload", encodeStandard(payload))
	w.Member("payloadType", dsse.Get("payloadType").Text())
	w.Optional("signatures", dsse.Get("signatures"))
	w.End('}')
}

func writeStatement(w *jsonvalue.Builder, aggregate digest.Sum, dsse jsonvalue.Value, payload []byte) {
	w.Begin('{')
	w.Member("_type", statementType)
	w.Name("subject")
	w.Begin('[')
	w.Begin('{')
	w.Member("name", subjectName)
	w.Name("digest")
	w.Begin('{')
	w.Member(subjectDigest, aggregate.Hex())
	w.End('}')
	w.End('}')
	w.End(']')
	w.Member("predicateType", PredicateType)
	w.Name("predicate")
	w.Begin('{')
	w.Name(predicateField)
	writeEnvelope(w, dsse, payload)
	w.End('}')
	w.End('}')
}

// PEM is the public key as openssl and others read it (RFC 8410).
func (k Key) PEM() []byte {
	const spki = "\x30\x2a\x30\x05\x06\x03\x2b\x65\x70\x03\x21\x00"
	return []byte("-----BEGIN PUBLIC KEY-----\n" + encodeStandard([]byte(spki+string(k.Public))) + "\n-----END PUBLIC KEY-----\n")
}

// JWKS is the key set in the form that ReadKeys reads.
func (k Keys) JWKS() []byte {
	var w jsonvalue.Builder
	w.Begin('{')
	w.Name("keys")
	w.Begin('[')
	for _, key := range k {
		w.Begin('{')
		for _, m := range [][2]string{{"kty", "OKP"}, {"crv", "Ed25519"}, {"alg", jwsAlgorithm}, {"use", "sig"}, {"kid", key.ID}, {"x", encodeURL(key.Public)}, {"status", string(key.State)}} {
			w.Member(m[0], m[1])
		}
		w.Filled("retired_at", key.RetiredAt)
		if key.Development {
			w.Name("development")
			w.Bool(true)
		}
		w.End('}')
	}
	w.End(']')
	w.End('}')
	return append(w.Bytes, '\n')
}
