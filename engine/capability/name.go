package capability

import (
	"slices"
	"strings"
)

// strength says how sure the place of a word is to make it the verb.
type strength uint8

const (
	absent  strength = iota
	hint             // a noun that goes with reading, or a word that may be a noun where it stands
	perhaps          // the first word, which may be a noun
	behind           // a word that is only ever a verb, behind its object: issue_delete
	lead             // the first word, which is only ever a verb
)

// finding is the verb of a text: the tier that it gives and how sure it is.
type finding struct {
	tier     Tier
	strength strength
	word     string
	runs     bool // it is as harmless as what it runs
}

// inName finds the verb of a name. It stands first (delete_issue), or behind its object (issue_delete), where only words
// that are no nouns count: workflow_run is a noun.
func inName(words []string) finding {
	if len(words) == 0 {
		return finding{}
	}
	first := find(words[0])
	if first.kind == verb {
		return joined(found(first, words[1:], lead), words[1:])
	}
	for i, w := range slices.Backward(words) {
		if e := find(w); e.kind == verb {
			return joined(found(e, words[i+1:], behind), words[i+1:])
		}
	}
	if first.kind == either && len(words) > 1 {
		return joined(found(first, words[1:], perhaps), words[1:])
	}
	for _, w := range slices.Backward(words) {
		if e := find(w); e.word != "" {
			return found(e, words, hint)
		}
	}
	return finding{}
}

// joined goes on over "or" and "and": create_or_update, get_or_create.
func joined(f finding, rest []string) finding {
	for i, w := range rest {
		if w != "or" && w != "and" || i+1 == len(rest) {
			continue
		}
		if e := find(rest[i+1]); e.kind != noun && e.tier > f.tier {
			f.tier, f.word = e.tier, e.word
		}
	}
	return f
}

// found is the finding of a verb with its object: running a search only reads.
func found(e entry, object []string, s strength) finding {
	f := finding{e.tier, s, e.word, e.runs}
	if e.runs && slices.ContainsFunc(object, readsWhenRun) {
		f.tier = Read
	}
	if e.word == "close" && slices.ContainsFunc(object, isProgram) {
		f.tier = Destructive
	}
	return f
}

// isProgram says whether closing a thing of that name ends a program.
func isProgram(word string) bool {
	return in(word, " app apps application program process ")
}

// readsWhenRun says whether running a thing of that name only reads.
func readsWhenRun(word string) bool {
	return in(word, " query queries search searches audit check checks analysis report reports diagnostics diagnostic inspection lint linter scan "+
		"lookup promql logql wiql read-only readonly retrieval comparison validation insights ")
}

// in says whether a list of words, with a space around each, has a word.
func in(word, list string) bool {
	for at := 0; word != "" && strings.IndexByte(word, ' ') < 0; {
		i := strings.Index(list[at:], word)
		if i < 0 {
			break
		}
		at += i + len(word)
		if list[at] == ' ' && list[at-len(word)-1] == ' ' {
			return true
		}
	}
	return false
}
