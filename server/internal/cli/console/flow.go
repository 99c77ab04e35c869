package console

import (
	"strings"
	"unicode"

	"github.com/manifestseal/manifestseal/server/internal/cli/plain"
)

// style is how a character looks where there are colours.
type style uint8

const (
	none style = iota
	bold
	faint
	deleted
	inserted
	deletedWord
	insertedWord
	hidden
	matched
	warned
)

// codes are the parameters of SGR (ECMA-48).
var codes = [...]string{
	bold: "1", faint: "2", deleted: "31", inserted: "32", deletedWord: "1;7;31", insertedWord: "1;7;32",
	hidden: "7;35", matched: "1;4;33", warned: "1;33",
}

// piece is text in one style.
type piece struct {
	text  string
	style style
}

// glyph is one character in its style.
type glyph struct {
	r     rune
	style style
}

func glyphs(pieces []piece) []glyph {
	n := 0
	for _, p := range pieces {
		n += len(p.text)
	}
	out := make([]glyph, 0, n)
	for _, p := range pieces {
		for _, r := range p.text {
			out = append(out, glyph{r, p.style})
		}
	}
	return out
}

// cells is how many columns a character takes, as far as that is known.
func cells(r rune) int {
	switch {
	case r < 0x300:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me):
		return 0
	case r >= 0x1100 && r <= 0x115F, r >= 0x2E80 && r <= 0xA4CF, r >= 0xAC00 && r <= 0xD7A3, r >= 0xF900 && r <= 0xFAFF,
		r >= 0xFE30 && r <= 0xFE6F, r >= 0xFF00 && r <= 0xFF60, r >= 0xFFE0 && r <= 0xFFE6, r >= 0x1F300 && r <= 0x1FAFF, r >= 0x20000 && r <= 0x3FFFD:
		return 2
	}
	return 1
}

// maxStacked is how many characters without a column may follow each other on a
// line before they count: a text of combining marks must not be one line.
const maxStacked = 16

// wrap cuts a line at spaces, or where there are none anywhere, so that no part
// takes more than width columns.
func wrap(g []glyph, width int) [][]glyph {
	var out [][]glyph
	start, space, used, stacked := 0, -1, 0, 0
	for i := 0; i < len(g); i++ {
		n := cells(g[i].r)
		if n > 0 {
			stacked = 0
		} else if stacked++; stacked > maxStacked {
			n = 1
		}
		if used+n <= width {
			used += n
			if g[i].r == ' ' {
				space = i
			}
			continue
		}
		// A break in the first third would leave ragged lines.
		if space > start+width/3 {
			out = append(out, g[start:space])
			start = space + 1
		} else {
			out = append(out, g[start:i])
			start = i
		}
		i, space, used, stacked = start-1, -1, 0, 0
	}
	return append(out, g[start:])
}

// page is text being laid out for a width.
type page struct {
	strings.Builder
	options Options
}

// flow writes pieces behind a gutter, and what does not fit into the width
// behind another one on the lines below: manifest text never stands at the
// beginning of a line, where it could pass for ours.
func (p *page) flow(first, rest []piece, pieces ...piece) {
	width := max(p.options.Width-columns(first), 20)
	for i, line := range wrap(glyphs(pieces), width) {
		gutter := first
		if i > 0 {
			gutter = rest
		}
		p.line(append(glyphs(gutter), line...))
	}
}

func columns(pieces []piece) (n int) {
	for _, g := range glyphs(pieces) {
		n += cells(g.r)
	}
	return n
}

func (p *page) line(g []glyph) {
	for len(g) > 0 && g[len(g)-1].r == ' ' {
		g = g[:len(g)-1]
	}
	last := none
	for _, c := range g {
		if c.style != last && p.options.Color {
			p.WriteString("\x1b[0m")
			if c.style != none {
				p.WriteString("\x1b[" + codes[c.style] + "m")
			}
		}
		last = c.style
		p.WriteRune(c.r)
	}
	if last != none && p.options.Color {
		p.WriteString("\x1b[0m")
	}
	p.WriteByte('\n')
}

// say writes a text of ours, indented, with its further lines aligned.
func (p *page) say(indent int, s style, text string) {
	gutter := spaces(indent)
	p.flow(gutter, gutter, piece{plain.Text(text), s})
}

func (p *page) blank() { p.WriteByte('\n') }

func spaces(n int) []piece { return []piece{{strings.Repeat(" ", n), none}} }
