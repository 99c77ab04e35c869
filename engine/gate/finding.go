package gate

import (
	"slices"

	"github.com/manifestseal/manifestseal/engine/digest"
	"github.com/manifestseal/manifestseal/engine/jsonvalue"
	"github.com/manifestseal/manifestseal/engine/poison"
	"github.com/manifestseal/manifestseal/engine/screen"
)

// Why a finding fails the gate.
const (
	BySeverity    = "severity"    // it is at or above Options.FailOn
	ByCapability  = "capability"  // its tier is at or above Options.FailOnCapability
	ByAnnotations = "annotations" // Options.RequireAnnotations asks for what is not there
)

// Finding is one thing that was found in a manifest.
type Finding struct {
	Source   string // the rulebook's id, or CapabilityTiers
	Rule     string
	Severity Severity
	Entry    int    // index in the manifest; -1 for the list
	Pointer  string // JSON Pointer (RFC 6901) into the submitted document
	Message  string // one sentence of ours, which may quote names
	Evidence string // manifest text: hostile until made harmless; or empty
	Anchor   string // what was hit, whatever words stand around it
	View     string // the reading of the text that hit, or empty for the text itself
	Mention  bool   // a quotation, not an order: it never fails
	Muted    string // the reason of a mute: it never fails
	Unsure   bool   // the check could not decide: shown, and never fails
	Fails    string // why it fails the gate, or empty

	Text       string // what a screen read: hostile until made harmless; or empty
	Start, End int    // what it hit in Text, in UTF-16 units
}

// Fingerprint is the finding's identity across versions of a document: source,
// rule, tool and what was hit; no line, no index and no wording of ours.
func (d *Decision) Fingerprint(f *Finding) digest.Sum {
	var w jsonvalue.Builder
	w.Begin('[')
	w.String(f.Source)
	w.String(f.Rule)
	if f.Entry >= 0 {
		t := d.Tools[f.Entry]
		w.Nullable(t.Name, t.Named)
		w.Int(t.Occurrence)
	}
	w.String(f.Anchor)
	w.End(']')
	return digest.SumOf(w.Bytes)
}

// mute marks what a mute silences: one rule on one tool, as long as the tool is
// what it was when somebody gave the reason.
func (d *Decision) mute(mutes []poison.Mute) {
	if len(mutes) == 0 {
		return
	}
	for i := range d.Findings {
		f := &d.Findings[i]
		if f.Source != screen.Poison().ID || f.Entry < 0 {
			continue
		}
		e := d.Tools[f.Entry]
		if m := poison.Muted(mutes, &poison.Hit{Rule: f.Rule}, e.Name, e.Occurrence, digest.Whole(e)); m != nil && e.Named {
			f.Muted = m.Reason
		}
	}
}

// order returns findings in the order of reading; equal ones stay as they came.
// Numbers are sorted in their place: a finding is large, and a list can have
// thousands.
func order(all []Finding) []Finding {
	keys := make([]uint64, len(all))
	for i := range all {
		keys[i] = uint64(all[i].Entry+1)<<35 | uint64(Critical-all[i].Severity)<<32 | uint64(i)
	}
	slices.Sort(keys)
	sorted := make([]Finding, len(all))
	for i, k := range keys {
		sorted[i] = all[uint32(k)]
	}
	return sorted
}
