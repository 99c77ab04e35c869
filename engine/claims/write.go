package claims

import "github.com/manifestseal/manifestseal/engine/jsonvalue"

// ZeroTools is the reason why a manifest was not graded.
const ZeroTools = "zero_tools"

// CouldNotGrade is the verdict on a document that has no score.
const CouldNotGrade = "COULD NOT GRADE — the manifest contains no tools, or (in URL mode) could not be fetched and parsed as a tools/list document. This is not a statement about its tools."

// Write writes the output as one JSON object. With zero tools it holds the
// criteria, a verdict and a reason, and no score.
func (o *Output) Write(w *jsonvalue.Builder) {
	begin(w, "", '{')
	text(w, "criteria_id", Criteria)
	w.Name("spec_versions")
	w.Strings(specVersions[:])
	if !o.Graded {
		text(w, "verdict", CouldNotGrade)
		text(w, "reason", ZeroTools)
		end(w, '}')
		return
	}
	writeInt(w, "score", o.Score)
	text(w, "grade", o.Grade)
	w.Name("counts")
	o.Counts.Write(w)
	begin(w, "tools", '[')
	for i := range o.Tools {
		o.Tools[i].write(w)
	}
	end(w, ']')
	begin(w, "findings", '[')
	for i := range o.Findings {
		o.writeFinding(w, &o.Findings[i])
	}
	end(w, ']')
	begin(w, "fix_list", '[')
	for _, f := range o.Fixes {
		f.write(w)
	}
	end(w, ']')
	end(w, '}')
}

// Write writes the counts as one JSON object.
func (c *Counts) Write(w *jsonvalue.Builder) {
	begin(w, "", '{')
	writeInt(w, "pass", c.Pass)
	writeInt(w, "fail", c.Fail)
	writeInt(w, "not_applicable", c.NotApplicable)
	writeInt(w, "unknown", c.Unknown)
	begin(w, "by_severity", '{')
	for s, n := range c.BySeverity {
		writeInt(w, severityNames[s], n)
	}
	end(w, '}')
	end(w, '}')
}

// The builder's methods, kept from being inlined (look.go says why). A container
// without a name is an element or the whole.

//go:noinline
func begin(w *jsonvalue.Builder, name string, bracket byte) {
	if name != "" {
		w.Name(name)
	}
	w.Begin(bracket)
}

//go:noinline
func end(w *jsonvalue.Builder, bracket byte) { w.End(bracket) }

//go:noinline
func text(w *jsonvalue.Builder, name, value string) { w.Member(name, value) }

//go:noinline
func writeInt(w *jsonvalue.Builder, name string, n int) {
	w.Name(name)
	w.Int(n)
}

func (t *Tool) write(w *jsonvalue.Builder) {
	begin(w, "", '{')
	w.Name("name")
	w.Nullable(t.Name, t.Named)
	writeInt(w, "occurrence", t.Occurrence)
	writeInt(w, "score", t.Score)
	begin(w, "checks", '{')
	for r, s := range t.Checks {
		text(w, rules[r].ID, s.String())
	}
	end(w, '}')
	end(w, '}')
}

func (o *Output) writeFinding(w *jsonvalue.Builder, f *Finding) {
	rule := &rules[f.Rule]
	begin(w, "", '{')
	text(w, "id", rule.ID)
	text(w, "severity", rule.Severity.String())
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
	text(w, "pointer", f.Pointer)
	text(w, "message", f.Message)
	text(w, "evidence", f.Evidence)
	text(w, "fix", rule.Fix)
	end(w, '}')
}

func (f *Fix) write(w *jsonvalue.Builder) {
	begin(w, "", '{')
	text(w, "fix", rules[f.Rule].Fix)
	begin(w, "resolves", '[')
	for _, i := range f.Resolves {
		w.Int(i)
	}
	end(w, ']')
	writeInt(w, "gain", f.Gain)
	end(w, '}')
}
