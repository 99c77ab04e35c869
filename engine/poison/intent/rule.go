package intent

// Rule is a rule as data: a verb of Verbs, said in the mood, and an object of Objects near it, in a sentence that has a
// word of each class of With and none of Without.
type Rule struct {
	ID string // of its Kind

	verbs, objects class
	with           [3]class // each in the sentence; 0 asks nothing
	without        class    // not in the sentence
	spread         class    // of With: as good in the sentence before or after
	mood           mood     // at least
	denied         bool     // the verb stands under a denial, and its mood is not asked
	within         int      // how many words the object stands behind the verb, or before a passive
	param          bool     // the object speaks for itself, in the description of a parameter
}

// Rules returns the rules.
func Rules() []Rule { return rules[:] }

const anyVerb = verbs

var rules = [...]Rule{
	// What gives access.
	{ID: "secret-read-intent", verbs: read | put | send | encode | fetch, objects: secret, mood: ordered, within: 10},
	{ID: "secret-read-intent", verbs: read | put | send | encode, objects: secret, with: [3]class{agent | before | secretly}, mood: stated, within: 8},

	// What was said, what the agent is told.
	{ID: "exfil-param-intent", verbs: put | send | encode, objects: talk | system, mood: ordered, within: 10},
	{ID: "exfil-param-intent", verbs: put | send | encode, objects: talk | system, with: [3]class{every | secretly | pretext | whole | agent}, mood: stated, within: 8},
	{ID: "exfil-param-intent", verbs: put | send | read | encode, objects: private, with: [3]class{pretext | every | secretly | before | whose | agent}, without: hide, mood: ordered, within: 10},
	{ID: "exfil-param-intent", verbs: read, objects: said, with: [3]class{every | whole, put | send}, mood: ordered, within: 6},
	{ID: "exfil-param-request", objects: talk | system, without: not, param: true},
	{ID: "encoded-exfil-intent", verbs: put | send | encode, objects: said | private, with: [3]class{encode}, mood: ordered, within: 6},
	{ID: "encoded-exfil-intent", objects: secret, with: [3]class{encode, user}},
	{ID: "encoded-exfil-intent", objects: said, with: [3]class{encode, argument | named}},

	// Where things go.
	{ID: "recipient-rewrite-intent", verbs: send | put, objects: place, with: [3]class{every | secretly | pretext | before | whole}, mood: ordered, within: 12},
	{ID: "recipient-rewrite-intent", verbs: send, objects: place, with: [3]class{talk | said | outcome | message | private, every | pretext | secretly}, mood: stated, within: 12},
	{ID: "recipient-rewrite-intent", verbs: alter | send | prefer, objects: recipient, with: [3]class{against | every | literal, against | tools | wish}, spread: wish, mood: ordered, within: 8},
	{ID: "recipient-rewrite-intent", verbs: alter, objects: recipient, with: [3]class{literal, when | every, named}, mood: ordered, within: 8},
	{ID: "recipient-rewrite-intent", verbs: send, objects: named, with: [3]class{tools, said | outcome | private | message | argument, when | every | whole}, mood: ordered, within: 8},
	{ID: "recipient-rewrite-intent", verbs: send, objects: talk | said | private, with: [3]class{when, present}, mood: ordered, within: 8},
	{ID: "recipient-rewrite-intent", objects: recipient, with: [3]class{every, place, tools | named}},
	{ID: "recipient-rewrite-intent", verbs: put, objects: recipient | place, with: [3]class{every, literal, message}, mood: stated, within: 6},
	{ID: "recipient-rewrite-intent", verbs: fetch, objects: place, with: [3]class{secret | talk | said | outcome}, mood: ordered, within: 6},

	// What calls do.
	{ID: "param-pollution-intent", verbs: alter | prefer | call | send, objects: against, mood: ordered, within: 12},
	{ID: "param-pollution-intent", verbs: alter | bend, objects: argument | recipient | message, with: [3]class{tools}, mood: ordered, within: 8},
	{ID: "param-pollution-intent", verbs: alter, objects: place, with: [3]class{argument | message | recipient}, mood: stated, within: 6},
	{ID: "param-pollution-intent", verbs: put | alter, objects: tools, with: [3]class{argument | literal | named}, mood: ordered, within: 10},
	{ID: "param-pollution-intent", verbs: put, objects: message, with: [3]class{every, named | literal | user}, mood: ordered, within: 6},
	{ID: "param-pollution-intent", verbs: put, objects: named | literal, with: [3]class{every, message, must}, mood: ordered, within: 6},
	{ID: "param-pollution-intent", verbs: put | alter | send, objects: argument | named | literal, with: [3]class{when, present, tools}, mood: ordered, within: 6},
	{ID: "call-order-hijack-intent", verbs: call | send, objects: self, with: [3]class{before, tools}, without: may | when, mood: ordered, within: 5},
	{ID: "call-order-hijack-intent", verbs: call | send, objects: self, with: [3]class{before, every, message}, mood: ordered, within: 5},
	{ID: "call-order-hijack-intent", verbs: call, objects: self, with: [3]class{not, tools}, mood: stated, within: 4},
	{ID: "call-order-hijack-intent", objects: self, with: [3]class{before, must, message}, without: may},
	{ID: "call-order-hijack-intent", objects: foremost, with: [3]class{must | user, self | every | tools}, without: may},
	{ID: "call-order-hijack-intent", verbs: call, objects: foremost, without: may, mood: ordered, within: 6},

	// What the user learns.
	{ID: "behavior-override-conceal-intent", verbs: tell, objects: user, with: [3]class{step}, denied: true, within: 3},
	{ID: "behavior-override-conceal-intent", verbs: tell, objects: step, denied: true, within: 4},
	{ID: "behavior-override-conceal-intent", verbs: put | send | alter | call | erase | execute | read | prefer, objects: secretly, mood: ordered, within: 12},
	{ID: "behavior-override-conceal-intent", verbs: put | hide | erase, objects: absent, mood: ordered, within: 12},
	{ID: "behavior-override-consent-intent", verbs: ignore | disable | assent, objects: guard, with: [3]class{user}, mood: ordered, within: 5},
	{ID: "behavior-override-consent-intent", verbs: assent, objects: user, with: [3]class{guard}, spread: guard, mood: ordered, within: 7},
	{ID: "behavior-override-intent", verbs: ignore, objects: order | wish, mood: ordered, within: 6},
	{ID: "behavior-override-intent", verbs: outrank, objects: order | wish, within: 6},
	{ID: "preference-intent", verbs: anyVerb, objects: supreme, with: [3]class{self | user | order | every | claim | prefer}, mood: ordered, within: 8},

	// Other tools.
	{ID: "shadowing-intent", verbs: anyVerb, objects: self, with: [3]class{tools, claim | instead}, spread: claim | tools, mood: ordered, within: 6},
	{ID: "shadowing-intent", objects: self, with: [3]class{tools, instead, present | claim}},
	{ID: "shadowing-intent", verbs: send | prefer, objects: self, with: [3]class{every, claim}, spread: claim, mood: ordered, within: 6},
	{ID: "shadowing-intent", verbs: prefer | call | send, objects: named, with: [3]class{tools, claim}, spread: claim | tools, mood: ordered, within: 4},
	{ID: "shadowing-intent", verbs: call | prefer, objects: tools, with: [3]class{claim | self | instead}, spread: instead, denied: true, within: 8},
	{ID: "shadowing-intent", verbs: ignore, objects: tools, mood: ordered, within: 8},
	{ID: "preference-intent", verbs: prefer, objects: self, with: [3]class{against}, mood: ordered, within: 3},
	{ID: "preference-intent", verbs: prefer | bend, objects: ours, mood: ordered, within: 5},

	// What machines do.
	{ID: "auth-url-exec-intent", verbs: fetch, objects: place, with: [3]class{execute}, spread: execute, mood: ordered, within: 8},
	{ID: "auth-url-exec-intent", verbs: execute, objects: place, mood: stated, within: 12},
	{ID: "auth-url-exec-intent", verbs: fetch, objects: place, with: [3]class{opening}, within: 8},
	{ID: "auth-url-exec-intent", verbs: put | alter | execute | call, objects: persist, mood: ordered, within: 10},
	{ID: "behavior-override-guard-intent", verbs: disable, objects: guard, with: [3]class{every | tools | pretext | agent}, mood: ordered, within: 5},
	{ID: "behavior-override-guard-intent", verbs: alter | put | call | prefer, objects: opening, with: [3]class{when | every | tools | instead}, spread: when, mood: ordered, within: 8},

	// What is reported.
	{ID: "behavior-override-result-intent", verbs: erase, objects: private | secret, mood: ordered, within: 6},
	{ID: "behavior-override-result-intent", verbs: hide | erase, objects: trouble, mood: ordered, within: 6},
	{ID: "behavior-override-result-intent", verbs: erase, objects: outcome, with: [3]class{self | step}, mood: ordered, within: 6},
	{ID: "behavior-override-result-intent", verbs: bend, objects: fine, with: [3]class{trouble}, mood: ordered, within: 6},
	{ID: "behavior-override-result-intent", verbs: bend, objects: outcome, with: [3]class{absent | secretly}, mood: ordered, within: 5},
}

