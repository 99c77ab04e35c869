package gate

import (
	"github.com/manifestseal/manifestseal/engine/capability"
	"github.com/manifestseal/manifestseal/engine/jsonvalue"
)

// Write writes the decision as one JSON object: outcome, what was asked,
// counts, what could not be checked, findings, and the summaries of the grade
// and of the tiers.
func (d *Decision) Write(w *jsonvalue.Builder) {
	w.Begin('{')
	w.Member("outcome", d.Outcome.String())
	w.Name("options")
	d.Options.write(w)
	w.Name("tool_count")
	w.Int(len(d.Tools))
	w.Name("counts")
	w.Begin('{')
	w.Name("failing")
	w.Int(d.Failing)
	for s := len(d.Counts) - 1; s >= 0; s-- {
		w.Name(severityNames[s])
		w.Int(d.Counts[s])
	}
	w.End('}')
	w.Name("could_not_check")
	w.Begin('[')
	for _, f := range d.Failures {
		w.Begin('{')
		w.Filled("source", f.Source)
		w.Filled("rule", f.Rule)
		w.Member("message", f.Message)
		w.End('}')
	}
	w.End(']')
	w.Name("findings")
	w.Begin('[')
	for i := range d.Findings {
		d.writeFinding(w, &d.Findings[i])
	}
	w.End(']')
	d.writeSummaries(w)
	w.End('}')
}

func (o Options) write(w *jsonvalue.Builder) {
	w.Begin('{')
	w.Member("fail_on", o.FailOn.String())
	w.Name("fail_on_capability")
	w.Nullable(o.FailOnCapability.String(), o.FailOnCapability != capability.Unknown)
	w.Name("allow_unknown")
	w.Bool(o.AllowUnknown)
	w.Name("require_annotations")
	w.Bool(o.RequireAnnotations)
	w.End('}')
}

func (d *Decision) writeFinding(w *jsonvalue.Builder, f *Finding) {
	w.Begin('{')
	w.Member("source", f.Source)
	w.Member("rule", f.Rule)
	w.Member("severity", f.Severity.String())
	w.Name("tool")
	if f.Entry < 0 {
		w.Null()
		w.Name("occurrence")
		w.Null()
	} else {
		t := d.Tools[f.Entry]
		w.Nullable(t.Name, t.Named)
		w.Name("occurrence")
		w.Int(t.Occurrence)
	}
	w.Member("pointer", f.Pointer)
	w.Member("message", f.Message)
	w.Filled("evidence", f.Evidence)
	w.Filled("anchor", f.Anchor)
	w.Filled("view", f.View)
	if f.Mention {
		w.Name("mention")
		w.Bool(true)
	}
	w.Filled("muted", f.Muted)
	if f.Unsure {
		w.Name("undecided")
		w.Bool(true)
	}
	w.Name("fails")
	w.Bool(f.Fails != "")
	w.Filled("why", f.Fails)
	w.End('}')
}

func (d *Decision) writeSummaries(w *jsonvalue.Builder) {
	if d.Grade != nil && d.Grade.Graded {
		w.Name("score")
		w.Int(d.Grade.Score)
		w.Member("grade", d.Grade.Grade)
	}
	if d.Tiers == nil {
		return
	}
	w.Name("capability")
	w.Begin('{')
	for _, t := range [...]capability.Tier{capability.Read, capability.Local, capability.Mutate, capability.Destructive, capability.Unknown} {
		w.Name(t.String())
		w.Int(d.Tiers.Count(t))
	}
	w.End('}')
}
