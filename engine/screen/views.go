package screen

import (
	"bytes"
	"unicode/utf8"
)

// scanLeetspeak appends the hits of the folded text that hold a folded unit.
func (s *Scanner) scanLeetspeak(met *bits) {
	t := s.book.table
	var all bits
	s.folds, all = t.surveyFolded(s.folds[:0], s.classes)
	all.add(met)
	if live := t.survivors(&all); live.empty() {
		return
	}
	s.view = grow(s.view, len(s.classes))
	for i, c := range s.classes {
		s.view[i] = leetClass[c]
	}
	before := len(s.hits)
	s.find(s.view, s.mergedEvents(), &all)
	s.keep(before, func(h *hit) bool {
		return string(s.classes[h.start:h.end]) != string(s.view[h.start:h.end])
	})
}

// mergedEvents returns the events of the submitted text and those that folding added in text order.
func (s *Scanner) mergedEvents() []event {
	rest := s.folds
	if len(rest) == 0 {
		return s.events
	}
	s.others = s.others[:0]
	for _, e := range s.events {
		for len(rest) > 0 && rest[0].at < e.at {
			s.others = append(s.others, rest[0])
			rest = rest[1:]
		}
		s.others = append(s.others, e)
	}
	s.others = append(s.others, rest...)
	return s.others
}

// keep drops the hits from a place on that do not satisfy ok, which may move a hit's span.
func (s *Scanner) keep(from int, ok func(*hit) bool) {
	kept := s.hits[:from]
	for i := from; i < len(s.hits); i++ {
		if h := s.hits[i]; ok(&h) {
			kept = append(kept, h)
		}
	}
	s.hits = kept
}

// scanPercent appends the hits of the percent-decoded text that hold a decoded escape. A decoded character is always
// shorter than its escapes, so a span holds one exactly when it is longer in the submitted text.
func (s *Scanner) scanPercent() {
	if !s.decodePercent() {
		return
	}
	var met bits
	s.others, met = s.book.table.survey(s.others[:0], s.view)
	before := len(s.hits)
	s.find(s.view, s.others, &met)
	s.keep(before, func(h *hit) bool {
		length := h.end - h.start
		h.start, h.end = s.origin[h.start], s.origin[h.end]
		h.anchor = [2]int32{s.origin[h.anchor[0]], s.origin[h.anchor[1]]}
		return h.end-h.start > length
	})
}

// decodePercent makes the class map of the percent-decoded text, and in origin where each of its units begins in the
// submitted text. It says whether anything was decoded. It reads the class map, where an escape looks as it does in the
// text but for the case of its digits.
func (s *Scanner) decodePercent() bool {
	if !s.hasEscape() {
		return false
	}
	s.view = grow(s.view, len(s.classes))[:0]
	if cap(s.origin) < len(s.classes) {
		s.origin = make([]int32, 0, len(s.classes))
	}
	s.origin = s.origin[:0]
	found := false
	copied := 0
	for i := 0; ; {
		next := bytes.IndexByte(s.classes[i:], '%')
		if next < 0 {
			break
		}
		i += next
		run := escapes(s.classes[i:])
		// A run that is not valid UTF-8 is left as it is.
		if run > 0 && s.unescape(i, run) {
			s.copyView(copied, i)
			s.appendDecoded(i)
			copied = i + 3*run
			found = true
		}
		i += max(1, 3*run)
	}
	s.copyView(copied, len(s.classes))
	return found
}

func (s *Scanner) hasEscape() bool {
	for at := s.classes; ; {
		i := bytes.IndexByte(at, '%')
		if i < 0 {
			return false
		}
		if at = at[i:]; escapes(at[:3]) > 0 {
			return true
		}
		at = at[1:]
	}
}

// escapes counts the %XX that follow each other from the start.
func escapes(classes []byte) int {
	n := 0
	for len(classes) >= 3 && classes[0] == '%' && unhex(classes[1]) >= 0 && unhex(classes[2]) >= 0 {
		n++
		classes = classes[3:]
	}
	return n
}

func unhex(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'a' <= c && c <= 'f':
		return int(c-'a') + 10
	}
	return -1
}

// copyView takes the units from a place to another over as they are.
func (s *Scanner) copyView(from, to int) {
	s.view = append(s.view, s.classes[from:to]...)
	for i := from; i < to; i++ {
		s.origin = append(s.origin, int32(i))
	}
}

// unescape brings the bytes of a run of escapes into decoded and says whether they are valid UTF-8.
func (s *Scanner) unescape(at, run int) bool {
	s.decoded = grow(s.decoded, run)
	for i := range run {
		s.decoded[i] = byte(unhex(s.classes[at+3*i+1])<<4 | unhex(s.classes[at+3*i+2]))
	}
	return utf8.Valid(s.decoded)
}

// appendDecoded appends the characters in decoded, whose escapes begin at a place.
func (s *Scanner) appendDecoded(at int) {
	for i := 0; i < len(s.decoded); {
		_, size := utf8.DecodeRune(s.decoded[i:])
		var class [2]byte
		n := 1
		if class[0] = asciiClass[s.decoded[i]]; size > 1 {
			n = classifyBeyond(class[:], s.decoded, i)
		}
		for _, c := range class[:n] {
			s.view = append(s.view, c)
			s.origin = append(s.origin, int32(at+3*i))
		}
		i += size
	}
}
