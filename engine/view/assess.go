package view

import (
	"slices"
	"strconv"
	"strings"

	"github.com/manifestseal/manifestseal/engine/capability"
	"github.com/manifestseal/manifestseal/engine/claims"
	"github.com/manifestseal/manifestseal/engine/jsonvalue"
	"github.com/manifestseal/manifestseal/engine/manifest"
)

// The states of the poison rules in an assessment. Quiet is set from an explicit
// false only: not known is not clean.
const (
	Alarm   = "alarm"
	Quiet   = "quiet"
	Unknown = "unknown"
)

// Assessment is what is said of the texts themselves, beside what differs
// between them: what the poison rules hit anew, the grade before and after, and
// tools that can do more than before.
type Assessment struct {
	State    string // of the poison rules: Alarm, Quiet or Unknown
	Poison   string // the same in a sentence
	Hits     []NewHit
	MoreHits string // "and 12 more, in the report", or empty

	Trend  string // of the grade: "fell", "rose", "same", "unknown"
	Grade  string // the same in a sentence
	Before string // "B", or "–" where it is not known
	After  string

	Tiers     string // one sentence
	Rises     []Rise
	MoreRises string

	Marks []Mark // what the tools themselves say of this
}

// NewHit is something that the poison rules hit now and did not hit before.
type NewHit struct {
	ID           string // of the tool
	Name         []Segment
	Rule         string
	Match        []Segment
	Pointer      string
	ShownPointer []Segment
}

// Rise is a tool that can do more than before, by what it says of itself.
type Rise struct {
	ID     string
	Name   []Segment
	Before string // "reads", or "is new"
	After  string
	Tier   string // the wire value of After
}

// Mark is the alarm of a tool, told apart from the tool so that it can be set
// after the tool is painted.
type Mark struct{ ID, Text string }

// What is listed; the report holds all.
const (
	maxNewHits = 50
	maxRises   = 50
)

// AssessmentOf returns the assessment of a report with the ids that the tools
// have in its view, and nil where the report compares nothing or has none. What
// the report does not hold is worked out from the manifests, which may be nil.
func AssessmentOf(report jsonvalue.Value, baseline, current *manifest.Manifest) *Assessment {
	r := reader{report: report, baseline: baseline, current: current}
	if !r.compared() {
		return nil
	}
	ids := map[place]string{}
	for i, t := range r.ordered() {
		ids[placeOf(t)] = toolID(i)
	}
	return r.assess(ids)
}

func (r *reader) assess(ids map[place]string) *Assessment {
	if r.report.Get("regrade").Kind() != jsonvalue.Object {
		return nil
	}
	a := &Assessment{}
	a.poison(r.report.Get("poison_delta"), ids)
	a.grades(r.report.Get("regrade"), r.gradeBefore())
	a.rises(r, ids)
	return a
}

// poison fills in what the poison rules hit anew.
func (a *Assessment) poison(delta jsonvalue.Value, ids map[place]string) {
	alarms, left := 0, 0
	for _, t := range delta.Get("tools").Elems() {
		if t.Get("alarm").Kind() != jsonvalue.True {
			continue
		}
		alarms++
		p := placeOf(t)
		a.Marks = append(a.Marks, Mark{ids[p], "POISON ALARM: " + Labelled(strings.Join(addedRules(t), ", "))})
		left += int(t.Get("unlisted").Float())
		for _, h := range t.Get("hit_delta").Elems() {
			switch {
			case h.Get("change").Text() != "added":
			case len(a.Hits) == maxNewHits:
				left++
			default:
				a.Hits = append(a.Hits, newHit(h, p, ids[p]))
			}
		}
	}
	if left > 0 {
		a.MoreHits = "and " + thousands(left) + " more, in the report"
	}
	switch delta.Get("alarm").Kind() {
	case jsonvalue.True:
		a.State = Alarm
		a.Poison = "Poison alarm: in " + plural(alarms, "tool") + " the poison rules hit something that they did not hit in the baseline. Read it before anything else."
	case jsonvalue.False:
		a.State = Quiet
		a.Poison = "The poison rules hit nothing that they did not hit in the baseline, which is no proof that no text is hostile."
	default:
		a.State = Unknown
		a.Poison = "What the poison rules hit anew is not known. " + Labelled(delta.Get("note").Text())
	}
}

// mark puts the alarms on the tools. They are opened: what is hit is to be read.
func (a *Assessment) mark(tools []Tool) {
	texts := make(map[string]string, len(a.Marks))
	for _, m := range a.Marks {
		texts[m.ID] = m.Text
	}
	for i := range tools {
		if text := texts[tools[i].ID]; text != "" {
			tools[i].Alarm, tools[i].Open = text, true
		}
	}
}

