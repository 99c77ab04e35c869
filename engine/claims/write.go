package claims

import "github.com/manifestseal/manifestseal/engine/jsonvalue"

// ZeroTools is the reason why a manifest was not graded.
const ZeroTools = "zero_tools"

// CouldNotGrade is the verdict on a document that has no score.
const CouldNotGrade = "COULD NOT GRADE — the manifest contains no tools, or (in URL mode) could not be fetched and parsed as a tools/list document. This is not a statement about its tools."

// Write writes the output as one JSON object. With zero tools it holds the
// criteria, a verdict and a reason, and no score.
func (o *Output) Write(w *jsonvalue.Builder) {
	w.Begin('{')
	w.Member("criteria_id", Criteria)
	w.Name("spec_versions")
	w.Strings(specVersions[:])
	if !o.Graded {
		w.Member("verdict", CouldNotGrade)
		w.Member("reason", ZeroTools)
		w.End('}')
		return
	}
	w.Name("score")
	w.Int(o.Score)
	w.Member("grade", o.Grade)
	w.Name("counts")
	o.Counts.Write(w)
	w.Name("tools")
	w.Begin('[')
	for i := range o.Tools {
		o.Tools[i].write(w)
	}
	w.End(']')
	w.Name("findings")
	w.Begin('[')
	for i := range o.Findings {
		o.writeFinding(w, &o.Findings[i])
	}
	w.End(']')
	w.Name("fix_list")
	w.Begin('[')
	for _, f := range o.Fixes {
		f.write(w)
	}
	w.End(']')
	w.End('}')
}

// Write writes the counts as one JSON object.
func (c *Counts) Write(w *jsonvalue.Builder) {
	w.Begin('{')
	writeInt(w, "pass", c.Pass)
	writeInt(w, "fail", c.Fail)
	writeInt(w, "not_applicable", c.NotApplicable)
	writeInt(w, "unknown", c.Unknown)
	w.Name("by_severity")
	w.Begin('{')
	for s, n := range c.BySeverity {
		writeInt(w, severityNames[s], n)
	}
	w.End('}')
	w.End('}')
}

func writeInt(w *jsonvalue.Builder, name string, n int) {
	w.Name(name)
	w.Int(n)
}

func (t *Tool) write(w *jsonvalue.Builder) {
	w.Begin('{')
	w.Name("name")
	w.Nullable(t.Name, t.Named)
	writeInt(w, "occurrence", t.Occurrence)
	writeInt(w, "score", t.Score)
	w.Name("checks")
	w.Begin('{')
	for r, s := range t.Checks {
		w.Member(rules[r].ID, s.String())
	}
	w.End('}')
	w.End('}')
}

func (o *Output) writeFinding(w *jsonvalue.Builder, f *Finding) {
	rule := &rules[f.Rule]
	w.Begin('{')
	w.Member("id", rule.ID)
	w.Member("severity", rule.Severity.String())
	w.Name("tool")
	if f.Tool < 0 {
		w.Null()
		w.Name("occurrence")
		w.Null()
	} else {
		t := &o.Tools[f.Tool]
		w.Nullable(t.Name, t.Named)
		writeInt(w, "occurrence", t.Occurrence)
	}
	w.Member("pointer", f.Pointer)
	w.Member("message", f.Message)
	w.Member("evidence", f.Evidence)
	w.Member("fix", rule.Fix)
	w.End('}')
}

func (f *Fix) write(w *jsonvalue.Builder) {
	w.Begin('{')
	w.Member("fix", rules[f.Rule].Fix)
	w.Name("resolves")
	w.Begin('[')
	for _, i := range f.Resolves {
		w.Int(i)
	}
	w.End(']')
	writeInt(w, "gain", f.Gain)
	w.End('}')
}
