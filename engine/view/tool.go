package view

import (
	"strconv"
	"strings"

	"github.com/manifestseal/manifestseal/engine/drift"
	"github.com/manifestseal/manifestseal/engine/jsonvalue"
	"github.com/manifestseal/manifestseal/engine/manifest"
)

type look struct{ label, glyph string }

func statusLook(status string) look {
	switch status {
	case "CHANGED":
		return look{"Changed", "~"}
	case "ADDED":
		return look{"Added", "+"}
	case "REMOVED":
		return look{"Removed", "−"}
	case "UNCHANGED":
		return look{"Unchanged", "="}
	}
	return look{}
}

// tools returns the report's tools grouped by status. Unchanged tools that
// differ outside the digest come before those that do not.
func (r *reader) tools() []Tool {
	scans := byPlace(r.report.Get("changed_description_scan").Get("tools"))
	outsides := byPlace(r.report.Get("outside_digest").Get("tools"))
	repeated := map[place]bool{}
	list := r.ordered()
	for _, t := range list {
		if p := placeOf(t); p.occurrence > 1 {
			repeated[place{p.name, p.named, 0}] = true
		}
	}
	out := make([]Tool, 0, len(list))
	for i, t := range list {
		p := placeOf(t)
		tool := r.tool(t, p, scans[p], outsides[p], r.glance && i >= AtOnce)
		if repeated[place{p.name, p.named, 0}] {
			tool.OccurrenceNote = ordinal(p.occurrence) + " of this name"
		}
		tool.ID = toolID(i)
		out = append(out, tool)
	}
	return out
}

// ordered returns the report's tools grouped by status.
func (r *reader) ordered() []jsonvalue.Value {
	outsides := byPlace(r.report.Get("outside_digest").Get("tools"))
	groups := map[string][]jsonvalue.Value{}
	list := r.report.Get("tools")
	for _, t := range list.Elems() {
		group := t.Get("status").Text()
		if group == "UNCHANGED" && outsides[placeOf(t)].Exists() {
			group = "OUTSIDE"
		}
		groups[group] = append(groups[group], t)
	}
	out := make([]jsonvalue.Value, 0, list.Len())
	for _, group := range []string{"CHANGED", "ADDED", "REMOVED", "OUTSIDE", "UNCHANGED"} {
		out = append(out, groups[group]...)
	}
	return out
}

func toolID(index int) string { return "tool-" + strconv.Itoa(index+1) }

// shownName is a tool's name for showing.
func shownName(p place) []Segment {
	if !p.named {
		return []Segment{{Kind: equal, Text: "(no name)"}}
	}
	return cut(p.name, maxShown)
}

func placeOf(t jsonvalue.Value) place {
	name := t.Get("name")
	return place{name.Text(), name.Kind() == jsonvalue.String, int(t.Get("occurrence").Float())}
}

func byPlace(list jsonvalue.Value) map[place]jsonvalue.Value {
	out := make(map[place]jsonvalue.Value, list.Len())
	for _, t := range list.Elems() {
		out[placeOf(t)] = t
	}
	return out
}

func ordinal(n int) string {
	suffix := "th"
	if n%100 < 11 || n%100 > 13 {
		switch n % 10 {
		case 1:
			suffix = "st"
		case 2:
			suffix = "nd"
		case 3:
			suffix = "rd"
		}
	}
	return strconv.Itoa(n) + suffix
}

// isLater says which tools can be without their parts for a while. Of one that
// is unchanged they tell that it isn't quiet.
func isLater(t *Tool) bool { return t.Status != "UNCHANGED" }

