package intent

// mood is how a verb is said.
type mood uint8

const (
	told    mood = iota // of the tool itself, or left open: no order
	stated              // as what happens: "is forwarded to"
	ordered             // to the agent
)

// How many words before a verb are looked at.
const reach = 6

// moodOf says how the verb at a place of a sentence is said. opening says that the sentence is the first one of its
// text, where the bare verb says what a tool does.
func moodOf(s []token, at int, opening bool) mood {
	f := s[at].form
	m := told
	if at > 0 && s[at-1].class&det != 0 && s[at].before == nothing {
		return told // a noun: "the report"
	}
	if f&base != 0 {
		m = max(m, bare(s, at, opening))
	}
	if f&third != 0 {
		m = max(m, thirdPerson(s, at))
	}
	if f&past != 0 {
		m = max(m, passive(s, at))
	}
	if f&ing != 0 {
		m = max(m, gerund(s, at))
	}
	if m != told && denied(s, at) {
		return told
	}
	return m
}

// bare is the mood of a bare verb: an order where a clause begins with it, or behind what makes it one.
func bare(s []token, at int, opening bool) mood {
	first := at // of the verb and the words that join it
	for first > 0 && s[first].before != comma && s[first].before != colon && s[first-1].class&(link|secretly) != 0 {
		first--
	}
	pressed := false
	for i := first; i < at; i++ {
		pressed = pressed || s[i].class&must != 0
	}
	if first == 0 {
		if opening && !pressed {
			return told
		}
		return ordered
	}
	if pressed {
		return ordered
	}
	if s[first].before == colon && !opening {
		return ordered
	}
	if s[first].before == comma {
		if first == at && s[at-1].class&verbs != 0 && s[at-1].form&base != 0 {
			return told // one of a list of verbs
		}
		clause := first - 1
		for clause > 0 && s[clause].before < colon {
			clause--
		}
		if s[clause].class&(when|before|every|must|agent) != 0 || s[clause].cue&cueFrame != 0 || !opening && first < at {
			return ordered
		}
		return told
	}
	for i := first - 1; i >= 0 && i >= first-reach; i-- {
		c := s[i].class
		switch {
		case c&must != 0 && i > 0 && s[i-1].class&user != 0 && s[i-1].class&agent == 0:
			return told // "the user must"
		case c&must != 0:
			return ordered
		case c&may != 0:
			return told
		case c&agent != 0 && i == first-1:
			return ordered
		}
	}
	if first < at { // joined to a verb before
		for i := first - 1; i >= 0; i-- {
			if s[i].class&verbs != 0 && s[i].form&base != 0 {
				return moodOf(s[:i+1], i, opening)
			}
		}
	}
	return told
}

// thirdPerson is the mood of "sends": an order where the agent is its subject, and a statement where the tool is not.
func thirdPerson(s []token, at int) mood {
	if at == 0 {
		return told
	}
	for i := at - 1; i >= 0 && i >= at-3; i-- {
		if s[i].class&agent != 0 {
			return ordered
		}
		if s[i].class&(link|secretly|must) == 0 {
			break
		}
	}
	if s[0].class&every != 0 && s[0].before == stop {
		return stated
	}
	return told
}

// passive is the mood of a participle: "must be sent" orders, "is sent" states.
func passive(s []token, at int) mood {
	for i := at - 1; i >= 0 && i >= at-3; i-- {
		if s[i].class&be == 0 {
			continue
		}
		for j := i - 1; j >= 0 && j >= i-reach; j-- {
			if s[j].class&must != 0 {
				return ordered
			}
			if s[j].class&may != 0 {
				return told
			}
		}
		return stated
	}
	if at > 0 && s[at-1].class&agent != 0 { // "what you collected"
		return stated
	}
	return told
}

// gerund is the mood of a verbal noun: "involves sending", "begin by reading".
func gerund(s []token, at int) mood {
	for i := at - 1; i >= 0 && i >= at-3; i-- {
		if s[i].class&must != 0 {
			return ordered
		}
		if s[i].class&(before|instead) != 0 || i == at-1 && s[i].cue&cueFrame != 0 {
			return stated
		}
	}
	return told
}

// denied says whether a verb is denied: "never sends", "do not read".
func denied(s []token, at int) bool {
	for i := at - 1; i >= 0 && i >= at-3; i-- {
		if s[i].before == comma && i != at-1 {
			return false
		}
		if s[i].class&not != 0 && s[i].class&secretly == 0 {
			return true
		}
		if s[at].before == comma {
			return false
		}
	}
	return false
}
