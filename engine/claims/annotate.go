package claims

import (
	"strings"

	"github.com/manifestseal/manifestseal/engine/claims/jsonschema"
	"github.com/manifestseal/manifestseal/engine/jsonvalue"
)

// hint is what an annotation says, if it says anything that can be understood.
type hint struct{ given, on bool }

//go:noinline
func hintOf(annotations jsonvalue.Value, name string) hint {
	k := annotations.Get(name).Kind()
	return hint{given: k == jsonvalue.True || k == jsonvalue.False, on: k == jsonvalue.True}
}

// hintNames are the specification's hints, each with the value that holds where
// it is left out.
var hintNames = [...]struct{ name, otherwise string }{
	{"readOnlyHint", "false"}, {"destructiveHint", "true"}, {"idempotentHint", "false"}, {"openWorldHint", "true"},
}

const (
	annotationsPointer = "/annotations"
	readOnlyPointer    = annotationsPointer + "/readOnlyHint"
	destructivePointer = annotationsPointer + "/destructiveHint"
)

// annotation applies A1 to A12.
func (g *grader) annotation(t *tool) {
	readOnly, destructive := hintOf(t.annotations, "readOnlyHint"), hintOf(t.annotations, "destructiveHint")
	g.hintsAreBooleans(t)
	g.implicit(t, readOnly)
	g.contradicted(t, readOnly, destructive)
	g.repeats(t)
	g.closedWorld(t)
	if g.sameHints {
		g.fail(t, ruleA10, annotationsPointer, "Every tool of the list carries these hints, though some read and others write.", evidence(t.annotations))
	} else if jsonschema.Is(t.annotations, jsonvalue.Object) {
		g.pass(t, ruleA10)
	}
	if readOnly.on {
		g.readOnly(t, destructive)
	}
}

func (g *grader) hintsAreBooleans(t *tool) {
	if !t.annotations.Exists() {
		return
	}
	if !jsonschema.Is(t.annotations, jsonvalue.Object) {
		g.fail(t, ruleA1, annotationsPointer, "The annotations are no object.", evidence(t.annotations))
		return
	}
	for _, h := range hintNames {
		if v := t.annotations.Get(h.name); v.Exists() && !hintOf(t.annotations, h.name).given {
			g.fail(t, ruleA1, annotationsPointer+"/"+h.name, h.name+" is no boolean, so it says nothing.", evidence(v))
			return
		}
	}
	g.pass(t, ruleA1)
}

// readOnly applies the rules on tools that say they only read.
func (g *grader) readOnly(t *tool, destructive hint) {
	word := ""
	if len(t.words) > 0 {
		word = t.words[0]
	}
	switch {
	case t.verb == destroys:
		g.fail(t, ruleA2, readOnlyPointer, "The tool says that it only reads, and its name begins with "+quoted(word)+".", excerpt(t.name, 0))
	case t.verb.changes():
		g.pass(t, ruleA2)
		g.fail(t, ruleA3, readOnlyPointer, "The tool says that it only reads, and its name begins with "+quoted(word)+".", excerpt(t.name, 0))
	case t.descVerb.changes() && (!computes(t.description) || t.alsoChanges()):
		g.pass(t, ruleA2)
		g.fail(t, ruleA3, readOnlyPointer, "The tool says that it only reads, and its description begins with a verb that writes.", excerpt(t.description, 0))
	default:
		g.pass(t, ruleA2, ruleA3)
	}
	if destructive.on {
		g.fail(t, ruleA4, destructivePointer, "The tool says that it only reads and that it destroys.", evidence(t.annotations))
	} else {
		g.pass(t, ruleA4)
	}
	g.methods(t)
	g.meaningless(t, destructive)
}

// meaningless is A12; destructiveHint: true is A4's.
func (g *grader) meaningless(t *tool, destructive hint) {
	for _, h := range [...]string{"destructiveHint", "idempotentHint"} {
		if v := t.annotations.Get(h); v.Exists() && !(h == "destructiveHint" && destructive.on) {
			g.fail(t, ruleA12, annotationsPointer+"/"+h, h+" has no meaning beside readOnlyHint: true.", evidence(t.annotations))
			return
		}
	}
	g.pass(t, ruleA12)
}

// contradicted applies A5 and A8.
func (g *grader) contradicted(t *tool, readOnly, destructive hint) {
	switch {
	case !destructive.given || destructive.on:
	case t.verb == destroys && !readOnly.on:
		g.fail(t, ruleA5, destructivePointer, "The tool says that it destroys nothing, and its name begins with "+quoted(t.words[0])+".", excerpt(t.name, 0))
	default:
		g.pass(t, ruleA5)
	}
	if !readOnly.given || readOnly.on {
		return
	}
	if t.verb == reads && !t.alsoChanges() && !t.descVerb.changes() {
		g.fail(t, ruleA8, readOnlyPointer, "The tool says that it writes, and its name begins with "+quoted(t.words[0])+".", excerpt(t.name, 0))
	} else {
		g.pass(t, ruleA8)
	}
}

