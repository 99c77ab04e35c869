// Package criteria implements the publication of mcp-manifest-drift/v1: the
// document as issued, with the few substitutions that name this service in the
// place of another, and the sentences of it that reports repeat.
//
// It never knows how a rule is carried out.
package criteria

import (
	_ "embed"
	"strings"
)

// Sentences of the criteria that stand in reports, byte for byte.
const (
	Service = "manifest-claim-audit"
	Version = "1.1.0"

	SignedBaselineNote   = "The baseline for this comparison is anchored by a service-signed audit report or by that report's independently signed digest block; baseline_as_of names when the baseline was issued."
	AssertedBaselineNote = "The baseline for this comparison was asserted by the customer (a submitted manifest), not anchored by a service-signed report; the report states the difference between the two submitted documents only."
	CouldNotCompare      = "COULD NOT COMPARE — the baseline or the current manifest contains no tools, or (in URL mode) the current manifest document could not be fetched and parsed as a tools/list document, so no comparison could be made. This is not a statement that a manifest is unchanged."
	ScanScope            = "The new descriptions of CHANGED tools only. Added tools are not screened: first-sight content is graded by the manifest audit and by the injection verdict service, not by a drift comparison. The scan section of every report states this scope."
	ScanLabelling        = "The scan is a pattern screen, reported in its own section, visibly separate from the drift findings. Each match is reported as { id, category, start, end } (plus the normalization view when the match came from one), positions being JavaScript string indices into the tool's new description. No scan verdict is issued by a drift report."

	// BareBlockNote is ours: the criteria know no unsigned digest block.
	BareBlockNote = "The baseline for this comparison is an unsigned digest block asserted by the customer; nothing anchors it."
	// UserAgent names this service where the document as issued names another.
	UserAgent = "ManifestSeal/1.1 (manifest-claim audit; read-only fetch of a submitted manifest document)"
)

//go:embed mcp-manifest-drift-v1.json
var issued string

// Substitution is a text of the document as issued that is published changed.
type Substitution struct {
	Pointer  string // JSON Pointer of the string that it stands in
	From, To string
	Why      string
}

// Substitutions lists every difference between the document as issued and as
// published here.
func Substitutions() []Substitution {
	return []Substitution{{
		Pointer: "/fetch_contract/user_agent",
		From:    "ExchangeRebel-ManifestClaimAudit/1.1 (manifest-claim audit; read-only fetch of a submitted manifest document; contact: toll-api)",
		To:      UserAgent,
		Why:     "The user agent and the contact name the service that fetches.",
	}}
}

// Issued returns the document as it was issued.
func Issued() string { return issued }

// Drift returns the document as published here: JSON, in the issued order.
func Drift() []byte {
	text := issued
	for _, s := range Substitutions() {
		text = strings.Replace(text, s.From, s.To, 1)
	}
	return []byte(text)
}
