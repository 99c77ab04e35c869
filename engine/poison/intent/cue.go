package intent

import "strings"

// cue is something that is harmless by itself, and seldom stands beside some others in what only describes a tool.
type cue uint32

const (
	cueOther   cue = 1 << iota // another tool
	cuePrivate                 // the user's things
	cueDespite                 // against what the user said
	cueUnseen
	cueScope   // every time
	cueOutside // an address, or somebody, outside
	cueTamper  // one thing for another
	cueGuard   // what protects, and what went wrong
	cueAgent   // what the assistant does is told
	cueOrder   // an order
	cueAgainst // against the user, in so many words
	cueServers // tools of other servers
	cueTwice   // unseen in two ways
	cueParty   // somebody outside
	cueUser    // what is the user's
	cueTool    // some tool by its job
	cueFrame   // a purpose or a reason
	cueFirst   // before all else
	cueKept    // kept from sight, which can be honest
	cueConsent // the user is asked
	cueBehind  // in the background, which is no secret of what runs
)

// Combination is a set of cues that stand in one sentence or two that follow each other.
type Combination struct {
	ID      string // of its Kind
	cues    cue
	without class
}

var combinations = [...]Combination{
	{"agent-narration", cueAgent, 0},
	{"shadowing-cues", cueOther | cueDespite, 0},
	{"shadowing-cues", cueOther | cueOutside, 0},
	{"shadowing-cues", cueOther | cueUnseen, 0},
	{"shadowing-cues", cueOther | cueTamper, 0},
	{"behavior-override-cues", cueUnseen | cueScope, 0},
	{"behavior-override-cues", cueUnseen | cueTamper, 0},
	{"behavior-override-cues", cueDespite | cueUnseen, 0},
	{"recipient-rewrite-cues", cueUnseen | cueOutside, 0},
	{"exfil-param-cues", cuePrivate | cueDespite, 0},
	{"exfil-param-cues", cuePrivate | cueUnseen, 0},
	{"shadowing-cues", cueServers, 0},
	{"behavior-override-cues", cueAgainst | cueOrder, 0},
	{"behavior-override-cues", cueTwice, 0},
	{"behavior-override-cues", cueKept | cueScope | cueParty, 0},
	{"exfil-param-cues", cueUser | cueUnseen | cueScope, 0},
	{"exfil-param-cues", cueUser | cueKept | cueParty, 0},
	{"shadowing-cues", cueTool | cueUnseen, 0},
	{"call-order-hijack-cues", cueFirst | cueOther, may},
	{"call-order-hijack-cues", cueFirst | cueUser, may},
	{"call-order-hijack-cues", cueFirst | cueDespite, may},
	{"call-order-hijack-cues", cueFirst | cueScope, may},
	{"call-order-hijack-cues", cueFirst | cueUnseen, may},
	{"call-order-hijack-cues", cueFirst | cuePrivate, may},
	{"shadowing-cues", cueTool | cueParty, 0},
	{"recipient-rewrite-cues", cueParty | cuePrivate, 0},
	{"recipient-rewrite-cues", cueParty | cueTamper, 0},
	{"recipient-rewrite-cues", cueParty | cueOther, 0},
	{"recipient-rewrite-cues", cueParty | cueUnseen, 0},
}

// cuesOf gives what stands in a sentence by its form rather than by its words.
func cuesOf(s []token, text string) cue {
	all, unseen := cue(0), 0
	for i := range s {
		t := &s[i]
		if t.class&agent != 0 && t.start > 0 && text[t.start-1] == '-' {
			t.class &^= agent // of a compound: "ssh-agent"
		}
		if t.cue&(cueUnseen|cueKept) != 0 {
			t.weigh(s, i, text)
		}
		if t.cue&cueUnseen != 0 {
			if unseen++; unseen > 1 {
				t.cue |= cueTwice
			}
		}
		all |= t.cue
		who, _, isPhrase := strings.Cut(spelled(s, i, text), " ")
		if isPhrase && owned(who) || i > 0 && t.before == nothing && owned(spelled(s, i-1, text)) {
			t.cue |= cueUser
		}
		if i > 0 && spelledServer(spelled(s, i, text)) && foreign(spelled(s, i-1, text), spelled(s, i, text)) && hasTool(s, text) {
			t.cue |= cueServers
		}
		switch {
		case t.class&literal != 0 && t.class&place != 0:
			t.cue |= cueOutside
			if strings.Contains(spelled(s, i, text), "@") {
				t.cue |= cueParty
			}
		case t.class&agent != 0 && narrated(s, i, text):
			t.cue |= cueAgent
		case i > 0 && isToolNoun(spelled(s, i, text)) && jobOf(s, i, text):
			t.cue |= cueOther | cueTool
			t.class |= tools
		case i > 0 && strings.HasPrefix(spelled(s, i, text), "tool") && isToolNoun(spelled(s, i, text)) && s[i].before == nothing && someJob(strings.ToLower(spelled(s, i-1, text))):
			t.cue |= cueTool
		}
		all |= t.cue
	}
	return all
}

// weigh takes cues from a word that it has only by itself.
func (t *token) weigh(s []token, at int, text string) {
	if t.cue&(cueUnseen|cueKept) != 0 && (!toUser(s, at, text) || hasPrefixFold(spelled(s, at, text), "without") && denied(s, at)) {
		t.cue, t.class = t.cue&^(cueUnseen|cueKept), t.class&^secretly
	}
}

