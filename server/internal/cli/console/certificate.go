package console

import (
	"strings"

	"github.com/manifestseal/manifestseal/engine/view"
	"github.com/manifestseal/manifestseal/server/internal/cli/plain"
)

// Certificate paints the verdict on a signed document: the verdict on its
// signatures first, then what it says, the checks, and what it does not say.
func Certificate(title string, c *view.Certificate, o Options) string {
	p := &page{options: o}
	if title != "" {
		p.flow([]piece{{"== ", faint}}, spaces(3), piece{plain.Text(title), bold})
	}
	style := warned
	if c.Stands {
		style = bold
	}
	p.flow(nil, spaces(2), piece{c.Title, style})
	p.say(0, none, c.Sentence)
	if c.Says != "" {
		p.blank()
		p.say(0, bold, c.SaysHead)
		p.say(2, none, c.Says)
	}
	p.facts(c.Facts)
	p.checks(c.Checks)
	p.match(c.Match)
	p.blank()
	p.say(0, bold, "What this does not say")
	for _, text := range c.Limits {
		p.flow([]piece{{"  - ", faint}}, spaces(4), piece{text, none})
	}
	if title != "" {
		p.blank()
	}
	return p.String()
}

func (p *page) facts(facts []view.Fact) {
	if len(facts) > 0 {
		p.blank()
	}
	for _, f := range facts {
		label := f.Label + strings.Repeat(" ", max(1, 20-len(f.Label)))
		pieces := []piece{{segmentsText(f.Value), none}}
		if f.Note != "" {
			pieces = append(pieces, piece{" (" + plain.Text(f.Note) + ")", faint})
		}
		p.flow([]piece{{label, bold}}, spaces(20), pieces...)
	}
}

// segmentsText is a short text of a document, with its hidden characters as
// chips.
func segmentsText(segments []view.Segment) string {
	var b strings.Builder
	for _, s := range segments {
		if s.Kind == "chip" {
			b.WriteString("‹" + s.Text + "›")
			continue
		}
		b.WriteString(plain.Text(s.Text))
	}
	return b.String()
}

func (p *page) checks(rows []view.CheckRow) {
	p.blank()
	p.say(0, bold, "Checks")
	for _, r := range rows {
		look := inserted
		switch r.Glyph {
		case "✗":
			look = deleted
		case "!":
			look = warned
		}
		p.flow([]piece{{"  " + r.Glyph + " ", look}}, spaces(4), piece{r.Label + ": ", bold}, piece{plain.Text(r.Note), none})
	}
}

func (p *page) match(m *view.Matched) {
	if m == nil {
		return
	}
	p.blank()
	style := warned
	if m.State == view.Matches {
		style = bold
	}
	p.say(0, style, m.Title)
	p.say(0, none, m.Sentence)
	for i, t := range m.Tools {
		if i == maxNames && !p.options.Full {
			p.say(2, faint, "… "+plain.Count(len(m.Tools)-i, "more tool")+" (--full shows them)")
			return
		}
		text := ""
		if t.Fields != "" {
			text = " (" + plain.Text(t.Fields) + ")"
		}
		p.flow([]piece{{"  " + t.Glyph + " ", warned}}, spaces(4), piece{segmentsText(t.Name), none}, piece{", " + strings.ToLower(t.Label) + text, faint})
	}
}