func newHit(h jsonvalue.Value, p place, id string) NewHit {
	pointer := h.Get("pointer").Text()
	return NewHit{ID: id, Name: shownName(p), Rule: Labelled(h.Get("rule").Text()), Match: oneLine(cut(h.Get("match").Text(), maxShown)),
		Pointer: pointer, ShownPointer: cut(pointer, maxShown)}
}

// addedRules are the rules that hit something new, each once.
func addedRules(delta jsonvalue.Value) (out []string) {
	for _, name := range []string{"new_hits", "changed_hits"} {
		for _, rule := range delta.Get(name).Elems() {
			if text := rule.Text(); !slices.Contains(out, text) {
				out = append(out, text)
			}
		}
	}
	return out
}

// graded is a manifest's grade; none is known where the letter is empty.
type graded struct {
	letter string
	score  int
}

func (g graded) String() string { return g.letter + " (" + strconv.Itoa(g.score) + " of 100)" }

// gradeBefore grades the baseline, where its manifest is held. Documents in which
// nothing differs have one grade.
func (r *reader) gradeBefore() graded {
	if r.baseline == nil {
		return graded{}
	}
	if r.baseline.Doc.Root().Source() == r.currentSource() {
		return gradeIn(r.report.Get("regrade"))
	}
	o := claims.Grade(r.baseline)
	return graded{o.Grade, o.Score}
}

func (r *reader) currentSource() string {
	if r.current == nil {
		return ""
	}
	return r.current.Doc.Root().Source()
}

func gradeIn(regrade jsonvalue.Value) graded {
	return graded{Labelled(regrade.Get("grade").Text()), int(regrade.Get("score").Float())}
}

func (a *Assessment) grades(regrade jsonvalue.Value, before graded) {
	after := gradeIn(regrade)
	a.Before, a.After = "–", after.letter
	switch {
	case before.letter == "":
		a.Trend = Unknown
		a.Grade = "The current manifest is graded " + after.String() + ". The baseline's grade is not known: its manifest is not held."
		return
	case before.score == after.score:
		a.Trend = "same"
		a.Grade = "The grade is " + after.String() + ", as it was."
	case before.score > after.score:
		a.Trend = "fell"
		a.Grade = "The grade fell from " + before.String() + " to " + after.String() + "."
	default:
		a.Trend = "rose"
		a.Grade = "The grade rose from " + before.String() + " to " + after.String() + "."
	}
	a.Before = before.letter
}

// rises fills in the tools that can do more than before: paired ones whose tier
// rose or can no longer be told, and new ones that destroy or execute.
func (a *Assessment) rises(r *reader, ids map[place]string) {
	if r.baseline == nil || r.current == nil {
		a.Tiers = "Whether a tool can do more than before is not known: the manifests are not held."
		return
	}
	before, after := capability.Manifest(r.baseline, capability.Options{}), capability.Manifest(r.current, capability.Options{})
	old := places(r.baseline)
	rose, come := 0, 0
	for i, e := range r.current.Entries {
		p := place{e.Name, e.Named, e.Occurrence}
		now, was := after.Results[i].Tier, "is new"
		switch k, paired := old[p]; {
		case paired && !rise(before.Results[k].Tier, now), !paired && now != capability.Destructive:
			continue
		case paired:
			was = tierLabel(before.Results[k].Tier)
			rose++
		default:
			come++
		}
		if rose+come <= maxRises {
			a.Rises = append(a.Rises, Rise{ID: ids[p], Name: shownName(p), Before: was, After: tierLabel(now), Tier: now.String()})
		}
	}
	if more := rose + come - maxRises; more > 0 {
		a.MoreRises = "and " + thousands(more) + " more"
	}
	a.Tiers = tiersText(rose, come)
}

// rise says whether a tier is more than another was. What can't be told might be
// anything, so it is more than what was known to only read or to stay local.
func rise(before, now capability.Tier) bool {
	if now == capability.Unknown {
		return before == capability.Read || before == capability.Local
	}
	return now > before && now.Writes()
}

func tiersText(rose, come int) string {
	if rose == 0 && come == 0 {
		return "By what they say of themselves, no tool can do more than before, and no new one destroys or executes."
	}
	var parts []string
	if rose > 0 {
		parts = append(parts, plural(rose, "tool")+" may do more than before")
	}
	if come > 0 {
		parts = append(parts, plural(come, "new tool")+" "+verb(come, "destroys", "destroy")+" or "+verb(come, "executes", "execute"))
	}
	return "By what they say of themselves, " + strings.Join(parts, ", and ") + "."
}
