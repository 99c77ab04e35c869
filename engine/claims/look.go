package claims

import "strings"

// oneOf reports whether a word is in a list of words that spaces part.
//
//go:noinline
func oneOf(word, list string) bool {
	for at := 0; word != ""; {
		i := strings.Index(list[at:], word)
		if i < 0 {
			return false
		}
		i += at
		at = i + len(word)
		if (i == 0 || list[i-1] == ' ') && (at == len(list) || list[at] == ' ') {
			return !strings.Contains(word, " ")
		}
	}
	return false
}
