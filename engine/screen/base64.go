package screen

import "unicode/utf8"

// minToken is the length from which a run of base64 units is a token.
const minToken = 16

// scanBase64 appends the hits inside the base64 tokens of a text, each at its token's span and once a token (R42).
func (s *Scanner) scanBase64(text string) {
	before := len(s.hits)
	ascii := len(s.classes) == len(text)+tail
	counted, unit := 0, 0
	for from := 0; ; {
		start, end := nextToken(text, from)
		if start < 0 {
			break
		}
		from = end
		hits := len(s.hits)
		if !s.decodeToken(text[start:end]) || !s.scanDecoded() {
			continue
		}
		for n := 0; n < 2 && end < len(text) && text[end] == '='; n++ {
			end++
		}
		if ascii {
			unit = start
		} else {
			unit += units(text[counted:start])
			counted = start
		}
		s.moveToToken(hits, unit, unit+end-start)
	}
	s.sortByRule(before)
}

// nextToken returns the next maximal run of minToken or more base64 units. It looks at the last place first where such
// a run would have to reach, so that most bytes of prose are never read.
func nextToken(text string, from int) (start, end int) {
	for i := from + minToken - 1; i < len(text); {
		j := i
		for j >= from && sextets[text[j]] != notBase64 {
			j--
		}
		if i-j < minToken {
			from = j + 1
			i = j + minToken
			continue
		}
		end = i + 1
		for end < len(text) && sextets[text[end]] != notBase64 {
			end++
		}
		return j + 1, end
	}
	return -1, -1
}

// What the tables say of a unit beyond its six bits.
const (
	onlyStandard = 0x40
	onlyURL      = 0x80
	notBase64    = 0xff
)

// decodeToken decodes a token into decoded, and says whether it is text: valid UTF-8 without a control character other
// than TAB, LF and CR. Most tokens of prose are names and paths and fail within a few bytes.
func (s *Scanner) decodeToken(token string) bool {
	if len(token)%4 == 1 {
		return false
	}
	s.decoded = grow(s.decoded, len(token))[:0]
	var kept, alphabets uint32
	left := 0
	for i := 0; i < len(token); i++ {
		six := uint32(sextets[token[i]])
		alphabets |= six
		kept = kept<<6 | six&0x3f
		left += 6
		if left < 8 {
			continue
		}
		left -= 8
		b := byte(kept >> left)
		if control[b] {
			return false
		}
		s.decoded = append(s.decoded, b)
	}
	if alphabets&(onlyStandard|onlyURL) == onlyStandard|onlyURL || !utf8.Valid(s.decoded) {
		return false
	}
	for i, b := range s.decoded {
		if b == 0xc2 && s.decoded[i+1] < 0xa0 { // U+0080 to U+009F
			return false
		}
	}
	return true
}

// control marks the bytes that no text holds: the controls of ASCII, and what UTF-8 never uses.
var control = [256]bool{
	0x00: true, 0x01: true, 0x02: true, 0x03: true, 0x04: true, 0x05: true, 0x06: true, 0x07: true, 0x08: true,
	0x0b: true, 0x0c: true, 0x0e: true, 0x0f: true, 0x10: true, 0x11: true, 0x12: true, 0x13: true, 0x14: true,
	0x15: true, 0x16: true, 0x17: true, 0x18: true, 0x19: true, 0x1a: true, 0x1b: true, 0x1c: true, 0x1d: true,
	0x1e: true, 0x1f: true, 0x7f: true, 0xc0: true, 0xc1: true, 0xf5: true, 0xf6: true, 0xf7: true, 0xf8: true,
	0xf9: true, 0xfa: true, 0xfb: true, 0xfc: true, 0xfd: true, 0xfe: true, 0xff: true,
}

// scanDecoded appends the hits of the decoded bytes and says whether there are any.
func (s *Scanner) scanDecoded() bool {
	before := len(s.hits)
	s.view, _ = classify(s.view, s.decoded)
	var met bits
	s.others, met = s.book.table.survey(s.others[:0], s.view)
	s.find(s.view, s.others, &met)
	return len(s.hits) > before
}

// moveToToken gives the hits from a place on the token's span, one hit a rule.
func (s *Scanner) moveToToken(from, start, end int) {
	rule := int32(-1)
	s.keep(from, func(h *hit) bool {
		first := h.rule != rule
		rule = h.rule
		h.start, h.end = int32(start), int32(end)
		if s.book.table.anchored.has(int(h.rule)) {
			h.anchor = [2]int32{h.start, h.end}
		}
		return first
	})
}
