package claims

import (
	"strings"

	"github.com/manifestseal/manifestseal/engine/claims/jsonschema"
	"github.com/manifestseal/manifestseal/engine/jsonvalue"
)

// description applies D1 to D7.
func (g *grader) description(t *tool) {
	g.title(t)
	g.propertiesDescribed(t)
	if !t.described {
		d := t.value.Get("description")
		what := "The tool has no description."
		if d.Exists() {
			what = "The tool's description is blank or no string."
		}
		g.fail(t, ruleD1, memberPointer(d, "/description"), what, evidence(d))
		return
	}
	g.pass(t, ruleD1)
	g.saysSomething(t)
	if n := g.descriptions[t.description]; n > 1 {
		g.fail(t, ruleD3, "/description", itoa(n)+" tools have this description.", excerpt(t.description, 0))
	} else {
		g.pass(t, ruleD3)
	}
	g.namesParameters(t)
	const longest = 2000
	if n := codePoints(t.description); n > longest {
		g.fail(t, ruleD7, "/description", "The description has "+itoa(n)+" characters.", excerpt(t.description, 0))
	} else {
		g.pass(t, ruleD7)
	}
}

func (g *grader) titleOf(t *tool) string {
	if title := jsonschema.TextOf(t.value, "title"); !blank(title) {
		return title
	}
	return jsonschema.TextOf(t.annotations, "title")
}

func (g *grader) title(t *tool) {
	if blank(g.titleOf(t)) {
		g.fail(t, ruleD4, "", "The tool has no title that people could read.", excerpt(t.name, 0))
	} else {
		g.pass(t, ruleD4)
	}
}

func (g *grader) saysSomething(t *tool) {
	const shortest = 20
	said := lettersOf(t.description)
	switch n := codePoints(strings.TrimFunc(t.description, isSpace)); {
	case n < shortest:
		g.fail(t, ruleD2, "/description", "The description has "+itoa(n)+" characters.", excerpt(t.description, 0))
	case said == lettersOf(t.name) || said == lettersOf(jsonschema.TextOf(t.value, "title")) || said == lettersOf(jsonschema.TextOf(t.annotations, "title")):
		g.fail(t, ruleD2, "/description", "The description only repeats the name or the title.", excerpt(t.description, 0))
	default:
		g.pass(t, ruleD2)
	}
}

// lettersOf is a text without spaces and punctuation, in lower case: what is
// left of "Get user." and of "get_user".
//
//go:noinline
func lettersOf(text string) string {
	out := make([]byte, 0, len(text))
	for i := range len(text) {
		switch c := text[i]; {
		case c >= 'A' && c <= 'Z':
			out = append(out, c+'a'-'A')
		case c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c >= 0x80:
			out = append(out, c)
		}
	}
	return string(out)
}

func (g *grader) propertiesDescribed(t *tool) {
	properties := t.input.Get("properties")
	if properties.Len() == 0 || !jsonschema.Is(properties, jsonvalue.Object) {
		return
	}
	var bare []string
	for k := range properties.Len() {
		name, p := properties.Member(k)
		if !g.isDescribed(p) {
			bare = append(bare, name)
		}
	}
	if len(bare) == 0 {
		g.pass(t, ruleD5)
		return
	}
	pointer := jsonvalue.PointerToken("/inputSchema/properties", bare[0])
	message := itoa(len(bare)) + " of " + itoa(properties.Len()) + " properties have no description: " + quotedList(bare) + "."
	g.fail(t, ruleD5, pointer, message, evidence(properties.Get(bare[0])))
}

// isDescribed looks for a description at the property, at what its $ref leads to
// (one step, so that the walk stays linear), and in its alternatives.
func (g *grader) isDescribed(p jsonvalue.Value) bool {
	if !blank(jsonschema.TextOf(p, "description")) {
		return true
	}
	if ref := p.Get("$ref"); jsonschema.Is(ref, jsonvalue.String) {
		if target := g.references().Local(ref.Text()); !blank(jsonschema.TextOf(target, "description")) {
			return true
		}
	}
	for _, keyword := range [...]string{"anyOf", "oneOf", "allOf"} {
		for _, alternative := range jsonschema.Elems(p.Get(keyword)) {
			if !blank(jsonschema.TextOf(alternative, "description")) {
				return true
			}
		}
	}
	return false
}

// namesParameters is D6. An identifier counts as a parameter's where a word
// before it says so; a single lower-case word could be any word.
func (g *grader) namesParameters(t *tool) {
	text := t.description
	applies := false
	var have map[string]bool
	for i := 0; ; {
		open := strings.IndexByte(text[i:], '`')
		if open < 0 {
			break
		}
		open += i
		length := strings.IndexByte(text[open+1:], '`')
		if length < 0 {
			break
		}
		name := text[open+1 : open+1+length]
		i = open + length + 2
		if !isCompound(name) || !speaksOfParameter(text[:open]) {
			continue
		}
		if have == nil {
			have = g.knownNames()
		}
		applies = true
		if !have[name] {
			g.fail(t, ruleD6, "/description", "The description speaks of the parameter "+quoted(name)+", and no property has that name.", excerpt(text, open))
			return
		}
	}
	if applies {
		g.pass(t, ruleD6)
	}
}

// knownNames are the names of all properties of the tool's input, and those of
// the list's tools: "pass `list_users`" may mean another tool.
func (g *grader) knownNames() map[string]bool {
	names := map[string]bool{}
	for i := range g.nodes {
		if g.nodes[i].Keyword == "properties" {
			names[g.nodes[i].Token] = true
		}
		for _, v := range jsonschema.Elems(g.nodes[i].Value.Get("enum")) {
			names[v.Text()] = true
		}
	}
	return names
}

// isCompound reports whether a text is an identifier in snake or camel case.
func isCompound(name string) bool {
	inner := false
	for i := range len(name) {
		switch c := name[i]; {
		case c >= 'a' && c <= 'z':
		case c >= '0' && c <= '9' && i > 0:
		case c == '_' && i > 0 && i < len(name)-1:
			inner = true
		case c >= 'A' && c <= 'Z' && i > 0:
			inner = inner || name[i-1] >= 'a' && name[i-1] <= 'z'
		default:
			return false
		}
	}
	return inner
}

// speaksOfParameter reports whether a text ends in a word that announces a
// parameter: "the parameter `…`", "set `…`", "pass the `…`".
func speaksOfParameter(before string) bool {
	before = strings.TrimRight(before, " \t\n:")
	word := lastWord(before)
	if word == "the" || word == "a" || word == "an" {
		before = strings.TrimRight(before[:len(before)-len(word)], " \t\n")
		word = lastWord(before)
	}
	return oneOf(word, "parameter parameters argument arguments set pass passing setting")
}

func lastWord(text string) string {
	from := len(text)
	for from > 0 && (text[from-1]|0x20 >= 'a' && text[from-1]|0x20 <= 'z') {
		from--
	}
	return strings.ToLower(text[from:])
}
