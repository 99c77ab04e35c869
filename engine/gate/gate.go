// Package gate implements the decision of `scan`: which findings on one
// manifest fail a gate, and why. It follows the commands of the reports' design
// (scan) and the guard's tiers and annotations (mcp-guard-scan's
// --fail-on-capability and --require-annotations).
//
// It never knows a command line, an exit status or a live call, and what it does
// not know is never clean.
package gate

import (
	"strconv"

	"github.com/manifestseal/manifestseal/engine/capability"
	"github.com/manifestseal/manifestseal/engine/claims"
	"github.com/manifestseal/manifestseal/engine/manifest"
	"github.com/manifestseal/manifestseal/engine/poison"
)

// Options say what fails.
type Options struct {
	FailOn Severity // a finding at it or above fails
	// A tool at this tier or above fails, and one whose tier is unknown can't be
	// checked; capability.Unknown asks for no such gate.
	FailOnCapability capability.Tier
	AllowUnknown     bool // tools whose tier is unknown are let through
	// A tool that writes must say readOnlyHint: false, one of T3 destructiveHint:
	// true as well, and hints must agree with the tier.
	RequireAnnotations bool
}

// Defaults are the options where nobody says otherwise: fail on high.
func Defaults() Options { return Options{FailOn: High} }

// Outcome is what the gate says of a manifest.
type Outcome uint8

// The outcomes. The zero Outcome is that nothing is known.
const (
	CouldNotCheck Outcome = iota
	Clean
	Failed
)

var outcomeNames = [...]string{"could_not_check", "clean", "failed"}

// String returns the wire value.
func (o Outcome) String() string { return outcomeNames[o] }

// Failure is something that was to be checked and could not be.
type Failure struct {
	Source, Rule string // what was not run: a rulebook and, where it is one, its rule
	Message      string // why, and for which tool
}

// Input is all that is known of a manifest.
type Input struct {
	Manifest *manifest.Manifest
	Grade    *claims.Output     // nil where it was not asked for
	Tiers    *capability.Report // nil where it was not asked for
	Screens  []Finding          // of the rulebooks, in their order
	Failures []Failure          // what could not be checked
	Mutes    []poison.Mute      // of findings of mcp-poison-rules/v1
}

// Extra is what a caller has of its own.
type Extra struct {
	Findings []Finding
	Failures []Failure
	Mutes    []poison.Mute
}

// Decision is the outcome with all that was found.
type Decision struct {
	Outcome  Outcome
	Options  Options
	Tools    []manifest.Entry // manifest order
	Findings []Finding        // by tool in manifest order, those of the list first; within a tool by severity, the gravest first
	Failures []Failure        // empty unless something could not be checked
	Failing  int              // findings that fail the gate
	Counts   [len(severityNames)]int
	Grade    *claims.Output
	Tiers    *capability.Report
}

// Scan looks at a manifest with all that the engine has, and decides. What a
// caller found or failed to check by rules of its own, and what it muted, comes
// with more.
func Scan(m *manifest.Manifest, o Options, more Extra) *Decision {
	in := Input{Manifest: m, Grade: claims.Grade(m), Tiers: capability.Manifest(m, capability.Options{}), Failures: more.Failures, Mutes: more.Mutes}
	in.Screens = append(append(Injection(m), Poison(m)...), more.Findings...)
	return Decide(in, o)
}

// Decide weighs what was found. The outcome is CouldNotCheck with zero tools,
// whenever something could not be checked, and where the gate on tiers meets an
// unknown one and nothing else fails.
func Decide(in Input, o Options) *Decision {
	d := &Decision{Options: o, Tools: in.Manifest.Entries, Failures: in.Failures, Grade: in.Grade, Tiers: in.Tiers}
	d.Findings = append(d.Findings, ofGrade(in.Grade)...)
	d.Findings = append(d.Findings, in.Screens...)
	unknown := 0
	if in.Tiers != nil {
		var found []Finding
		found, unknown = ofTiers(in.Tiers, o)
		d.Findings = append(d.Findings, found...)
	}
	d.Findings = order(d.Findings)
	d.mute(in.Mutes)
	for i := range d.Findings {
		f := &d.Findings[i]
		if f.Fails == "" && f.Severity >= o.FailOn && !f.Mention && !f.Unsure && f.Muted == "" {
			f.Fails = BySeverity
		}
		d.Counts[f.Severity]++
		if f.Fails != "" {
			d.Failing++
		}
	}
	d.Outcome = d.outcome(unknown)
	return d
}

func (d *Decision) outcome(unknown int) Outcome {
	switch {
	case len(d.Tools) == 0:
		d.Failures = append(d.Failures, Failure{Message: "the manifest contains no tools"})
		return CouldNotCheck
	case len(d.Failures) > 0:
		return CouldNotCheck
	case d.Failing > 0:
		return Failed
	case unknown > 0:
		// No tool is known to reach the tier, and of these nobody knows.
		d.Failures = append(d.Failures, Failure{Source: CapabilityTiers, Rule: RuleUnknownTier,
			Message: "the tier of " + strconv.Itoa(unknown) + " of the tools is not known, so nobody can say that none reaches " + d.Options.FailOnCapability.String()})
		return CouldNotCheck
	}
	return Clean
}
