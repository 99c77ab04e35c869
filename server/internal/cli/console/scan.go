package console

import (
	"github.com/manifestseal/manifestseal/engine/view"
	"github.com/manifestseal/manifestseal/server/internal/cli/plain"
)

// scan paints the pattern screen of one description.
func (p *page) scan(s *view.Scan) {
	look := none
	if len(s.Hits) > 0 {
		look = warned
	}
	p.say(2, look, "Screen: "+s.Label)
	for i, h := range s.Hits {
		if i == maxHits && !p.options.Full {
			p.say(4, faint, "… "+plain.Count(len(s.Hits)-i, "more match")+" (--full shows them)")
			return
		}
		p.hit(&h)
	}
}

func (p *page) hit(h *view.Hit) {
	about := plain.Text(h.Category) + ", characters " + plain.Text(h.Span)
	if h.View != "" {
		about += ", seen as " + plain.Text(h.View)
	}
	p.flow(spaces(4), spaces(6), piece{plain.Text(h.Rule), bold}, piece{"  " + about, faint})
	if runs := plain.Whole(h.Excerpt); p.options.Color {
		p.flow(spaces(6), spaces(6), p.pieces(runs, none, none)...)
	} else {
		p.flow(spaces(6), spaces(6), piece{plain.Quoted(runs), none})
	}
}
