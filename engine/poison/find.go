package poison

import (
	"strings"

	"github.com/manifestseal/manifestseal/engine/jsonvalue"
	"github.com/manifestseal/manifestseal/engine/screen"
)

// The families that need more than their patterns.
const (
	familyName      = "exfil-name"
	familyOrder     = "call-order-hijack"
	familyArgument  = "param-pollution"
	familySecret    = "secret-read"
	familyRequest   = "exfil-param"
	familyHidden    = "hidden-text"
	familyRecipient = "recipient-rewrite"

	ruleConceal = "behavior-override-conceal"
)

// finding is a hit in a text, wherever the text stands.
type finding struct {
	rule, family, severity, anchor, match, view string
	mention                                     bool
	text                                        string // what was read, and the match in it in UTF-16 units
	start, end                                  int
	quoted                                      bool // in quotation marks
	meant                                       bool // found by engine/poison/intent
	request                                     bool // a hit in the description of a parameter only
}

// find returns what is in a text.
func (s *Scanner) find(text string) []finding {
	found := hidden(text)
	found = s.appendMatches(found, text, "")
	found = s.appendIntents(found, text, AsSubmitted)
	if decoded, ok := unescape(text); ok {
		found = s.appendMatches(found, decoded, Escaped)
		found = s.appendIntents(found, decoded, Escaped)
	}
	if plain, mixed, ok := unmask(text); ok {
		found = s.appendMatches(found, plain, Lookalike)
		found = s.appendIntents(found, plain, Lookalike)
		from, u := 0, unitCounter{text: text}
		for _, word := range mixed[:min(len(mixed), maxHits)] {
			from += strings.Index(text[from:], word)
			f := finding{rule: ruleLookalikeText, family: ruleLookalike, severity: Medium, anchor: lower(cut(word)), match: cut(word), view: AsSubmitted}
			mark := quotedFrom(text, from, from+len(word))
			f.mention = mark >= 0 && speaksOfTexts(lower(leadOf(text, mark)))
			found = append(found, u.place(f, from, from+len(word)))
			from += len(word)
		}
	}
	return found
}

// appendMatches appends what the rulebook finds in a text; view is the text's own reading where it is not the submitted
// one.
func (s *Scanner) appendMatches(found []finding, text, view string) []finding {
	matches := s.screen.Scan(text)
	if len(matches) == 0 {
		return found
	}
	places := placesOf(text)
	for i := range matches {
		m := &matches[i]
		start, end := places.at(m.Start), places.at(m.End)
		anchor := text[places.at(m.Anchor.Start):places.at(m.Anchor.End)]
		if m.Rule.Category == familySecret {
			anchor = anchor[strings.LastIndexByte(anchor, '/')+1:] // some patterns of the family mark the folder too
		}
		f := finding{rule: m.Rule.ID, family: m.Rule.Category, severity: m.Rule.Severity, anchor: lower(cut(anchor)), match: cut(text[start:end]), view: view}
		if view == "" {
			f.view = m.View.String()
		}
		f.text, f.start, f.end = text, m.Start, m.End
		if m.View != screen.Base64 {
			f.quoted = quoted(text, start, end) || bracketed(text, start)
			f.mention = isMention(text, start, end, places.at(m.Anchor.End)) || f.family == familyOrder && prerequisite(text[end:], f.anchor) ||
				f.family == familyRecipient && exampleAddress(text, start, end) || f.harmless(text, start, end)
		}
		found = append(found, f)
	}
	return found
}

// harmless says whether what stands around a hit makes an order of its family an honest one.
func (f *finding) harmless(text string, start, end int) bool {
	switch {
	case f.family == familyOrder:
		return ownScope(text[end:])
	case f.rule == ruleConceal:
		return postponed(text, start, end)
	}
	return false
}

// unitCounter counts the UTF-16 units of a text while its places are told in order.
type unitCounter struct {
	text       string
	byte, unit int
}

func (u *unitCounter) at(byte int) int {
	u.unit += jsonvalue.UTF16Len(u.text[u.byte:byte])
	u.byte = byte
	return u.unit
}

// place says where a finding is, by bytes.
func (u *unitCounter) place(f finding, start, end int) finding {
	f.text, f.start, f.end = u.text, u.at(start), u.at(end)
	return f
}

// places turns UTF-16 units into bytes of a text.
type places struct {
	text  string
	bytes []int32 // by unit; nil where every unit is one byte
}

func placesOf(text string) places {
	p := places{text: text}
	for i := range len(text) {
		if text[i] >= 0x80 {
			p.bytes = make([]int32, 0, len(text)+1)
			break
		}
	}
	if p.bytes == nil {
		return p
	}
	for i := range len(text) {
		b := text[i]
		if b&0xc0 == 0x80 {
			continue
		}
		p.bytes = append(p.bytes, int32(i))
		if b >= 0xf0 {
			p.bytes = append(p.bytes, int32(i)) // a pair is cut before, never within
		}
	}
	p.bytes = append(p.bytes, int32(len(text)))
	return p
}

func (p places) at(unit int) int {
	if p.bytes == nil {
		return unit
	}
	return int(p.bytes[unit])
}

// cut keeps the first 80 characters of a text.
func cut(text string) string { return start(text, 80) }

// start keeps so many characters of a text.
func start(text string, most int) string {
	if len(text) <= most {
		return text
	}
	count := 0
	for i := range len(text) {
		if text[i]&0xc0 != 0x80 {
			if count == most {
				return text[:i]
			}
			count++
		}
	}
	return text
}

// lower is ASCII lower case.
func lower(text string) string {
	b := []byte(text)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}
