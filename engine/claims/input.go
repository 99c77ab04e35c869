package claims

import (
	"strings"

	"github.com/manifestseal/manifestseal/engine/claims/jsonschema"
	"github.com/manifestseal/manifestseal/engine/jsonvalue"
)

// fault collects the places where one check fails: the first in full, of the
// others the number.
type fault struct {
	applies  bool
	count    int
	pointer  string
	message  string
	evidence string
}

// first reports whether a place is the first one; then the caller tells where
// and why.
//
//go:noinline
func (f *fault) first() bool {
	f.applies = true
	f.count++
	return f.count == 1
}

//go:noinline
func (f *fault) tell(pointer, message string, v jsonvalue.Value) {
	f.pointer, f.message, f.evidence = pointer, message, evidence(v)
}

// conclude sets a check to pass, fail or not applicable by what was collected.
func (g *grader) conclude(t *tool, rule int, f *fault) {
	switch {
	case f.count == 1:
		g.fail(t, rule, f.pointer, f.message, f.evidence)
	case f.count > 1:
		g.fail(t, rule, f.pointer, f.message+" So it is in "+itoa(f.count-1)+" more "+plural(f.count-1, "place", "places")+".", f.evidence)
	case f.applies:
		g.pass(t, rule)
	}
}

func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

const inputPointer = "/inputSchema"

func (g *grader) at(node int) string { return inputPointer + jsonschema.Pointer(g.nodes, node) }

// below is the pointer of a keyword's value in a node.
func (g *grader) below(node int, keyword string, tokens ...string) string {
	pointer := jsonvalue.PointerToken(g.at(node), keyword)
	for _, token := range tokens {
		pointer = jsonvalue.PointerToken(pointer, token)
	}
	return pointer
}

// inputSchema applies S1 to S12.
func (g *grader) inputSchema(t *tool) {
	g.root(t)
	g.outputSchema(t)
	if !jsonschema.Is(t.input, jsonvalue.Object) {
		return
	}
	g.required(t)
	g.typed(t)
	g.values(t)
	g.resolved(t)
	g.wellFormed(t, ruleS12, inputPointer, t.input)
}

func (g *grader) root(t *tool) {
	switch kind := t.input.Get("type"); {
	case !t.input.Exists():
		g.fail(t, ruleS1, "", "The tool has no inputSchema.", "")
	case !jsonschema.Is(t.input, jsonvalue.Object):
		g.fail(t, ruleS1, inputPointer, "The inputSchema is no object.", evidence(t.input))
	case !kind.Exists():
		g.fail(t, ruleS1, inputPointer, "The inputSchema's root has no type; it must be \"object\".", evidence(t.input))
	case kind.Text() != "object":
		g.fail(t, ruleS1, inputPointer+"/type", "The type of the inputSchema's root is not \"object\".", evidence(kind))
	default:
		g.pass(t, ruleS1)
	}
}

// required applies S2, S3, S8 and S9 to every schema of the input.
func (g *grader) required(t *tool) {
	var unique, known, defaulted, optional fault
	var s *scopes
	for i := range g.nodes {
		schema := g.nodes[i].Value
		list := schema.Get("required")
		if !list.Exists() {
			continue
		}
		unique.applies = true
		if !jsonschema.AreUniqueStrings(list) && unique.first() {
			unique.tell(g.below(i, "required"), "required is not an array of unique strings.", list)
		}
		properties := schema.Get("properties")
		for k, e := range jsonschema.Elems(list) {
			if !jsonschema.Is(e, jsonvalue.String) {
				continue
			}
			name := e.Text()
			property := properties.Get(name)
			known.applies = true
			if !property.Exists() {
				if s == nil {
					s = scopesOf(g.nodes)
				}
				if !s.knows(i, name) && known.first() {
					known.tell(g.below(i, "required", itoa(k)), "required names "+quoted(name)+", and there is no such property.", e)
				}
				continue
			}
			defaulted.applies, optional.applies = true, true
			if d := property.Get("default"); d.Exists() && defaulted.first() {
				defaulted.tell(g.below(i, "properties", name, "default"), "The property "+quoted(name)+" is required and has a default, which then never counts.", d)
			}
			if d := property.Get("description"); saysOptional(d.Text()) && optional.first() {
				optional.tell(g.below(i, "properties", name, "description"), "The property "+quoted(name)+" is required, and its description calls it optional.", d)
			}
		}
	}
	g.conclude(t, ruleS2, &unique)
	g.conclude(t, ruleS3, &known)
	g.conclude(t, ruleS8, &defaulted)
	g.conclude(t, ruleS9, &optional)
}

// saysOptional reports whether a description calls its property optional: in
// front ("Optional. …", "(optional) …") or in brackets anywhere.
func saysOptional(text string) bool {
	text = strings.ToLower(text)
	for _, mark := range [...]string{"(optional)", "[optional]", "(optional,", "(optional:"} {
		if strings.Contains(text, mark) {
			return true
		}
	}
	text = strings.TrimLeft(text, " \t\n*_([")
	rest, ok := strings.CutPrefix(text, "optional")
	return ok && (rest == "" || strings.IndexByte(" .:,;)]*_-\n", rest[0]) >= 0)
}

