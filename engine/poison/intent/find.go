package intent

import "slices"

// Match is what a rule found. Places are bytes of the text.
type Match struct {
	Kind              *Kind
	Start, End        int
	Anchor, AnchorEnd int
	Param             bool // a hit only in the description of a parameter
}

// Finder finds and reuses its memory from text to text. It is not for concurrent use.
type Finder struct {
	tokens []token
	found  []Match
}

// maxSentence is how many words of a sentence are read together.
const maxSentence = 64

// maxFound is how many matches of a text are kept; a text that has more is no less poisoned.
const maxFound = 256

// Find returns the matches in a text, in its order. They are good until the next call.
func (f *Finder) Find(text string) []Match {
	f.found = f.found[:0]
	for at := 0; at < len(text) && len(f.found) < maxFound; {
		opening := at == 0
		f.tokens, at = scan(f.tokens[:0], text, at)
		f.part(text, opening)
	}
	slices.SortStableFunc(f.found, func(a, b Match) int { return a.Start - b.Start })
	return f.found
}

// part looks at the words that were scanned; opening says that the text begins with them.
func (f *Finder) part(text string, opening bool) {
	var last class
	var lastCues cue
	lastFrom := 0
	for from := 0; from < len(f.tokens) && len(f.found) < maxFound; {
		to := sentenceEnd(f.tokens, from)
		s := f.tokens[from:to]
		cues := cuesOf(s, text)
		all := join(s)
		follows := f.tokens[to:sentenceEnd(f.tokens, to)]
		next := join(follows)
		f.sentence(s, all, all|last|next, opening && from == 0)
		for i := range s {
			cues |= s[i].cue
		}
		if !asked(f.tokens[lastFrom:to]) && !asked(follows) {
			f.combine(f.tokens[lastFrom:to], lastCues|cues)
		}
		last, lastCues, lastFrom = all, cues, from
		from = to
	}
}

func sentenceEnd(tokens []token, from int) int {
	to := from
	for to < len(tokens) && (to == from || tokens[to].before != stop) && to-from < maxSentence {
		to++
	}
	return to
}

// sentence tries the rules on one sentence. all are the classes of its words, near those of the sentences around it as
// well.
func (f *Finder) sentence(s []token, all, near class, opening bool) {
	for i := range s {
		if s[i].class&verbs != 0 {
			f.verb(s, i, all, near, opening)
		}
	}
	for r := range rules {
		if rule := &rules[r]; rule.verbs == 0 && all&rule.objects != 0 && rule.fits(all, near) {
			f.bare(rule, s)
		}
	}
}

// verb tries the rules of a verb.
func (f *Finder) verb(s []token, at int, all, near class, opening bool) {
	m, not := moodOf(s, at, opening), denied(s, at)
	if m == ordered && s[at].class&(tell|assent|read) == 0 {
		s[at].cue |= cueOrder
	}
	asked := m // what it is in the description of a parameter, which speaks to who fills it in
	if opening && m == told && !not {
		asked = moodOf(s, at, false)
	}
	for r := range rules {
		rule := &rules[r]
		if s[at].class&rule.verbs == 0 || all&rule.objects == 0 || !rule.fits(all, near) || rule.denied != not || !rule.denied && asked < rule.mood {
			continue
		}
		param := !rule.denied && m < rule.mood
		if param && rule.objects&(talk|system|secret) == 0 {
			continue
		}
		if object := rule.object(s, at); object >= 0 {
			f.add(rule, s, min(at-denialBefore(rule, s, at), object), max(at, object), object, param)
		}
	}
}

func (r *Rule) fits(all, near class) bool {
	for _, w := range r.with {
		if w != 0 && (all|near&r.spread)&w == 0 {
			return false
		}
	}
	return all&r.without == 0
}

// object is the place of the object of a verb, or -1.
func (r *Rule) object(s []token, at int) int {
	for i := at + 1; i < len(s) && i <= at+r.within; i++ {
		if s[i].class&r.objects != 0 && !excepted(r, s, at, i) {
			return i
		}
	}
	if s[at].form&past != 0 {
		for i := at - 1; i >= 0 && i >= at-r.within; i-- {
			if s[i].class&r.objects != 0 {
				return i
			}
		}
	}
	return -1
}

