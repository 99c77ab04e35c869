package capability

// maxWords is how many words of a name or of the beginning of a description are looked at.
const maxWords = 24

// splitName cuts a name into lower-case words: at everything that is no letter, and at changes of case. Digits stay with
// their word but for a version at the end (V1), which says nothing.
func splitName(name string) []string {
	var words []string
	for from := 0; from < len(name) && len(words) < maxWords; {
		if !isLetter(name[from]) {
			from++
			continue
		}
		to := from + 1
		for to < len(name) && !breaks(name, from, to) {
			to++
		}
		words = append(words, lower(name[from:to]))
		from = to
	}
	return words
}

// breaks says whether a word that began at from ends before at: at what is neither letter nor digit, before a capital
// after a small letter or digit, and before the last capital of a row (getDNSRecords, createAContact).
func breaks(s string, from, at int) bool {
	c, before := s[at], s[at-1]
	switch {
	case !isLetter(c) && !isDigit(c):
		return true
	case !isUpper(c):
		return false
	case !isUpper(before):
		return true
	}
	return at > from && at+1 < len(s) && isLetter(s[at+1]) && !isUpper(s[at+1])
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= 0x80 }
func isUpper(c byte) bool  { return c >= 'A' && c <= 'Z' }
func isDigit(c byte) bool  { return c >= '0' && c <= '9' }

// lower is ASCII lower case; a text that has no capital is returned as it is.
func lower(s string) string {
	for i := range len(s) {
		if isUpper(s[i]) {
			b := []byte(s)
			for ; i < len(b); i++ {
				if isUpper(b[i]) {
					b[i] += 'a' - 'A'
				}
			}
			return string(b)
		}
	}
	return s
}

// Prefix returns how many leading words all the names share. They say which server it is, not what a tool does. One word
// of each name always stays, and a single name has no prefix.
func Prefix(names []string) int {
	if len(names) < 2 {
		return 0
	}
	shared := splitName(names[0])
	for _, name := range names[1:] {
		words := splitName(name)
		n := 0
		for n < len(shared) && n < len(words)-1 && words[n] == shared[n] {
			n++
		}
		shared = shared[:n]
		if n == 0 {
			return 0
		}
	}
	// The first name may be nothing but the prefix, and a verb in front of every name is no prefix.
	n := min(len(shared), len(splitName(names[0]))-1)
	for i := range n {
		if e := find(shared[i]); e.kind == verb || e.kind == either {
			return i
		}
	}
	return n
}
