package cli

import (
	"bytes"
	"iter"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/manifestseal/manifestseal/engine/jsonvalue"
	"github.com/manifestseal/manifestseal/engine/view"
	"github.com/manifestseal/manifestseal/server/internal/cli/plain"
)

// splitLines yields lines without their LF; the last one need not have one.
func splitLines(data []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for len(data) > 0 {
			line, rest, _ := bytes.Cut(data, []byte{'\n'})
			if !yield(line) {
				return
			}
			data = rest
		}
	}
}

// scanOf makes a screen's result what a person reads.
func scanOf(rulebook string, result jsonvalue.Value, text string) view.Scan {
	matches := result.Get("matches")
	scan := view.Scan{Scanned: true, Label: plain.Count(matches.Len(), "match") + " under " + rulebook + "."}
	if v := result.Get("scanned"); v.Exists() && v.Kind() != jsonvalue.True {
		scan.Scanned, scan.Label = false, "Not screened: the description is absent or no text."
	}
	at := newUnits(text)
	for _, m := range matches.Elems() {
		from, to := int(m.Get("start").Float()), int(m.Get("end").Float())
		id := m.Get("id").Text()
		scan.Hits = append(scan.Hits, view.Hit{
			Rule:     id,
			Category: m.Get("category").Text(),
			Span:     strconv.Itoa(from) + "–" + strconv.Itoa(to),
			View:     m.Get("view").Text(),
			Excerpt:  at.excerpt(from, to),
		})
	}
	return scan
}

// units finds places in a text by UTF-16 code units.
type units struct {
	text    string
	offsets []int // of each unit, and of the end
}

func newUnits(text string) units {
	u := units{text: text}
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		n := utf16.RuneLen(r)
		if r == utf8.RuneError && size == 1 { // a lone surrogate, as WTF-8 has it
			n, size = 1, min(3, len(text)-i)
		}
		for range n {
			u.offsets = append(u.offsets, i)
		}
		i += size
	}
	u.offsets = append(u.offsets, len(text))
	return u
}

// How much of a match and of the text beside it is shown, in units.
const (
	beside = 24
	inside = 80
)

func (u *units) excerpt(from, to int) []view.Segment {
	last := len(u.offsets) - 1
	slice := func(from, to int) string {
		from, to = min(max(from, 0), last), min(max(to, 0), last)
		return u.text[u.offsets[from]:u.offsets[to]]
	}
	stop := min(to, from+inside)
	out := view.Plain(slice(from-beside, from))
	for _, s := range view.Plain(slice(from, stop)) {
		s.Hit = true
		out = append(out, s)
	}
	if to > stop {
		return append(out, view.Segment{Kind: "equal", Text: "…"})
	}
	return append(out, view.Plain(slice(stop, stop+beside))...)
}
