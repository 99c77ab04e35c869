package intent

import "strings"

const (
	maxPhrase = 6 // words of a phrase
	maxKey    = 64
	maxValue  = 512
	maxTokens = 1 << 14 // words that are kept at once
	letters   = 27      // and whatever is none
)

// token is a word or a phrase of a text.
type token struct {
	class      class
	start, end int32
	cueStart   int32 // where the phrase of the cue begins
	before     mark
	form       form
	cue        cue
}

// mark is what stands between a word and the one before.
type mark uint8

const (
	nothing mark = iota // white space, or what joins words
	comma               // what parts clauses
	colon
	quote
	stop // a sentence ends
)

// scan appends the words of a text from a place on, phrases made one, until there are enough. It returns where it ended.
func scan(tokens []token, text string, at int) ([]token, int) {
	m := stop
	plain := at // up to here stands nothing that is an address
	for at < len(text) && (len(tokens) < maxTokens || m != stop) && len(tokens) < 2*maxTokens {
		n := 0
		if beginsWord(text, at) {
			if at >= plain {
				n, plain = valueAt(text, at)
			}
			if n == 0 {
				n = wordLength(text, at)
			}
		}
		if n > 0 {
			t := token{start: int32(at), end: int32(at + n), cueStart: int32(at), before: m}
			t.read(text[at:at+n], m == quote)
			tokens = fold(append(tokens, t), text)
			at += n
			m = nothing
			continue
		}
		m = max(m, markOf(text, at))
		at++
	}
	return tokens, at
}

func beginsWord(text string, at int) bool {
	c := text[at]
	if wordByte(c) {
		return true
	}
	if c != '~' && c != '/' && c != '.' && c != '+' || at+1 == len(text) {
		return false
	}
	next := text[at+1]
	return wordByte(next) || next == '/' || next == '.'
}

// valueAt is the length of the address or path at a place, or 0 and up to where there is none.
func valueAt(text string, at int) (n, plain int) {
	end := at
	for end < len(text) && valueByte(text[end]) && end-at < maxValue {
		end++
	}
	run := end
	for end > at && (text[end-1] == '.' || text[end-1] == ':' || text[end-1] == '?' || text[end-1] == '/' && end-at > 1 && text[end-2] != '/') {
		end--
	}
	if end > at && isValue(text[at:end]) {
		return end - at, end
	}
	return 0, run
}

// wordLength is the length of the word at a place.
func wordLength(text string, at int) int {
	end := at
	for end < len(text) && (wordByte(text[end]) || apostrophe(text, end) > 0) {
		end += max(1, apostrophe(text, end))
	}
	return end - at
}

// isValue says whether a run is an address or a path and no word.
func isValue(run string) bool {
	return strings.Contains(run, "://") || run[0] == '~' || run[0] == '/' && len(run) > 2 || run[0] == '.' && len(run) > 2 && run[1] != '.' ||
		strings.Contains(run, "@") && strings.Contains(run, ".") || len(run) > 6 && strings.HasPrefix(run, "0x")
}

func wordByte(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c == '_' || c >= 0xc3
}

func valueByte(c byte) bool {
	return wordByte(c) || strings.IndexByte("~/.:@?=&%+-#{}", c) >= 0
}

// apostrophe is the length of an apostrophe inside a word.
func apostrophe(text string, at int) int {
	n := 0
	switch {
	case text[at] == '\'':
		n = 1
	case strings.HasPrefix(text[at:], "’"):
		n = len("’")
	}
	if n == 0 || at+n >= len(text) || !wordByte(text[at+n]) || at == 0 || !wordByte(text[at-1]) {
		return 0
	}
	return n
}

// markOf is what a byte between words means.
func markOf(text string, at int) mark {
	switch c := text[at]; c {
	case ' ', '\t', '\r', '-', '=', '*', '#':
		return nothing
	case '.', '!', '?', ';':
		if at+1 == len(text) || c == ';' || !wordByte(text[at+1]) {
			return stop
		}
		return nothing
	case '\n':
		return lineEnd(text, at)
	case '"', '\'', '`':
		return quote
	case ':':
		return colon
	}
	return comma
}

// lineEnd says whether a line goes on in the next one.
func lineEnd(text string, at int) mark {
	next := at + 1
	for next < len(text) && (text[next] == ' ' || text[next] == '\t' || text[next] == '\r') {
		next++
	}
	if next < len(text) && text[next] >= 'a' && text[next] <= 'z' {
		return nothing
	}
	return stop
}

// appendNormal spells a word or phrase as the lexicon has it.
func appendNormal(key []byte, text string) []byte {
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c >= 'A' && c <= 'Z':
			key = append(key, c|0x20)
		case wordByte(c) && c != '_':
			key = append(key, c)
		case c == '\'':
			key = append(key, c)
		case strings.HasPrefix(text[i:], "’"):
			key = append(key, '\'')
			i += len("’") - 1
		case len(key) > 0 && key[len(key)-1] != ' ':
			key = append(key, ' ')
		}
	}
	if len(key) > 0 && key[len(key)-1] == ' ' {
		key = key[:len(key)-1]
	}
	return key
}

