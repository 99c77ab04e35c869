package report

import (
	"github.com/manifestseal/manifestseal/engine/digest"
	"github.com/manifestseal/manifestseal/engine/jsonvalue"
)

// Signing makes the signatures that a server puts into a report. The engine
// holds no key: each function gets the exact bytes that are signed, which are
// canonical JSON, and returns the member's value as JSON.
type Signing struct {
	Signature    func(signed []byte) string // a signature object
	Attestations func(signed []byte) string // {dsse, jws} over the canonical report
}

// block writes the signature of the digest block that was just written, of
// which json is the text.
func (s *Signing) block(w *jsonvalue.Builder, json []byte) {
	if s != nil {
		w.Name("manifest_digest_signature")
		w.Raw(s.Signature(parse(json).Root().AppendCanonical(nil)))
	}
}

// refused ends a report that says why it says nothing: it has a signature and
// no attestations. It returns the report as a value.
func (s *Signing) refused(w *jsonvalue.Builder) *jsonvalue.Doc {
	doc := parse(append(w.Bytes, '}'))
	if s != nil {
		w.Name("signature")
		w.Raw(s.Signature(doc.Root().AppendCanonical(nil)))
	}
	w.End('}')
	return doc
}

// finish ends a report with its summary and the signatures over it. It returns
// the report so far as a value. members writes those of the summary that stand
// before report_sha256.
func (s *Signing) finish(w *jsonvalue.Builder, members func(*jsonvalue.Builder)) *jsonvalue.Doc {
	doc := parse(append(w.Bytes, '}'))
	before, after := canonicalAround(doc.Root(), "summary", len(w.Bytes))
	summary := jsonvalue.Builder{}
	summary.Begin('{')
	members(&summary)
	whole := digest.SumOf(join(before, after))
	summary.Member("report_sha256", whole.Hex())
	summary.End('}')
	w.Name("summary")
	w.Raw(string(summary.Bytes))
	if s == nil {
		w.End('}')
		return doc
	}
	canonical := parse(summary.Bytes).Root().AppendCanonical(nil)
	signature := s.Signature(canonical)
	w.Name("summary_signature")
	w.Raw(signature)
	signed := jsonvalue.Builder{}
	signed.Begin('{')
	signed.Name("summary")
	signed.Raw(string(canonical))
	signed.Name("summary_signature")
	signed.Value(parse([]byte(signature)).Root())
	report := join(before, append(signed.Bytes[1:], ','), after)
	w.Name("signature")
	w.Raw(s.Signature(report))
	w.Name("attestations")
	w.Raw(s.Attestations(report))
	w.End('}')
	return doc
}

// canonicalAround returns an object's canonical form in two parts: what stands
// before a member of that name and what behind it, so that a member can be put
// between without writing a large report twice. Something always stands behind
// "summary": every report has a version. capacity is a guess of their size.
func canonicalAround(object jsonvalue.Value, name string, capacity int) (before, after []byte) {
	w := jsonvalue.Builder{Bytes: make([]byte, 0, capacity+1)}
	w.Begin('{')
	at := -1
	for member, v := range object.Members() {
		if at < 0 && jsonvalue.CompareUTF16(member, name) > 0 {
			at = len(w.Bytes) + 1 // behind the comma
		}
		w.Name(member)
		w.Value(v)
	}
	w.End('}')
	return w.Bytes[:at:at], w.Bytes[at:]
}

func join(parts ...[]byte) []byte {
	n := 0
	for _, p := range parts {
		n += len(p)
	}
	out := make([]byte, 0, n)
	for _, p := range parts {
		out = append(out, p...)
	}
	return out
}
