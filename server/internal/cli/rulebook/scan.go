package rulebook

import (
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf16"

	"github.com/dlclark/regexp2/v2"

	"github.com/manifestseal/manifestseal/engine/gate"
	"github.com/manifestseal/manifestseal/engine/jsonvalue"
	"github.com/manifestseal/manifestseal/engine/manifest"
)

// Scan runs every rule over every text of every tool: values and the names of
// members, at any depth. A rule that can't finish is a failure and is not run
// further; what it found until then stays.
func (b *Rulebook) Scan(m *manifest.Manifest) ([]gate.Finding, []gate.Failure) {
	s := scan{book: b, left: make([]time.Duration, len(b.Rules))}
	for i := range s.left {
		s.left[i] = b.perDocument
	}
	for i, e := range m.Entries {
		s.entry, s.place, s.path = i, gate.Place(m, i), s.path[:0]
		s.value(e.Value)
	}
	return s.found, s.failures
}

// scan is one run of a rulebook over one document.
type scan struct {
	book     *Rulebook
	left     []time.Duration // of each rule; negative once it failed
	found    []gate.Finding
	failures []gate.Failure

	entry int
	place string   // of the entry
	path  []string // inside it: a pointer is made only where something is found
	units []rune
}

func (s *scan) value(v jsonvalue.Value) {
	switch v.Kind() {
	case jsonvalue.String:
		s.text(v.Text())
	case jsonvalue.Array:
		for i, e := range v.Elems() {
			s.inside(strconv.Itoa(i), func() { s.value(e) })
		}
	case jsonvalue.Object:
		for name, member := range v.Members() {
			s.inside(name, func() {
				s.text(name)
				s.value(member)
			})
		}
	}
}

func (s *scan) inside(token string, look func()) {
	s.path = append(s.path, token)
	look()
	s.path = s.path[:len(s.path)-1]
}

func (s *scan) pointer() string {
	pointer := s.place
	for _, token := range s.path {
		pointer = jsonvalue.PointerToken(pointer, token)
	}
	return pointer
}

func (s *scan) text(text string) {
	if text == "" {
		return
	}
	s.units = runes16(s.units[:0], text)
	for i := range s.book.Rules {
		if s.left[i] < 0 {
			continue
		}
		if why := s.run(i); why != "" {
			s.left[i] = -1
			s.failures = append(s.failures, gate.Failure{Source: s.book.ID, Rule: s.book.Rules[i].ID, Message: why + " (" + s.pointer() + ")"})
		}
	}
}

// run runs one rule over the text at hand, and says why it could not.
func (s *scan) run(rule int) string {
	r := &s.book.Rules[rule]
	r.pattern.MatchTimeout = max(min(s.book.perText, s.left[rule]), time.Millisecond)
	start := time.Now()
	match, err := r.pattern.FindRunesMatch(s.units)
	for n := 0; match != nil && n < maxMatches; n++ {
		s.found = append(s.found, s.finding(r, match))
		match, err = r.pattern.FindNextMatch(match)
	}
	s.left[rule] = max(s.left[rule]-time.Since(start), 0)
	switch {
	case err != nil:
		return "it ran out of its time or room: its pattern goes back and forth too often over this text"
	case s.left[rule] == 0:
		return "it ran out of its time: it is too slow for a document of this size"
	}
	return ""
}

func (s *scan) finding(r *Rule, match *regexp2.Match) gate.Finding {
	matched := wtf8(match.Runes())
	anchor := gate.AnchorOf(matched)
	if g := match.GroupByName("anchor"); g != nil && len(g.Captures) > 0 {
		anchor = lower(g.Runes())
	}
	return gate.Finding{Source: s.book.ID, Rule: r.ID, Severity: r.Severity, Entry: s.entry, Pointer: s.pointer(),
		Message: r.Description, Evidence: gate.Clip(matched), Anchor: anchor}
}

// runes16 appends a WTF-8 text, a rune for each UTF-16 unit.
func runes16(out []rune, s string) []rune {
	for i, r := range s {
		switch {
		case r == 0xFFFD && len(s)-i >= 3 && s[i] == 0xED && s[i+1] >= 0xA0 && s[i+2]&0xC0 == 0x80:
			// A lone surrogate: range yields three times U+FFFD for it.
			out = append(out, 0xD000|rune(s[i+1]&0x3F)<<6|rune(s[i+2]&0x3F))
		case r == 0xFFFD && s[i]&0xC0 == 0x80: // its two other bytes
		case r > 0xFFFF:
			high, low := utf16.EncodeRune(r)
			out = append(out, high, low)
		default:
			out = append(out, r)
		}
	}
	return out
}

// units16 is a pattern with its astral characters as pairs of surrogates, as
// ECMAScript reads it without the flag u. regexp2 takes them as escapes.
func units16(pattern string) string {
	var b strings.Builder
	for _, r := range runes16(nil, pattern) {
		if utf16.IsSurrogate(r) {
			b.WriteString(escape(r))
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

func escape(r rune) string {
	const digits = "0123456789abcdef"
	return `\u` + string([]byte{digits[r>>12], digits[r>>8&15], digits[r>>4&15], digits[r&15]})
}

// wtf8 is what runes16 was made of.
func wtf8(units []rune) string {
	var b strings.Builder
	for i := 0; i < len(units); i++ {
		r := units[i]
		if i+1 < len(units) {
			if pair := utf16.DecodeRune(r, units[i+1]); pair != 0xFFFD {
				b.WriteRune(pair)
				i++
				continue
			}
		}
		if r >= 0xD800 && r < 0xE000 {
			b.Write([]byte{0xED, 0x80 | byte(r>>6&0x3F), 0x80 | byte(r&0x3F)})
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// lower is a text in lower case; strings.ToLower would lose lone surrogates.
func lower(units []rune) string {
	out := make([]rune, len(units))
	for i, r := range units {
		out[i] = unicode.ToLower(r)
	}
	return wtf8(out)
}