// bucketOf is by the first letter and the length: the words of a bucket stand in order and are equally long, so that
// their places need no table.
func bucketOf(key []byte) int {
	letter := 0
	if len(key) > 0 && key[0] >= 'a' && key[0] <= 'z' {
		letter = int(key[0]-'a') + 1
	}
	return letter*(maxKey+1) + len(key)
}

// lookup is what a word or phrase means; 0 when the lexicon does not have it.
func lookup(text string) (class, form, cue) {
	if len(text) > maxKey {
		return 0, 0, 0
	}
	var space [maxKey]byte
	key := appendNormal(space[:0], text)
	c, f, q := meaningOf(key)
	if n := len(key) - len("'s"); c == 0 && q == 0 && n > 0 && string(key[n:]) == "'s" && !strings.Contains(text, " ") {
		c, _, q = meaningOf(key[:n])
		return c &^ verbs, 0, q // a noun: "the tool's"
	}
	if n := len(key) - 1; c == 0 && q == 0 && n > 2 && key[n] == 's' {
		c, f, q = meaningOf(key[:n]) // "sends", "tools"
		return c, third & (f & base << 1), q
	}
	return c, f, q
}

func meaningOf(key []byte) (class, form, cue) {
	h, n := bucketOf(key), len(key)
	first := int(buckets[h])
	for low, high := first, int(buckets[h+1]); low < high; {
		i := (low + high) / 2
		at := int(wordAt[h]) + (i-first)*n
		word := words[at : at+n]
		switch {
		case string(key) == word:
			return meanings[meaning[i]], form(formAt[i] - '0'), cues[cueAt[i]-'0']
		case string(key) < word:
			high = i
		default:
			low = i + 1
		}
	}
	return 0, 0, 0
}

// read gives a token its meaning.
func (t *token) read(text string, quoted bool) {
	if isValue(text) {
		t.class = valueClass(text)
		return
	}
	t.class, t.form, t.cue = lookup(text)
	if text[0] >= '0' && text[0] <= '9' || len(text) > 3 && strings.ContainsAny(text, "0123456789") {
		t.class |= literal
	}
	if quoted || strings.IndexByte(text, '_') > 0 {
		t.class, t.form = t.class&^verbs|named, 0
	}
	if strings.IndexByte(text, '_') > 0 {
		t.class |= nameClass(text)
	}
}

// kept is what a phrase keeps of its words.
const kept = every | whose | not | user | agent | instead | self

// fold makes the phrase one that ends with the last token, the longest first.
func fold(tokens []token, text string) []token {
	last := len(tokens) - 1
	for n := min(maxPhrase, len(tokens)); n > 1; n-- {
		first := &tokens[last-n+1]
		if first.class&head == 0 || !joined(tokens[last-n+1:]) {
			continue
		}
		c, f, q := lookup(text[first.start:tokens[last].end])
		if c&^head == 0 { // no word of the rules: its words stay what they are
			tokens[last].cue |= q
			tokens[last].cueStart = first.start
			continue
		}
		for _, t := range tokens[last-n+1:] {
			c |= t.class & kept
			q |= t.cue
		}
		first.class, first.form, first.cue = c|head, f, q
		first.end = tokens[last].end
		return tokens[:last-n+2]
	}
	return tokens
}

// joined says whether nothing parts tokens.
func joined(tokens []token) bool {
	for _, t := range tokens[1:] {
		if t.before != nothing || t.class&literal != 0 && t.class&^(literal|named) == 0 {
			return false
		}
	}
	return true
}

// valueClass is what an address or a path means.
func valueClass(text string) class {
	c := literal
	if _, host, ok := strings.Cut(text, "://"); ok && host != "" || isMail(text) {
		c |= place
	}
	if strings.HasPrefix(text, "0x") {
		c |= place | recipient
	}
	for _, name := range [...]string{
		".ssh", ".aws", ".env", ".netrc", ".npmrc", ".pypirc", ".kube", ".gnupg", ".docker/config", "id_rsa", "id_ed25519", ".pem", ".git-credentials", ".config/gcloud", ".azure",
		"etc/passwd", "etc/shadow", "_history", "wallet", "keychain", "cookies", "mcp.json", "claude_desktop_config", ".cursor", ".config", ".pgpass", ".gitconfig", "/proc/", "credentials", "secret",
	} {
		if strings.Contains(text, name) {
			c |= secret
		}
	}
	if strings.HasSuffix(text, ".pub") || strings.HasSuffix(text, ".pub)") {
		return c &^ secret // the public half of a key
	}
	if strings.HasPrefix(text, "~/") && c&secret == 0 {
		c |= private
	}
	return c
}

func isMail(text string) bool {
	name, host, _ := strings.Cut(text, "@")
	return name != "" && wordByte(name[0]) && strings.Contains(host, ".") && !strings.Contains(name, "/")
}

// nameClass is what a name with underscores says: the name of a secret, or of an order.
func nameClass(text string) class {
	for _, end := range [...]string{"_TOKEN", "_KEY", "_SECRET", "_PASSWORD", "_PAT"} {
		if strings.HasSuffix(text, end) {
			return credit
		}
	}
	if strings.HasSuffix(text, "_must") || strings.HasPrefix(text, "must_") || strings.HasSuffix(text, "_should") {
		return must
	}
	return 0
}
