package view

import (
	"unicode/utf8"

	"github.com/manifestseal/manifestseal/engine/jsonvalue"
)

// decode returns the first character of a WTF-8 text; a lone surrogate is one
// character of three bytes.
func decode(s string) (r rune, size int) {
	if s != "" && s[0] < utf8.RuneSelf {
		return rune(s[0]), 1
	}
	return decodeWide(s)
}

func decodeWide(s string) (r rune, size int) {
	if len(s) >= 3 && s[0] == 0xED && s[1] >= 0xA0 {
		return 0xD000 | rune(s[1]&0x3F)<<6 | rune(s[2]&0x3F), 3
	}
	return utf8.DecodeRuneInString(s)
}

// printable returns how many characters of plain ASCII a text begins with. Most
// texts are nothing else, and need no closer look.
func printable(text string) int {
	n := 0
	for n < len(text) && text[n] >= 0x20 && text[n] < 0x7F {
		n++
	}
	return n
}

func unitsOf(r rune) int {
	if r > 0xFFFF {
		return 2
	}
	return 1
}

// hiddenRanges are the characters that a reader cannot see, or that change how
// others are shown: controls, format characters, fillers, spaces other than the
// plain one, variation selectors, tags, lone surrogates and noncharacters.
// Ordered; each pair is inclusive.
var hiddenRanges = [...][2]rune{
	{0x00, 0x08}, {0x0A, 0x1F}, {0x7F, 0xA0}, {0xAD, 0xAD}, {0x034F, 0x034F}, {0x061C, 0x061C},
	{0x115F, 0x1160}, {0x1680, 0x1680}, {0x17B4, 0x17B5}, {0x180B, 0x180F}, {0x2000, 0x200F},
	{0x2028, 0x202F}, {0x205F, 0x206F}, {0x2800, 0x2800}, {0x3000, 0x3000}, {0x3164, 0x3164},
	{0xD800, 0xDFFF}, {0xFDD0, 0xFDEF}, {0xFE00, 0xFE0F}, {0xFEFF, 0xFEFF}, {0xFFA0, 0xFFA0},
	{0xFFF0, 0xFFFB}, {0x1BCA0, 0x1BCA3}, {0x1D173, 0x1D17A}, {0xE0000, 0xE0FFF},
}

// IsHidden reports whether a character is shown as a labelled chip.
func IsHidden(r rune) bool {
	if r >= 0x20 && r < 0x7F {
		return false
	}
	if r&0xFFFE == 0xFFFE {
		return true // a noncharacter, the last two of each plane
	}
	for _, h := range hiddenRanges {
		if r <= h[1] {
			return r >= h[0]
		}
	}
	return false
}

// ChipLabel is the label of a hidden character, as in "U+200B".
func ChipLabel(r rune) string { return "U+" + jsonvalue.CodePoint(r) }

// chipNames has the Unicode names of the characters that are met in attacks and
// in honest text; others are named by their class.
var chipNames = [...]struct {
	char rune
	name string
}{
	{0x00, "NULL"}, {0x07, "BELL"}, {0x08, "BACKSPACE"}, {0x0A, "LINE FEED"}, {0x0B, "LINE TABULATION"}, {0x0C, "FORM FEED"}, {0x0D, "CARRIAGE RETURN"},
	{0x1B, "ESCAPE"}, {0x7F, "DELETE"}, {0x85, "NEXT LINE"}, {0xA0, "NO-BREAK SPACE"}, {0xAD, "SOFT HYPHEN"}, {0x034F, "COMBINING GRAPHEME JOINER"},
	{0x061C, "ARABIC LETTER MARK"}, {0x180E, "MONGOLIAN VOWEL SEPARATOR"}, {0x200B, "ZERO WIDTH SPACE"}, {0x200C, "ZERO WIDTH NON-JOINER"},
	{0x200D, "ZERO WIDTH JOINER"}, {0x200E, "LEFT-TO-RIGHT MARK"}, {0x200F, "RIGHT-TO-LEFT MARK"}, {0x2028, "LINE SEPARATOR"},
	{0x2029, "PARAGRAPH SEPARATOR"}, {0x202A, "LEFT-TO-RIGHT EMBEDDING"}, {0x202B, "RIGHT-TO-LEFT EMBEDDING"}, {0x202C, "POP DIRECTIONAL FORMATTING"},
	{0x202D, "LEFT-TO-RIGHT OVERRIDE"}, {0x202E, "RIGHT-TO-LEFT OVERRIDE"}, {0x202F, "NARROW NO-BREAK SPACE"}, {0x2060, "WORD JOINER"},
	{0x2066, "LEFT-TO-RIGHT ISOLATE"}, {0x2067, "RIGHT-TO-LEFT ISOLATE"}, {0x2068, "FIRST STRONG ISOLATE"}, {0x2069, "POP DIRECTIONAL ISOLATE"},
	{0x2800, "BRAILLE PATTERN BLANK"}, {0x3000, "IDEOGRAPHIC SPACE"}, {0x3164, "HANGUL FILLER"}, {0xFE0E, "VARIATION SELECTOR-15 (TEXT STYLE)"},
	{0xFE0F, "VARIATION SELECTOR-16 (EMOJI STYLE)"}, {0xFEFF, "ZERO WIDTH NO-BREAK SPACE (BYTE ORDER MARK)"}, {0xE0001, "LANGUAGE TAG"}, {0xE007F, "CANCEL TAG"},
}

func chipName(r rune) string {
	for i := range chipNames {
		if chipNames[i].char == r {
			return chipNames[i].name
		}
	}
	switch {
	case r < 0x20 || r >= 0x80 && r < 0xA0:
		return "CONTROL CHARACTER"
	case r >= 0x2000 && r <= 0x200A || r == 0x1680 || r == 0x205F:
		return "SPACE OF ANOTHER WIDTH"
	case r >= 0xD800 && r <= 0xDFFF:
		return "LONE SURROGATE"
	case r >= 0xFE00 && r <= 0xFE0F || r >= 0xE0100 && r <= 0xE01EF:
		return "VARIATION SELECTOR"
	case r >= 0xE0020 && r <= 0xE007E:
		return "TAG CHARACTER FOR '" + string(r-0xE0000) + "'"
	case r >= 0xFDD0 && r <= 0xFDEF || r&0xFFFE == 0xFFFE:
		return "NONCHARACTER"
	}
	return "INVISIBLE CHARACTER"
}
