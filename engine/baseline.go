package engine

import (
	"github.com/manifestseal/manifestseal/engine/digest"
	"github.com/manifestseal/manifestseal/engine/drift"
	"github.com/manifestseal/manifestseal/engine/jsonvalue"
	"github.com/manifestseal/manifestseal/engine/manifest"
	"github.com/manifestseal/manifestseal/engine/pin"
	"github.com/manifestseal/manifestseal/engine/report"
	"github.com/manifestseal/manifestseal/engine/seal"
)

// The classes of errors that only a baseline has.
const (
	SignatureError jsonvalue.Class = "signature"    // it is signed, and the signature does not hold
	BlockError     jsonvalue.Class = "digest_block" // it is a digest block, and not as issued
	LockfileError  jsonvalue.Class = "lockfile"     // it is a lockfile, and not as it was written
)

// ReadBaseline reads what may stand as a baseline: a manifest, a lockfile, a
// report, a digest block with its signature, or a bare digest block. What is signed must
// verify under o.Keys; nothing that is signed is ever taken as if it were not.
func ReadBaseline(document []byte, o Options) (report.Baseline, error) {
	m, err := manifest.Read(document, o.Mode)
	if err == nil {
		return report.Baseline{
			Side:   drift.Side{Block: digest.Of(m, o.AsOf), Manifest: m},
			Origin: report.CustomerAsserted, Mode: report.ManifestMode, Notes: m.Notes,
		}, nil
	}
	doc, parseErr := jsonvalue.ParsePart(string(document), 0, len(document), report.MaxDepth)
	if parseErr != nil {
		return report.Baseline{}, err
	}
	root := doc.Root()
	switch manifest.Own(root) {
	case manifest.OwnBlock:
		return blockBaseline(root, report.DigestsMode, doc)
	case manifest.SignedBlock:
		return signedBaseline(root, report.DigestsMode, doc, o.Keys)
	case manifest.OwnReport:
		return reportBaseline(string(document), doc, o.Keys)
	case manifest.Lockfile:
		return lockBaseline(document)
	}
	return report.Baseline{}, err
}

// lockBaseline is the snapshot of a lockfile: the reviewed tools themselves, so
// that old values are at hand.
func lockBaseline(document []byte) (report.Baseline, error) {
	l, err := pin.Read(document)
	if err != nil {
		return report.Baseline{}, &jsonvalue.Error{Class: LockfileError, Code: "not_as_written", Message: err.Error(), Advice: "Take the lockfile from the repository again, or pin anew after a review."}
	}
	return report.Baseline{
		Side:   drift.Side{Block: l.Block(), Manifest: l.Manifest},
		Origin: report.CustomerAsserted, Mode: report.ManifestMode, AsOf: l.UpdatedAt, Notes: l.Manifest.Notes,
	}, nil
}

func blockBaseline(block jsonvalue.Value, mode report.BaselineMode, doc *jsonvalue.Doc) (report.Baseline, error) {
	b, err := digest.Read(block)
	if err != nil {
		return report.Baseline{}, &jsonvalue.Error{Class: BlockError, Code: "inconsistent", Message: err.Error(), Advice: "Give the block exactly as it was issued."}
	}
	return report.Baseline{Side: drift.Side{Block: b}, Origin: report.CustomerAsserted, Mode: mode, Notes: doc.Notes()}, nil
}

func signedBaseline(root jsonvalue.Value, mode report.BaselineMode, doc *jsonvalue.Doc, keys seal.Keys) (report.Baseline, error) {
	b, err := blockBaseline(root.Get("manifest_digest"), mode, doc)
	if err != nil {
		return b, err
	}
	key, check := keys.VerifyBlock(root.Get("manifest_digest"), root.Get("manifest_digest_signature"))
	if !check.Holds() {
		return b, signatureError(check)
	}
	b.Origin, b.KeyID = report.SignedReport, key.ID
	return b, nil
}

// reportBaseline reads a report. One without any signature, as page and command
// make them, is a bare block with more around it; one that has any must hold in
// all of them.
func reportBaseline(text string, doc *jsonvalue.Doc, keys seal.Keys) (report.Baseline, error) {
	r, err := seal.ReadReport(text)
	if err != nil {
		return report.Baseline{}, &jsonvalue.Error{Class: SignatureError, Code: seal.Malformed.String(), Message: err.Error(), Advice: "Give the report exactly as it was issued."}
	}
	if !r.Root.Get("manifest_digest").Exists() {
		return report.Baseline{}, &jsonvalue.Error{Class: jsonvalue.Shape, Code: "report_without_block", Message: "this report holds no digest block", Advice: "A report that could not compare or grade is no baseline: give the manifest."}
	}
	signed := false
	for _, name := range []string{"signature", "manifest_digest_signature", "summary_signature", "attestations"} {
		signed = signed || r.Root.Get(name).Exists()
	}
	if !signed {
		return blockBaseline(r.Root.Get("manifest_digest"), report.ReportMode, doc)
	}
	if _, check := keys.VerifyReport(r); !check.Holds() {
		return report.Baseline{}, signatureError(check)
	}
	return signedBaseline(r.Root, report.ReportMode, doc, keys)
}

func signatureError(check seal.Check) error {
	e := &jsonvalue.Error{Class: SignatureError, Code: check.String()}
	switch check {
	case seal.UnknownKey:
		e.Message = "the baseline is signed by a key that is not known here"
		e.Advice = "Pass the issuer's key set, or compare against the bare block, which says that it is unsigned."
	case seal.Compromised:
		e.Message = "the baseline is signed by a key that was revoked: what it signed is void"
		e.Advice = "Ask for a new report, or compare against the manifest."
	case seal.AfterRetirement:
		e.Message = "the baseline is dated when the key that signed it was retired already: by rule its signature does not count"
		e.Advice = "Ask for a new report, or compare against the manifest."
	case seal.Unsigned:
		e.Message = "the baseline lacks a signature that it has to have"
		e.Advice = "Give it exactly as it was issued, or its bare digest block, which says that it is unsigned."
	case seal.Invalid:
		e.Message = "the baseline's signature does not fit it: it was altered after signing"
		e.Advice = "Give it exactly as it was issued."
	case seal.Unsupported:
		e.Message = "the baseline's signature is of an algorithm that is not supported"
		e.Advice = "Only ed25519 is."
	default:
		e.Message = "the baseline's signature is malformed"
		e.Advice = "Give it exactly as it was issued: the signature object or its base64 value."
	}
	return e
}
