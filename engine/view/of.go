package view

import (
	"strings"

	"github.com/manifestseal/manifestseal/engine/jsonvalue"
	"github.com/manifestseal/manifestseal/engine/manifest"
)

// Of returns the view of a report. The two manifests may be nil: then the
// content of added and removed tools, which no report holds, is not shown, and
// pointers into the documents are not known. What is no report gives NotCompared.
func Of(report jsonvalue.Value, baseline, current *manifest.Manifest) *View {
	r := reader{report: report, baseline: baseline, current: current, work: work{left: maxWork}}
	return r.view()
}

// AtOnce is how many tools of a Glance have their insides: more than fit on a
// screen.
const AtOnce = 24

// Glance returns the same view, but that of the tools behind the first AtOnce it
// only says that they differ: their parts are Later. The report needs no diffs
// of them.
func Glance(report jsonvalue.Value, baseline, current *manifest.Manifest) *View {
	r := reader{report: report, baseline: baseline, current: current, work: work{left: maxWork}, glance: true}
	return r.view()
}

type reader struct {
	report            jsonvalue.Value
	baseline, current *manifest.Manifest
	work              work
	glance            bool
	oldAt, newAt      map[place]int // where an occurrence of a name stands in its manifest
}

type place struct {
	name       string
	named      bool
	occurrence int
}

func places(m *manifest.Manifest) map[place]int {
	if m == nil {
		return nil
	}
	at := make(map[place]int, len(m.Entries))
	for i, e := range m.Entries {
		at[place{e.Name, e.Named, e.Occurrence}] = i
	}
	return at
}

func (r *reader) view() *View {
	v := &View{
		Verdict:  Labelled(r.report.Get("verdict").Text()),
		AsOf:     Labelled(r.report.Get("as_of").Text()),
		Baseline: side("Baseline", r.report.Get("baseline")),
		Current:  side("Current", r.report.Get("current")),
		State:    NotCompared,
	}
	if !r.compared() {
		v.Lead = notComparedLead
		v.Notices = append(v.Notices, Notice{Kind: "reason", Text: reasonText(r.report.Get("reason").Text())})
		v.Notes = r.notes()
		return v
	}
	r.oldAt, r.newAt = places(r.baseline), places(r.current)
	v.Counts = countsOf(r.report.Get("counts"))
	// Unchanged is drawn from the explicit verdict and counts that agree with it.
	switch differing := v.Counts[0].N + v.Counts[1].N + v.Counts[2].N; {
	case differing == 0 && v.Verdict == "MANIFEST UNCHANGED":
		v.State = Unchanged
	case differing > 0 && strings.HasPrefix(v.Verdict, "MANIFEST CHANGED"):
		v.State = Changed
	default:
		v.Lead = notComparedLead
		v.Notices = append(v.Notices, Notice{Kind: "reason", Text: "The report's verdict and its counts do not agree."})
		return v
	}
	v.Tools = r.tools()
	ids := make(map[place]string, len(v.Tools))
	for i := range v.Tools {
		ids[v.Tools[i].place] = v.Tools[i].ID
	}
	if v.Assessment = r.assess(ids); v.Assessment != nil {
		v.Assessment.mark(v.Tools)
	}
	v.List = r.list()
	v.Notes = r.notes()
	outside := 0
	for _, t := range v.Tools {
		if t.outside {
			outside++
		}
	}
	v.Lead = lead(v, outside)
	v.Quiet = quietLabel(v.Tools)
	v.Notices = r.notices(v, outside)
	return v
}

// compared says whether the report claims to be on a comparison.
func (r *reader) compared() bool {
	return r.report.Get("counts").Kind() == jsonvalue.Object && strings.HasPrefix(r.report.Get("verdict").Text(), "MANIFEST ")
}

const notComparedLead = "No comparison was made. This says nothing about whether the manifest changed."

func side(label string, v jsonvalue.Value) Side {
	return Side{
		Label:     label,
		ToolCount: int(v.Get("tool_count").Float()),
		Digest:    Labelled(v.Get("aggregate_digest").Text()),
		Origin:    Labelled(v.Get("note").Text()),
	}
}

func countsOf(v jsonvalue.Value) []Count {
	var out []Count
	for _, status := range []string{"changed", "added", "removed", "unchanged"} {
		n := int(v.Get(status).Float())
		out = append(out, Count{Status: status, N: n, Label: thousands(n) + " " + status})
	}
	return out
}

func reasonText(code string) string {
	switch code {
	case "zero_tools_baseline":
		return "The baseline contains no tools."
	case "zero_tools_current":
		return "The current manifest contains no tools."
	case "zero_tools_both":
		return "Neither document contains a tool."
	case "fetch_failed":
		return "The current document could not be fetched."
	case "fetch_timeout":
		return "The current document did not arrive in time."
	case "fetch_too_large":
		return "The current document is larger than the cap."
	case "not_a_manifest":
		return "The current document is no tools/list document."
	case "too_deep":
		return "A document is nested too deep."
	case "engine_stopped":
		return "The comparison was stopped before it was done."
	}
	return "The report gives no reason that is known here."
}