// alsoChanges reports whether a later word of the name writes, as in get_or_create.
func (t *tool) alsoChanges() bool {
	for _, w := range t.words[min(1, len(t.words)):] {
		if verbOf(w).changes() {
			return true
		}
	}
	return false
}

// repeats is A6.
func (g *grader) repeats(t *tool) {
	if !hintOf(t.annotations, "idempotentHint").on {
		return
	}
	if t.verb == creates {
		g.fail(t, ruleA6, annotationsPointer+"/idempotentHint", "The tool says that a second equal call changes nothing, and its name begins with "+quoted(t.words[0])+".", excerpt(t.name, 0))
	} else {
		g.pass(t, ruleA6)
	}
}

// closedWorld is A7.
func (g *grader) closedWorld(t *tool) {
	if h := hintOf(t.annotations, "openWorldHint"); !h.given || h.on {
		return
	}
	const claim = "The tool says that it stays inside a closed world, and "
	for i := range g.nodes {
		if n := &g.nodes[i]; n.Keyword == "properties" && isAddress(g.parameter(n.Token).words, n.Value) {
			g.fail(t, ruleA7, annotationsPointer+"/openWorldHint", claim+"its parameter "+quoted(n.Token)+" takes an address.", evidence(n.Value))
			return
		}
	}
	if at := goesToWeb(t.description); at >= 0 {
		g.fail(t, ruleA7, annotationsPointer+"/openWorldHint", claim+"its description says that it goes to the web.", excerpt(t.description, at))
		return
	}
	g.pass(t, ruleA7)
}

// isAddress reports whether a parameter takes a URL, a host or an e-mail address.
func isAddress(words []string, schema jsonvalue.Value) bool {
	switch jsonschema.TextOf(schema, "format") {
	case "uri", "url", "iri", "hostname", "idn-hostname", "email", "idn-email":
		return true
	}
	if len(words) == 0 {
		return false
	}
	switch words[len(words)-1] {
	case "url", "urls", "host", "hostname", "email", "emails", "website":
		return jsonschema.TextOf(schema, "type") != "boolean" && !jsonschema.Has(schema, "enum")
	}
	return false
}

func goesToWeb(description string) int {
	text := strings.ToLower(description)
	for _, phrase := range [...]string{"search the web", "searches the web", "the web for", "on the web", "from the web", "browse the web", "the web.", "the web,", "the internet", "web search", "web page", "webpage", "website"} {
		if at := strings.Index(text, phrase); at >= 0 && at < len(description) {
			return at
		}
	}
	return -1
}

// implicit applies A9 and A9b.
func (g *grader) implicit(t *tool, readOnly hint) {
	if t.verb.changes() {
		if readOnly.given {
			g.pass(t, ruleA9)
		} else {
			g.fail(t, ruleA9, memberPointer(t.annotations, annotationsPointer), "The tool writes and does not say so: readOnlyHint is left out.", evidence(t.annotations))
		}
	}
	missing := ""
	for _, h := range hintNames {
		switch {
		case hintOf(t.annotations, h.name).given, h.name == "idempotentHint":
		case h.name == "readOnlyHint" && t.verb.changes(): // A9's
		case h.name == "destructiveHint" && readOnly.on: // without meaning
		default:
			if missing != "" {
				missing += ", "
			}
			missing += h.name + " counts as " + h.otherwise
		}
	}
	if missing == "" {
		g.pass(t, ruleA9b)
		return
	}
	g.fail(t, ruleA9b, memberPointer(t.annotations, annotationsPointer), "Hints are left out, so the specification's defaults hold: "+missing+".", evidence(t.annotations))
}

// hintsAreOne is A10's look at the list: all tools carry the same hints, and by
// their leading verbs some only read and others change something.
func (g *grader) hintsAreOne() bool {
	var first string
	read, change := false, false
	for i := range g.tools {
		t := &g.tools[i]
		hints := ""
		for _, h := range hintNames {
			if v := t.annotations.Get(h.name); v.Exists() {
				hints += h.name + canonical(v)
			}
		}
		if hints == "" || i > 0 && hints != first {
			return false
		}
		first = hints
		read = read || t.verb == reads && !t.alsoChanges()
		change = change || t.verb.changes()
	}
	return read && change
}
