package console

import (
	"strconv"

	"github.com/manifestseal/manifestseal/engine/capability"
	"github.com/manifestseal/manifestseal/engine/claims"
	"github.com/manifestseal/manifestseal/engine/manifest"
	"github.com/manifestseal/manifestseal/server/internal/cli/plain"
)

// Grade paints a grade: the letter first, then what would raise it, then the
// findings by tool. With a title, when there are several, it is one line.
func Grade(title string, m *manifest.Manifest, g *claims.Output, o Options) string {
	p := &page{options: o}
	if title != "" && !o.Full {
		p.flow(nil, spaces(4), piece{plain.GradeLine(g) + "  ", bold}, piece{plain.Text(title), none})
		return p.String()
	}
	if title != "" {
		p.flow([]piece{{"== ", faint}}, spaces(3), piece{plain.Text(title), bold})
	}
	p.flow(nil, spaces(2), piece{plain.GradeLine(g), bold})
	if !g.Graded {
		p.say(0, none, claims.CouldNotGrade)
		p.readingNotes(m.Notes)
		return p.String()
	}
	p.say(0, none, plain.GradeLead(g))
	p.fixes(g)
	p.gradeFindings(m, g)
	p.readingNotes(m.Notes)
	if title != "" {
		p.blank()
	}
	return p.String()
}

func (p *page) fixes(g *claims.Output) {
	if len(g.Fixes) == 0 {
		return
	}
	rules := claims.Rules()
	p.blank()
	p.say(0, bold, "What would raise it")
	for i, f := range g.Fixes {
		if i == maxHits && !p.options.Full {
			p.say(2, faint, "… "+plain.Count(len(g.Fixes)-i, "more fix")+" (--full shows them)")
			return
		}
		gain := "+" + strconv.Itoa(f.Gain)
		p.flow([]piece{{"  " + gain + spaces(5 - len(gain))[0].text, inserted}}, spaces(7),
			piece{rules[f.Rule].ID + "  ", bold}, piece{rules[f.Rule].Fix, none}, piece{" (" + plain.Count(len(f.Resolves), "finding") + ")", faint})
	}
}

func (p *page) gradeFindings(m *manifest.Manifest, g *claims.Output) {
	rules := claims.Rules()
	tool, left := -2, 0
	for i := range g.Findings {
		f := &g.Findings[i]
		rule := &rules[f.Rule]
		if rule.Severity == claims.Info && !p.options.Full {
			left++
			continue
		}
		if f.Tool != tool {
			tool = f.Tool
			p.blank()
			score := ""
			if tool >= 0 {
				score = "  score " + strconv.Itoa(g.Tools[tool].Score)
			}
			p.flow(nil, spaces(4), piece{p.short(plain.ToolName(m.Entries, tool)), bold}, piece{score, faint})
		}
		p.flow(spaces(2), spaces(6), piece{rule.Severity.String() + "  ", none}, piece{rule.ID, bold}, piece{"  " + p.clip(f.Pointer), faint})
		p.flow(spaces(6), spaces(6), piece{plain.Text(f.Message), none})
	}
	if left > 0 {
		p.blank()
		p.say(0, faint, "… "+plain.Count(left, "more finding")+" of severity info (--full shows them)")
	}
}

// Capability paints the tiers of a manifest, the highest first.
func Capability(title string, r *capability.Report, o Options) string {
	p := &page{options: o}
	if title != "" {
		p.flow([]piece{{"== ", faint}}, spaces(3), piece{plain.Text(title), bold})
	}
	p.say(0, bold, plain.Count(len(r.Results), "tool")+": "+plain.Tiers(r)+".")
	for _, tier := range [...]capability.Tier{capability.Destructive, capability.Mutate, capability.Unknown, capability.Local, capability.Read} {
		for i := range r.Results {
			if r.Results[i].Tier == tier {
				p.tiered(r.Manifest.Entries, i, &r.Results[i])
			}
		}
	}
	p.readingNotes(r.Manifest.Notes)
	if title != "" {
		p.blank()
	}
	return p.String()
}

func (p *page) tiered(tools []manifest.Entry, i int, r *capability.Result) {
	look := none
	if r.Tier == capability.Destructive || r.Tier == capability.Unknown {
		look = warned
	}
	name := r.Tier.String()
	p.flow([]piece{{name + spaces(24 - len(name))[0].text, look}}, spaces(26), piece{p.short(plain.ToolName(tools, i)), bold}, piece{"  " + plain.Evidence(r), faint})
}
