package gate

import (
	"github.com/manifestseal/manifestseal/engine/capability"
	"github.com/manifestseal/manifestseal/engine/jsonvalue"
)

// CapabilityTiers is the source of findings on tiers and annotations.
const CapabilityTiers = "capability-tiers"

// The rules of CapabilityTiers.
const (
	RuleTier        = "tier"                // the tool reaches the tier that was asked about
	RuleUnknownTier = "unknown_tier"        // its tier is not known
	RuleMissing     = "missing_annotations" // a hint that is asked for is not there
	RuleLying       = "lying_annotations"   // a hint denies what the tool's name, text or schema says
)

// Rules returns what the rules of CapabilityTiers say, in the order of their
// publication: rule, severity at most, sentence.
func Rules() [][3]string {
	return [][3]string{
		{RuleTier, "high", "The tool reaches the capability tier at which the gate fails."},
		{RuleUnknownTier, "info", "Nothing was recognised in the tool, so its tier is unknown. Unknown is never read-only."},
		{RuleMissing, "medium", "A tool that writes must say readOnlyHint: false, one that destroys or executes destructiveHint: true as well; one that nobody recognises must say readOnlyHint."},
		{RuleLying, "medium", "A hint denies what the tool's name, description or schema says."},
	}
}

// ofTiers makes findings of tiers and of the hints beside them, and counts the
// tools of which a gate on tiers can't say anything.
func ofTiers(r *capability.Report, o Options) (out []Finding, unknown int) {
	for i := range r.Results {
		t := tiered{result: &r.Results[i], place: Place(r.Manifest, i), entry: i, hints: r.Manifest.Entries[i].Value.Get("annotations")}
		if o.FailOnCapability != capability.Unknown {
			switch {
			case t.result.Tier >= o.FailOnCapability:
				out = append(out, t.reached())
			case t.result.Tier == capability.Unknown && !o.AllowUnknown:
				unknown++
				out = append(out, t.finding(RuleUnknownTier, Info, "", "Its capability tier is unknown: nothing in it was recognised."))
			}
		}
		out = append(out, t.lies(o)...)
		if o.RequireAnnotations {
			out = append(out, t.missing()...)
		}
	}
	return out, unknown
}

// tiered is one tool with its tier.
type tiered struct {
	result *capability.Result
	place  string
	entry  int
	hints  jsonvalue.Value
}

func (t *tiered) finding(rule string, s Severity, pointer, message string) Finding {
	return Finding{Source: CapabilityTiers, Rule: rule, Severity: s, Entry: t.entry, Pointer: t.place + pointer, Message: message, Anchor: rule + " " + t.result.Tier.String()}
}

// decided is the evidence that gave the tier, by the axis that is named for it.
func (t *tiered) decided() (e capability.Evidence) {
	for _, e := range t.result.Evidence {
		if e.Axis == t.result.Axis && e.Tier == t.result.Tier {
			return e
		}
	}
	return e
}

func (t *tiered) reached() Finding {
	e := t.decided()
	message := "It is of tier " + t.result.Tier.String() + ", by its " + t.result.Axis.String() + "."
	if t.result.Opaque {
		message = "It is of tier " + t.result.Tier.String() + ": it takes a batch whose commands nobody knows before the call."
	}
	f := t.finding(RuleTier, severityOf(t.result.Tier), e.Pointer, message)
	f.Evidence, f.Fails = Clip(e.Text), ByCapability
	return f
}

func severityOf(t capability.Tier) Severity {
	switch t {
	case capability.Destructive:
		return High
	case capability.Mutate:
		return Medium
	}
	return Info
}

// lies are the hints that deny the tier. A tier is a reading of words, which can
// be wrong where a hint is right: only RequireAnnotations makes it fail.
func (t *tiered) lies(o Options) (out []Finding) {
	for _, c := range [...]struct {
		hint string
		says jsonvalue.Kind
		from capability.Tier
		text string
	}{
		{"readOnlyHint", jsonvalue.True, capability.Mutate, "true"},
		{"destructiveHint", jsonvalue.False, capability.Destructive, "false"},
	} {
		if t.result.Tier < c.from || t.hints.Get(c.hint).Kind() != c.says {
			continue
		}
		f := t.finding(RuleLying, Medium, "/annotations/"+c.hint, "It says "+c.hint+": "+c.text+", and its "+t.result.Axis.String()+" says "+t.result.Tier.String()+".")
		f.Anchor, f.Evidence = c.hint, Clip(t.decided().Text)
		if o.RequireAnnotations {
			f.Fails = ByAnnotations
		}
		out = append(out, f)
	}
	return out
}

// missing are the hints that a tool of its tier must bear. A tool that only
// reads need not say so: that is told, and does not fail.
func (t *tiered) missing() (out []Finding) {
	tier := t.result.Tier
	readOnly, destructive := t.hints.Get("readOnlyHint").Kind(), t.hints.Get("destructiveHint").Kind()
	boolean := func(k jsonvalue.Kind) bool { return k == jsonvalue.True || k == jsonvalue.False }
	add := func(hint, message string, fails bool) {
		f := t.finding(RuleMissing, Low, "", message)
		f.Anchor = hint
		if fails {
			f.Severity, f.Fails = Medium, ByAnnotations
		}
		out = append(out, f)
	}
	if !boolean(readOnly) {
		switch {
		case tier.Writes():
			add("readOnlyHint", "It is of tier "+tier.String()+" and does not say readOnlyHint: false.", true)
		case tier == capability.Unknown:
			add("readOnlyHint", "Its tier is unknown and it does not say readOnlyHint.", true)
		default:
			add("readOnlyHint", "It does not say readOnlyHint: true.", false)
		}
	}
	if tier == capability.Destructive && !boolean(destructive) {
		add("destructiveHint", "It is of tier "+tier.String()+" and does not say destructiveHint: true.", true)
	}
	return out
}
