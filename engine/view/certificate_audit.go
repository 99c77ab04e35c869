package view

import (
	"strconv"

	"github.com/manifestseal/manifestseal/engine/jsonvalue"
	"github.com/manifestseal/manifestseal/engine/seal"
)

// AuditTool is one tool of an audit report, as the report itself tells it.
type AuditTool struct {
	Name                []Segment
	Score, Tier, Screen string
}

// AuditFinding is one failed check of an audit report.
type AuditFinding struct {
	Rule, Severity, Message, Fix string
	Tool                         []Segment // empty where it is about the list
	ShownPointer                 []Segment
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
		tool := AuditTool{Name: nameOf(t), Score: strconv.Itoa(int(t.Get("score").Float()))}
		if i < len(tiers) {
			tool.Tier = Labelled(tiers[i].Get("tier").Text())
		}
		if i < len(screens) {
			tool.Screen = screenCount(screens[i])
		}
		c.Tools = append(c.Tools, tool)
	}
	for i, f := range grade.Get("findings").Elems() {
		if i == maxAuditFindings {
			break
		}
		c.Findings = append(c.Findings, auditFinding(f))
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

func auditFinding(f jsonvalue.Value) AuditFinding {
	out := AuditFinding{
		Rule: Labelled(f.Get("id").Text()), Severity: Labelled(f.Get("severity").Text()), Message: Labelled(f.Get("message").Text()),
		Fix: Labelled(f.Get("fix").Text()), ShownPointer: cut(f.Get("pointer").Text(), maxShown),
	}
	if f.Get("occurrence").Kind() == jsonvalue.Number {
		out.Tool = cut(f.Get("tool").Text(), maxShown)
	}
	return out
}
