// Package console implements the painting of results as text for people: on a
// terminal with colours, or into a file with marks in their place. It paints
// engine/view's rows and the results of the command, verdict first.
//
// It never knows where its text goes; nothing that it returns holds a control
// character other than LF and, with Color, its own escape sequences.
package console

import (
	"slices"
	"strings"

	"github.com/manifestseal/manifestseal/engine/view"
	"github.com/manifestseal/manifestseal/server/internal/cli/plain"
)

// Options say what the text is for.
type Options struct {
	Width int  // columns, at least 40
	Color bool // escape sequences for colours; else [-deleted-] and {+inserted+}
	Full  bool // nothing folded or cut
}

// What is shown without Full.
const (
	maxRows  = 60   // lines of one part
	maxChars = 1200 // characters of one line
	maxNames = 30   // names of unchanged tools
	maxName  = 300  // characters of a name or a pointer
	maxHits  = 20   // matches of one description
	keep     = 70   // equal characters on each side of what differs
)

// Result paints a comparison.
func Result(v *view.View, o Options) string {
	p := &page{options: o}
	p.head(v)
	p.assessment(v.Assessment)
	quiet := 0
	for i := range v.Tools {
		if t := &v.Tools[i]; t.Status == "UNCHANGED" && len(t.Parts) == 0 {
			quiet++
			continue
		}
		p.tool(&v.Tools[i])
	}
	if quiet > 0 {
		p.quiet(v.Tools, quiet)
	}
	if len(v.List) > 0 {
		p.blank()
		p.say(0, bold, "The list itself (outside the digest)")
		for i := range v.List {
			p.part(&v.List[i])
		}
	}
	p.notes(v.Notes)
	return p.String()
}

func (p *page) head(v *view.View) {
	verdict := warned
	if v.State == view.Unchanged && !differsOutside(v) {
		verdict = insertedWord
	}
	p.flow(nil, spaces(2), piece{plain.Text(v.Verdict), verdict})
	p.say(0, none, v.Lead)
	if quiet := plain.NoMatch(v); quiet != "" {
		p.say(0, none, quiet)
	}
	if len(v.Notices) > 0 {
		p.blank()
	}
	for _, n := range v.Notices {
		p.flow([]piece{{"! ", warned}}, spaces(2), piece{plain.Text(n.Text), none})
	}
	p.blank()
	p.side(v.Baseline)
	p.side(v.Current)
	if v.AsOf != "" {
		p.flow([]piece{{"As of     ", bold}}, spaces(10), piece{plain.Text(v.AsOf), none})
	}
}

func (p *page) side(s view.Side) {
	if s.Label == "" {
		return
	}
	label := s.Label + strings.Repeat(" ", max(10-len(s.Label), 1))
	p.flow([]piece{{label, bold}}, spaces(10), piece{plain.Count(s.ToolCount, "tool") + "  ", none}, piece{plain.Text(s.Digest), faint})
	if s.Origin != "" {
		p.say(10, faint, s.Origin)
	}
}

var statusStyles = map[string]style{"CHANGED": warned, "ADDED": inserted, "REMOVED": deleted}

func (p *page) tool(t *view.Tool) {
	p.blank()
	s := statusStyles[t.Status]
	pieces := []piece{{p.name(t.Name), bold}}
	if t.OccurrenceNote != "" {
		pieces = append(pieces, piece{" (" + plain.Text(t.OccurrenceNote) + ")", none})
	}
	pieces = append(pieces, piece{"  " + strings.ToUpper(t.Status), s})
	if t.Summary != "" {
		pieces = append(pieces, piece{"  " + plain.Text(t.Summary), faint})
	}
	if t.Alarm != "" {
		pieces = append(pieces, piece{"  " + plain.Text(t.Alarm), warned})
	}
	p.flow([]piece{{ascii(t.Glyph) + " ", s}}, spaces(4), pieces...)
	for i := range t.Parts {
		p.part(&t.Parts[i])
	}
	if t.Scan != nil && (len(t.Scan.Hits) > 0 || !t.Scan.Scanned) {
		p.scan(t.Scan)
	}
}

// clip makes a name or a pointer harmless, and short enough to be read.
func (p *page) clip(text string) string {
	return p.short(plain.Text(text))
}

// name is a name that a view holds.
func (p *page) name(segments []view.Segment) string {
	return p.short(plain.Join(plain.Whole(segments)))
}

func (p *page) short(text string) string {
	if p.options.Full {
		return text
	}
	return plain.Clip(text, maxName)
}

// ascii keeps the gutter to characters that every terminal and grep knows.
func ascii(glyph string) string {
	switch glyph {
	case "−":
		return "-"
	case "⋯":
		return "."
	}
	return glyph
}

func (p *page) part(part *view.Part) {
	title := []piece{{p.clip(part.Title), bold}}
	if part.Change != "changed" {
		title = append(title, piece{" (" + plain.Text(part.Change) + ")", none})
	}
	if part.Outside {
		title = append(title, piece{" [outside the digest]", warned})
	}
	if part.Pointer != "" {
		title = append(title, piece{"  " + p.clip(part.Pointer), faint})
	}
	p.flow(spaces(2), spaces(6), title...)
	if part.Note != "" {
		p.flow(spaces(6), spaces(6), piece{plain.Text(part.Note), faint})
	}
	p.rows(part.Rows)
}

