package claims

import (
	"github.com/manifestseal/manifestseal/engine/claims/jsonschema"
	"github.com/manifestseal/manifestseal/engine/jsonvalue"
)

// values applies S5 to S7 to every schema of the input.
func (g *grader) values(t *tool) {
	var defaults, enums, bounds fault
	for i := range g.nodes {
		// One walk over the members: most schemas have none of these keywords.
		schema := g.nodes[i].Value
		for k := range schema.Len() {
			name, v := schema.Member(k)
			switch name {
			case "default":
				g.defaulted(i, v, &defaults)
			case "enum":
				g.enumerated(i, v, &enums)
			case "minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties", "minContains":
				g.bounded(i, name, v, &bounds)
			}
		}
	}
	g.conclude(t, ruleS5, &defaults)
	g.conclude(t, ruleS6, &enums)
	g.conclude(t, ruleS7, &bounds)
}

func (g *grader) defaulted(i int, d jsonvalue.Value, f *fault) {
	f.applies = true
	if why := contradiction(g.nodes[i].Value, d); why != "" && f.first() {
		f.tell(g.below(i, "default"), "The default "+why+".", d)
	}
}

func (g *grader) enumerated(i int, e jsonvalue.Value, f *fault) {
	if !jsonschema.Is(e, jsonvalue.Array) {
		return
	}
	f.applies = true
	again := jsonschema.Repeated(e)
	switch {
	case e.Len() == 0 && f.first():
		f.tell(g.below(i, "enum"), "The enum is empty, so no value is allowed.", e)
	case again >= 0 && f.first():
		f.tell(g.below(i, "enum", itoa(again)), "The enum repeats a value.", e)
	}
}

func (g *grader) bounded(i int, name string, low jsonvalue.Value, f *fault) {
	for _, pair := range boundPairs {
		if pair.low != name {
			continue
		}
		high := g.nodes[i].Value.Get(pair.high)
		if !jsonschema.Is(low, jsonvalue.Number) || !jsonschema.Is(high, jsonvalue.Number) {
			continue
		}
		f.applies = true
		if low.Float() > high.Float() && f.first() {
			f.tell(g.below(i, pair.low), pair.low+" "+low.Source()+" is above "+pair.high+" "+high.Source()+", so no value fits.", low)
		}
	}
}

var boundPairs = [...]struct{ low, high string }{
	{"minimum", "maximum"},
	{"minimum", "exclusiveMaximum"},
	{"exclusiveMinimum", "maximum"},
	{"exclusiveMinimum", "exclusiveMaximum"},
	{"minLength", "maxLength"},
	{"minItems", "maxItems"},
	{"minProperties", "maxProperties"},
	{"minContains", "maxContains"},
}

// contradiction says how a default breaks its schema's own words, "" where it
// does not. Words that are themselves malformed are S12's.
func contradiction(schema, d jsonvalue.Value) string {
	if jsonschema.Is(d, jsonvalue.Null) && schema.Get("nullable").Kind() == jsonvalue.True {
		return "" // OpenAPI's way of saying that null is allowed
	}
	if kinds := schema.Get("type"); !hasType(kinds, d) {
		return "is not of the type that the schema names"
	}
	if e := schema.Get("enum"); jsonschema.Is(e, jsonvalue.Array) && !holdsValue(e, d) {
		return "is not among the values of the enum"
	}
	if c := schema.Get("const"); c.Exists() && canonical(c) != canonical(d) {
		return "is not the constant"
	}
	switch d.Kind() {
	case jsonvalue.Number:
		return outside(schema, d.Float(), "minimum", "maximum", "lies outside the bounds")
	case jsonvalue.String:
		return outside(schema, float64(codePoints(d.Text())), "minLength", "maxLength", "is shorter or longer than allowed")
	case jsonvalue.Array:
		return outside(schema, float64(d.Len()), "minItems", "maxItems", "has fewer or more items than allowed")
	}
	return ""
}

//go:noinline
func outside(schema jsonvalue.Value, n float64, low, high, what string) string {
	if v := schema.Get(low); jsonschema.Is(v, jsonvalue.Number) && (n < v.Float() || n == v.Float() && excludes(schema, low)) {
		return what
	}
	if v := schema.Get(high); jsonschema.Is(v, jsonvalue.Number) && (n > v.Float() || n == v.Float() && excludes(schema, high)) {
		return what
	}
	if low != "minimum" {
		return ""
	}
	if v := schema.Get("exclusiveMinimum"); jsonschema.Is(v, jsonvalue.Number) && n <= v.Float() {
		return what
	}
	if v := schema.Get("exclusiveMaximum"); jsonschema.Is(v, jsonvalue.Number) && n >= v.Float() {
		return what
	}
	return ""
}

// excludes is draft 4's boolean form of an exclusive bound.
func excludes(schema jsonvalue.Value, bound string) bool {
	return bound == "minimum" && schema.Get("exclusiveMinimum").Kind() == jsonvalue.True ||
		bound == "maximum" && schema.Get("exclusiveMaximum").Kind() == jsonvalue.True
}

//go:noinline
func hasType(kinds, v jsonvalue.Value) bool {
	if !jsonschema.Is(kinds, jsonvalue.Array) {
		return !jsonschema.Is(kinds, jsonvalue.String) || isOfType(kinds.Text(), v)
	}
	for _, k := range jsonschema.Elems(kinds) {
		if isOfType(k.Text(), v) {
			return true
		}
	}
	return kinds.Len() == 0
}

func isOfType(name string, v jsonvalue.Value) bool {
	switch k := v.Kind(); name {
	case "string":
		return k == jsonvalue.String
	case "number":
		return k == jsonvalue.Number
	case "integer":
		return jsonschema.IsInteger(v)
	case "boolean":
		return k == jsonvalue.True || k == jsonvalue.False
	case "null":
		return k == jsonvalue.Null
	case "array":
		return k == jsonvalue.Array
	case "object":
		return k == jsonvalue.Object
	}
	return true // no type of JSON Schema: S12's
}

func holdsValue(list, v jsonvalue.Value) bool {
	want := canonical(v)
	for _, e := range jsonschema.Elems(list) {
		if e.Kind() == v.Kind() && canonical(e) == want {
			return true
		}
	}
	return false
}

//go:noinline
func canonical(v jsonvalue.Value) string { return string(v.AppendCanonical(nil)) }
