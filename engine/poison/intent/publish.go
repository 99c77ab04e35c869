package intent

import "strconv"

// Conditions returns what hits of a kind rest on, a way a line, in the words of the lexicon's ids.
func Conditions(kind string) []string {
	var all []string
	for i := range rules {
		if rules[i].ID == kind {
			all = append(all, rules[i].text())
		}
	}
	for _, c := range combinations {
		if c.ID == kind {
			all = append(all, "near each other: "+namesOf(0, c.cues, " and "))
		}
	}
	return all
}

// text says in words what a rule asks for.
func (r *Rule) text() string {
	out := ""
	switch {
	case r.verbs == 0:
	case r.denied:
		out = "denied "
	case r.mood == ordered:
		out = "ordered "
	case r.mood == stated:
		out = "ordered or stated "
	}
	if r.verbs != 0 {
		out += namesOf(r.verbs, 0, "|") + ", within " + strconv.Itoa(r.within) + " words of "
	}
	out += namesOf(r.objects, 0, "|")
	for _, w := range r.with {
		if w != 0 {
			out += ", with " + namesOf(w, 0, "|")
		}
	}
	if r.spread != 0 {
		out += " (" + namesOf(r.spread, 0, "|") + " in the sentence before or after, too)"
	}
	if r.without != 0 {
		out += ", without " + namesOf(r.without, 0, "|")
	}
	return out
}

// made are names for what no list of words gives.
var made = [...]struct {
	name  string
	class class
	cue   cue
}{
	{"against", against, 0}, {"literal", literal, 0}, {"named", named, 0},
	{"cue-order", 0, cueOrder}, {"cue-servers", 0, cueServers}, {"cue-twice", 0, cueTwice}, {"cue-user", 0, cueUser}, {"cue-tool", 0, cueTool},
}

func namesOf(c class, q cue, between string) string {
	out := ""
	add := func(name string) {
		if out != "" {
			out += between
		}
		out += name
	}
	for i := range classes {
		if k := &classes[i]; c&k.class != 0 || q&k.cue != 0 {
			add(k.ID)
		}
	}
	for i := range made {
		if m := &made[i]; c&m.class != 0 || q&m.cue != 0 {
			add(m.name)
		}
	}
	return out
}