// asked says whether the user is asked for consent, which takes the weight off the cues around it.
func asked(s []token) bool {
	for i := range s {
		if s[i].cue&cueConsent != 0 && !denied(s, i) {
			return true
		}
	}
	return false
}

// toUser says whether it is the user, or nobody that is named, to whom something is denied: "do not tell them", and not
// "do not tell the other players", or "is not shown to the student".
func toUser(s []token, at int, text string) bool {
	if at+1 == len(s) {
		return true
	}
	to := strings.EqualFold(spelled(s, at+1, text), "to")
	if !to && !hasSuffixFold(spelled(s, at, text), "tell") {
		return true
	}
	for i := at + 1; i < len(s) && i <= at+3 && s[i].before != stop; i++ {
		if s[i].class&det == 0 && (!to || i > at+1) {
			return s[i].class&user != 0 || s[i-1].class&det == 0 && !to
		}
	}
	return true
}

func hasSuffixFold(w, end string) bool {
	return len(w) >= len(end) && strings.EqualFold(w[len(w)-len(end):], end)
}

func hasPrefixFold(w, begin string) bool {
	return len(w) >= len(begin) && strings.EqualFold(w[:len(begin)], begin)
}

func spelled(s []token, at int, text string) string { return text[s[at].start:s[at].end] }

// narrated says whether the assistant is the subject of what is told: "the assistant files them under".
func narrated(s []token, at int, text string) bool {
	name := strings.ToLower(spelled(s, at, text))
	if at == 0 || !strings.HasSuffix(name, "assistant") {
		return false // a model, an agent and a client are many a thing
	}
	before := strings.ToLower(spelled(s, at-1, text))
	if before == "by" || at > 1 && before == "the" && strings.EqualFold(spelled(s, at-2, text), "by") {
		return true
	}
	next := at + 1
	for next < len(s) && s[next].class&(link|secretly) != 0 {
		next++
	}
	if next >= len(s) || s[next].before != nothing {
		return false
	}
	w := strings.ToLower(spelled(s, next, text))
	if s[next].class&must != 0 {
		return w != "should" && next+1 < len(s) && s[next+1].class&verbs != 0 && s[next+1].form&base != 0
	}
	return len(w) > 3 && strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") && !strings.HasSuffix(w, "'s") && w != "this" && w != "does"
}

func isToolNoun(w string) bool { return w == "tool" || w == "tools" || w == "server" || w == "servers" }

// jobOf says whether a tool is named by its job: "the payments tool".
func jobOf(s []token, at int, text string) bool {
	if s[at-1].before != nothing || s[at].before != nothing {
		return false
	}
	switch strings.ToLower(spelled(s, at-1, text)) {
	case "mail", "email", "message", "messaging", "payment", "payments", "transfer", "shipping", "share", "sharing", "shell", "terminal", "browser", "calendar", "file", "files", "filesystem", "fetch",
		"http", "database", "sql", "publishing", "approval", "booking", "upload", "git", "github", "slack", "stripe", "postgres", "notion", "jira", "banking", "purchase",
		"checkout", "invoice", "invoicing", "billing", "ordering", "calling", "phone", "sms", "contacts", "crm", "ticket", "ticketing", "deployment", "vault", "secrets", "backup", "playwright", "puppeteer":
		return true
	}
	return false
}

// owned says whether what follows a word is the user's.
func owned(w string) bool {
	w = strings.ToLower(w)
	for _, who := range [...]string{"user", "person", "customer", "owner", "employee", "developer", "reader", "patient", "shopper", "traveller", "traveler", "caller", "client", "tenant", "student", "buyer", "author", "sender"} {
		if strings.HasPrefix(w, who) {
			return w[len(who):] == "'s" || w[len(who):] == "’s"
		}
	}
	return false
}

// someJob says whether a word before "tool" may name a job.
func someJob(w string) bool {
	switch w {
	case "this", "mcp", "same", "above", "following", "other", "appropriate", "right", "correct", "next", "previous", "specified", "given", "current", "first", "second", "specific", "relevant", "respective",
		"corresponding", "new", "old", "legacy", "the", "a", "an", "any", "each", "every", "which", "that", "and", "of", "or", "to", "search", "dedicated", "unified", "one", "your", "no", "single", "ai", "all",
		"these", "those", "available", "another", "calling", "call", "use", "using", "is", "if", "in", "with", "for", "mandatory", "best", "only", "preferred", "recommended", "primary", "feedback", "help", "prevents", "detects", "flags", "blocks", "finds", "scans", "lists", "shows", "checks", "runs", "scan", "detect",
		"web", "proxy", "development", "dev", "api", "hosting", "origin", "virtual", "dns", "nameservers", "sql", "mysql", "application", "app", "target", "remote", "host", "cloud":
		return false
	}
	return len(w) > 2
}

// foreign says whether words speak of other servers: "any server".
func foreign(before, w string) bool {
	w = strings.ToLower(w)
	for _, which := range [...]string{"any ", "other ", "another ", "whichever ", "every other "} {
		if strings.HasPrefix(w, which) || strings.EqualFold(before, which[:len(which)-1]) {
			return true
		}
	}
	return false
}

func spelledServer(w string) bool {
	w = strings.ToLower(w)
	return strings.HasSuffix(w, "server") || strings.HasSuffix(w, "servers")
}

// hasTool says whether a sentence speaks of tools.
func hasTool(s []token, text string) bool {
	for i := range s {
		w := strings.ToLower(spelled(s, i, text))
		if strings.HasSuffix(w, "tool") || strings.HasSuffix(w, "tools") {
			return true
		}
	}
	return false
}
