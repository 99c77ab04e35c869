package capability

import (
	"slices"

	"github.com/manifestseal/manifestseal/engine/jsonvalue"
)

// maxEvidence is how many pieces of evidence a tool keeps.
const maxEvidence = 16

// walker goes through an input schema and collects what its parameters say.
type walker struct {
	without   Axes
	executes  bool // name or description says that something is executed
	readsOnly bool // the description says that it only reads
	evidence  []Evidence
	batches   []batch
	path      []string // of the value at hand
}

// batch is a parameter that carries commands of its own.
type batch struct {
	pointer string
	name    string
	schema  jsonvalue.Value
}

func (w *walker) pointer() string {
	p := ""
	for _, token := range w.path {
		p = jsonvalue.PointerToken(p, token)
	}
	return p
}

func (w *walker) found(axis Axis, tier Tier, text string) {
	if len(w.evidence) < maxEvidence && tier != Unknown {
		w.evidence = append(w.evidence, Evidence{axis, tier, w.pointer(), text})
	}
}

// hasEnum says whether a parameter lists what can be done.
func (w *walker) hasEnum() bool {
	return slices.ContainsFunc(w.evidence, func(e Evidence) bool { return e.Axis == Enum })
}

// schema walks every subschema. The reader bounds the depth.
func (w *walker) schema(v jsonvalue.Value) {
	for i, e := range elements(v) {
		w.under(indexToken(i), e)
	}
	for _, m := range members(v) {
		switch {
		case m.name == "properties" && m.value.Kind() == jsonvalue.Object:
			w.properties(m.value)
		case !in(m.name, " default const enum examples example required "):
			w.under(m.name, m.value)
		}
	}
}

// elements and members are lists, for a loop over them is a fifth of one over a sequence in the bundle.
func elements(v jsonvalue.Value) []jsonvalue.Value {
	if v.Kind() != jsonvalue.Array {
		return nil
	}
	all := make([]jsonvalue.Value, 0, v.Len())
	for _, e := range v.Elems() {
		all = append(all, e)
	}
	return all
}

type member struct {
	name  string
	value jsonvalue.Value
}

func members(v jsonvalue.Value) []member {
	if v.Kind() != jsonvalue.Object {
		return nil
	}
	all := make([]member, 0, v.Len())
	for name, value := range v.Members() {
		all = append(all, member{name, value})
	}
	return all
}

func (w *walker) under(token string, v jsonvalue.Value) {
	if k := v.Kind(); k != jsonvalue.Array && k != jsonvalue.Object {
		return
	}
	w.path = append(w.path, token)
	w.schema(v)
	w.path = w.path[:len(w.path)-1]
}

func (w *walker) properties(all jsonvalue.Value) {
	depth := len(w.path)
	w.path = append(w.path, "properties", "")
	for _, m := range members(all) {
		w.path[depth+1] = m.name
		w.parameter(m.name, m.value)
		w.schema(m.value)
	}
	w.path = w.path[:depth]
}

// parameter looks at one parameter.
func (w *walker) parameter(name string, s jsonvalue.Value) {
	word := squeeze(name)
	choices := choicesOf(s)
	if !w.without.Has(Parameter) && len(choices) == 0 {
		w.found(Parameter, w.dangerous(word, s), name)
	}
	if !w.without.Has(Enum) && isVerbParameter(word) {
		w.choices(choices)
	}
	if !w.without.Has(Batch) && isBatchParameter(word) && carriesCommands(word, s) && len(w.batches) < maxEvidence {
		w.batches = append(w.batches, batch{w.pointer(), name, s})
	}
}

// choices takes the highest tier of the values that a parameter of verbs may have. They are verbs if one of them can be
// nothing else: scopes to search in are called merge_requests and commits as well.
func (w *walker) choices(all []string) {
	var best Tier
	text, verbs := "", false
	for _, c := range all {
		f := inCommand(c)
		verbs = verbs || f.strength >= behind
		if f.tier > best {
			best, text = f.tier, c
		}
	}
	if verbs {
		w.found(Enum, best, text)
	}
}

