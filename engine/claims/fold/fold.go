// Package fold implements the comparing of texts by how they look: NFKC and the
// confusable characters of Unicode Technical Standard #39, and which characters
// cannot be seen. Its normalisation is that of Unicode 17.0.0; the confusables
// are those of Unicode 15.0.0, as ICU 72 carries them. The tables are written by
// a test of this package; README.md says from what.
//
// It never knows what a text is for.
package fold

import (
	"slices"
	"unicode/utf8"
)

// Skeleton returns a text's look: two texts have one skeleton exactly when they
// are equal after NFKC, without characters that cannot be seen, and with every
// confusable character replaced by its prototype. It is for comparing, not for
// showing: its form is the decomposed one, which decides the same equality. The
// skeleton of a skeleton is itself. Lone surrogates and letter case stay as they
// are.
func Skeleton(text string) string {
	if plain(text) {
		return text
	}
	folded := make([]rune, 0, len(text)+8)
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if r == utf8.RuneError && size == 1 {
			r, size = surrogate(text[i:])
		}
		i += size
		if !Hidden(r) {
			folded = decompose(folded, r)
		}
	}
	order(folded)
	seen := make([]rune, 0, len(folded)+8)
	for _, r := range folded {
		if r < 0x80 && !confused(byte(r)) {
			seen = append(seen, r)
			continue
		}
		seen = confusables.appendTo(seen, r)
	}
	order(seen)
	out := make([]byte, 0, len(text)+8)
	for _, r := range seen {
		out = appendRune(out, r)
	}
	return string(out)
}

// plain reports whether a text is its own skeleton by its bytes alone, as most
// names are.
func plain(text string) bool {
	for i := range len(text) {
		if c := text[i]; c < 0x20 || c >= 0x7F || confused(c) {
			return false
		}
	}
	return true
}

func confused(ascii byte) bool { return confusedASCII[ascii>>5]&(1<<(ascii&31)) != 0 }

// surrogate decodes a lone surrogate of a WTF-8 text; any other byte that is no
// UTF-8 stands for itself as U+FFFD.
func surrogate(text string) (rune, int) {
	if len(text) >= 3 && text[0] == 0xED && text[1] >= 0xA0 && text[1] <= 0xBF && text[2]&0xC0 == 0x80 {
		return 0xD000 | rune(text[1]&0x3F)<<6 | rune(text[2]&0x3F), 3
	}
	return utf8.RuneError, 1
}

func appendRune(out []byte, r rune) []byte {
	if r >= 0xD800 && r <= 0xDFFF {
		return append(out, 0xED, byte(0x80|r>>6&0x3F), byte(0x80|r&0x3F))
	}
	return utf8.AppendRune(out, r)
}

// The Hangul syllables decompose by arithmetic (The Unicode Standard, 3.12).
const (
	hangulBase, hangulCount      = 0xAC00, 11172
	leadBase, vowelBase          = 0x1100, 0x1161
	trailBase                    = 0x11A7
	vowelCount, trailCount  rune = 21, 28
)

func decompose(out []rune, r rune) []rune {
	if s := r - hangulBase; s >= 0 && s < hangulCount {
		out = append(out, leadBase+s/(vowelCount*trailCount), vowelBase+s%(vowelCount*trailCount)/trailCount)
		if t := s % trailCount; t != 0 {
			out = append(out, trailBase+t)
		}
		return out
	}
	return decompositions.appendTo(out, r)
}

// order puts combining marks into canonical order.
func order(text []rune) {
	for i := 0; i < len(text); {
		if class(text[i]) == 0 {
			i++
			continue
		}
		from := i
		for i < len(text) && class(text[i]) != 0 {
			i++
		}
		orderMarks(text[from:i])
	}
}

// orderMarks sorts by class and keeps the order within one: by insertion where
// they are few, as they are in all languages, and else class by class, so that
// a hostile run costs no more than its length.
func orderMarks(marks []rune) {
	const few = 32
	if len(marks) <= few {
		for i := 1; i < len(marks); i++ {
			for k := i; k > 0 && class(marks[k]) < class(marks[k-1]); k-- {
				marks[k], marks[k-1] = marks[k-1], marks[k]
			}
		}
		return
	}
	var count [256]int
	for _, r := range marks {
		count[class(r)]++
	}
	at := 0
	for c, n := range count {
		count[c] = at
		at += n
	}
	sorted := make([]rune, len(marks))
	for _, r := range marks {
		c := class(r)
		sorted[count[c]] = r
		count[c]++
	}
	copy(marks, sorted)
}

// class is a character's canonical combining class.
func class(r rune) uint8 {
	if r < 0x300 {
		return 0
	}
	i, found := slices.BinarySearchFunc(classes[:], uint32(r), func(c classRun, r uint32) int {
		switch {
		case c.last < r:
			return -1
		case c.last-uint32(c.length)+1 > r:
			return 1
		}
		return 0
	})
	if !found {
		return 0
	}
	return classes[i].class
}

// classRun is a run of characters of one class other than 0.
type classRun struct {
	last   uint32
	length uint16
	class  uint8
}
