package poison

import "strings"

// How far around a hit its sentence is read.
const (
	leadBytes  = 240
	quoteBytes = 400
)

// isMention says whether what stands at text[start:end] is quoted, described or denied rather than said: a tool that
// detects an order does not give it. It is a reading of the words right around the hit, within the sentence.
func isMention(text string, start, end, anchorEnd int) bool {
	lead := lower(leadOf(text, start))
	return denied(lead) || described(lead, lower(text[start:end])) || ofAttackers(lead) || isExample(text, lead, start, end) ||
		publicKey(text[anchorEnd:]) || namedAsMarkup(lead, text, start, end)
}

// isExample says whether a hit is quoted where attacks are spoken of.
func isExample(text, lead string, start, end int) bool {
	mark := quotedFrom(text, start, end)
	return mark >= 0 && (speaksOfTexts(lead) || speaksOfTexts(lower(leadOf(text, mark))) || example(text[:start]))
}

// ofAttackers says whether it is malware that does what was hit: "stealers which copy cookies".
func ofAttackers(lead string) bool {
	lead = lead[max(0, len(lead)-60):]
	for _, w := range [...]string{"stealer", "malware", "attacker", "trojan", "ransomware", "worms", "adversar", "intruder", "infostealer"} {
		if i := strings.LastIndex(lead, w); i >= 0 {
			return !orders(lead[i:])
		}
	}
	return false
}

// example says whether the lines before a quotation speak of attacks, which it is an example of then.
func example(before string) bool {
	before = lower(before[max(0, len(before)-quoteBytes):])
	for _, w := range [...]string{"example of what is reported", "example of an attack", "example of a", "examples of attacks", "tool poisoning", "prompt injection", "is reported as", "is flagged", "are flagged", "would be flagged", "is detected", "malicious"} {
		if strings.Contains(before, w) {
			return true
		}
	}
	return false
}

// bracketed says whether a hit stands in brackets of its line.
func bracketed(text string, start int) bool {
	before := text[max(0, start-quoteBytes):start]
	open := strings.LastIndexByte(before, '(')
	return open >= 0 && !strings.ContainsAny(before[open:], ")\n")
}

// exampleAddress says whether an address is given as an example: "e.g. to a@b.c".
func exampleAddress(text string, start, end int) bool {
	near := lower(leadOf(text, start)) + lower(text[start:end])
	for _, w := range [...]string{"e.g.", "for example", "for instance", "such as", "example:", "i.e."} {
		if strings.Contains(near, w) {
			return true
		}
	}
	return false
}

// publicKey says whether the path that goes on is that of the public half of a key.
func publicKey(rest string) bool {
	for i := range min(len(rest), 40) {
		if c := rest[i]; c == ' ' || c == '\n' || c == ',' || c == ')' {
			return false
		}
		if strings.HasPrefix(rest[i:], ".pub") {
			return true
		}
	}
	return false
}

// leadOf is the sentence up to a place.
func leadOf(text string, start int) string {
	lead := text[max(0, start-leadBytes):start]
	for i := len(lead) - 1; i > 0; i-- {
		if c := lead[i]; c == '\n' || (c == ' ' || c == '\n') && (lead[i-1] == '.' && !strings.HasSuffix(lead[:i], "e.g.") || lead[i-1] == '!' || lead[i-1] == '?' || lead[i-1] == ';') {
			return lead[i+1:]
		}
	}
	return lead
}

// denied says whether the words right before a hit deny it: "never reads", "does not send". A comma or a colon ends what
// is denied.
func denied(lead string) bool {
	words := 0
	for at := len(lead); words < 3; words++ {
		for at > 0 && lead[at-1] == ' ' {
			at--
		}
		from := at
		for from > 0 && lead[from-1] != ' ' {
			from--
		}
		switch w := lead[from:at]; {
		case w == "" || strings.ContainsAny(w, ",:;()"):
			return false
		case w == "never", w == "not", w == "don't", w == "doesn't", w == "cannot", w == "can't", w == "won't", w == "without", w == "nor":
			return true
		}
		at = from
	}
	return false
}

// described says whether a verb of finding or of guarding governs the hit: "flags tools that ignore the user". An order
// to the agent in between, or in the hit, makes it an order again.
func described(lead, hit string) bool {
	at := -1
	for _, verb := range [...]string{
		"detects ", "flags ", "scans ", "blocks ", "prevents ", "filters ", "identifies ", "catches ", "rejects ", "refuses ", "stops ", "warns ",
		"strips ", "recognises ", "recognizes ", "explains ", "looks for ", "searches for ", "checks for ", "checks whether ", "guards against ", "protects against ",
		"removes ", "reports ", "finds ", "spots ", "describes ", "teaches ", "classifies ", "reveals ", "denies ", "forbids ", "says that ", "tests for ", "scanned for ", "checked for ", "searched for ", "tested for ", "shows how ", "shows whether ",
	} {
		if i := strings.LastIndex(lead, verb); i > at && (i == 0 || lead[i-1] == ' ') {
			at = i
		}
	}
	return at >= 0 && len(lead)-at <= 80 && !orders(lead[at:]) && !orders(hit) && !strings.ContainsAny(lead[at:], "—–:")
}

