package jsonschema

import (
	"strings"

	"github.com/manifestseal/manifestseal/engine/jsonvalue"
)

// DialectOf returns the dialect that a schema names, 2020-12 when it names none,
// and 0 for one that is not known here.
func DialectOf(root jsonvalue.Value) Dialect {
	name := root.Get("$schema")
	if !Is(name, jsonvalue.String) {
		return Release2020 // and $schema itself is found to be no string
	}
	id := strings.TrimSuffix(name.Text(), "#")
	if rest, ok := strings.CutPrefix(id, "https:"); ok {
		id = "http:" + rest
	}
	switch id {
	case "http://json-schema.org/draft-04/schema":
		return Draft4
	case "http://json-schema.org/draft-06/schema":
		return Draft6
	case "http://json-schema.org/draft-07/schema":
		return Draft7
	case "http://json-schema.org/draft/2019-09/schema":
		return Release2019
	case "http://json-schema.org/draft/2020-12/schema", "http://json-schema.org/schema":
		return Release2020
	}
	return 0
}

// Problem is a place where a schema breaks its meta-schema's rules.
type Problem struct {
	Pointer string // below the root
	Message string
	Value   jsonvalue.Value
}

// Checker checks the schemas of a manifest, and remembers small ones that are
// valid: most parameters of a large manifest stand in it many times. The zero
// Checker is ready. It is not for concurrent use.
type Checker struct {
	c     checker
	valid map[Dialect]map[string]struct{}
}

// Check holds a schema against the meta-schema of a dialect. It returns the
// first problem that a walk meets, or nil for a valid schema.
func (k *Checker) Check(root jsonvalue.Value, d Dialect) *Problem {
	if k.valid[d] == nil {
		if k.valid == nil {
			k.valid = map[Dialect]map[string]struct{}{}
		}
		k.valid[d] = map[string]struct{}{}
	}
	c := &k.c
	*c = checker{dialect: d, nodes: c.nodes[:0], valid: k.valid[d]}
	c.schema(root, -1, "", "", true)
	for i := 0; i < len(c.nodes) && c.found == nil; i++ {
		c.members(i)
	}
	if c.found == nil {
		c.remember()
	}
	return c.found
}

// mostRemembered is the size up to which a schema is remembered. To look up what
// is larger would cost as much again at every level, and it is rarely met again.
const mostRemembered = 512

type checker struct {
	dialect Dialect
	nodes   []Node // the schemas met so far: only those that the dialect sees
	valid   map[string]struct{}
	found   *Problem
}

// remember notes the spellings of all that a walk without a problem went through.
func (c *checker) remember() {
	for i := range c.nodes {
		if source := c.nodes[i].Value.Source(); len(source) <= mostRemembered {
			c.valid[source] = struct{}{}
		}
	}
}

func (c *checker) isKnown(schema jsonvalue.Value) bool {
	source := schema.Source()
	if len(source) > mostRemembered {
		return false
	}
	_, known := c.valid[source]
	return known
}

// schema takes a value that must be a schema into the walk.
func (c *checker) schema(v jsonvalue.Value, parent int, keyword, token string, single bool) {
	switch v.Kind() {
	case jsonvalue.Object:
		if c.isKnown(v) {
			return
		}
		c.nodes = append(c.nodes, Node{Value: v, Parent: parent, Keyword: keyword, Token: token, single: single})
		return
	case jsonvalue.True, jsonvalue.False:
		if c.dialect != Draft4 {
			return
		}
	}
	what := "an object or a boolean"
	if c.dialect == Draft4 {
		what = "an object"
	}
	pointer := ""
	if parent >= 0 {
		pointer = jsonvalue.PointerToken(Pointer(c.nodes, parent), keyword)
		if !single {
			pointer = jsonvalue.PointerToken(pointer, token)
		}
	}
	c.report(pointer, "A schema must be "+what+".", v)
}

//go:noinline
func (c *checker) report(pointer, message string, v jsonvalue.Value) {
	if c.found == nil {
		c.found = &Problem{pointer, message, v}
	}
}

func (c *checker) members(i int) {
	schema := c.nodes[i].Value
	for k := range schema.Len() {
		name, v := schema.Member(k)
		f := formOf(name, c.dialect)
		if c.holder(i, name, v, f) {
			continue
		}
		if what := wanted(v, f); what != "" {
			c.report(jsonvalue.PointerToken(Pointer(c.nodes, i), name), "The keyword "+name+" must be "+what+".", v)
			return
		}
	}
	if c.dialect == Draft4 {
		c.needs(i, "exclusiveMaximum", "maximum")
		c.needs(i, "exclusiveMinimum", "minimum")
	}
}

// needs is draft 4's dependency of one bound on the other.
func (c *checker) needs(i int, name, other string) {
	if v := c.nodes[i].Value; Has(v, name) && !Has(v, other) {
		c.report(Pointer(c.nodes, i), "The keyword "+name+" needs "+other+" beside it.", v)
	}
}

// holder takes the schemas that a keyword holds into the walk. It reports
// whether the value has the form of a holder; wanted then has nothing to add.
func (c *checker) holder(i int, name string, v jsonvalue.Value, f form) bool {
	switch f {
	case schemaOrBoolean:
		if Is(v, jsonvalue.True) || Is(v, jsonvalue.False) {
			return true
		}
		c.schema(v, i, name, "", true)
	case oneSchema:
		c.schema(v, i, name, "", true)
	case schemaOrList:
		if !Is(v, jsonvalue.Array) {
			c.schema(v, i, name, "", true)
			return true
		}
		return c.list(i, name, v)
	case listOfSchemas:
		return c.list(i, name, v)
	case mapOfSchemas, mapOfDependencies:
		if !Is(v, jsonvalue.Object) {
			return false
		}
		for k := range v.Len() {
			token, child := v.Member(k)
			if f == mapOfDependencies && Is(child, jsonvalue.Array) {
				c.strings(i, name, token, child)
				continue
			}
			c.schema(child, i, name, token, false)
		}
	default:
		return false
	}
	return true
}

func (c *checker) strings(i int, name, token string, v jsonvalue.Value) {
	f := uniqueStrings
	if c.dialect == Draft4 {
		f = someUniqueStrings
	}
	if what := wanted(v, f); what != "" {
		c.report(jsonvalue.PointerToken(jsonvalue.PointerToken(Pointer(c.nodes, i), name), token), "This dependency must be a schema or "+what+".", v)
	}
}

func (c *checker) list(i int, name string, v jsonvalue.Value) bool {
	if !Is(v, jsonvalue.Array) || v.Len() == 0 {
		return false
	}
	for k, child := range Elems(v) {
		c.schema(child, i, name, decimal(k), false)
	}
	return true
}