// excepted says whether it is right before an object that it is denied: "quote the law, and not your memory". To run
// something in the background is no secret either.
func excepted(r *Rule, s []token, at, object int) bool {
	if s[object].cue&cueBehind != 0 && s[at].class&(call|execute) != 0 {
		return true
	}
	const given = talk | system | said | private | secret
	if r.denied || s[object].class&r.objects&given == 0 {
		return false
	}
	i := object - 1
	for i > at && s[i].class&(det|whose) != 0 {
		i--
	}
	return i > at && s[i].class&not != 0
}

func (f *Finder) bare(r *Rule, s []token) {
	for i := range s {
		if s[i].class&r.objects != 0 {
			f.add(r, s, i, i, i, r.param)
			return
		}
	}
}

func (f *Finder) add(r *Rule, s []token, from, to, object int, param bool) {
	o := &s[object]
	for i := range f.found {
		if m := &f.found[i]; m.Kind.ID == r.ID && m.Anchor == int(o.start) {
			return
		}
	}
	if len(f.found) == maxFound {
		return
	}
	f.found = append(f.found, Match{kindOf(r.ID), int(s[from].start), int(s[to].end), int(o.start), int(o.end), param})
}

// join gives words the meaning that they have together, and returns the classes of all.
func join(s []token) class {
	all := class(0)
	for i := range s {
		if s[i].class&message != 0 && !repeated(s, i) {
			s[i].class &^= message
		}
		all |= s[i].class
	}
	for i := range s {
		for j := i + 1; j < len(s) && j <= i+4; j++ {
			a, b := s[i].class, s[j].class
			switch {
			case a&outcome != 0 && b&tools != 0 && j <= i+3: // the output of another tool
				s[i].class |= system
			case a&whole != 0 && b&said != 0 && j <= i+3: // the entire conversation
				s[j].class |= talk
			case a&said != 0 && b&whole != 0 && j == i+1: // the conversation so far
				s[i].class |= talk
			case a&whose != 0 && b&credit != 0 && j <= i+2 && all&(pretext|secretly|tools|private) != 0: // all passwords, for the audit
				s[j].class |= secret
			case b&credit != 0 && s[i].class&argument != 0 && j <= i+2: // the value of API_KEY
				s[j].class |= secret
			case a&instead != 0 && (b&wish != 0 || b&tools != 0 && j <= i+2 || b&every != 0 && j == i+1): // instead of what was asked for, of all others
				s[i].class |= against
			}
		}
		all |= s[i].class
	}
	return all
}

// repeated says whether every message is meant and not one.
func repeated(s []token, at int) bool {
	for i := at; i >= 0 && i >= at-3; i-- {
		if s[i].class&every != 0 {
			return true
		}
	}
	return false
}

// denialBefore is how far before the verb its denial stands, where the denial is what is ordered.
func denialBefore(r *Rule, s []token, at int) int {
	for n := 1; r.denied && n <= 3 && n <= at; n++ {
		if s[at-n].class&not != 0 {
			return n
		}
	}
	return 0
}

// combine tries the combinations on two sentences.
func (f *Finder) combine(s []token, all cue) {
	for i := range combinations {
		c := &combinations[i]
		if all&c.cues != c.cues || len(f.found) == maxFound {
			continue
		}
		if slices.ContainsFunc(s, func(t token) bool { return t.class&c.without != 0 }) {
			continue
		}
		var first, last, anchor *token
		for left, j := c.cues, 0; j < len(s) && left != 0; j++ {
			if s[j].cue&left != 0 {
				if first == nil {
					first = &s[j]
				}
				last = &s[j]
				left &^= s[j].cue
			}
		}
		anchor = first
		kind := kindOf(c.ID)
		if slices.ContainsFunc(f.found, func(m Match) bool { return m.Kind == kind && m.Anchor == int(anchor.cueStart) }) {
			continue
		}
		f.found = append(f.found, Match{kind, int(first.cueStart), int(last.end), int(anchor.cueStart), int(anchor.end), false})
	}
}
