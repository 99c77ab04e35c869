package claims

import (
	"strings"

	"github.com/manifestseal/manifestseal/engine/claims/jsonschema"
	"github.com/manifestseal/manifestseal/engine/jsonvalue"
)

// calls applies C1 to C4: what a tool can be made to do, and what it asks for.
func (g *grader) calls(t *tool) {
	g.executed(t)
	g.confirmed(t)
	g.asksFor(t)
	g.literals(t)
}

// methods is A11.
func (g *grader) methods(t *tool) {
	applies := false
	for i := range g.nodes {
		n := &g.nodes[i]
		values := n.Value.Get("enum")
		if n.Keyword != "properties" || values.Len() == 0 || !g.isMethod(n.Token) {
			continue
		}
		applies = true
		for k, v := range jsonschema.Elems(values) {
			if leading(wordsOf(v.Text())).changes() || isWritingMethod(n.Token, v.Text()) {
				g.fail(t, ruleA11, g.below(i, "enum", itoa(k)), "The tool says that it only reads, and its parameter "+quoted(n.Token)+" offers "+quoted(v.Text())+".", evidence(values))
				return
			}
		}
	}
	if applies {
		g.pass(t, ruleA11)
	}
}

// isMethod reports whether a parameter chooses what a tool does.
//
//go:noinline
func (g *grader) isMethod(name string) bool {
	words := g.parameter(name).words
	if len(words) == 0 {
		return false
	}
	return oneOf(words[len(words)-1], "method action operation op verb command subcommand cmd mode task")
}

// isWritingMethod knows the methods of HTTP.
func isWritingMethod(parameter, value string) bool {
	if !strings.HasSuffix(strings.ToLower(parameter), "method") {
		return false
	}
	return oneOf(value, "POST PUT PATCH DELETE")
}

// executed is C1.
func (g *grader) executed(t *tool) {
	if !hintOf(t.annotations, "readOnlyHint").on {
		return
	}
	for i := range g.nodes {
		n := &g.nodes[i]
		if n.Keyword == "properties" && isFreeText(n.Value) && g.isExecuted(t, n) {
			g.fail(t, ruleC1, g.at(i), "The tool says that it only reads, and its parameter "+quoted(n.Token)+" is executed.", evidence(n.Value))
			return
		}
	}
	if len(g.nodes) > 1 {
		g.pass(t, ruleC1)
	}
}

func isFreeText(schema jsonvalue.Value) bool {
	for _, keyword := range [...]string{"enum", "const", "pattern"} {
		if jsonschema.Has(schema, keyword) {
			return false
		}
	}
	kind := schema.Get("type")
	return !kind.Exists() || kind.Text() == "string" || jsonschema.Is(kind, jsonvalue.Array)
}

// isExecuted reports whether a parameter is a text that some machine carries
// out. "code" is as often a number of an error or a piece of text to look at, so
// there somebody must speak of running it.
func (g *grader) isExecuted(t *tool, n *jsonschema.Node) bool {
	words := g.parameter(n.Token).words
	if len(words) == 0 {
		return false
	}
	switch words[len(words)-1] {
	case "command", "cmd", "script", "shell", "bash", "commandline":
		return len(words) == 1 || words[0] == "shell" || words[0] == "bash" || words[0] == "command" || words[0] == "python" || words[0] == "js" || words[0] == "sh"
	case "code":
		if len(words) > 1 {
			return false
		}
		return speaksOfRunning(jsonschema.TextOf(n.Value, "description")) || speaksOfRunning(t.description)
	}
	return false
}

func speaksOfRunning(text string) bool {
	text = strings.ToLower(text)
	for _, word := range [...]string{"execut", "evaluat", "run code", "runs code", "to run", "run javascript", "run python"} {
		if strings.Contains(text, word) {
			return true
		}
	}
	return false
}

// confirmed is C2.
func (g *grader) confirmed(t *tool) {
	if hintOf(t.annotations, "readOnlyHint").on || t.verb != destroys && !hintOf(t.annotations, "destructiveHint").on {
		return
	}
	for i := range g.nodes {
		if n := &g.nodes[i]; n.Keyword == "properties" && g.isConfirmation(n.Token) {
			g.pass(t, ruleC2)
			return
		}
	}
	g.fail(t, ruleC2, memberPointer(t.input, inputPointer), "The tool destroys, and no parameter confirms that or only previews it.", excerpt(t.name, 0))
}

func (g *grader) isConfirmation(name string) bool {
	for _, w := range g.parameter(name).words {
		switch w {
		case "confirm", "confirmed", "confirmation", "dry", "dryrun", "preview", "force", "simulate":
			return true
		}
	}
	return false
}

// parameter is what the name of a parameter says.
type parameter struct {
	words         []string
	asked, secret bool // C3
}

// parameter reads a name once: the names of a manifest come again and again.
func (g *grader) parameter(name string) *parameter {
	p := g.parameters[name]
	if p == nil {
		words := wordsOf(name)
		joined := strings.Join(words, "_")
		p = &parameter{words, isAskedName(joined), isAccountSecret(joined)}
		g.parameters[name] = p
	}
	return p
}

// asksFor is C3.
func (g *grader) asksFor(t *tool) {
	var f fault
	onlyReads := t.verb == reads || hintOf(t.annotations, "readOnlyHint").on
	for i := range g.nodes {
		n := &g.nodes[i]
		if n.Keyword != "properties" {
			continue
		}
		f.applies = true
		if p := g.parameter(n.Token); (p.asked || onlyReads && p.secret) && jsonschema.TextOf(n.Value, "type") != "boolean" && f.first() {
			f.tell(g.at(i), "The parameter "+quoted(n.Token)+" asks for what an agent must not hand over.", n.Value)
		}
	}
	g.conclude(t, ruleC3, &f)
}

// isAskedName knows the parameters by which a server asks for the conversation,
// the system prompt or a secret: by their whole name, and the plainest also by
// how a longer name ends.
func isAskedName(joined string) bool {
	for _, end := range [...]string{"system_prompt", "conversation_history", "chat_history", "message_history", "private_key", "seed_phrase", "recovery_phrase", "mnemonic_phrase"} {
		if rest, ok := strings.CutSuffix(joined, end); ok && (rest == "" || rest[len(rest)-1] == '_') {
			return true
		}
	}
	return oneOf(joined, "systemprompt system_message system_instructions developer_prompt developer_message hidden_instructions conversation "+
		"conversation_context full_conversation chat_context chat_log messages_history prompt_history previous_messages all_messages "+
		"llm_context model_context agent_context context_window chain_of_thought internal_reasoning privatekey secret_key ssh_key mnemonic "+
		"wallet_seed api_key apikey access_token auth_token bearer_token refresh_token session_token client_secret aws_secret_access_key")
}

// isAccountSecret knows what a tool that makes an account must be given, and a
// tool that only reads has no business with.
func isAccountSecret(joined string) bool {
	return oneOf(joined, "credentials password passwd passphrase master_password credit_card credit_card_number card_number cvv")
}

// literals is C4.
func (g *grader) literals(t *tool) {
	if !maySpellSecret(t.value.Source()) {
		g.pass(t, ruleC4)
		return
	}
	if p := search(t.value, findSecret); p != nil {
		g.fail(t, ruleC4, p.pointer(), "The text holds a literal that has the shape of a live secret ("+kindOfSecret(p.text[p.from:p.to])+").", redacted(p.text[p.from:p.to]))
		return
	}
	g.pass(t, ruleC4)
}
