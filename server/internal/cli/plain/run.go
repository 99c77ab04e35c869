package plain

import (
	"strings"
	"unicode/utf8"

	"github.com/manifestseal/manifestseal/engine/view"
)

// Kind is what a run of text is in a comparison.
type Kind uint8

const (
	Equal Kind = iota
	Deleted
	Inserted
	Chip // the label of a hidden character
	Said // ours, about text that is left out
)

// Run is a piece of a line, harmless as it is.
type Run struct {
	Text string
	Kind Kind
	Hit  bool // a screen match covers it
}

var kinds = map[string]Kind{"equal": Equal, "del": Deleted, "ins": Inserted, "chip": Chip}

const tabStop = "    "

// Runs makes the segments of a line harmless. A tab stands as four spaces, and
// as a chip where it is what differs.
func Runs(segments []view.Segment) []Run {
	out := make([]Run, 0, len(segments))
	for _, s := range segments {
		run := Run{Kind: kinds[s.Kind], Hit: s.Hit, Text: s.Text}
		switch run.Kind {
		case Chip:
			run.Text = chip(Text(s.Text))
		case Equal:
			run.Text = Text(strings.ReplaceAll(s.Text, "\t", tabStop))
		default:
			run.Text = Text(s.Text)
		}
		out = append(out, run)
	}
	return out
}

// Elide shortens the long runs that both sides have to about keep characters
// beside what differs, and less at the line's ends, and says how many are left
// out. Runs that a screen match covers stay whole.
func Elide(runs []Run, keep int) []Run {
	out := make([]Run, 0, len(runs))
	for i, r := range runs {
		head, tail := keep, keep
		if i == 0 {
			head = keep / 3
		}
		if i == len(runs)-1 {
			tail = keep / 3
		}
		left := utf8.RuneCountInString(r.Text) - head - tail
		if r.Kind != Equal || r.Hit || left <= keep/2 {
			out = append(out, r)
			continue
		}
		before, after := wholeWords(firstRunes(r.Text, head), lastRunes(r.Text, tail))
		left = utf8.RuneCountInString(r.Text) - utf8.RuneCountInString(before) - utf8.RuneCountInString(after)
		out = append(out, Run{Text: before}, Run{Text: "‹…" + Number(left) + " equal characters…›", Kind: Said}, Run{Text: after})
	}
	return out
}

// Cut shortens a line to at most most characters, and says how many are left out.
func Cut(runs []Run, most int) []Run {
	total := 0
	for i, r := range runs {
		n := utf8.RuneCountInString(r.Text)
		if total+n <= most {
			total += n
			continue
		}
		left := n - (most - total)
		for _, later := range runs[i+1:] {
			left += utf8.RuneCountInString(later.Text)
		}
		r.Text = firstRunes(r.Text, most-total)
		out := append(append([]Run(nil), runs[:i]...), r)
		return append(out, Run{Text: "‹…" + Count(left, "more character") + "›", Kind: Said})
	}
	return runs
}

// Clip shortens a name or a pointer to at most most characters, and says how
// many are left out.
func Clip(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return Join(Cut([]Run{{Text: text}}, most))
}

// Marked joins runs with what differs in marks: [-deleted-] and {+inserted+}.
func Marked(runs []Run) string {
	var b strings.Builder
	for _, r := range Merge(runs) {
		open, end := r.Marks()
		b.WriteString(open)
		b.WriteString(r.Text)
		b.WriteString(end)
	}
	return b.String()
}

// Merge joins neighbours of one kind, whether a screen match covers them or
// not: in marks alone that is not told.
func Merge(runs []Run) []Run {
	var out []Run
	for _, r := range runs {
		r.Hit = false
		if last := len(out) - 1; last >= 0 && out[last].Kind == r.Kind && r.Kind != Said {
			out[last].Text += r.Text
			continue
		}
		out = append(out, r)
	}
	return out
}

// Quoted joins runs with what a screen match covers in >>marks<<.
func Quoted(runs []Run) string {
	var b strings.Builder
	inside := false
	for _, r := range runs {
		if r.Hit != inside {
			b.WriteString(map[bool]string{true: ">>", false: "<<"}[r.Hit])
			inside = r.Hit
		}
		b.WriteString(r.Text)
	}
	if inside {
		b.WriteString("<<")
	}
	return b.String()
}

// Marks are what stands around a run where there are no colours.
func (r Run) Marks() (open, end string) {
	switch r.Kind {
	case Deleted:
		return "[-", "-]"
	case Inserted:
		return "{+", "+}"
	}
	return "", ""
}

// Join joins runs without marks.
func Join(runs []Run) string {
	var b strings.Builder
	for _, r := range runs {
		b.WriteString(r.Text)
	}
	return b.String()
}

// wholeWords takes half a word off the end of one text and the beginning of
// another, where there is a space to cut at.
func wholeWords(before, after string) (string, string) {
	if i := strings.LastIndexByte(before, ' '); i > len(before)/2 {
		before = before[:i+1]
	}
	if i := strings.IndexByte(after, ' '); i >= 0 && i < len(after)/2 {
		after = after[i:]
	}
	return before, after
}

func firstRunes(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}

func lastRunes(s string, n int) string {
	i := len(s)
	for ; n > 0 && i > 0; n-- {
		_, size := utf8.DecodeLastRuneInString(s[:i])
		i -= size
	}
	return s[i:]
}

// Whole makes the segments of a line that has no counterpart harmless: all of
// it differs, so nothing in it is marked.
func Whole(segments []view.Segment) []Run {
	runs := make([]view.Segment, 0, len(segments))
	for _, s := range segments {
		if s.Kind != "chip" {
			s.Kind = "equal"
		}
		runs = append(runs, s)
	}
	return Runs(runs)
}
