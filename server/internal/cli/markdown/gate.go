package markdown

import (
	"strings"

	"github.com/manifestseal/manifestseal/engine/gate"
	"github.com/manifestseal/manifestseal/server/internal/cli/plain"
)

var outcomeSigns = map[gate.Outcome]string{gate.Clean: "✅", gate.Failed: "❌", gate.CouldNotCheck: "⛔"}

// Gate adds the decision of a scan; name is the file's when there are several.
func (d *Document) Gate(name string, g *gate.Decision) {
	head := "### " + outcomeSigns[g.Outcome] + " " + Text(plain.GateVerdict(g)) + "\n\n"
	if name != "" {
		head += Code(name) + "\n\n"
	}
	head += Text(strings.Join(plain.GateLead(g), " ")) + "\n"
	for i := range g.Failures {
		f := g.Failures[i]
		// The message holds a place in the manifest: it is no text of ours alone.
		head += "\n- **Could not check** " + Text(strings.TrimSpace(f.Source+" "+f.Rule)) + ": " + Code(f.Message)
	}
	d.Add(head+"\n", "", 0)
	for from := 0; from < len(g.Findings); {
		to := from
		for to < len(g.Findings) && g.Findings[to].Entry == g.Findings[from].Entry {
			to++
		}
		d.Add(gateTool(g, g.Findings[from:to]))
		from = to
	}
	d.Add(gateOthers(g), "", 0)
}

// gateTool lists what of one tool fails the gate, and names the tool where there
// is no room for that.
func gateTool(g *gate.Decision, all []gate.Finding) (section, brief string, reserve int) {
	var list strings.Builder
	failing := 0
	for i := range all {
		if all[i].Fails == "" {
			continue
		}
		if failing++; failing <= maxHits {
			list.WriteString(gateFinding(&all[i]))
		}
	}
	if failing == 0 {
		return "", "", 0
	}
	name := codeSpan(plain.ToolName(g.Tools, all[0].Entry))
	if failing > maxHits {
		list.WriteString("- … " + plain.Count(failing-maxHits, "more finding") + "\n")
	}
	return "\n#### " + name + "\n\n" + list.String(), "\n" + name + ": " + plain.Count(failing, "finding") + ", details had no room here\n", 0
}

// gateOthers folds what fails nothing: it is read after what does.
func gateOthers(g *gate.Decision) string {
	var list strings.Builder
	others := 0
	for i := range g.Findings {
		if g.Findings[i].Fails != "" {
			continue
		}
		if others++; others <= maxNames {
			list.WriteString("- " + codeSpan(plain.ToolName(g.Tools, g.Findings[i].Entry)) + ": " + strings.TrimPrefix(gateFinding(&g.Findings[i]), "- "))
		}
	}
	if others == 0 {
		return "\n"
	}
	if others > maxNames {
		list.WriteString("- … " + plain.Count(others-maxNames, "more finding") + "\n")
	}
	return "\n<details><summary>" + plain.Count(others, "other finding") + ", failing nothing</summary>\n\n" + list.String() + "\n</details>\n\n"
}

func gateFinding(f *gate.Finding) string {
	text := "- **" + f.Severity.String() + "** " + Text(f.Rule) + " (" + Text(f.Source) + ")"
	if f.Mention {
		text += ", a mention"
	}
	if f.Muted != "" {
		text += ", muted " + Code(f.Muted)
	}
	if f.View != "" {
		text += ", seen as " + Text(f.View)
	}
	// A message may quote names: it stands in a code span too.
	text += " at " + Code(f.Pointer) + ": " + Code(f.Message)
	if f.Evidence != "" {
		text += " " + Code("» "+f.Evidence)
	}
	return text + "\n"
}
