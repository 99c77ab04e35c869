package fold

import (
	"unicode/utf8"
)

// Hidden reports whether a character cannot be seen, reorders what is seen, or
// steers a terminal: Unicode's Default_Ignorable_Code_Points, the controls but
// for tab, line feed and carriage return, and the interlinear annotation marks.
// Some of them belong into some texts; FindHidden knows which.
func Hidden(r rune) bool {
	switch {
	case r < 0x20:
		return r != '\t' && r != '\n' && r != '\r'
	case r < 0x7F:
		return false
	case r <= 0x9F, r == 0xAD, r == 0x34F, r == 0x61C:
		return true
	case r < 0x115F:
		return false
	case r <= 0x1160, r >= 0x17B4 && r <= 0x17B5, r >= 0x180B && r <= 0x180F:
		return true
	case r < 0x200B:
		return false
	case r <= 0x200F, r >= 0x202A && r <= 0x202E, r >= 0x2060 && r <= 0x206F, r == 0x3164:
		return true
	case r < 0xFE00:
		return false
	case r <= 0xFE0F, r == 0xFEFF, r == 0xFFA0, r >= 0xFFF0 && r <= 0xFFFB:
		return true
	}
	return r >= 0x1BCA0 && r <= 0x1BCA3 || r >= 0x1D173 && r <= 0x1D17A || r >= 0xE0000 && r <= 0xE0FFF
}

// FindHidden returns the place and length in bytes of the first hidden character
// of a text from a place on that does not belong there; at is -1 where there is
// none. To belong are: joiners and variation selectors inside emoji, the tags of
// a flag, joiners between letters of the scripts that need them, and one
// variation selector behind a character that has variants.
func FindHidden(text string, from int) (at, size int) {
	before, second := ' ', ' ' // the two characters before
	for i := from; i < len(text); {
		if c := text[i]; c >= 0x20 && c < 0x7F {
			before, second = rune(c), before
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(text[i:])
		if Hidden(r) {
			length := belongs(r, before, second, text[i:])
			if length == 0 {
				return i, n
			}
			n = length
		}
		before, second = r, before
		i += n
	}
	return -1, 0
}

const (
	zwnj, zwj        = 0x200C, 0x200D
	textStyle        = 0xFE0E
	emojiStyle       = 0xFE0F
	keycap           = 0x20E3
	blackFlag        = 0x1F3F4
	tagBase, tagsEnd = 0xE0000, 0xE007F
)

// belongs returns how many bytes of a text that begins with a hidden character
// belong where they stand; 0 when that character does not.
func belongs(r, before, second rune, text string) int {
	size := utf8.RuneLen(r)
	next, _ := utf8.DecodeRuneInString(text[size:])
	ok := false
	switch {
	case r == emojiStyle || r == textStyle:
		ok = isEmoji(before) || next == keycap && (before >= '0' && before <= '9' || before == '#' || before == '*') || hasVariants(before)
	case r == zwj && isEmoji(next):
		ok = isEmoji(before) || before == emojiStyle && isEmoji(second)
	case r == zwj || r == zwnj:
		ok = joins(before) && (joins(next) || len(text) == size || next < 0x80 && !(next|0x20 >= 'a' && next|0x20 <= 'z'))
	case r >= 0xFE00 && r < textStyle:
		ok = hasVariants(before)
	case r >= 0xE0100 && r <= 0xE01EF:
		ok = isHan(before)
	case r >= 0x180B && r <= 0x180F:
		ok = before >= 0x1820 && before <= 0x18AA
	case r == 0x34F:
		ok = before >= 0x0590 && before <= 0x05FF
	case r >= 0x115F && r <= 0x1160:
		ok = before >= 0x1100 && before <= 0x11FF || next >= 0x1100 && next <= 0x11FF
	case r > tagBase && r < tagsEnd && before == blackFlag:
		return flagTags(text)
	}
	if ok {
		return size
	}
	return 0
}

// flagTags returns the length of the tags of a subdivision's flag: the two
// letters of a region, up to three of its part, and the end.
func flagTags(text string) int {
	const tag = 4 // bytes
	n := 0
	for n*tag < len(text) {
		r, _ := utf8.DecodeRuneInString(text[n*tag:])
		if r == tagsEnd {
			if n >= 3 && n <= 5 {
				return (n + 1) * tag
			}
			return 0
		}
		if c := r - tagBase; n == 5 || !(c >= 'a' && c <= 'z' || n >= 2 && c >= '0' && c <= '9') {
			return 0
		}
		n++
	}
	return 0
}

// isEmoji covers the blocks that emoji stand in, and the odd ones elsewhere.
func isEmoji(r rune) bool {
	switch {
	case r < 0x203C:
		return r == 0xA9 || r == 0xAE
	case r <= 0x3299:
		return r <= 0x2BFF && r != 0x2060 && !(r >= 0x2061 && r <= 0x206F) || r == 0x3030 || r == 0x303D || r == 0x3297 || r == 0x3299
	}
	return r >= 0x1F000 && r <= 0x1FAFF
}

// joins reports whether a character is of a script in which joiners shape or
// part letters: Arabic and its relatives, the Indic scripts, Mongolian, Khmer,
// Myanmar and their neighbours.
func joins(r rune) bool {
	return r >= 0x0600 && r <= 0x08FF || r >= 0x0900 && r <= 0x0DFF || r >= 0x0F00 && r <= 0x109F || r >= 0x1700 && r <= 0x1CFF && r != 0x180E ||
		r >= 0xA800 && r <= 0xABFF || r >= 0xFB50 && r <= 0xFDFF || r >= 0xFE70 && r <= 0xFEFC || r >= 0x10A00 && r <= 0x10FFF || r >= 0x11000 && r <= 0x11FFF || r >= 0x1E900 && r <= 0x1E95F
}

// hasVariants covers what has standardised variants besides emoji: mathematical
// signs, ideographs, and letters of Myanmar and Phags-pa.
func hasVariants(r rune) bool {
	return r >= 0x2200 && r <= 0x22FF || r >= 0x2A00 && r <= 0x2AFF || r == '0' || r >= 0x1000 && r <= 0x109F || r >= 0xA840 && r <= 0xA877 || r >= 0xFF00 && r <= 0xFF1F || r >= 0x3001 && r <= 0x3002 || isHan(r)
}

func isHan(r rune) bool {
	return r >= 0x3400 && r <= 0x9FFF || r >= 0xF900 && r <= 0xFAFF || r >= 0x20000 && r <= 0x3FFFF
}
