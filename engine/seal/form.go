package seal

import (
	"strconv"
	"strings"

	"github.com/manifestseal/manifestseal/engine/digest"
	"github.com/manifestseal/manifestseal/engine/jsonvalue"
	"github.com/manifestseal/manifestseal/engine/manifest"
)

// What a report of the published version says of itself.
const (
	service = "manifest-claim-audit"
	version = "1.1.0"
)

func supportedCriteria(v jsonvalue.Value) bool {
	id := v.Get("criteria_id").Text()
	return id == manifest.DriftCriteria || id == manifest.ClaimsCriteria
}

func supported(report jsonvalue.Value) bool {
	v := report.Get("version")
	return supportedCriteria(report) && (v.Kind() != jsonvalue.String || v.Text() == version)
}

// formFault says why a report has not the form of its kind, or "".
func (v *Verdict) formFault() string {
	r := v.Root
	if r.Get("service").Text() != service || r.Get("version").Text() != version {
		return "Its service is not " + service + ", or its version not " + version + "."
	}
	if !wellFormedTime(r.Get("as_of").Text()) {
		return "Its as_of is no time in the form of a report."
	}
	if issuer := r.Get("issuer"); issuer.Exists() && issuer.Text() == "" {
		return "Its issuer is no text."
	}
	switch v.Kind {
	case CouldNotCompare:
		return couldNotFault(r, "COULD NOT COMPARE ")
	case CouldNotGrade:
		return couldNotFault(r, "COULD NOT GRADE ")
	case AuditReport:
		return missing(r, "current", "grade", "manifest_digest", "summary")
	}
	if fault := missing(r, "baseline", "current", "counts", "changed_description_scan", "outside_digest", "manifest_digest", "summary"); fault != "" {
		return fault
	}
	if r.Get("tools").Kind() != jsonvalue.Array {
		return "Its tools are no list."
	}
	return ""
}

func missing(r jsonvalue.Value, objects ...string) string {
	for _, name := range objects {
		if r.Get(name).Kind() != jsonvalue.Object {
			return "Its member " + name + " is missing, or no object."
		}
	}
	return ""
}

// couldNotFault: what says that nothing was compared must hold nothing that
// could be read as a result.
func couldNotFault(r jsonvalue.Value, begin string) string {
	if !strings.HasPrefix(r.Get("verdict").Text(), begin) || r.Get("reason").Text() == "" {
		return "Its verdict and its reason do not belong together."
	}
	for _, name := range []string{"counts", "grade", "tools", "regrade", "manifest_digest", "manifest_digest_signature", "summary", "summary_signature"} {
		if r.Get(name).Exists() {
			return "It says that nothing was compared or graded, and yet has " + name + "."
		}
	}
	return ""
}

// verdictFault says why a drift verdict and its counts do not agree, or "".
func verdictFault(verdict string, counts jsonvalue.Value) string {
	differing := 0
	for _, status := range []string{"unchanged", "changed", "added", "removed"} {
		n, ok := count(counts.Get(status))
		if !ok {
			return "Its counts are no numbers of tools."
		}
		if status != "unchanged" {
			differing += n
		}
	}
	want := "MANIFEST UNCHANGED"
	if differing > 0 {
		want = "MANIFEST CHANGED (" + strconv.Itoa(differing) + " tools)"
	}
	if verdict != want || counts.Len() != 4 {
		return "Its verdict and its counts do not agree."
	}
	return ""
}

func count(v jsonvalue.Value) (int, bool) {
	f := v.Float()
	return int(f), v.Kind() == jsonvalue.Number && f >= 0 && f <= 1<<40 && f == float64(int(f))
}

// blockMismatch holds the block to what the report says of the current manifest.
func blockMismatch(b *digest.Block, current jsonvalue.Value) string {
	n, ok := count(current.Get("tool_count"))
	if !ok || n != len(b.Tools) || current.Get("aggregate_digest").Text() != b.Aggregate.Hex() {
		return "What the report says of the current manifest is not what its digest block says."
	}
	return ""
}
