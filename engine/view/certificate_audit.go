package view

import (
	"strconv"

	"github.com/manifestseal/manifestseal/engine/claims"
	"github.com/manifestseal/manifestseal/engine/jsonvalue"
	"github.com/manifestseal/manifestseal/engine/seal"
)

// AuditTool is one tool of an audit report, as the report itself tells it.
type AuditTool struct {
	Name                []Segment
	Score, Tier, Screen string
	Width               int // of the score's bar, 0 to 100
}

// What is listed of an audit report; what is beyond is counted.
const (
	maxAuditTools    = 5_000
	maxAuditFindings = 2_000
)

// audit lists what an audit report found. The lists of the report stand in the
// manifest's order, one entry a tool.
func (c *Certificate) audit(v *seal.Verdict) {
	if v.Kind != seal.AuditReport {
		return
	}
	grade := v.Root.Get("grade")
	tiers, screens := elements(v.Root.Get("capability").Get("tools"), maxAuditTools), elements(v.Root.Get("screens"), maxAuditTools)
	for i, t := range grade.Get("tools").Elems() {
		if i == maxAuditTools {
			break
		}
		score := int(t.Get("score").Float())
		tool := AuditTool{Name: nameOf(t), Score: strconv.Itoa(score), Width: min(max(score, 0), 100)}
		if i < len(tiers) {
			tool.Tier = Labelled(tiers[i].Get("tier").Text())
		}
		if i < len(screens) {
			tool.Screen = screenCount(screens[i])
		}
		c.Tools = append(c.Tools, tool)
	}
	known := map[string]bool{}
	for _, r := range claims.Rules() {
		known[r.ID] = true
	}
	for i, f := range grade.Get("findings").Elems() {
		if i == maxAuditFindings {
			break
		}
		c.Findings = append(c.Findings, auditFinding(f, known))
	}
	if n := grade.Get("tools").Len() - len(c.Tools); n > 0 {
		c.More = plural(n, "more tool") + " are not listed here. "
	}
	if n := grade.Get("findings").Len() - len(c.Findings); n > 0 {
		c.More += plural(n, "more finding") + " are not listed here."
	}
}

func elements(list jsonvalue.Value, most int) (out []jsonvalue.Value) {
	for i, e := range list.Elems() {
		if i == most {
			break
		}
		out = append(out, e)
	}
	return out
}

func nameOf(t jsonvalue.Value) []Segment {
	if t.Get("name").Kind() != jsonvalue.String {
		return []Segment{{Kind: equal, Text: "(no name)"}}
	}
	return cut(t.Get("name").Text(), maxShown)
}

// screenCount says how many places the two screens met in one tool.
func screenCount(tool jsonvalue.Value) string {
	n := 0
	for name, book := range tool.Members() {
		if name != "name" && name != "occurrence" {
			n += book.Get("matches").Len() + book.Get("hits").Len()
		}
	}
	if n == 0 {
		return "no hit"
	}
	return plural(n, "hit")
}

// auditFinding is a finding as the report tells it. A document that nobody signed
// can name any rule; only one that there is leads anywhere.
func auditFinding(f jsonvalue.Value, known map[string]bool) Failing {
	id, pointer := f.Get("id").Text(), f.Get("pointer").Text()
	out := Failing{
		Rule: Labelled(id), Severity: Labelled(f.Get("severity").Text()),
		Message: Labelled(f.Get("message").Text()), Fix: Labelled(f.Get("fix").Text()),
		Pointer: exact(pointer), ShownPointer: cut(pointer, maxShown), Evidence: oneLine(cut(f.Get("evidence").Text(), maxShown)),
	}
	if known[id] {
		out.Ref = refOf(claims.Criteria, id)
	}
	if f.Get("occurrence").Kind() == jsonvalue.Number {
		out.Tool = cut(f.Get("tool").Text(), maxShown)
	}
	return out
}
