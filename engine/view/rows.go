package view

import (
	"strconv"
	"strings"
)

// The kinds of rows beside equal.
const (
	changed = "changed"
	added   = "added"
	removed = "removed"
	fold    = "fold"
)

func glyph(kind string) string {
	switch kind {
	case changed:
		return "~"
	case added:
		return "+"
	case removed:
		return "−"
	case fold:
		return "⋯"
	}
	return ""
}

// Equal runs of more than foldAbove lines are folded, but for foldContext lines
// beside what differs.
const (
	foldContext = 3
	foldAbove   = 2*foldContext + 2
)

// rowMaker lays two texts side by side.
type rowMaker struct {
	rows     []Row
	old, new []string // lines
	marks    *marker  // over the new text
	commas   bool     // a comma that ends a line is layout, not content
	reckless bool     // a diff exceeded its bound: something stands as two blocks
	work     *work
}

// sideBySide returns the rows of two texts, line by line and word by word
// inside changed lines. The spans are screen matches over the new text. A note
// says so where the difference was too large to be worked out.
func (w *work) sideBySide(old, new string, spans []span) (rows []Row, note string) {
	m := rowMaker{work: w, old: strings.Split(old, "\n"), new: strings.Split(new, "\n"), marks: &marker{spans: spans}}
	return m.lay()
}

// valuesSideBySide is sideBySide of two values as pretty writes them. A line that
// got its comma because another one follows now is the line that it was.
func (w *work) valuesSideBySide(old, new string) (rows []Row, note string) {
	m := rowMaker{work: w, old: strings.Split(old, "\n"), new: strings.Split(new, "\n"), marks: &marker{}, commas: true}
	return m.lay()
}

func (m *rowMaker) lay() (rows []Row, note string) {
	script, ok := m.work.diff(m.contents(m.old), m.contents(m.new))
	m.reckless = !ok
	oldAt, newAt := 0, 0
	for i := 0; i < len(script); i++ {
		switch s := script[i]; s.kind {
		case equal:
			for k := s.from; k < s.to; k++ {
				m.both(equal, oldAt, newAt, m.line(newAt, equal), Plain(m.old[oldAt]))
				oldAt++
				newAt++
			}
		default:
			gone, come := 0, 0
			for ; i < len(script) && script[i].kind != equal; i++ {
				if script[i].kind == del {
					gone += script[i].to - script[i].from
				} else {
					come += script[i].to - script[i].from
				}
			}
			i--
			m.hunk(oldAt, oldAt+gone, newAt, newAt+come)
			oldAt += gone
			newAt += come
		}
	}
	if m.reckless {
		note = "The two sides differ too much to be compared word by word; what differs is shown as whole blocks."
	}
	return foldEqual(m.rows), note
}

// oneSided returns the rows of a text that has no counterpart.
func oneSided(text, kind string, spans []span) []Row {
	m := rowMaker{marks: &marker{spans: spans}}
	lines := strings.Split(text, "\n")
	m.old, m.new = lines, lines
	for i := range lines {
		segment := map[string]string{added: ins, removed: del, changed: equal}[kind]
		row := Row{Kind: kind, Glyph: glyph(kind)}
		if kind == removed {
			row.OldLine, row.Old = strconv.Itoa(i+1), m.line(i, segment)
		} else {
			row.NewLine, row.New = strconv.Itoa(i+1), m.line(i, segment)
		}
		m.rows = append(m.rows, row)
	}
	return m.rows
}

// contents are lines without what is layout at their ends.
func (m *rowMaker) contents(lines []string) []string {
	if !m.commas {
		return lines
	}
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i], _ = m.content(line)
	}
	return out
}

func (m *rowMaker) content(line string) (content, layout string) {
	if content, ok := strings.CutSuffix(line, ","); ok && m.commas {
		return content, ","
	}
	return line, ""
}

// line returns the segments of a new line, and walks over its line break.
func (m *rowMaker) line(i int, kind string) []Segment {
	out := m.marks.add(nil, m.new[i], kind)
	m.marks.unit++
	return out
}

