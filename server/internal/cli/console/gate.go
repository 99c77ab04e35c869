package console

import (
	"github.com/manifestseal/manifestseal/engine/gate"
	"github.com/manifestseal/manifestseal/engine/jsonvalue"
	"github.com/manifestseal/manifestseal/server/internal/cli/plain"
)

// Gate paints the decision of a scan: outcome first, then what fails, tool by
// tool, then what was found besides.
func Gate(title string, d *gate.Decision, notes []jsonvalue.Note, o Options) string {
	p := &page{options: o}
	look := warned
	if d.Outcome == gate.Clean {
		look = insertedWord
	}
	if title != "" {
		p.flow([]piece{{"== ", faint}}, spaces(3), piece{plain.Text(title), bold})
	}
	p.flow(nil, spaces(2), piece{plain.GateVerdict(d), look})
	for _, line := range plain.GateLead(d) {
		p.say(0, none, line)
	}
	for _, f := range d.Failures {
		p.flow([]piece{{"! ", warned}}, spaces(2), piece{plain.GateFailure(&f), none})
	}
	p.findings(d)
	p.readingNotes(notes)
	if title != "" {
		p.blank()
	}
	return p.String()
}

// findings paints those that fail, and with Full all others.
func (p *page) findings(d *gate.Decision) {
	entry, shown, left := -2, 0, 0
	for i := range d.Findings {
		f := &d.Findings[i]
		if f.Fails == "" && f.Severity < gate.Medium && !p.options.Full {
			left++
			continue
		}
		if f.Entry != entry {
			entry, shown = f.Entry, 0
			p.blank()
			p.flow([]piece{{"! ", warned}}, spaces(4), piece{p.short(plain.ToolName(d.Tools, entry)), bold})
		}
		if shown++; shown > maxHits && !p.options.Full {
			left++
			continue
		}
		p.finding(f)
	}
	if left > 0 {
		p.blank()
		p.say(0, faint, "… "+plain.Count(left, "more finding")+" (--full shows them)")
	}
}

func (p *page) finding(f *gate.Finding) {
	look, sign := none, "  "
	if f.Fails != "" {
		look, sign = warned, "x "
	}
	about := []piece{{f.Severity.String() + "  ", look}, {f.Rule, bold}, {"  " + plain.Text(f.Source), faint}}
	if f.View != "" {
		about = append(about, piece{", seen as " + plain.Text(f.View), faint})
	}
	if f.Mention {
		about = append(about, piece{", a mention", faint})
	}
	if f.Muted != "" {
		about = append(about, piece{", muted: " + p.clip(f.Muted), faint})
	}
	about = append(about, piece{"  " + p.clip(f.Pointer), faint})
	p.flow([]piece{{"  " + sign, look}}, spaces(6), about...)
	p.flow(spaces(6), spaces(6), piece{plain.Text(f.Message), none})
	if f.Evidence != "" {
		p.flow(spaces(6), spaces(6), piece{">> ", faint}, piece{p.clip(f.Evidence), matched})
	}
}
