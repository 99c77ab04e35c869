package console

import (
	"strconv"
	"strings"

	"github.com/manifestseal/manifestseal/engine/digest"
	"github.com/manifestseal/manifestseal/engine/jsonvalue"
	"github.com/manifestseal/manifestseal/server/internal/cli/plain"
)

// Digest paints a digest block. With a title, when there are several, it is one
// line: the aggregate digest, the number of tools, the title.
func Digest(title string, b *digest.Block, notes []jsonvalue.Note, o Options) string {
	p := &page{options: o}
	if title != "" && !o.Full {
		p.line(glyphs([]piece{{b.Aggregate.Hex(), none}, {"  " + plain.Count(len(b.Tools), "tool"), faint}, {"  " + plain.Text(title), bold}}))
		return p.String()
	}
	if title != "" {
		p.line(glyphs([]piece{{plain.Text(title), bold}}))
	}
	p.line(glyphs([]piece{{b.Aggregate.Hex(), bold}, {"  aggregate of " + plain.Count(len(b.Tools), "tool"), none}}))
	for i := range b.Tools {
		t := &b.Tools[i]
		name := "(no name)"
		if t.Named {
			name = p.clip(t.Name)
		}
		p.line(glyphs([]piece{{t.Digest.Hex(), faint}, {"  " + name, none}}))
	}
	p.say(0, faint, "By mcp-manifest-drift/v1, as of "+b.AsOf+".")
	p.readingNotes(notes)
	return p.String()
}

func (p *page) readingNotes(notes []jsonvalue.Note) {
	if len(notes) == 0 {
		return
	}
	p.blank()
	p.say(0, bold, "Reading notes")
	for i, n := range notes {
		if i == maxHits && !p.options.Full {
			p.say(0, faint, "… "+plain.Count(len(notes)-i, "more note")+" (--full shows them)")
			return
		}
		var where []string
		if n.Line > 0 {
			where = append(where, "line "+strconv.Itoa(n.Line)+", column "+strconv.Itoa(n.Column))
		}
		if n.Pointer != "" {
			where = append(where, p.clip(n.Pointer))
		}
		text := plain.Text(n.Message)
		if len(where) > 0 {
			text = strings.Join(where, ", ") + ": " + text
		}
		p.flow([]piece{{"- ", none}}, spaces(2), piece{text, none})
	}
}
