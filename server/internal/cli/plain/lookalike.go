package plain

import (
	"strings"
	"unicode"

	"github.com/manifestseal/manifestseal/engine/view"
)

// lookalikes are the letters of other scripts that most typefaces draw as Latin
// ones (Unicode's confusables, single letters). Beside Latin letters in one
// word they serve nobody but those who want to deceive.
const lookalikes = "АВЕЅІЈКМНОРСТУХаеорсухіјѕһԁԛԝѵ" + "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧαικνορυχ" + "օոսհց"

// labelLookalikes puts a chip behind each such letter in a word that also has
// Latin ones, behind combining marks on Latin letters, and behind the parts of
// Korean syllables: two words that look alike must not look equal.
func labelLookalikes(s string) string {
	if !strings.ContainsFunc(s, suspect) {
		return s
	}
	var b strings.Builder
	for s != "" {
		n := wordLength(s)
		if n == 0 {
			_, size, _ := next(s)
			b.WriteString(s[:size])
			s = s[size:]
			continue
		}
		writeWord(&b, s[:n])
		s = s[n:]
	}
	return b.String()
}

func wordLength(s string) int {
	for i, r := range s {
		if !unicode.IsLetter(r) && !composing(r) {
			return i
		}
	}
	return len(s)
}

func suspect(r rune) bool { return composing(r) || strings.ContainsRune(lookalikes, r) }

// composing characters draw, together with the one before, what mostly is
// written as one character.
func composing(r rune) bool { return r >= 0x300 && r <= 0x36F || r >= 0x1160 && r <= 0x11FF }

func writeWord(b *strings.Builder, word string) {
	latin := strings.ContainsFunc(word, func(r rune) bool { return unicode.Is(unicode.Latin, r) })
	for _, r := range word {
		b.WriteRune(r)
		if latin && suspect(r) || r >= 0x1100 && composing(r) {
			b.WriteString(chip(view.ChipLabel(r)))
		}
	}
}
