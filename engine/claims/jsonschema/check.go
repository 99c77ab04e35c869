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

// Check holds a schema against the meta-schema of a dialect. It returns the
// first problem that a walk meets, or nil for a valid schema.
func Check(root jsonvalue.Value, d Dialect) *Problem {
	c := checker{dialect: d}
	c.schema(root, -1, "", "", true)
	for i := 0; i < len(c.nodes) && c.found == nil; i++ {
		c.members(i)
	}
	return c.found
}

type checker struct {
	dialect Dialect
	nodes   []Node // the schemas met so far: only those that the dialect sees
	found   *Problem
}

// schema takes a value that must be a schema into the walk.
func (c *checker) schema(v jsonvalue.Value, parent int, keyword, token string, single bool) {
	switch v.Kind() {
	case jsonvalue.Object:
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
	for _, m := range Members(schema) {
		name, v := m.Name, m.Value
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
		for _, m := range Members(v) {
			token, child := m.Name, m.Value
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
