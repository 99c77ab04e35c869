package claims

import "strings"

// verb is what a word does, when it leads a name or a description.
type verb uint8

const (
	noVerb   verb = iota
	reads         // get, list, search …
	writes        // update, set, install …
	creates       // create, append, send …: a second call does it again
	destroys      // delete, drop, wipe …
)

func (v verb) changes() bool { return v >= writes }

// verbOf returns what a word in lower case does. Words that are as often nouns
// (post, commit, branch, run, test) are no verbs here: a rule that calls a
// well-kept tool a liar is wrong.
func verbOf(word string) verb {
	switch {
	case oneOf(word, "get list search find fetch read describe show view query lookup count retrieve inspect browse check explain summarize compare "+
		"analyze validate verify"):
		return reads
	case oneOf(word, "update set write put edit modify rename move save install enable disable assign unassign approve reject merge upsert replace reset "+
		"restart rotate archive unarchive restore grant subscribe unsubscribe attach detach cancel overwrite patch toggle reopen lock unlock "+
		"publish unpublish upload change configure revoke clear apply mark add push pay buy migrate reboot suspend revert unset withdraw "+
		"unblock clone register"):
		return writes
	case oneOf(word, "create append send insert submit duplicate notify invite"):
		return creates
	case oneOf(word, "delete remove drop purge wipe kill destroy erase truncate terminate uninstall shred expunge prune nuke discard deprovision "+
		"decommission obliterate unlink rm rmdir del"):
		return destroys
	}
	return noVerb
}

// verbOfText returns what a description's first word does: the verb itself or
// its third person ("Deletes"). "Set of …" and "Updates: …" are nouns.
func verbOfText(text string) verb {
	text = strings.TrimLeftFunc(text, func(r rune) bool { return isSpace(r) || r == '*' || r == '#' || r == '_' })
	end := 0
	for end < len(text) && (text[end]|0x20 >= 'a' && text[end]|0x20 <= 'z') {
		end++
	}
	rest := text[end:]
	if !strings.HasPrefix(rest, " ") || strings.HasPrefix(rest, " of ") || strings.HasPrefix(rest, " is ") || strings.HasPrefix(rest, " for ") {
		return noVerb
	}
	word := strings.ToLower(text[:end])
	for _, stem := range [...]string{word, strings.TrimSuffix(word, "es"), strings.TrimSuffix(word, "s")} {
		if v := verbOf(stem); v != noVerb {
			return v
		}
		if oneOf(stem, "deploy post transfer purchase refund import commit charge schedule book") {
			return writes // in front of a sentence these are verbs
		}
	}
	return noVerb
}

// computes are verbs by which descriptions also begin of tools that only compute
// what they return: "Create a buffer zone", "Merge two polygons".
func computes(text string) bool {
	end := strings.IndexFunc(text, func(r rune) bool { return r == ' ' })
	return oneOf(strings.TrimSuffix(strings.ToLower(text[:max(0, end)]), "s"), "create merge replace apply applie change set mark insert append add edit modify rotate move duplicate")
}

// wordsOf splits a name at _ - . / : and space and at case changes, in lower case.
func wordsOf(name string) []string {
	var words []string
	start := 0
	cut := func(end int) {
		if end > start {
			words = append(words, strings.ToLower(name[start:end]))
		}
	}
	for i := range len(name) {
		switch c := name[i]; {
		case c == '_' || c == '-' || c == '.' || c == '/' || c == ':' || c == ' ':
			cut(i)
			start = i + 1
		case i > start && isUpper(c) && (!isUpper(name[i-1]) || i+1 < len(name) && isLower(name[i+1])):
			cut(i)
			start = i
		}
	}
	cut(len(name))
	return words
}

func isUpper(c byte) bool { return c >= 'A' && c <= 'Z' }
func isLower(c byte) bool { return c >= 'a' && c <= 'z' }

// splitNames gives each tool its words without the prefix that all names share,
// and its leading verb. A verb that all share is what they do, and stays.
func splitNames(tools []tool) {
	var common []string
	named := 0
	for i := range tools {
		t := &tools[i]
		if !t.named {
			continue
		}
		t.words = wordsOf(t.name)
		n := len(t.words)
		if named > 0 {
			n = sharedWords(common, t.words)
		}
		// A name is more than its prefix.
		common = t.words[:max(0, min(n, len(t.words)-1))]
		named++
	}
	prefix := 0
	if named > 1 {
		for prefix < len(common) && verbOf(common[prefix]) == noVerb {
			prefix++
		}
	}
	for i := range tools {
		if t := &tools[i]; t.named {
			t.words = t.words[prefix:]
			t.verb = leading(t.words)
		}
	}
}

func sharedWords(a, b []string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// leading is the verb of a name's first word. A name that ends in a verb which
// only reads, as deploy_app_logs_get does, begins with a noun.
//
//go:noinline
func leading(words []string) verb {
	if len(words) == 0 {
		return noVerb
	}
	first := verbOf(words[0])
	if first.changes() && len(words) > 1 {
		if words[1] == "request" || words[1] == "requests" {
			return noVerb // a merge request, a change request
		}
		if oneOf(words[len(words)-1], "get list search read show describe query lookup count") {
			return noVerb
		}
	}
	return first
}