// Kind is what rules of one ID find.
type Kind struct {
	ID, Family, Severity, Sentence string
	Param                          bool // only in the description of a parameter
}

// Kinds returns the kinds in published order.
func Kinds() []Kind { return kinds[:] }

var kinds = [...]Kind{
	{"secret-read-intent", "secret-read", "high", "By its meaning: an order to read, send or pass what gives access to accounts or machines.", false},
	{"exfil-param-intent", "exfil-param", "high", "By its meaning: an order to make the conversation, the agent's instructions, results of other tools or personal things part of a call.", false},
	{"exfil-param-request", "exfil-param", "medium", "By its meaning: a parameter that asks for the conversation, the agent's instructions, or what other tools gave.", true},
	{"encoded-exfil-intent", "encoded-exfil", "high", "By its meaning: an order to encode what was said, and to pass it on.", false},
	{"recipient-rewrite-intent", "recipient-rewrite", "high", "By its meaning: an order to let something go where the user did not send it.", false},
	{"param-pollution-intent", "param-pollution", "high", "By its meaning: an order to let the calls of others say something else than the user asked for.", false},
	{"call-order-hijack-intent", "call-order-hijack", "high", "By its meaning: an order to call the tool around other tools, or around each message.", false},
	{"behavior-override-conceal-intent", "behavior-override", "high", "By its meaning: an order to act unseen, or not to tell the user.", false},
	{"behavior-override-consent-intent", "behavior-override", "high", "By its meaning: an order to do without the user's consent, or to give it for the user.", false},
	{"behavior-override-intent", "behavior-override", "high", "By its meaning: an order to set aside what the user or others asked for.", false},
	{"behavior-override-guard-intent", "behavior-override", "high", "By its meaning: an order to make a guard ineffective, or to leave a door open.", false},
	{"behavior-override-result-intent", "behavior-override", "high", "By its meaning: an order to hide, alter or delete what is reported, or the user's things.", false},
	{"shadowing-intent", "shadowing", "high", "By its meaning: a claim against other tools, or an order to take this one in their place.", false},
	{"preference-intent", "preference", "medium", "By its meaning: an order to take this tool, or what its author sells, before all others.", false},
	{"agent-narration", "behavior-override", "medium", "What the assistant does is told as a fact, which is an order in other clothes.", false},
	{"shadowing-cues", "shadowing", "medium", "Other tools are spoken of together with what is done unseen, outside, in place of something, or against what the user said.", false},
	{"behavior-override-cues", "behavior-override", "medium", "What is unseen by the user stands beside what is always done, done against the user's word, or done in place of something.", false},
	{"recipient-rewrite-cues", "recipient-rewrite", "medium", "An address outside stands beside what is unseen by the user or against the user's word.", false},
	{"call-order-hijack-cues", "call-order-hijack", "medium", "What comes before all else stands beside other tools, the user's words, or what is done every time or unseen.", false},
	{"exfil-param-cues", "exfil-param", "medium", "The user's own things stand beside what is unseen by the user or against the user's word.", false},
	{"auth-url-exec-intent", "auth-url-exec", "critical", "By its meaning: an order to fetch something and run it, or to have it start by itself.", false},
}

func kindOf(id string) *Kind {
	for i := range kinds {
		if kinds[i].ID == id {
			return &kinds[i]
		}
	}
	panic("a rule without a kind: " + id)
}
