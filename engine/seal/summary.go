package seal

import (
	"slices"

	"github.com/manifestseal/manifestseal/engine/digest"
	"github.com/manifestseal/manifestseal/engine/jsonvalue"
	"github.com/manifestseal/manifestseal/engine/manifest"
)

// The members of a summary, in their published order; issuer only where a
// server issued the report.
var (
	driftSummary = []string{"criteria_id", "issuer", "as_of", "verdict", "counts", "baseline_aggregate", "current_aggregate", "report_sha256"}
	auditSummary = []string{"criteria_id", "issuer", "as_of", "score", "grade", "counts", "current_aggregate", "report_sha256"}
)

func isDrift(v jsonvalue.Value) bool { return v.Get("criteria_id").Text() == manifest.DriftCriteria }

// summaryFault says why a summary has not the form of one, or "".
func summaryFault(s jsonvalue.Value) string {
	known := auditSummary
	if isDrift(s) {
		known = driftSummary
	}
	for name := range s.Members() {
		if !slices.Contains(known, name) {
			return "The summary has a member that no summary has."
		}
	}
	for _, name := range known {
		if name != "issuer" && !s.Get(name).Exists() {
			return "The summary has no " + name + "."
		}
	}
	if !wellFormedTime(s.Get("as_of").Text()) {
		return "The summary's as_of is no time in the form of a report."
	}
	for _, name := range []string{"baseline_aggregate", "current_aggregate", "report_sha256"} {
		if _, ok := digest.ParseSum(s.Get(name).Text()); !ok && s.Get(name).Exists() {
			return "The summary's " + name + " is no SHA-256."
		}
	}
	if isDrift(s) {
		return verdictFault(s.Get("verdict").Text(), s.Get("counts"))
	}
	score, ok := count(s.Get("score"))
	if !ok || score > 100 || s.Get("grade").Text() == "" {
		return "The summary's score is none from 0 to 100, or its grade is no text."
	}
	return ""
}

// summaryMismatch says what a report's summary says otherwise than the report,
// or "". That the report is the one that is meant, its report_sha256 says.
func summaryMismatch(r jsonvalue.Value) string {
	s := r.Get("summary")
	if fault := summaryFault(s); fault != "" {
		return fault
	}
	says := []struct {
		name string
		in   jsonvalue.Value
	}{
		{"criteria_id", r.Get("criteria_id")}, {"issuer", r.Get("issuer")}, {"as_of", r.Get("as_of")},
		{"verdict", r.Get("verdict")}, {"counts", r.Get("counts")},
		{"baseline_aggregate", r.Get("baseline").Get("aggregate_digest")}, {"current_aggregate", r.Get("current").Get("aggregate_digest")},
	}
	if !isDrift(r) {
		grade := r.Get("grade")
		says[3].name, says[3].in = "score", grade.Get("score")
		says[4].in = grade.Get("counts")
		says[5].name, says[5].in = "grade", grade.Get("grade")
	}
	for _, m := range says {
		if string(s.Get(m.name).AppendCanonical(nil)) != string(m.in.AppendCanonical(nil)) {
			return "The summary's " + m.name + " is not what the report says."
		}
	}
	if sum := digest.SumOf(SummarisedBytes(r)); s.Get("report_sha256").Text() != sum.Hex() {
		return "The summary's report_sha256 is not this report's: it is the summary of another report, or one of them was altered."
	}
	return ""
}
