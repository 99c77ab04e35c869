package seal

import (
	"github.com/manifestseal/manifestseal/engine/jsonvalue"
)

// maxAttestations is how many signatures of an envelope are looked at.
const maxAttestations = 8

// examineAttestations checks the signatures by which other tools verify the
// report. They cover the same canonical bytes; a report need not have them, and
// has to be right in those that it has.
func (v *Verdict) examineAttestations(asOf string) {
	a := v.Root.Get("attestations")
	if !a.Exists() {
		return
	}
	if !only(a, "dsse", "jws") {
		v.step("attestations", Malformed, "The attestations hold something else than dsse and jws.")
		return
	}
	payload := ReportBytes(v.Root)
	if dsse := a.Get("dsse"); dsse.Exists() {
		v.examineDSSE(dsse, payload, asOf)
	}
	if jws := a.Get("jws"); jws.Exists() {
		v.examineJWS(jws, payload, asOf)
	}
}

// only reports whether a value is an object with no other members than these.
func only(v jsonvalue.Value, names ...string) bool {
	n := 0
	for _, name := range names {
		if v.Get(name).Exists() {
			n++
		}
	}
	return v.Kind() == jsonvalue.Object && v.Len() == n && n > 0
}

func (v *Verdict) examineDSSE(dsse jsonvalue.Value, payload []byte, asOf string) {
	const name = "attestations.dsse"
	signatures := dsse.Get("signatures")
	if !only(dsse, "payloadType", "signatures") || signatures.Kind() != jsonvalue.Array || signatures.Len() == 0 || signatures.Len() > maxAttestations {
		v.step(name, Malformed, "The DSSE part has not the form of one.")
		return
	}
	if dsse.Get("payloadType").Text() != PayloadType {
		v.step(name, Unsupported, "The DSSE part is of another type than a report.")
		return
	}
	signed := PAE(payload)
	for _, s := range signatures.Elems() {
		value, ok := decodeBase64(s.Get("sig").Text(), standard, signatureSize)
		if !ok || !only(s, "keyid", "sig") {
			v.step(name, Malformed, "A DSSE signature has not the form of one.")
			continue
		}
		v.attested(name, s.Get("keyid").Text(), value, signed, asOf)
	}
}

func (v *Verdict) examineJWS(jws jsonvalue.Value, payload []byte, asOf string) {
	const name = "attestations.jws"
	protected := jws.Get("protected").Text()
	value, ok := decodeBase64(jws.Get("signature").Text(), urlSafe, signatureSize)
	header, ok2 := decodeBase64(protected, urlSafe, len(protected)*6/8)
	if !ok || !ok2 || !only(jws, "protected", "signature") {
		v.step(name, Malformed, "The JWS part has not the form of one.")
		return
	}
	doc, err := jsonvalue.Parse(string(header))
	if err != nil || doc.Noted(jsonvalue.DuplicateMember) || doc.Root().Kind() != jsonvalue.Object {
		v.step(name, Malformed, "The protected header of the JWS part is no JSON object.")
		return
	}
	h := doc.Root()
	// A header that this verifier does not know whole could change what the
	// signature means (crit, b64).
	if h.Get("alg").Text() != jwsAlgorithm || h.Get("typ").Text() != jwsType || !only(h, "alg", "kid", "typ") {
		v.step(name, Unsupported, "The protected header of the JWS part is not alg "+jwsAlgorithm+", kid and typ "+jwsType+" alone.")
		return
	}
	v.attested(name, h.Get("kid").Text(), value, JWSInput(protected, payload), asOf)
}

func (v *Verdict) attested(name, keyID string, value, signed []byte, asOf string) {
	if keyID == "" {
		v.step(name, Malformed, "The signature names no key.")
		return
	}
	_, check := v.keys.Verify(Signature{KeyID: keyID, Value: value}, signed, asOf)
	v.Steps = append(v.Steps, Step{name, check, "The signature " + check.Short() + ".", keyID})
}
