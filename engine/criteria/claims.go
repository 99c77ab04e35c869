package criteria

import (
	"github.com/manifestseal/manifestseal/engine/claims"
	"github.com/manifestseal/manifestseal/engine/jsonvalue"
)

// group is the rules whose ids begin with one letter.
type group struct{ letter, id, text string }

func groups() []group {
	return []group{
		{"I", "identity", "Does each tool say who it is, in a name that is its own?"},
		{"D", "description", "Does it say what it does, in words that help to choose it?"},
		{"S", "schema", "Does it say what it takes, in schemas that can be met?"},
		{"A", "annotations", "Do its hints agree with its name, its description and its parameters?"},
		{"C", "care", "What should a reader look at before the tool is called?"},
	}
}

// claimsProse is what the rules rest on, in the order of publication.
func claimsProse() [][2]string {
	return [][2]string{
		{"subject", "One tools/list document: does each tool say who it is, what it does and what it takes, and do these statements agree with each other?"},
		{"scope", "It looks at one document, executes nothing, asks no model, and gives the same answer every time. Text that tries to steer an agent belongs to the screens and does not touch this score."},
		{"checks", "Every tool has every check, as pass, fail, na or unknown. na: the rule's subject is not there. unknown: it can't be decided from the document; it is shown and never counted."},
		{"findings", "Each failed or undecided check of a tool has exactly one finding: the first place in the document's order as a JSON Pointer (RFC 6901), how many more places there are, and an excerpt of at most 120 characters."},
		{"lists", "A rule about the list stands in each tool that it concerns. Two rules speak of the list alone and have one finding without a tool: I7, whose check is unknown on every tool of a page, and C5, whose check is na."},
		{"verbs", "A verb counts only as the leading word of a name (split at _, -, . and case changes, after a common prefix of all tools is dropped) or as a description's first word: workflow_run is a noun."},
		{"units", "Lengths are in Unicode code points. Scores are rounded half up to whole numbers, only at the end."},
	}
}

// Claims returns mcp-manifest-claims/v1.
func Claims() []byte {
	var w jsonvalue.Builder
	w.Begin('{')
	w.Member("criteria_id", claims.Criteria)
	for _, p := range claimsProse() {
		w.Member(p[0], p[1])
	}
	w.Name("spec_versions")
	w.Strings(claims.SpecVersions())
	w.Name("score")
	writeScoring(&w)
	w.Member("fix_list", "One change for each rule that failed, ordered by the points of the manifest's score that it brings back, computed: the score with these checks passed, less the score now. Equal gains stand in the order of severity.")
	w.Member("could_not_grade", claims.CouldNotGrade)
	w.Name("groups")
	w.Begin('[')
	for _, g := range groups() {
		w.Begin('{')
		w.Member("id", g.id)
		w.Member("letter", g.letter)
		w.Member("text", g.text)
		w.End('}')
	}
	w.End(']')
	w.Name("rules")
	w.Begin('[')
	for _, r := range claims.Rules() {
		w.Begin('{')
		w.Member("id", r.ID)
		w.Member("severity", r.Severity.String())
		w.Member("fails_when", r.Fails)
		w.Member("fix", r.Fix)
		w.End('}')
	}
	w.End(']')
	w.End('}')
	return w.Bytes
}

func writeScoring(w *jsonvalue.Builder) {
	scale := claims.Scoring()
	w.Begin('{')
	w.Name("weights")
	w.Begin('{')
	for i, name := range claims.Severities() {
		w.Name(name)
		w.Int(claims.Severity(i).Weight())
	}
	w.End('}')
	w.Member("tool", "100 × the weights of its passed checks / the weights of its passed and failed checks.")
	w.Member("manifest", "A tenth of: mean_tenths × the mean of the tools' scores + lowest_tenths × the lowest of them. Any failed critical check caps it at critical_cap.")
	for _, n := range []struct {
		name  string
		value int
	}{{"mean_tenths", scale.MeanTenths}, {"lowest_tenths", scale.LowestTenths}, {"critical_cap", scale.CriticalCap}} {
		w.Name(n.name)
		w.Int(n.value)
	}
	w.Name("grades_from")
	w.Begin('{')
	for _, b := range scale.Grades {
		w.Name(b.Grade)
		w.Int(b.Least)
	}
	w.End('}')
	w.End('}')
}
