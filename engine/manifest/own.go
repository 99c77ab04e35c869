package manifest

import (
	"strings"

	"github.com/manifestseal/manifestseal/engine/jsonvalue"
)

// The identifiers by which documents of this service are recognised.
const (
	DriftCriteria  = "mcp-manifest-drift/v1"
	ClaimsCriteria = "mcp-manifest-claims/v1"
	LockfileScheme = "manifestseal-lock/"
)

// OwnKind is which document of this service a value is.
type OwnKind uint8

const (
	NotOurs     OwnKind = iota
	OwnReport           // a drift or audit report, or a could-not-compare
	OwnBlock            // a bare digest block
	SignedBlock         // {manifest_digest, manifest_digest_signature}
	Lockfile
)

// Own recognises a document of this service before any accepted shape is
// looked for (R10). Such a document is no manifest, though it may hold tools;
// as a baseline it is used as what it is.
func Own(root jsonvalue.Value) OwnKind {
	if root.Kind() != jsonvalue.Object {
		return NotOurs
	}
	id := root.Get("criteria_id").Text()
	switch {
	case id == DriftCriteria && root.Get("aggregate_digest").Exists():
		return OwnBlock
	case id == DriftCriteria || id == ClaimsCriteria:
		return OwnReport
	case root.Get("manifest_digest").Get("criteria_id").Text() == DriftCriteria:
		return SignedBlock
	case strings.HasPrefix(root.Get("scheme").Text(), LockfileScheme):
		return Lockfile
	}
	return NotOurs
}

func ownError(kind OwnKind) *jsonvalue.Error {
	e := &jsonvalue.Error{Class: jsonvalue.Shape}
	switch kind {
	case OwnReport:
		e.Code, e.Message = "own_report", "this is a ManifestSeal report, not a manifest"
		e.Advice = "Use it as the baseline, and give the server's tools/list document here."
	case OwnBlock, SignedBlock:
		e.Code, e.Message = "own_digest_block", "this is a digest block, not a manifest"
		e.Advice = "Use it as the baseline, and give the server's tools/list document here."
	case Lockfile:
		e.Code, e.Message = "own_lockfile", "this is a ManifestSeal lockfile, not a manifest"
		e.Advice = "Use it as the baseline, and give the server's tools/list document here."
	default:
		return nil
	}
	return e
}
