package view

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/manifestseal/manifestseal/engine/jsonvalue"
	"github.com/manifestseal/manifestseal/engine/screen"
)

// maxHits is how many matches of one description are listed one by one; all are
// counted and marked in the text, and the report holds them all.
const maxHits = 1000

// spansOf returns a scan's matches ordered by where they begin.
func spansOf(scan jsonvalue.Value) []span {
	var out []span
	for _, m := range scan.Get("matches").Elems() {
		out = append(out, span{int(m.Get("start").Float()), int(m.Get("end").Float()), m.Get("id").Text()})
	}
	slices.SortStableFunc(out, func(a, b span) int { return cmp.Compare(a.start, b.start) })
	return out
}

// scan returns the pattern screen of a changed tool.
func (r *reader) scan(scan, diff, entry jsonvalue.Value) *Scan {
	if !scan.Exists() {
		return nil
	}
	s := &Scan{Scanned: scan.Get("scanned").Kind() == jsonvalue.True, count: scan.Get("matches").Len()}
	s.Label = "Not screened: the new description is absent or no text."
	if s.Scanned {
		s.Label = scanLabel(s.count)
	}
	description := entry.Get("description")
	if !description.Exists() {
		description = diff.Get("description").Get("new")
	}
	if s.count == 0 {
		return s
	}
	x := newExcerpter(description.Text())
	for i, m := range scan.Get("matches").Elems() {
		if i == maxHits {
			break
		}
		s.Hits = append(s.Hits, x.hit(m.Get("id").Text(), m.Get("category").Text(), m.Get("view").Text(),
			int(m.Get("start").Float()), int(m.Get("end").Float())))
	}
	return s
}

// scanLabel says how many matches there are, and how many of them are listed.
func scanLabel(count int) string {
	label := "No match"
	switch {
	case count == 1:
		label = "1 match"
	case count > 1:
		label = thousands(count) + " matches"
	}
	label += " under " + screen.Injection().ID + "."
	if count > maxHits {
		label += " The first " + thousands(maxHits) + " are listed; all are marked in the text."
	}
	return label
}

// hit is one match for showing. A report is somebody's word: what it calls a
// rule is text like any other.
func (x *excerpter) hit(rule, category, view string, start, end int) Hit {
	return Hit{
		Rule: Labelled(rule), Category: Labelled(category), View: Labelled(view),
		Span:    strconv.Itoa(start) + "–" + strconv.Itoa(end),
		Excerpt: oneLine(x.excerpt(start, end, rule)),
	}
}

// excerpter finds places in a text by UTF-16 units: every so often it remembers
// one, so that a place costs a short walk.
type excerpter struct {
	text  string
	marks []mark
}

type mark struct{ unit, offset int }

const stride = 64

func newExcerpter(text string) *excerpter {
	x := &excerpter{text: text}
	unit, next := 0, 0
	for i := 0; i < len(text); {
		if unit >= next {
			x.marks = append(x.marks, mark{unit, i})
			next = unit + stride
		}
		r, size := decode(text[i:])
		unit += unitsOf(r)
		i += size
	}
	return x
}

// offset returns the byte offset of a unit; inside a surrogate pair that of the
// character.
func (x *excerpter) offset(unit int) int {
	k, found := slices.BinarySearchFunc(x.marks, unit, func(m mark, unit int) int { return m.unit - unit })
	if found {
		return x.marks[k].offset
	}
	if k == 0 {
		return 0
	}
	at, i := x.marks[k-1].unit, x.marks[k-1].offset
	for i < len(x.text) {
		r, size := decode(x.text[i:])
		if at+unitsOf(r) > unit {
			break
		}
		at += unitsOf(r)
		i += size
	}
	return i
}

// How much of a match and of the text beside it is shown, in UTF-16 units.
const (
	excerptBeside = 24
	excerptInside = 80
)

func (x *excerpter) excerpt(start, end int, rule string) []Segment {
	from, at, stop := x.offset(start-excerptBeside), x.offset(start), x.offset(min(end, start+excerptInside))
	tail := x.offset(min(end, start+excerptInside) + excerptBeside)
	out := Plain(x.text[from:at])
	for _, s := range Plain(x.text[at:stop]) {
		s.Hit, s.Title = true, rule
		out = append(out, s)
	}
	if end > start+excerptInside {
		return append(out, Segment{Kind: equal, Text: "…"})
	}
	return append(out, Plain(x.text[stop:tail])...)
}

// oneLine shows line breaks by a sign: in an excerpt they are ordinary.
func oneLine(segments []Segment) []Segment {
	for i := range segments {
		if s := &segments[i]; s.Kind == chip && s.Text == "U+000A" {
			s.Text = "↵"
		}
	}
	return segments
}
