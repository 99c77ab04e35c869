package view

// longLine is the size of a line, in bytes of both sides, from which it is cut
// down before it is taken apart: most of a long line is the same on both sides.
const longLine = 8 << 10

// maxTokens is how many bytes of a side are taken apart into words.
const maxTokens = 256 << 10

// lineTokens takes two lines apart into words. Where both are long, what they
// begin and end with in common is one token each. It is not ok when what is left
// is too much: then that is one token a side.
func lineTokens(old, new string) (before, after []string, ok bool) {
	if len(old)+len(new) < longLine {
		return words(old), words(new), true
	}
	head := commonHead(old, new)
	tail := commonTail(old[head:], new[head:])
	split := words
	ok = max(len(old), len(new))-head-tail <= maxTokens
	if !ok {
		split = func(text string) []string { return []string{text} }
	}
	part := func(line string) (out []string) {
		end := len(line) - tail
		for _, tokens := range [][]string{{line[:head]}, split(line[head:end]), {line[end:]}} {
			for _, t := range tokens {
				if t != "" {
					out = append(out, t)
				}
			}
		}
		return out
	}
	return part(old), part(new), ok
}

// commonHead is the length of what two lines begin with in common, up to where
// a word begins after a space: words are cut alike on both sides of it.
func commonHead(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	// The character at the cut must be in both, so the cut lies before the last.
	for n--; n > 0; n-- {
		if wordBegins(a, n) {
			return n
		}
	}
	return 0
}

// commonTail is the same for what they end with.
func commonTail(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	for at := len(a) - n + 1; at < len(a); at++ {
		if wordBegins(a, at) {
			return len(a) - at
		}
	}
	return 0
}

func wordBegins(text string, at int) bool {
	return text[at-1] == ' ' && text[at] != ' ' && text[at] != '\t'
}
