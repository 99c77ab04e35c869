package markdown

import (
	"strings"

	"github.com/manifestseal/manifestseal/server/internal/cli/cases"
	"github.com/manifestseal/manifestseal/server/internal/cli/plain"
)

// Evaluation adds what was measured on cases.
func (d *Document) Evaluation(r *cases.Result) {
	d.Add("### Poison rules on labelled cases\n\n"+Text(plain.EvaluationLead(r))+"\n", "", 0)
	titles, tables := plain.EvaluationTables(r)
	for i, t := range tables {
		d.Add("\n#### "+Text(titles[i])+"\n\n"+table(t), "", 0)
	}
	var b strings.Builder
	for i, id := range r.Missed {
		if i == maxNames {
			b.WriteString("- … " + plain.Count(len(r.Missed)-i, "more miss") + "\n")
			break
		}
		b.WriteString("- missed " + Code(id) + "\n")
	}
	for i, f := range r.FalseHits {
		if i == maxNames {
			b.WriteString("- … " + plain.Count(len(r.FalseHits)-i, "more benign case") + "\n")
			break
		}
		b.WriteString("- benign, hit " + Code(f.ID) + " by " + Code(strings.Join(f.Rules, ", ")) + "\n")
	}
	if b.Len() > 0 {
		d.Add("\n"+b.String(), "", 0)
	}
	d.Add("\n", "", 0)
}

// table writes a table whose cells are ours, or names in which a "|" is escaped.
func table(t plain.Table) string {
	var b strings.Builder
	for n, row := range t {
		b.WriteByte('|')
		for i, cell := range row {
			if i == 0 && n > 0 {
				cell = nameCell(cell)
			}
			b.WriteString(" " + cell + " |")
		}
		b.WriteByte('\n')
		if n == 0 {
			b.WriteString("|---|" + strings.Repeat("---:|", len(row)-1) + "\n")
		}
	}
	return b.String()
}

// nameCell is a name in a table: in a code span a "|" still ends the cell,
// unless it is escaped.
func nameCell(cell string) string {
	return strings.ReplaceAll(codeSpan(plain.Clip(cell, 80)), "|", `\|`)
}