// rows paints the lines of a part: old above new, context beside them.
func (p *page) rows(rows []view.Row) {
	if p.options.Full {
		rows = unfold(rows)
	}
	for i, r := range rows {
		if i == maxRows && !p.options.Full {
			p.say(6, faint, "… "+plain.Count(len(rows)-i, "more line")+" (--full shows them)")
			return
		}
		p.row(&r)
	}
}

func unfold(rows []view.Row) []view.Row {
	var out []view.Row
	for _, r := range rows {
		if r.Kind == "fold" {
			out = append(out, r.Hidden...)
			continue
		}
		out = append(out, r)
	}
	return out
}

func (p *page) row(r *view.Row) {
	switch r.Kind {
	case "fold":
		p.say(6, faint, "… "+r.Label)
	case "equal":
		p.text("  ", none, none, plain.Whole(r.New))
	case "changed":
		if r.OldLine == "" { // what it was is not held
			p.text("~ ", warned, none, plain.Whole(r.New))
			return
		}
		p.text("- ", deleted, deletedWord, p.elide(plain.Runs(r.Old)))
		p.text("+ ", inserted, insertedWord, p.elide(plain.Runs(r.New)))
	case "removed":
		p.text("- ", deleted, none, plain.Whole(r.Old))
	default:
		p.text("+ ", inserted, none, plain.Whole(r.New))
	}
}

func (p *page) elide(runs []plain.Run) []plain.Run {
	if p.options.Full {
		return runs
	}
	return plain.Elide(runs, keep)
}

// text writes one line of manifest text behind its sign; the lines below it
// have a bar.
func (p *page) text(sign string, gutter, word style, runs []plain.Run) {
	if !p.options.Full {
		runs = plain.Cut(runs, maxChars)
	}
	first := []piece{{"    ", none}, {sign, gutter}}
	rest := []piece{{"    ", none}, {sign[:1], gutter}, {"  ", none}}
	p.flow(first, rest, p.pieces(runs, gutter, word)...)
}

func (p *page) pieces(runs []plain.Run, line, word style) []piece {
	if !p.options.Color {
		return []piece{{plain.Marked(runs), none}}
	}
	out := make([]piece, 0, len(runs))
	for _, r := range runs {
		out = append(out, colored(r, line, word))
	}
	return out
}

func colored(r plain.Run, line, word style) piece {
	s := line
	switch {
	case r.Kind == plain.Chip:
		s = hidden
	case r.Kind == plain.Said:
		s = faint
	case r.Hit:
		s = matched
	case r.Kind != plain.Equal:
		s = word
	}
	return piece{r.Text, s}
}

func (p *page) quiet(tools []view.Tool, n int) {
	var names []string
	for i := range tools {
		if t := &tools[i]; t.Status == "UNCHANGED" && len(t.Parts) == 0 {
			names = append(names, p.name(t.Name))
		}
	}
	names, more := shorten(names, p.options.Full)
	text := strings.Join(names, ", ") + more
	p.blank()
	p.flow([]piece{{"= ", none}}, spaces(4), piece{plain.Number(n) + " unchanged: ", none}, piece{text, faint})
}

func shorten(names []string, full bool) (shown []string, more string) {
	if full || len(names) <= maxNames+5 {
		return names, ""
	}
	return slices.Clip(names[:maxNames]), " and " + plain.Number(len(names)-maxNames) + " more"
}

func (p *page) notes(notes []view.Note) {
	if len(notes) == 0 {
		return
	}
	p.blank()
	p.say(0, bold, "Reading notes")
	for _, n := range notes {
		where := plain.Text(n.Side)
		if n.Place != "" {
			where += ", " + plain.Text(n.Place)
		}
		if n.Pointer != "" {
			where += ", " + p.clip(n.Pointer)
		}
		p.flow([]piece{{"- ", none}}, spaces(2), piece{where + ": ", none}, piece{plain.Text(n.Message), none})
	}
}

// Titled paints one comparison of several: on one line where nothing changed.
func Titled(title string, v *view.View, o Options) string {
	if title == "" {
		return Result(v, o)
	}
	p := &page{options: o}
	quiet := v.State == view.Unchanged && len(v.Notices) == 0 && len(v.Notes) == 0 && !differsOutside(v)
	if quiet && !o.Full {
		p.flow(nil, spaces(4), piece{plain.Text(title), bold}, piece{": " + plain.Text(v.Verdict) + " (" + plain.Count(v.Current.ToolCount, "tool") + ")", none})
		return p.String()
	}
	p.flow([]piece{{"== ", faint}}, spaces(3), piece{plain.Text(title), bold})
	return p.String() + Result(v, o) + "\n"
}

func differsOutside(v *view.View) bool {
	for i := range v.Tools {
		if len(v.Tools[i].Parts) > 0 {
			return true
		}
	}
	return len(v.List) > 0
}
