package seal

import (
	"slices"
	"strconv"

	"github.com/manifestseal/manifestseal/engine/jsonvalue"
)

// What is signed, to the byte. Whoever issues signs these and nothing else, and
// whoever verifies makes them anew from what it was given: no signed bytes are
// ever taken from a document. No function here knows a private key.

const (
	// PayloadType is what a DSSE envelope says of its payload.
	PayloadType = "application/vnd.manifestseal.report+json"

	jwsAlgorithm = "EdDSA"                   // RFC 8037
	jwsType      = "manifestseal-report+jws" // so that no other JWS of the same key passes for a report
)

// The members that a digest leaves out, or a signature does not cover.
var (
	unsigned     = []string{"signature", "attestations"}
	unsummarised = []string{"summary", "summary_signature", "signature", "attestations"}
)

// BlockBytes returns what manifest_digest_signature covers: the canonical JSON
// of the digest block alone (the criteria's digest_block.independently_signed).
func BlockBytes(block jsonvalue.Value) []byte { return block.AppendCanonical(nil) }

// SummaryBytes returns what summary_signature covers: the canonical JSON of the
// summary alone.
func SummaryBytes(summary jsonvalue.Value) []byte { return summary.AppendCanonical(nil) }

// ReportBytes returns what a report's signature covers, and the payload of both
// of its attestations: the canonical JSON of the report without signature and
// attestations. The report may have these or not have them yet.
func ReportBytes(report jsonvalue.Value) []byte { return without(report, unsigned) }

// SummarisedBytes returns what a summary's report_sha256 is the SHA-256 of: the
// canonical report without its summary and all that comes after it.
func SummarisedBytes(report jsonvalue.Value) []byte { return without(report, unsummarised) }

func without(report jsonvalue.Value, names []string) []byte {
	w := jsonvalue.Builder{Bytes: make([]byte, 0, len(report.Source()))}
	w.Begin('{')
	for name, v := range report.Members() {
		if !slices.Contains(names, name) {
			w.Name(name)
			w.Value(v)
		}
	}
	w.End('}')
	return w.Bytes
}

// PAE returns what a DSSE signature covers: the pre-authentication encoding
// (DSSE v1.0.2) of a payload of PayloadType.
func PAE(payload []byte) []byte {
	out := make([]byte, 0, len(payload)+len(PayloadType)+32)
	out = append(out, "DSSEv1 "...)
	out = strconv.AppendInt(out, int64(len(PayloadType)), 10)
	out = append(out, " "+PayloadType+" "...)
	out = strconv.AppendInt(out, int64(len(payload)), 10)
	out = append(out, ' ')
	return append(out, payload...)
}

// JWSProtected returns a report's protected JWS header for a key, encoded as it
// stands in attestations.jws.protected (RFC 7515, RFC 8037).
func JWSProtected(keyID string) string {
	var w jsonvalue.Builder
	w.Begin('{')
	w.Member("alg", jwsAlgorithm)
	w.Member("kid", keyID)
	w.Member("typ", jwsType)
	w.End('}')
	return encodeURL(w.Bytes)
}

// JWSInput returns what a JWS signature covers (RFC 7515, section 5.1).
func JWSInput(protected string, payload []byte) []byte {
	out := make([]byte, 0, len(protected)+1+(len(payload)*8+5)/6)
	out = append(out, protected...)
	out = append(out, '.')
	return appendURL(out, payload)
}