// orders says whether words are addressed to the agent.
func orders(words string) bool {
	for _, w := range [...]string{"you ", "must ", "please ", "always ", "should ", " then ", "first "} {
		if strings.Contains(words, w) {
			return true
		}
	}
	return false
}

// quoted says whether a hit stands inside quotation marks, whole.
func quoted(text string, start, end int) bool { return quotedFrom(text, start, end) >= 0 }

// quotedFrom says where those marks open; -1 where there are none.
func quotedFrom(text string, start, end int) int {
	for _, q := range [...][2]string{{`"`, `"`}, {"'", "'"}, {"`", "`"}, {"“", "”"}, {"‘", "’"}, {"«", "»"}, {"„", "“"}} {
		before := text[max(0, start-quoteBytes):start]
		open := strings.LastIndex(before, q[0])
		if open < 0 || strings.Contains(before[open:], "\n") {
			// The mark may be part of the hit: `<IMPORTANT>` in quotes begins behind it.
			continue
		}
		if open > 0 && !opensQuote(before[open-1]) {
			continue // an apostrophe, or the end of another quotation
		}
		if strings.Contains(text[end:min(len(text), end+quoteBytes)], q[1]) {
			return max(0, start-quoteBytes) + open
		}
	}
	return -1
}

func opensQuote(before byte) bool {
	return before == ' ' || before == '(' || before == '[' || before == '\n' || before == ':' || before == ','
}

// speaksOfTexts says whether a sentence is about texts and attacks, so that its quotations are examples.
func speaksOfTexts(lead string) bool {
	for _, w := range [...]string{
		"detect", "flag", "scan", "block", "filter", "such as", "phrase", "pattern", "example", "for instance", "e.g.", "attack", "inject", "malicious", "suspicious",
		"phishing", "poison", "strings like", "texts like", "text like", "words like", "orders like", "tags like", "looks like", "jailbreak", "exploit", "payload",
		"explain", "quot", "says", "sentences", "warns", "reject", "refuse", "prevent", "called ", "spoof", "redact", "vulnerab", "sanitiz", "sanitis", "homoglyph", "confusable", "lookalike", "mixed script",
	} {
		if strings.Contains(lead, w) {
			return true
		}
	}
	return false
}

// namedAsMarkup says whether a tag is spoken of: "the <important> element", "between <system> and </system>".
func namedAsMarkup(lead, text string, start, end int) bool {
	if text[start] != '<' && text[start] != '[' {
		return false
	}
	rest := strings.TrimLeft(text[end:min(len(text), end+24)], "`\"' ")
	for _, w := range [...]string{"element", "tag", "block", "section", "lines", "marker", "header"} {
		if strings.HasPrefix(rest, w) {
			return true
		}
	}
	for _, w := range [...]string{" between ", " and ", " or ", " like ", " inside ", " within ", " with ", " in ", " use ", " of ", " as "} {
		if strings.HasSuffix(lead, w) {
			return true
		}
	}
	return false
}

// prerequisite says whether the call that is ordered only reads, for what this call needs: "first call `get_schema` to
// learn the columns".
func prerequisite(rest, tool string) bool {
	reads := false
	for _, verb := range [...]string{"get", "list", "search", "find", "describe", "read", "resolve", "lookup", "fetch", "show", "query_schema"} {
		reads = reads || strings.HasPrefix(tool, verb)
	}
	rest = strings.TrimLeft(lower(rest[:min(len(rest), 40)]), "`'\"() ")
	rest = strings.TrimPrefix(rest, "first ")
	if !reads || !strings.HasPrefix(rest, "to ") {
		return false
	}
	for _, purpose := range [...]string{"see", "obtain", "get", "learn", "find", "know", "discover", "look", "resolve", "understand", "identify", "retrieve"} {
		if strings.HasPrefix(rest[3:], purpose+" ") {
			return true
		}
	}
	return false
}

// ownScope says whether the order in which tools are called is said of the tool's own server: "before any other tool in
// this server".
func ownScope(rest string) bool {
	rest = strings.TrimLeft(lower(rest[:min(len(rest), 60)]), "`'\"() ")
	rest = strings.TrimPrefix(strings.TrimPrefix(rest, "tools "), "tool ")
	for _, of := range [...]string{"in ", "of ", "on ", "from "} {
		whose, ok := strings.CutPrefix(rest, of)
		for _, own := range [...]string{"this server", "this toolset", "this tool set", "this suite", "this package", "this plugin", "this connector", "this integration", "this module", "this collection", "this mcp server"} {
			if ok && strings.HasPrefix(whose, own) {
				return true
			}
		}
	}
	return false
}

// postponed says whether what is not to be told is only told later or when asked for, as the answer of a riddle is, or
// means nothing to a person, as an id does.
func postponed(text string, start, end int) bool {
	rest := strings.TrimLeft(lower(text[end:min(len(text), end+40)]), " ,")
	for _, when := range [...]string{"before they", "until they", "unless they", "until asked", "unless asked", "before the learner", "until the learner"} {
		if strings.HasPrefix(rest, when) {
			return true
		}
	}
	before := lower(text[max(0, start-100):end])
	for _, means := range [...]string{" ids ", " ids,", " ids;", " ids.", "internal id", "uuid", "raw id"} {
		if strings.Contains(before, means) {
			return true
		}
	}
	return false
}
