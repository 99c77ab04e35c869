package view

import (
	"strconv"
	"strings"

	"github.com/manifestseal/manifestseal/engine/jsonvalue"
)

// How many characters of a name or a pointer are shown, and how many of a name
// stand in one line of plain text. Nobody reads on, and a name of 100,000
// characters would bury what changed; copying gives the whole.
const (
	maxShown = 240
	maxLine  = 48
)

// cut returns the segments of a text's beginning, and how much is left out.
func cut(text string, limit int) []Segment {
	if len(text) <= limit {
		return Plain(text)
	}
	offset, n := 0, 0
	for offset < len(text) && n < limit {
		_, size := decode(text[offset:])
		offset += size
		n++
	}
	out := Plain(text[:offset])
	left := 0
	for offset < len(text) {
		_, size := decode(text[offset:])
		offset += size
		left++
	}
	if left == 0 {
		return out
	}
	return append(out, Segment{Kind: chip, Text: "… " + plural(left, "more character")})
}

// line is a tool in plain text. Its hidden characters are labels here too, so
// that the text is safe where no element can stand, as in a list of options.
func line(glyph string, name []Segment, label string) string {
	var all strings.Builder
	for _, s := range name {
		all.WriteString(s.Text)
	}
	text := all.String()
	if len(text) > maxLine {
		if runes := []rune(text); len(runes) > maxLine {
			text = string(runes[:maxLine]) + "…"
		}
	}
	return glyph + " " + text + ", " + strings.ToLower(label)
}

// Labelled is a text for places that take plain text alone: its hidden
// characters are labels, and it is cut where it is long. What the engine itself
// writes comes out as it is; a report that somebody sent may hold anything.
func Labelled(text string) string {
	if len(text) <= maxLabelled && printable(text) == len(text) {
		return text
	}
	var b strings.Builder
	for _, s := range cut(text, maxLabelled) {
		b.WriteString(s.Text)
	}
	return b.String()
}

const maxLabelled = 1000

// shown fills in what of a part is for showing.
func shown(parts []Part) []Part {
	for i := range parts {
		p := &parts[i]
		p.ShownTitle = cut(p.Title, maxShown)
		p.ShownPointer = cut(p.Pointer, maxShown)
		foldRuns(p.Rows)
	}
	return parts
}

// A run of one kind that is longer than foldRun bytes is shown by its ends.
const (
	foldRun  = 4000
	foldEnds = 600
)

// foldRuns folds the middle of long runs of text. What is folded stays in the
// view: it is hidden, not lost.
func foldRuns(rows []Row) {
	for i := range rows {
		rows[i].Old = foldLong(rows[i].Old)
		rows[i].New = foldLong(rows[i].New)
		foldRuns(rows[i].Hidden)
	}
}

func foldLong(segments []Segment) []Segment {
	long := false
	for _, s := range segments {
		long = long || len(s.Text) > foldRun
	}
	if !long {
		return segments
	}
	var out []Segment
	for _, s := range segments {
		if len(s.Text) <= foldRun {
			out = append(out, s)
			continue
		}
		from, to := boundary(s.Text, foldEnds), boundary(s.Text, len(s.Text)-foldEnds)
		what := "more character"
		switch {
		case s.Hit:
			what = "more matched character"
		case s.Kind == equal:
			what = "unchanged character"
		}
		head, middle, tail := s, Segment{Kind: fold, Text: s.Text[from:to]}, s
		middle.Title = plural(characters(middle.Text), what)
		head.Text, tail.Text = s.Text[:from], s.Text[to:]
		out = append(out, head, middle, tail)
	}
	return out
}

// boundary is where the character that holds a byte begins.
func boundary(text string, at int) int {
	for at > 0 && text[at]&0xC0 == 0x80 {
		at--
	}
	return at
}

func characters(text string) (n int) {
	for i := range len(text) {
		if text[i]&0xC0 != 0x80 {
			n++
		}
	}
	return n
}

// Notes returns reading notes for showing.
func Notes(side string, notes []jsonvalue.Note) []Note {
	out := make([]Note, len(notes))
	for i, n := range notes {
		out[i] = note(side, n.Code, n.Pointer, n.Message, n.Line, n.Column)
	}
	return out
}

func note(side, code, pointer, message string, line, column int) Note {
	n := Note{Side: side, Code: Labelled(code), Pointer: pointer, ShownPointer: cut(pointer, maxShown), Message: Labelled(message)}
	if line > 0 {
		n.Place = "line " + strconv.Itoa(line) + ", column " + strconv.Itoa(column)
	}
	return n
}

// Excerpt returns the text around a fault for showing: hidden characters as
// chips, the character at the place marked. at counts characters.
func Excerpt(text string, at int) []Segment {
	offset := len(text)
	for i := range text {
		if at == 0 {
			offset = i
			break
		}
		at--
	}
	out := Plain(text[:offset])
	if offset == len(text) {
		return out
	}
	_, size := decode(text[offset:])
	for _, s := range Plain(text[offset : offset+size]) {
		s.Hit = true
		if s.Title == "" {
			s.Title = "the place"
		}
		out = append(out, s)
	}
	return append(out, Plain(text[offset+size:])...)
}