func (r *reader) tool(t jsonvalue.Value, p place, scan, outside jsonvalue.Value, later bool) Tool {
	out := Tool{
		place:      p,
		Name:       shownName(p),
		PlainName:  p.name,
		Occurrence: p.occurrence,
		Status:     t.Get("status").Text(),
		OldDigest:  Labelled(t.Get("baseline_digest").Text()),
		NewDigest:  Labelled(t.Get("current_digest").Text()),
	}
	out.Later = later && isLater(&out)
	look := statusLook(out.Status)
	out.StatusLabel, out.Glyph = look.label, look.glyph
	out.Line = line(look.glyph, out.Name, look.label)
	oldEntry, oldPointer := r.entry(r.baseline, r.oldAt, p)
	newEntry, newPointer := r.entry(r.current, r.newAt, p)
	switch out.Status {
	case "CHANGED":
		out.Open = true
		out.Scan = r.scan(scan, t.Get("diff"), newEntry)
		d := diffReader{
			diff: t.Get("diff"), pointer: newPointer, oldPointer: oldPointer, old: oldEntry, new: newEntry,
			signed: t.Get("old_available").Kind() == jsonvalue.False, spans: spansOf(scan), work: &r.work,
		}
		if !out.Later {
			out.Parts = d.parts(t.Get("changed_fields"))
		}
		out.Summary = changedSummary(t.Get("changed_fields"), out.Scan)
	case "ADDED":
		if !out.Later {
			out.Parts = wholeTool(newEntry, newPointer, added)
		}
		out.Summary = "only in the current manifest"
	case "REMOVED":
		if !out.Later {
			out.Parts = wholeTool(oldEntry, oldPointer, removed)
		}
		out.Summary = "only in the baseline"
	}
	if !out.Later {
		out.addOutside(&r.work, outside, newPointer)
	}
	out.sayOutside(outside)
	out.Parts = shown(out.Parts)
	return out
}

func (r *reader) entry(m *manifest.Manifest, at map[place]int, p place) (jsonvalue.Value, string) {
	i, found := at[p]
	if !found {
		return jsonvalue.Value{}, ""
	}
	return m.Entries[i].Value, m.Pointer + "/" + strconv.Itoa(i)
}

func changedSummary(fields jsonvalue.Value, scan *Scan) string {
	var names []string
	for _, f := range fields.Elems() {
		names = append(names, f.Text())
	}
	text := Labelled(strings.Join(names, ", ")) + " changed"
	if len(names) == 1 && names[0] == drift.Undetermined {
		text = "changed, in what can't be told from digests"
	}
	if scan != nil && scan.count > 0 {
		text += "; " + plural(scan.count, "pattern match") + " in the new description"
		text = strings.Replace(text, "matchs", "matches", 1)
	}
	return text
}

// hits is the number of matches in the new description, listed or not.
func (t *Tool) hits() int {
	if t.Scan == nil {
		return 0
	}
	return t.Scan.count
}

func (t *Tool) addOutside(w *work, outside jsonvalue.Value, pointer string) {
	for _, m := range outside.Get("members").Elems() {
		name := m.Get("member").Text()
		p := w.changePart(name, at(pointer, name), m.Get("old"), m.Get("new"), nil)
		p.Outside = true
		t.Parts = append(t.Parts, p)
	}
	for _, n := range outside.Get("numbers").Elems() {
		p := Part{Title: "number", Pointer: n.Get("pointer").Text(), Kind: "json", Change: changed, Outside: true,
			Note: "JavaScript holds both as one number, so no digest tells them apart."}
		p.Rows, _ = w.sideBySide(n.Get("old_text").Text(), n.Get("new_text").Text(), nil)
		t.Parts = append(t.Parts, p)
	}
}

func (t *Tool) sayOutside(outside jsonvalue.Value) {
	if !outside.Exists() {
		return
	}
	t.outside = true
	t.Open = true
	extra := "differs outside the digest"
	if t.Summary == "" {
		t.Summary = extra
	} else {
		t.Summary += "; " + extra
	}
}

// at appends a token to a pointer that is known, and keeps an unknown one empty.
func at(pointer, token string) string {
	if pointer == "" {
		return ""
	}
	return jsonvalue.PointerToken(pointer, token)
}
