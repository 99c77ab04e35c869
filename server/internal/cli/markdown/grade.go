package markdown

import (
	"strconv"
	"strings"

	"github.com/manifestseal/manifestseal/engine/capability"
	"github.com/manifestseal/manifestseal/engine/claims"
	"github.com/manifestseal/manifestseal/engine/manifest"
	"github.com/manifestseal/manifestseal/server/internal/cli/plain"
)

// Grade adds a grade; name is the file's when there are several.
func (d *Document) Grade(name string, m *manifest.Manifest, g *claims.Output) {
	head := "### " + Text(plain.GradeLine(g)) + "\n\n"
	if name != "" {
		head += Code(name) + "\n\n"
	}
	if !g.Graded {
		d.Add(head+Text(claims.CouldNotGrade)+"\n\n", "", 0)
		return
	}
	d.Add(head+Text(plain.GradeLead(g))+"\n\n", "", 0)
	rules := claims.Rules()
	var fixes strings.Builder
	for i, f := range g.Fixes {
		if i == maxHits {
			fixes.WriteString("- … " + plain.Count(len(g.Fixes)-i, "more fix") + "\n")
			break
		}
		fixes.WriteString("- **+" + strconv.Itoa(f.Gain) + "** " + rules[f.Rule].ID + ": " + Text(rules[f.Rule].Fix) + " (" + plain.Count(len(f.Resolves), "finding") + ")\n")
	}
	d.Add(fixes.String(), "", 0)
	var list strings.Builder
	for i := range g.Findings {
		if i == maxRows {
			list.WriteString("- … " + plain.Count(len(g.Findings)-i, "more finding") + "\n")
			break
		}
		f := &g.Findings[i]
		list.WriteString("- " + codeSpan(plain.ToolName(m.Entries, f.Tool)) + ": **" + rules[f.Rule].Severity.String() + "** " + rules[f.Rule].ID + " at " + Code(f.Pointer) + ": " + Code(f.Message) + "\n")
	}
	if list.Len() > 0 {
		d.Add("\n<details><summary>"+plain.Count(len(g.Findings), "finding")+"</summary>\n\n"+list.String()+"\n</details>\n\n", "", 0)
	}
}

// Capability adds the tiers of a manifest's tools, the highest first.
func (d *Document) Capability(name string, r *capability.Report) {
	head := "### Capability tiers\n\n"
	if name != "" {
		head += Code(name) + "\n\n"
	}
	d.Add(head+Text(plain.Count(len(r.Results), "tool")+": "+plain.Tiers(r))+".\n\n", "", 0)
	for _, tier := range [...]capability.Tier{capability.Destructive, capability.Mutate, capability.Unknown, capability.Local, capability.Read} {
		for i := range r.Results {
			if r.Results[i].Tier == tier {
				d.Add("- **"+Text(tier.String())+"** "+codeSpan(plain.ToolName(r.Manifest.Entries, i))+": "+Code(plain.Evidence(&r.Results[i]))+"\n", "", 0)
			}
		}
	}
	d.Add("\n", "", 0)
}
