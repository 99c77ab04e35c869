package console

import (
	"strings"
	"unicode/utf8"

	"github.com/manifestseal/manifestseal/server/internal/cli/cases"
	"github.com/manifestseal/manifestseal/server/internal/cli/plain"
)

// Evaluation paints what was measured on cases.
func Evaluation(r *cases.Result, o Options) string {
	p := &page{options: o}
	p.say(0, bold, plain.EvaluationLead(r))
	titles, tables := plain.EvaluationTables(r)
	for i := range tables {
		p.blank()
		p.say(0, bold, titles[i])
		p.table(tables[i])
	}
	if r.Boundaries != nil {
		undeclared, stale := r.Hold()
		p.blank()
		p.say(0, bold, "Boundaries: "+plain.Number(len(r.Boundaries))+" declared, "+plain.Number(len(undeclared))+" misses not declared, "+plain.Number(len(stale))+" no longer missed")
		p.ids("not declared", undeclared)
	} else {
		p.ids("missed", r.Missed)
	}
	var benign []string
	for _, f := range r.FalseHits {
		benign = append(benign, f.ID+" ("+strings.Join(f.Rules, ", ")+")")
	}
	p.ids("benign, hit", benign)
	return p.String()
}

func (p *page) ids(title string, ids []string) {
	if len(ids) == 0 {
		return
	}
	for i := range ids {
		ids[i] = p.clip(ids[i])
	}
	ids, more := shorten(ids, p.options.Full)
	p.blank()
	p.flow([]piece{{title + ": ", bold}}, spaces(4), piece{strings.Join(ids, ", ") + more, none})
}

// table lays a table out in columns; numbers stand to the right.
func (p *page) table(t plain.Table) {
	widths := make([]int, len(t[0]))
	for _, row := range t {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(plain.Clip(cell, 60)))
		}
	}
	for n, row := range t {
		line := "  "
		for i, cell := range row {
			cell = plain.Clip(cell, 60)
			pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
			if i == 0 {
				line += cell + pad
			} else {
				line += "  " + pad + cell
			}
		}
		look := none
		if n == 0 {
			look = faint
		}
		p.line(glyphs([]piece{{line, look}}))
	}
}
