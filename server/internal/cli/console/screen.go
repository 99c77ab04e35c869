package console

import (
	"strconv"

	"github.com/manifestseal/manifestseal/engine/jsonvalue"
	"github.com/manifestseal/manifestseal/engine/poison"
	"github.com/manifestseal/manifestseal/engine/view"
	"github.com/manifestseal/manifestseal/server/internal/cli/plain"
)

// Screen paints the tools whose descriptions match, after one sentence on all;
// title is the file, when there are several.
func Screen(title string, tools []plain.Screened, notes []jsonvalue.Note, o Options) string {
	p := &page{options: o}
	look := none
	for i := range tools {
		if tools[i].Any() {
			look = warned
		}
	}
	lead := piece{plain.ScreenLead(tools), look}
	if title != "" {
		p.flow(nil, spaces(4), piece{plain.Text(title) + ": ", bold}, lead)
	} else {
		p.flow(nil, nil, lead)
	}
	for i := range tools {
		t := &tools[i]
		if !t.Any() {
			continue
		}
		p.blank()
		name := []piece{{p.name(t.Name), bold}}
		if t.Occurrence > 1 {
			name = append(name, piece{" (occurrence " + strconv.Itoa(t.Occurrence) + ")", none})
		}
		p.flow([]piece{{"! ", warned}}, spaces(4), name...)
		if len(t.Scan.Hits) > 0 {
			p.scan(&t.Scan)
		}
		p.poison(t.Poison)
	}
	if title == "" {
		p.readingNotes(notes)
	}
	return p.String()
}

// ScreenedText paints the matches of one text of a list.
func ScreenedText(title string, s *view.Scan, o Options) string {
	p := &page{options: o}
	p.line(glyphs([]piece{{plain.Text(title) + ": ", bold}, {s.Label, none}}))
	s.Label = ""
	for i := range s.Hits {
		if i == maxHits && !o.Full {
			p.say(4, faint, "… "+plain.Count(len(s.Hits)-i, "more match")+" (--full shows them)")
			break
		}
		p.hit(&s.Hits[i])
	}
	return p.String()
}

// poison paints the hits of the poison rules in one tool.
func (p *page) poison(hits []poison.Hit) {
	for i := range hits {
		h := &hits[i]
		if i == maxHits && !p.options.Full {
			p.say(4, faint, "… "+plain.Count(len(hits)-i, "more hit")+" (--full shows them)")
			return
		}
		p.flow(spaces(4), spaces(6), piece{plain.Text(h.Rule), bold}, piece{"  " + plain.PoisonHit(h) + "  " + p.clip(h.Pointer), faint})
		p.flow(spaces(6), spaces(6), piece{">> ", faint}, piece{p.clip(h.Match), matched})
	}
}
