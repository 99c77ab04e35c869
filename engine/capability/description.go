package capability

import "strings"

// opening is how many bytes of a description its verb is looked for in.
const opening = 400

// inDescription finds the first verb of a description, in its first sentence, and of the verbs that are joined to it ("create, update or
// delete") the one of the highest tier.
func inDescription(text string) finding {
	text = text[:min(len(text), opening)]
	afterArticle := false
	for at, n := 0, 0; n < maxWords; n++ {
		w, start, end := nextWord(text, at)
		if w == "" || n > 2 && strings.Contains(text[at:start], ". ") {
			break
		}
		at = end
		if isFiller(w) {
			afterArticle = isArticle(w)
			n--
			continue
		}
		if e := findVerb(w); e.word != "" && !afterArticle && (n == 0 || e.kind == verb) {
			return joinedInText(e, n, text[end:])
		}
		afterArticle = false
	}
	return finding{}
}

// joinedInText goes on from the first verb over commas, "or" and "and" as long as verbs follow.
func joinedInText(e entry, n int, rest string) finding {
	f := finding{e.tier, behind, e.word, e.runs}
	if n == 0 {
		f.strength = lead
	}
	if e.runs && runsReading(rest) {
		f.tier = Read
	}
	for at := 0; at < len(rest); {
		w, start, end := nextWord(rest, at)
		comma := strings.ContainsAny(rest[at:start], ",/")
		if strings.ContainsAny(rest[at:start], ".:;\n(") {
			break
		}
		at = end
		if w == "or" || w == "and" || w == "then" {
			comma = true
			w, _, at = nextWord(rest, end)
		}
		next := findVerb(w)
		if !comma || next.word == "" {
			break
		}
		if next.tier > f.tier && next.kind == verb {
			f.tier, f.word, f.runs = next.tier, next.word, false
		}
	}
	return f
}

// runsReading looks a few words ahead for what is run.
func runsReading(rest string) bool {
	for at, n := 0, 0; n < 6; n++ {
		w, start, end := nextWord(rest, at)
		if w == "" || strings.Contains(rest[at:start], ". ") {
			return false
		}
		if readsWhenRun(w) {
			return true
		}
		at = end
	}
	return false
}

// nextWord returns the next word from a place on, in lower case, and where it stands.
func nextWord(text string, at int) (word string, start, end int) {
	for at < len(text) && !isLetter(text[at]) {
		at++
	}
	end = at
	for end < len(text) && (isLetter(text[end]) || isDigit(text[end]) || text[end] == '_' || text[end] == '-') {
		end++
	}
	return lower(text[at:end]), at, end
}

// findVerb finds a word of the table that can be a verb, also in its third person or its -ing form.
func findVerb(w string) entry {
	e := find(w)
	for _, ending := range [...][2]string{{"ies", "y"}, {"ing", ""}, {"ing", "e"}, {"s", ""}, {"es", ""}} {
		if e.word != "" && e.kind != noun {
			return e
		}
		if stem, ok := strings.CutSuffix(w, ending[0]); ok {
			e = find(stem + ending[1])
			if last := len(stem) - 1; ending == [2]string{"ing", ""} && last > 1 && stem[last] == stem[last-1] && e.word == "" {
				e = find(stem[:last]) // stopping
			}
		}
	}
	if e.kind == noun {
		return entry{}
	}
	return e
}

// isFiller says whether a word stands before the verb of a description without being one.
func isFiller(w string) bool {
	return in(w, " this tool command operation endpoint function is used use to for will can be you when it allows allow lets let enables helps help user users "+
		"agent please deprecated experimental beta preview important note warning that which in by of with on only first powerful perform performs ") || isArticle(w)
}

func isArticle(w string) bool { return in(w, " a an the your its their all any of new this ") }
