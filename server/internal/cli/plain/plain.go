// Package plain implements the words that a person reads of a manifest where
// there is no markup to keep them apart from what is ours: on a terminal, in a
// text file, in a Markdown document. It follows rule 4 of the browser's design,
// hostile text is shown and never obeyed: what cannot be seen, or would change
// how other text is shown, stands as a labelled chip such as ‹U+200B›.
//
// It never knows colours, widths or Markdown.
package plain

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/manifestseal/manifestseal/engine/view"
)

// Text returns a text on one line with every hidden character as a chip: line
// breaks, tabs, controls, format characters, lone surrogates (WTF-8), and bytes
// that are no UTF-8.
func Text(s string) string {
	if harmless(s) {
		return s
	}
	s = labelLookalikes(s)
	var b strings.Builder
	for s != "" {
		r, size, valid := next(s)
		switch {
		case !valid:
			b.WriteString(chip("byte " + hex(s[0])))
		case r == '\t' || view.IsHidden(r):
			b.WriteString(chip(view.ChipLabel(r)))
		default:
			b.WriteString(s[:size])
		}
		s = s[size:]
	}
	return b.String()
}

func harmless(s string) bool {
	for i := range len(s) {
		if s[i] < 0x20 || s[i] > 0x7E {
			return false
		}
	}
	return true
}

// next returns the first character of a text that should be WTF-8.
func next(s string) (r rune, size int, valid bool) {
	if len(s) >= 3 && s[0] == 0xED && s[1] >= 0xA0 && s[1] < 0xC0 && s[2]&0xC0 == 0x80 {
		return 0xD000 | rune(s[1]&0x3F)<<6 | rune(s[2]&0x3F), 3, true
	}
	r, size = utf8.DecodeRuneInString(s)
	return r, size, r != utf8.RuneError || size > 1
}

func chip(label string) string { return "‹" + label + "›" }

func hex(c byte) string {
	const digits = "0123456789ABCDEF"
	return string([]byte{digits[c>>4], digits[c&15]})
}

// Number writes a number with its thousands set apart.
func Number(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Count is a number and its noun, in the singular for one.
func Count(n int, noun string) string {
	switch {
	case n == 1:
	case strings.HasSuffix(noun, "ch"), strings.HasSuffix(noun, "x"):
		noun += "es"
	default:
		noun += "s"
	}
	return Number(n) + " " + noun
}
