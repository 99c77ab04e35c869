package cli

import (
	"strings"

	"github.com/manifestseal/manifestseal/engine"
	"github.com/manifestseal/manifestseal/engine/digest"
	"github.com/manifestseal/manifestseal/engine/drift"
	"github.com/manifestseal/manifestseal/engine/gate"
	"github.com/manifestseal/manifestseal/engine/jsonvalue"
	"github.com/manifestseal/manifestseal/engine/manifest"
	"github.com/manifestseal/manifestseal/engine/report"
	"github.com/manifestseal/manifestseal/server/internal/cli/plain"
	"github.com/manifestseal/manifestseal/server/internal/cli/sarif"
)

// The rules of a comparison's SARIF log, under the id of its criteria.
var driftRules = map[string]sarif.Rule{
	"changed": {Text: "A tool is not as it was reviewed.", Fix: "Read what changed. If it is as it should be, accept the tool into the lockfile: manifestseal pin --accept TOOL.", Level: sarif.Error, Security: "8.0"},
	"added":   {Text: "A tool was not there when the manifest was reviewed.", Fix: "Read the tool, then accept it into the lockfile: manifestseal pin --accept TOOL.", Level: sarif.Error, Security: "8.0"},
	"removed": {Text: "A tool that was reviewed is gone.", Fix: "Check what called it, then accept that it is gone: manifestseal pin --accept TOOL.", Level: sarif.Warning, Security: "5.5"},
	"outside": {Text: "Members of a tool changed that the digests do not cover, such as title or outputSchema.", Fix: "Read what changed: an agent reads it too. Then accept the tool: manifestseal pin --accept TOOL.", Level: sarif.Error, Security: "8.0"},
}

func (r *results) sarifComparison(s source, c *engine.Comparison) {
	cmp := c.Drift.Comparison
	if cmp == nil {
		r.log.Failed = append(r.log.Failed, sarif.Notification{File: s.name, Message: c.Drift.Verdict()})
		return
	}
	for _, t := range cmp.Tools {
		if t.Status != drift.Unchanged {
			r.log.Results = append(r.log.Results, drifted(s, cmp, t, strings.ToLower(string(t.Status)), changedFields(cmp, t)))
		}
	}
	r.sarifAlarms(s, c.Drift)
	if c.Drift.Outside == nil {
		return
	}
	for _, o := range c.Drift.Outside.Tools {
		var names []string
		for _, m := range o.Members {
			names = append(names, m.Key)
		}
		for _, n := range o.Numbers {
			names = append(names, n.Pointer)
		}
		r.log.Results = append(r.log.Results, drifted(s, cmp, o.Tool, "outside", names))
	}
}

// sarifAlarms adds a result for each thing that the poison rules hit now and did
// not hit in the baseline.
func (r *results) sarifAlarms(s source, c *report.Drift) {
	d := &gate.Decision{Tools: c.Current.Manifest.Entries}
	for _, t := range c.Assess().Poison.Tools {
		for _, change := range t.Changes {
			if change.Added {
				d.Findings = append(d.Findings, gate.OfHit(change.Hit, t.New))
			}
		}
	}
	for i := range d.Findings {
		d.Findings[i].Message += " It did not stand in the baseline."
	}
	r.sarifDecision(s, c.Current.Manifest, d)
}

func changedFields(c *drift.Comparison, t drift.Tool) []string {
	if t.Status == drift.Changed {
		return c.Diff(t).Fields
	}
	return nil
}

// drifted is one result. Its identity is the tool, what differs and its new
// content: an alert that was closed for one change is none for the next.
func drifted(s source, c *drift.Comparison, t drift.Tool, rule string, members []string) sarif.Result {
	r := driftRules[rule]
	r.ID = manifest.DriftCriteria + "/" + rule
	out := sarif.Result{Rule: r, Level: r.Level, File: s.name, Tool: t.Name}
	name := "(no name)"
	if t.Named {
		name = plain.Text(t.Name)
	}
	out.Message = "Tool " + name + " is " + strings.ToLower(string(t.Status)) + "."
	if rule == "outside" {
		out.Message = "Tool " + name + " differs outside the digests."
	}
	if len(members) > 0 {
		out.Message += " What differs: " + plain.Clip(strings.Join(members, ", "), 500) + "."
	}
	if way := direction(c, t); way != "" {
		out.Message += " It is " + way + "."
	}
	var w jsonvalue.Builder
	w.Begin('[')
	w.String(r.ID)
	w.Nullable(t.Name, t.Named)
	w.Int(t.Occurrence)
	w.Strings(members)
	if t.New >= 0 && c.Current.Manifest != nil {
		e := c.Current.Manifest.Entries[t.New]
		out.Pointer = gate.Place(c.Current.Manifest, t.New)
		at := e.Value.Position()
		out.Line, out.Column = at.Line, at.Column
		digest.Whole(e).Write(&w)
	}
	w.End(']')
	out.Fingerprint = digest.SumOf(w.Bytes).Hex()
	return out
}