// lead says in one sentence what a stranger wants to know first.
func lead(v *View, outside int) string {
	if v.State == Unchanged {
		if outside > 0 {
			return "No field that the digests cover changed, but " + plural(outside, "tool") + " " + verb(outside, "differs", "differ") + " outside them."
		}
		n := v.Current.ToolCount
		if n == 1 {
			return "The one tool is the same in name, description, input schema and annotations."
		}
		return "All " + plural(n, "tool") + " are the same in name, description, input schema and annotations."
	}
	var parts []string
	for i, what := range []string{"changed", "was added", "was removed"} {
		n := v.Counts[i].N
		if n == 0 {
			continue
		}
		if n != 1 {
			what = strings.Replace(what, "was ", "were ", 1)
		}
		if len(parts) == 0 {
			parts = append(parts, plural(n, "tool")+" "+what)
			continue
		}
		parts = append(parts, thousands(n)+" "+what)
	}
	text := strings.Join(parts, ", ") + "; " + thousands(v.Counts[3].N) + " " + verb(v.Counts[3].N, "is", "are") + " unchanged."
	return strings.Replace(text, "; 0 are unchanged", "; none is unchanged", 1)
}

func verb(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

func (r *reader) notices(v *View, outside int) []Notice {
	var out []Notice
	hits, tools := 0, 0
	for _, t := range v.Tools {
		if t.hits() > 0 {
			hits += t.hits()
			tools++
		}
	}
	if hits > 0 {
		n := Notice{Kind: "screen", Text: "The pattern screen matches " + plural(hits, "place") + " in the new description of " + plural(tools, "tool") + ". A match is no verdict: read it."}
		out = append(out, n.about(v.Tools, func(t *Tool) bool { return t.hits() > 0 }))
	}
	if outside > 0 {
		n := Notice{Kind: "outside", Text: "Outside the digest " + plural(outside, "tool") + " " + verb(outside, "differs", "differ") + ": title, outputSchema and other members that the digests do not cover. They change no verdict."}
		out = append(out, n.about(v.Tools, func(t *Tool) bool { return t.outside }))
	}
	if r.report.Get("outside_digest").Get("tools").Kind() == jsonvalue.Null {
		out = append(out, Notice{Kind: "partial", Text: "The baseline is digests only: old values are not held, and whether anything outside the digests changed is not known."})
	}
	if len(v.List) > 0 {
		out = append(out, Notice{Kind: "list", Text: plural(len(v.List), "member") + " of the list itself " + verb(len(v.List), "differs", "differ") + "."})
	}
	if r.report.Get("order_changed").Kind() == jsonvalue.True {
		out = append(out, Notice{Kind: "order", Text: "The tools stand in another order, which changes the aggregate digest and no tool."})
	}
	for _, n := range v.Notes {
		if n.Code == manifest.MorePages {
			out = append(out, Notice{Kind: "partial", Text: n.Side + ": " + n.Message})
		}
	}
	return out
}

// maxMentions is how many tools a notice names.
const maxMentions = 6

// about names the tools that a notice is about.
func (n Notice) about(tools []Tool, which func(*Tool) bool) Notice {
	more := 0
	for i := range tools {
		switch t := &tools[i]; {
		case !which(t):
		case len(n.Tools) == maxMentions:
			more++
		default:
			n.Tools = append(n.Tools, Mention{ID: t.ID, Name: t.Name})
		}
	}
	if more > 0 {
		n.More = "and " + thousands(more) + " more"
	}
	return n
}

// quietLabel counts the tools in which nothing differs, inside the digest or
// outside.
func quietLabel(tools []Tool) string {
	n := 0
	for _, t := range tools {
		if t.Status == "UNCHANGED" && len(t.Parts) == 0 {
			n++
		}
	}
	if n == 0 {
		return ""
	}
	return plural(n, "tool") + " in which nothing differs"
}

func (r *reader) notes() []Note {
	var out []Note
	for _, side := range []struct{ member, label string }{{"baseline", "Baseline"}, {"current", "Current"}} {
		for _, n := range r.report.Get("reading_notes").Get(side.member).Elems() {
			out = append(out, note(side.label, n.Get("code").Text(), n.Get("pointer").Text(), n.Get("message").Text(),
				int(n.Get("line").Float()), int(n.Get("column").Float())))
		}
	}
	return out
}

func (r *reader) list() []Part {
	var out []Part
	for _, m := range r.report.Get("outside_digest").Get("list").Elems() {
		pointer := ""
		if r.current != nil {
			pointer = jsonvalue.PointerToken(strings.TrimSuffix(r.current.Pointer, "/tools"), m.Get("member").Text())
		}
		p := r.work.changePart(m.Get("member").Text(), pointer, m.Get("old"), m.Get("new"), nil)
		p.Outside = true
		out = append(out, p)
	}
	return shown(out)
}