// scopes tell which properties a value can have by all schemas that judge it
// together: a branch of anyOf may require what the schema around it defines.
type scopes struct {
	nodes []jsonschema.Node
	root  []int  // of each node, the node that begins its scope
	open  []bool // of each such node: some reference or pattern may define any name
	names map[scopedName]struct{}
}

type scopedName struct {
	scope int
	name  string
}

func scopesOf(nodes []jsonschema.Node) *scopes {
	s := &scopes{nodes: nodes, root: make([]int, len(nodes)), open: make([]bool, len(nodes)), names: map[scopedName]struct{}{}}
	for i := range nodes {
		n := &nodes[i]
		s.root[i] = i
		if n.InPlace() {
			s.root[i] = s.root[n.Parent]
		}
		scope := s.root[i]
		for _, m := range jsonschema.Members(n.Value.Get("properties")) {
			name := m.Name
			s.names[scopedName{scope, name}] = struct{}{}
		}
		for _, keyword := range [...]string{"$ref", "$dynamicRef", "$recursiveRef", "patternProperties", "additionalProperties", "unevaluatedProperties"} {
			if k := n.Value.Get(keyword).Kind(); k == jsonvalue.String || k == jsonvalue.Object {
				s.open[scope] = true
			}
		}
	}
	return s
}

// knows reports whether a required name may be a property. A definition that
// only requires is made to be used beside properties that stand elsewhere.
func (s *scopes) knows(node int, name string) bool {
	scope := s.root[node]
	if _, ok := s.names[scopedName{scope, name}]; ok || s.open[scope] {
		return true
	}
	switch s.nodes[scope].Keyword {
	case "$defs", "definitions":
		return !jsonschema.Has(s.nodes[scope].Value, "properties")
	}
	return false
}

// typed is S4: properties at any depth, but for those that only narrow others.
func (g *grader) typed(t *tool) {
	var f fault
	for i := range g.nodes {
		switch g.nodes[i].Keyword {
		case "if", "not", "then", "else", "dependentSchemas", "dependencies":
			continue
		}
		properties := g.nodes[i].Value.Get("properties")
		if !jsonschema.Is(properties, jsonvalue.Object) {
			continue
		}
		for k := range properties.Len() {
			name, p := properties.Member(k)
			f.applies = true
			if !saysType(p) && f.first() {
				f.tell(g.below(i, "properties", name), "The property "+quoted(name)+" has no type.", p)
			}
		}
	}
	g.conclude(t, ruleS4, &f)
}

func saysType(p jsonvalue.Value) bool {
	if !jsonschema.Is(p, jsonvalue.Object) {
		return !jsonschema.Is(p, jsonvalue.True) // false forbids the property; anything else is S12's
	}
	for _, keyword := range [...]string{"type", "enum", "const", "$ref", "anyOf", "oneOf", "allOf"} {
		if jsonschema.Has(p, keyword) {
			return true
		}
	}
	return false
}

// resolved is S10, for both schemas.
func (g *grader) resolved(t *tool) {
	var f fault
	g.resolve(g.nodes, g.references, inputPointer, &f)
	if jsonschema.Is(t.output, jsonvalue.Object) && maySpellRef(t.output.Source()) {
		nodes := jsonschema.Walk(nil, t.output)
		g.resolve(nodes, func() *jsonschema.Names { return jsonschema.NamesOf(nodes) }, "/outputSchema", &f)
	}
	g.conclude(t, ruleS10, &f)
}

// maySpellRef reports whether a source can hold a member named $ref: most output
// schemas can't, and are not walked.
func maySpellRef(source string) bool {
	return strings.Contains(source, `"$ref"`) || strings.Contains(source, `\u`)
}

func (g *grader) resolve(nodes []jsonschema.Node, namesOf func() *jsonschema.Names, pointer string, f *fault) {
	var names *jsonschema.Names
	for i := range nodes {
		ref := nodes[i].Value.Get("$ref")
		if !jsonschema.Is(ref, jsonvalue.String) {
			continue
		}
		f.applies = true
		if names == nil {
			names = namesOf()
		}
		target := names.Resolve(i, ref.Text())
		if target == jsonschema.Here || !f.first() {
			continue
		}
		message := "This $ref resolves to no schema."
		if target == jsonschema.Network {
			message = "This $ref leads to the network; a client would have to fetch it."
		}
		f.tell(pointer+jsonschema.Pointer(nodes, i)+"/$ref", message, ref)
	}
}

func (g *grader) outputSchema(t *tool) {
	switch {
	case !t.output.Exists():
	case !jsonschema.Is(t.output, jsonvalue.Object):
		g.fail(t, ruleS11, "/outputSchema", "The outputSchema is no object.", evidence(t.output))
	default:
		g.wellFormed(t, ruleS11, "/outputSchema", t.output)
	}
}

func (g *grader) wellFormed(t *tool, rule int, pointer string, schema jsonvalue.Value) {
	dialect := jsonschema.DialectOf(schema)
	if dialect == 0 {
		name := schema.Get("$schema")
		g.note(t, rule, Unknown, pointer+"/$schema", "The schema names a dialect that is not known here.", evidence(name))
		return
	}
	if p := g.checker.Check(schema, dialect); p != nil {
		g.fail(t, rule, pointer+p.Pointer, p.Message, evidence(p.Value))
		return
	}
	g.pass(t, rule)
}