func (m *rowMaker) both(kind string, oldAt, newAt int, new, old []Segment) {
	m.rows = append(m.rows, Row{Kind: kind, Glyph: glyph(kind), OldLine: strconv.Itoa(oldAt + 1), NewLine: strconv.Itoa(newAt + 1), Old: old, New: new})
}

// hunk lays a run of old lines beside the run of new lines in its place: line
// by line where they are as many, or as long as the two have much in common;
// else one below the other.
func (m *rowMaker) hunk(oldAt, oldEnd, newAt, newEnd int) {
	asMany := oldEnd-oldAt == newEnd-newAt
	for oldAt < oldEnd && newAt < newEnd {
		oldContent, oldLayout := m.content(m.old[oldAt])
		newContent, newLayout := m.content(m.new[newAt])
		before, after, whole := lineTokens(oldContent, newContent)
		script, ok := m.work.diff(before, after)
		m.reckless = m.reckless || !ok || !whole
		if !asMany && (!ok || !alike(script, before, after)) {
			break
		}
		old, new := m.inline(mergeSpaces(script, before), before, after)
		old, new = (&marker{}).add(old, oldLayout, equal), m.marks.add(new, newLayout, equal)
		m.marks.unit++
		m.both(changed, oldAt, newAt, new, old)
		oldAt++
		newAt++
	}
	for ; oldAt < oldEnd; oldAt++ {
		m.rows = append(m.rows, Row{Kind: removed, Glyph: glyph(removed), OldLine: strconv.Itoa(oldAt + 1), Old: (&marker{}).add(nil, m.old[oldAt], del)})
	}
	for ; newAt < newEnd; newAt++ {
		m.rows = append(m.rows, Row{Kind: added, Glyph: glyph(added), NewLine: strconv.Itoa(newAt + 1), New: m.line(newAt, ins)})
	}
}

// alike reports whether two lines are versions of each other: at least a third
// of the shorter one's words stands in both.
func alike(script []op, before, after []string) bool {
	common := 0
	for _, s := range script {
		if s.kind == equal {
			common += letters(before[s.from:s.to])
		}
	}
	return 3*common >= min(letters(before), letters(after))
}

func letters(tokens []string) (n int) {
	for _, t := range tokens {
		if t[0] != ' ' && t[0] != '\t' {
			n += len(t)
		}
	}
	return n
}

// inline returns both sides of a changed line with what differs marked.
func (m *rowMaker) inline(script []op, before, after []string) (old, new []Segment) {
	plain := &marker{}
	at := 0
	for _, s := range script {
		switch s.kind {
		case equal:
			text := strings.Join(before[s.from:s.to], "")
			old = plain.add(old, text, equal)
			new = m.marks.add(new, text, equal)
			at += s.to - s.from
		case del:
			old = plain.add(old, strings.Join(before[s.from:s.to], ""), del)
		case ins:
			new = m.marks.add(new, strings.Join(after[at:at+s.to-s.from], ""), ins)
			at += s.to - s.from
		}
	}
	return old, new
}

// foldEqual replaces long runs of equal rows by a fold that holds them.
func foldEqual(rows []Row) []Row {
	out := make([]Row, 0, len(rows))
	for i := 0; i < len(rows); {
		end := i
		for end < len(rows) && rows[end].Kind == equal {
			end++
		}
		if end == i {
			out = append(out, rows[i])
			i++
			continue
		}
		lead, tail := foldContext, foldContext
		if i == 0 {
			lead = 0
		}
		if end == len(rows) {
			tail = 0
		}
		if end-i <= foldAbove || end-i <= lead+tail+1 {
			out = append(out, rows[i:end]...)
		} else {
			hidden := rows[i+lead : end-tail]
			out = append(out, rows[i:i+lead]...)
			out = append(out, Row{Kind: fold, Glyph: glyph(fold), Label: plural(len(hidden), "unchanged line"), Hidden: hidden})
			out = append(out, rows[end-tail:end]...)
		}
		i = end
	}
	return out
}

// plural is a number and its noun.
func plural(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return thousands(n) + " " + noun
}

// thousands writes a number with its thousands set apart.
func thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