// choicesOf returns the texts that a schema allows: enum, const, or those of its items and alternatives.
func choicesOf(s jsonvalue.Value) []string {
	var all []string
	for _, part := range alternatives(s) {
		for _, e := range append(elements(part.Get("enum")), part.Get("const")) {
			if e.Kind() == jsonvalue.String {
				all = append(all, e.Text())
			}
		}
	}
	return all
}

// alternatives are a schema, its items, and what it may be instead.
func alternatives(s jsonvalue.Value) []jsonvalue.Value {
	all := []jsonvalue.Value{s, s.Get("items")}
	for _, key := range [...]string{"anyOf", "oneOf", "allOf"} {
		all = append(all, elements(s.Get(key))...)
	}
	return all
}

// dangerous is the tier that a parameter's name alone gives.
func (w *walker) dangerous(word string, s jsonvalue.Value) Tier {
	switch {
	case Dangerous(word) == Destructive && isText(s):
		return Destructive
	case isCode(word) && isText(s) && w.executes:
		return Destructive
	case (word == "sql" || word == "query" && mentions(s, "sql")) && isText(s) && !w.readsOnly && !saysReadOnly(s.Get("description").Text()):
		return Destructive
	case word == "overwrite" && hasType(s, "boolean"):
		return Mutate
	case word == "delete" && hasType(s, "boolean"):
		return Destructive
	}
	return Unknown
}

// mentions says whether a parameter's description holds a word.
func mentions(s jsonvalue.Value, word string) bool {
	text := s.Get("description").Text()
	for at, n := 0, 0; n < 2*maxWords; n++ {
		w, _, end := nextWord(text, at)
		if w == "" {
			return false
		}
		if w == word {
			return true
		}
		at = end
	}
	return false
}

// saysReadOnly says whether a text claims that only reading statements are taken.
func saysReadOnly(text string) bool {
	for at := 0; ; {
		w, _, end := nextWord(text, at)
		switch w {
		case "":
			return false
		case "readonly", "read-only", "select":
			return true
		case "read":
			if next, _, _ := nextWord(text, end); next == "only" {
				return true
			}
		}
		at = end
	}
}

// Dangerous returns T3 for a parameter whose value is executed, and Unknown for every other name. It is asked of the
// arguments of a call as well.
func Dangerous(parameter string) Tier {
	if in(squeeze(parameter), " command commands cmd shell shellcommand shellcmd shellscript bash bashcommand commandline cmdline terminalcommand script exec executable "+
		"eval javascript jscode pythoncode powershell execcommand sqlcommand rawsql ") {
		return Destructive
	}
	return Unknown
}

// isCode says whether a parameter holds something to execute if the tool executes at all.
func isCode(word string) bool {
	return in(word, " code source sourcecode expression function sql statement snippet program payload mutation ")
}

// isVerbParameter says whether the values of a parameter are what the tool is to do.
func isVerbParameter(word string) bool {
	return in(word, " action actions actiontype method httpmethod operation operations operationtype op verb command commands cmd subcommand mode task tool toolname "+
		"request do act ")
}

// squeeze is a name in lower case without anything that is no letter.
func squeeze(name string) string {
	out := make([]byte, 0, len(name))
	for i := range len(name) {
		if c := name[i]; isLetter(c) {
			if isUpper(c) {
				c += 'a' - 'A'
			}
			out = append(out, c)
		}
	}
	return string(out)
}

// isText says whether a parameter can be a text or a list of texts; one without a type can.
func isText(s jsonvalue.Value) bool {
	return hasType(s, "string") || hasType(s, "array") && !hasType(s.Get("items"), "object") || !s.Get("type").Exists()
}

// hasType says whether a schema names a type.
func hasType(s jsonvalue.Value, name string) bool {
	types := append(elements(s.Get("type")), s.Get("type"))
	for _, alternative := range elements(s.Get("anyOf")) {
		types = append(types, alternative.Get("type"))
	}
	return slices.ContainsFunc(types, func(t jsonvalue.Value) bool { return t.Text() == name })
}

func indexToken(i int) string {
	if i < 10 {
		return string([]byte{byte('0' + i)})
	}
	return indexToken(i/10) + string([]byte{byte('0' + i%10)})
}
