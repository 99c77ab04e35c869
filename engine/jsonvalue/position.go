package jsonvalue

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Position is a place in the text of a document. Line and Column count from 1,
// columns in characters (code points); a line ends at LF, CR or CR LF. Offset
// counts bytes of the text from 0, a byte order mark included.
type Position struct {
	Offset, Line, Column int
}

// PositionOf returns the place of a byte offset in a text.
func PositionOf(src string, offset int) Position {
	w := walker{src: src, line: 1}
	return w.to(offset)
}

// walker finds positions by one walk over the text; the offsets asked for must
// not fall.
type walker struct {
	src       string
	at        int
	line      int
	lineStart int
}

func (w *walker) to(offset int) Position {
	offset = min(offset, len(w.src))
	for w.at < offset {
		i := strings.IndexAny(w.src[w.at:offset], "\r\n")
		if i < 0 {
			break
		}
		w.at += i + 1
		if w.src[w.at-1] == '\r' && w.at < len(w.src) && w.src[w.at] == '\n' {
			if w.at == offset {
				// The place is the LF of a CR LF: still on the line that it ends.
				w.at--
				break
			}
			w.at++
		}
		w.line++
		w.lineStart = w.at
	}
	start := w.lineStart
	if start == 0 && strings.HasPrefix(w.src, byteOrderMark) {
		start = min(len(byteOrderMark), offset)
	}
	return Position{offset, w.line, 1 + utf8.RuneCountInString(w.src[start:offset])}
}

// excerptReach is how many characters an excerpt shows on each side of a place.
const excerptReach = 32

// Excerpt returns the part of a text's line around a byte offset, and how many
// characters of it stand before the place. It is manifest text: hostile until
// made harmless for where it is shown.
func Excerpt(src string, offset int) (text string, at int) {
	offset = min(offset, len(src))
	start, end := offset, offset
	for range excerptReach {
		if start == 0 || isBreak(src[start-1]) {
			break
		}
		_, size := utf8.DecodeLastRuneInString(src[:start])
		start -= size
		at++
	}
	for range excerptReach {
		if end == len(src) || isBreak(src[end]) {
			break
		}
		_, size := utf8.DecodeRuneInString(src[end:])
		end += size
	}
	return strings.Clone(src[start:end]), at // an error must not hold a document in memory
}

func isBreak(c byte) bool { return c == '\n' || c == '\r' }

// locate fills in lines and columns of notes and orders the notes by place.
func locate(src string, notes []Note) {
	slices.SortStableFunc(notes, func(a, b Note) int { return a.Offset - b.Offset })
	w := walker{src: src, line: 1}
	for i := range notes {
		notes[i].Position = w.to(notes[i].Offset)
	}
}
