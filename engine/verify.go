package engine

import (
	"github.com/manifestseal/manifestseal/engine/digest"
	"github.com/manifestseal/manifestseal/engine/drift"
	"github.com/manifestseal/manifestseal/engine/jsonvalue"
	"github.com/manifestseal/manifestseal/engine/manifest"
	"github.com/manifestseal/manifestseal/engine/seal"
	"github.com/manifestseal/manifestseal/engine/view"
)

// Verification is the verdict on a document, and how a manifest compares with
// what the document is about, where one was given.
type Verification struct {
	*seal.Verdict
	Match *view.Match // nil when no manifest was given

	candidate *manifest.Manifest
}

// Verify examines a report, a digest block or a summary under o.Keys, and a
// manifest beside it unless that is nil. An error is an *InputError; its side is
// "report" or "manifest". What is ours and can't be relied on is no error but
// the verdict's to say.
func Verify(document, candidate []byte, o Options) (*Verification, error) {
	text, _, err := manifest.Decode(document, manifest.Wire)
	if err != nil {
		return nil, sideError("report", err)
	}
	verdict, err := o.Keys.Examine(text)
	if err != nil {
		return nil, sideError("report", err)
	}
	v := &Verification{Verdict: verdict}
	if candidate == nil {
		return v, nil
	}
	if v.candidate, err = manifest.Read(candidate, o.Mode); err != nil {
		return nil, sideError("manifest", err)
	}
	v.Match = match(verdict, v.candidate)
	return v, nil
}

// match compares a manifest with the digests that a document holds. It never
// asks whether these can be relied on.
func match(v *seal.Verdict, m *manifest.Manifest) *view.Match {
	block := digest.Of(m, "")
	aggregate, known := digest.ParseSum(currentAggregate(v))
	out := &view.Match{State: view.MatchUnknown, Aggregate: block.Aggregate.Hex(), Relied: v.Headline().Holds()}
	baseline, hasBaseline := digest.ParseSum(baselineAggregate(v))
	switch {
	case known && aggregate == block.Aggregate:
		out.State = view.Matches
	case hasBaseline && baseline == block.Aggregate:
		out.State = view.MatchesBaseline
	case known:
		out.State = view.Differs
	}
	if out.State != view.Matches && v.Block != nil && len(block.Tools) > 0 && len(v.Block.Tools) > 0 {
		out.Comparison = drift.Compare(drift.Side{Block: v.Block}, drift.Side{Block: block, Manifest: m})
	}
	return out
}

func currentAggregate(v *seal.Verdict) string {
	switch v.Kind {
	case seal.SummaryAlone:
		return v.Root.Get("summary").Get("current_aggregate").Text()
	case seal.CouldNotCompare, seal.CouldNotGrade:
		return ""
	}
	if v.Block == nil {
		return ""
	}
	return v.Block.Aggregate.Hex()
}

func baselineAggregate(v *seal.Verdict) string {
	switch v.Kind {
	case seal.SummaryAlone:
		return v.Root.Get("summary").Get("baseline_aggregate").Text()
	case seal.DriftReport:
		return v.Root.Get("baseline").Get("aggregate_digest").Text()
	}
	return ""
}

// View is what a person sees of the drift report, or nil where the document is
// none. The manifest stands beside it only if it is the report's own.
func (v *Verification) View() *view.View {
	if v.Kind != seal.DriftReport && v.Kind != seal.CouldNotCompare || v.Headline() == seal.Malformed {
		return nil
	}
	var current *manifest.Manifest
	if v.Match != nil && v.Match.State == view.Matches {
		current = v.candidate
	}
	return view.Of(v.Root, nil, current)
}

// Certificate is what a person sees of the verdict itself.
func (v *Verification) Certificate() *view.Certificate { return view.CertificateOf(v.Verdict, v.Match) }

// JSON returns the verdict for programs: one object, with one LF at its end.
func (v *Verification) JSON() []byte {
	var w jsonvalue.Builder
	w.Begin('{')
	w.Member("check", v.Headline().String())
	w.Member("kind", string(v.Kind))
	view.WriteClaims(&w, v.Verdict)
	w.Name("checks")
	w.Begin('[')
	for _, s := range v.Steps {
		w.Begin('{')
		w.Member("name", s.Name)
		w.Member("check", s.Check.String())
		w.Member("note", jsonvalue.ToValid(s.Note))
		w.Filled("key_id", s.KeyID)
		w.End('}')
	}
	w.End(']')
	writeKey(&w, v.Key)
	if v.Match != nil {
		w.Name("manifest")
		v.Match.Write(&w)
	}
	w.End('}')
	return append(w.Bytes, '\n')
}

// writeKey writes the key that made the document's own signature, as the
// verifier knows it.
func writeKey(w *jsonvalue.Builder, k seal.Key) {
	if k.ID == "" {
		return
	}
	w.Name("key")
	w.Begin('{')
	w.Member("key_id", k.ID)
	w.Member("status", string(k.State))
	w.Filled("retired_at", k.RetiredAt)
	w.Name("development")
	w.Bool(k.Development)
	w.Filled("source", string(k.Source))
	w.End('}')
}
