package engine

import (
	"github.com/manifestseal/manifestseal/engine/digest"
	"github.com/manifestseal/manifestseal/engine/drift"
	"github.com/manifestseal/manifestseal/engine/jsonvalue"
	"github.com/manifestseal/manifestseal/engine/manifest"
	"github.com/manifestseal/manifestseal/engine/report"
	"github.com/manifestseal/manifestseal/engine/seal"
)

// The baselines of the HTTP endpoints: each is named by the member that it came
// in, so that none is guessed, and what is given as signed must be. The errors
// are *jsonvalue.Error, as those of ReadBaseline.

// ManifestBaseline reads a baseline that is a manifest and nothing else.
func ManifestBaseline(document []byte, o Options) (report.Baseline, error) {
	m, err := manifest.Read(document, o.Mode)
	if err != nil {
		return report.Baseline{}, err
	}
	return report.Baseline{
		Side:   drift.Side{Block: digest.Of(m, o.AsOf), Manifest: m},
		Origin: report.CustomerAsserted, Mode: report.ManifestMode, Notes: m.Notes,
	}, nil
}

// ReportBaseline reads a report with its signatures, all of which must hold.
func ReportBaseline(document []byte, o Options) (report.Baseline, error) {
	doc, err := parsePart(document)
	if err != nil {
		return report.Baseline{}, err
	}
	if manifest.Own(doc.Root()) != manifest.OwnReport {
		return report.Baseline{}, &jsonvalue.Error{Class: jsonvalue.Shape, Code: "not_a_report", Message: "this is no report of this service", Advice: "Give the whole report; a manifest is given as baseline_manifest."}
	}
	b, err := reportBaseline(string(document), doc, o.Keys)
	if err == nil && b.Origin != report.SignedReport {
		return report.Baseline{}, signatureError(seal.Unsigned)
	}
	return b, err
}

// DigestsBaseline reads a digest block and the signature that goes with it.
func DigestsBaseline(block, signature []byte, o Options) (report.Baseline, error) {
	doc, err := parsePart(block)
	if err != nil {
		return report.Baseline{}, err
	}
	// Two readers could take such a block for two different ones.
	if doc.Noted(jsonvalue.DuplicateMember) || doc.Noted(jsonvalue.NumberOverflow) {
		return report.Baseline{}, &jsonvalue.Error{Class: BlockError, Code: "inconsistent", Message: "the digest block has repeated members or numbers beyond a double's range", Advice: "Give the block exactly as it was issued."}
	}
	b, err := blockBaseline(doc.Root(), report.DigestsMode, doc)
	if err != nil {
		return b, err
	}
	value, err := parsePart(signature)
	if err != nil {
		return b, err
	}
	key, check := o.Keys.VerifyBlock(doc.Root(), value.Root())
	if !check.Holds() {
		return report.Baseline{}, signatureError(check)
	}
	b.Origin, b.KeyID = report.SignedReport, key.ID
	return b, nil
}

func parsePart(document []byte) (*jsonvalue.Doc, error) {
	return jsonvalue.ParsePart(string(document), 0, len(document), report.MaxDepth)
}
