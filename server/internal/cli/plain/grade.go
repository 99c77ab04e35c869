package plain

import (
	"strconv"
	"strings"

	"github.com/manifestseal/manifestseal/engine/capability"
	"github.com/manifestseal/manifestseal/engine/claims"
)

// GradeLine is a grade in a few words.
func GradeLine(g *claims.Output) string {
	if !g.Graded {
		return "COULD NOT GRADE"
	}
	return "Grade " + g.Grade + ", score " + strconv.Itoa(g.Score) + " of 100, " + Count(len(g.Tools), "tool")
}

// GradeLead counts the checks behind a grade.
func GradeLead(g *claims.Output) string {
	c := &g.Counts
	text := "By " + claims.Criteria + ": " + Number(c.Pass) + " checks passed, " + Number(c.Fail) + " failed"
	var parts []string
	for s, name := range claims.Severities() {
		if n := c.BySeverity[s]; n > 0 {
			parts = append(parts, Number(n)+" "+name)
		}
	}
	if len(parts) > 0 {
		text += " (" + strings.Join(parts, ", ") + ")"
	}
	if c.Unknown > 0 {
		text += ", " + Number(c.Unknown) + " could not be decided"
	}
	return text + "."
}

// Evidence says in a few words what gave a tier.
func Evidence(r *capability.Result) string {
	if r.Tier == capability.Unknown {
		return "nothing was recognised"
	}
	text := "by its " + r.Axis.String()
	for _, e := range r.Evidence {
		if e.Axis == r.Axis && e.Tier == r.Tier {
			text += " " + strconv.Quote(Clip(Text(e.Text), 80)) + " at " + Clip(Text(e.Pointer), 120)
			break
		}
	}
	if r.Opaque {
		text += "; a batch whose commands are not known before the call"
	}
	return text
}
