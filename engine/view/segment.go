package view

// The kinds of segments.
const (
	equal = "equal"
	ins   = "ins"
	del   = "del"
	chip  = "chip"
)

// span is a screen match over a text, in UTF-16 code units.
type span struct {
	start, end int
	rule       string
}

// marker cuts text into segments: hidden characters become chips, and runs that
// a screen match covers are marked. Texts must be handed to it in order, so
// that one walk over the matches serves them all.
type marker struct {
	spans []span // ordered by start
	next  int    // the first span that may still cover something
	unit  int    // how many UTF-16 units were handed in so far
}

// cover returns the rules that cover the unit, and where that changes next.
func (m *marker) cover() (rules string, until int) {
	until = int(^uint(0) >> 1)
	for m.next < len(m.spans) && m.spans[m.next].end <= m.unit {
		m.next++
	}
	named := 0
	for i := m.next; i < len(m.spans); i++ {
		s := m.spans[i]
		if s.start > m.unit {
			until = min(until, s.start)
			break
		}
		if s.end <= m.unit {
			continue
		}
		until = min(until, s.end)
		// A few names say enough; a hostile text can be covered a thousand times.
		if named < maxRulesNamed {
			if rules != "" {
				rules += ", "
			}
			rules += s.rule
			named++
		}
	}
	return rules, until
}

const maxRulesNamed = 4

// add appends a run of text in one kind. Matches that touch are one segment:
// it grows as a slice of the text, since putting it together from 131,000
// pieces would copy it as often.
func (m *marker) add(out []Segment, text, kind string) []Segment {
	for text != "" {
		rules, until := m.cover()
		n, r := m.run(text, until)
		if n > 0 {
			for n < len(text) {
				next, end := m.cover()
				if next != rules {
					break
				}
				more, _ := m.run(text[n:], end)
				if more == 0 {
					break
				}
				n += more
			}
			out = join(out, Segment{Kind: kind, Text: text[:n], Title: rules, Hit: rules != ""})
			text = text[n:]
			continue
		}
		_, size := decode(text)
		title := chipName(r)
		if rules != "" {
			title += ", " + rules
		}
		out = append(out, Segment{Kind: chip, Text: ChipLabel(r), Title: title, Hit: rules != ""})
		m.unit += unitsOf(r)
		text = text[size:]
	}
	return out
}

// run returns the length of the visible run at the beginning of a text that is
// covered alike, or 0 and the hidden character that stands there.
func (m *marker) run(text string, until int) (n int, hidden rune) {
	for n < len(text) && m.unit < until {
		if plain := printable(text[n : n+min(len(text)-n, until-m.unit)]); plain > 0 {
			n += plain
			m.unit += plain
			continue
		}
		r, size := decode(text[n:])
		if IsHidden(r) {
			return n, r
		}
		n += size
		m.unit += unitsOf(r)
	}
	return n, 0
}

// join appends a segment, to the last one where both are alike.
func join(out []Segment, s Segment) []Segment {
	if len(out) > 0 {
		if last := &out[len(out)-1]; last.Kind == s.Kind && last.Hit == s.Hit && last.Title == s.Title {
			last.Text += s.Text
			return out
		}
	}
	return append(out, s)
}

// Plain returns the segments of a text with nothing marked but its hidden
// characters.
func Plain(text string) []Segment { return (&marker{}).add(nil, text, equal) }
