package console

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/manifestseal/manifestseal/engine/jsonvalue"
	"github.com/manifestseal/manifestseal/server/internal/cli/plain"
)

// Fault paints why something could not be checked, for standard error:
//
//	manifestseal: FILE: line 3, column 14: what happened
//	    {"name": "x" "y": 2}
//	                 ^
//	    What to do.
func Fault(file string, e *jsonvalue.Error, o Options) string {
	p := &page{options: o}
	var where string
	if file != "" {
		where = plain.Text(file) + ": "
	}
	if e.Line > 0 {
		where += "line " + strconv.Itoa(e.Line) + ", column " + strconv.Itoa(e.Column) + ": "
	}
	// This line is not wrapped: editors and other programs read it.
	p.line(glyphs([]piece{{"manifestseal: ", bold}, {where, none}, {plain.Text(e.Message), warned}}))
	if e.Line > 0 && e.Excerpt != "" {
		before, after := splitAt(e.Excerpt, e.ExcerptAt)
		shown := plain.Text(before)
		p.line(glyphs([]piece{{"    ", none}, {shown + plain.Text(after), faint}}))
		p.line(glyphs([]piece{{"    " + strings.Repeat(" ", columns([]piece{{shown, none}})) + "^", warned}}))
	}
	if e.Advice != "" {
		p.say(4, none, e.Advice)
	}
	return p.String()
}

// Note paints one sentence about a file, for standard error.
func Note(file, text string, o Options) string {
	p := &page{options: o}
	p.line(glyphs([]piece{{"manifestseal: ", bold}, {plain.Text(file) + ": note: " + plain.Text(text), none}}))
	return p.String()
}

func splitAt(text string, characters int) (before, after string) {
	i := 0
	for ; characters > 0 && i < len(text); characters-- {
		_, size := utf8.DecodeRuneInString(text[i:])
		i += size
	}
	return text[:i], text[i:]
}
