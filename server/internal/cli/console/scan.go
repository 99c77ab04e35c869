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
	var pieces []piece
	for _, r := range plain.Whole(h.Excerpt) {
		pc := p.piece(r, none, none)
		if r.Hit && !p.options.Color && pc.text != "" {
			pc.text = ">>" + pc.text + "<<"
		}
		pieces = append(pieces, pc)
	}
	p.flow(spaces(6), spaces(6), joinMarks(pieces)...)
}

// joinMarks makes one mark of two that touch, as where a chip stands inside a
// match.
func joinMarks(pieces []piece) []piece {
	for i := 1; i < len(pieces); i++ {
		a, b := pieces[i-1].text, pieces[i].text
		if len(a) > 4 && len(b) > 4 && a[len(a)-2:] == "<<" && b[:2] == ">>" {
			pieces[i-1].text, pieces[i].text = a[:len(a)-2], b[2:]
		}
	}
	return pieces
}
