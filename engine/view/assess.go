package view

import (
	"slices"
	"strings"

	"github.com/manifestseal/manifestseal/engine/jsonvalue"
)

// alarmed marks the tools in which the poison rules hit something that they did
// not hit in the baseline.
func (r *reader) alarmed(tools []Tool) {
	deltas := byPlace(r.report.Get("poison_delta").Get("tools"))
	if len(deltas) == 0 {
		return
	}
	for i := range tools {
		t := &tools[i]
		d := deltas[t.place]
		if d.Get("alarm").Kind() != jsonvalue.True {
			continue
		}
		t.Open = true
		t.Alarm = "POISON ALARM: " + Labelled(strings.Join(addedRules(d), ", "))
	}
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

// alarm is the notice of the poison rules; none where nothing new is hit.
func (r *reader) alarm(tools []Tool) []Notice {
	delta := r.report.Get("poison_delta")
	switch delta.Get("alarm").Kind() {
	case jsonvalue.True:
		n := 0
		for i := range tools {
			if tools[i].Alarm != "" {
				n++
			}
		}
		out := Notice{Kind: "poison", Text: "Poison alarm: in " + plural(n, "tool") + " the poison rules hit something that they did not hit in the baseline. Read it before anything else."}
		return []Notice{out.about(tools, func(t *Tool) bool { return t.Alarm != "" })}
	case jsonvalue.Null:
		return []Notice{{Kind: "partial", Text: "Poison rules: " + Labelled(delta.Get("note").Text())}}
	}
	return nil
}
