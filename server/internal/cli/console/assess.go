package console

import (
	"github.com/manifestseal/manifestseal/engine/view"
	"github.com/manifestseal/manifestseal/server/internal/cli/plain"
)

// assessment paints what is said of the texts themselves.
func (p *page) assessment(a *view.Assessment) {
	if a == nil {
		return
	}
	p.blank()
	sign, s := piece{"! ", warned}, none
	if a.State == view.Quiet {
		sign, s = piece{"  ", none}, faint
	}
	p.flow([]piece{sign}, spaces(2), piece{plain.Text(a.Poison), s})
	for _, h := range a.Hits {
		p.flow(spaces(4), spaces(6), piece{plain.Text(h.Rule), warned}, piece{" in ", none}, piece{p.name(h.Name), bold}, piece{": ", none},
			piece{p.short(plain.Join(plain.Whole(h.Match))), none}, piece{"  " + p.clip(h.Pointer), faint})
	}
	p.more(a.MoreHits)
	sign = piece{"  ", none}
	if a.Trend == "fell" {
		sign = piece{"! ", warned}
	}
	p.flow([]piece{sign}, spaces(2), piece{plain.Text(a.Grade), none})
	sign = piece{"  ", none}
	if len(a.Rises) > 0 {
		sign = piece{"! ", warned}
	}
	p.flow([]piece{sign}, spaces(2), piece{plain.Text(a.Tiers), none})
	for _, r := range a.Rises {
		p.flow(spaces(4), spaces(6), piece{p.name(r.Name), bold}, piece{": " + plain.Text(r.Before) + " -> ", none}, piece{plain.Text(r.After), warned})
	}
	p.more(a.MoreRises)
}

func (p *page) more(text string) {
	if text != "" {
		p.say(4, faint, text)
	}
}
