package plain

import (
	"strconv"
	"strings"

	"github.com/manifestseal/manifestseal/engine/capability"
	"github.com/manifestseal/manifestseal/engine/gate"
	"github.com/manifestseal/manifestseal/engine/manifest"
)

// ToolName names an entry of a manifest on one line; -1 is the list itself.
func ToolName(tools []manifest.Entry, entry int) string {
	if entry < 0 {
		return "(the list)"
	}
	e := &tools[entry]
	name := "(no name)"
	if e.Named {
		name = Text(e.Name)
	}
	if e.Occurrence > 1 {
		name += " (occurrence " + strconv.Itoa(e.Occurrence) + ")"
	}
	return name
}

// GateVerdict is the outcome of a scan in one line.
func GateVerdict(d *gate.Decision) string {
	switch d.Outcome {
	case gate.Clean:
		return "CLEAN: nothing at or above " + d.Options.FailOn.String()
	case gate.Failed:
		return "FAILED: " + Count(d.Failing, "finding")
	}
	return "COULD NOT CHECK"
}

// GateLead are the sentences under it.
func GateLead(d *gate.Decision) []string {
	if len(d.Tools) == 0 {
		return []string{"This is no statement about a server's tools."}
	}
	var parts []string
	for s := len(d.Counts) - 1; s >= 0; s-- {
		if n := d.Counts[s]; n > 0 {
			parts = append(parts, Number(n)+" "+gate.Severity(s).String())
		}
	}
	found := "Nothing was found in " + Count(len(d.Tools), "tool") + "."
	if len(parts) > 0 {
		found = "Findings in " + Count(len(d.Tools), "tool") + ": " + strings.Join(parts, ", ") + "."
	}
	lines := []string{found}
	if d.Grade != nil && d.Grade.Graded {
		lines[0] += " Grade " + d.Grade.Grade + ", score " + strconv.Itoa(d.Grade.Score) + " of 100."
	}
	if d.Tiers != nil {
		lines = append(lines, "Tiers: "+Tiers(d.Tiers)+".")
	}
	return lines
}

// Tiers is the summary of a manifest's capability.
func Tiers(r *capability.Report) string {
	var parts []string
	for _, t := range [...]capability.Tier{capability.Read, capability.Local, capability.Mutate, capability.Destructive, capability.Unknown} {
		parts = append(parts, Number(r.Count(t))+" "+t.String())
	}
	return strings.Join(parts, ", ")
}

// GateFailure says what could not be checked.
func GateFailure(f *gate.Failure) string {
	text := "Could not check"
	if f.Rule != "" {
		text += " rule " + Text(f.Rule)
	}
	if f.Source != "" {
		text += " of " + Text(f.Source)
	}
	return text + ": " + Text(f.Message) + "."
}
