// Package jsonschema implements what can be said of a JSON Schema without an
// instance: where its subschemas stand, where its references lead, and whether
// it is valid under the meta-schema of its own dialect. It follows drafts 4, 6
// and 7 and the releases 2019-09 and 2020-12, as far as their meta-schemas
// assert something: formats, regular expressions among them, are annotations.
//
// It never validates an instance, and never fetches what a reference names.
package jsonschema

import (
	"strconv"

	"github.com/manifestseal/manifestseal/engine/jsonvalue"
)

// Node is one schema inside a schema.
type Node struct {
	Value   jsonvalue.Value
	Parent  int    // index of the schema around it; -1 for the root
	Keyword string // the keyword that holds it; "" for the root
	Token   string // its name or index below the keyword; "" when the keyword's value is the schema
	single  bool
	base    int // index of the nearest schema around it, or itself, that has an $id of its own
}

// InPlace reports whether the schema judges the same value as the one around it.
func (n *Node) InPlace() bool {
	switch n.Keyword {
	case "allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas", "dependencies":
		return true
	}
	return false
}

// Walk appends the schemas of a schema, the root first and each behind the one
// around it. It looks behind the keywords of every dialect, whichever is named:
// a client that knows another reads them too. What is no object is not walked.
func Walk(nodes []Node, root jsonvalue.Value) []Node {
	if !Is(root, jsonvalue.Object) {
		return nodes
	}
	nodes = append(nodes, Node{Value: root, Parent: -1})
	for i := len(nodes) - 1; i < len(nodes); i++ {
		schema := nodes[i].Value
		for at := range schema.Len() {
			name, v := schema.Member(at)
			if k := v.Kind(); k == jsonvalue.Object || k == jsonvalue.Array {
				nodes = below(nodes, i, name, v)
			}
		}
	}
	return nodes
}

func below(nodes []Node, parent int, name string, v jsonvalue.Value) []Node {
	add := func(token string, child jsonvalue.Value, single bool) {
		if !Is(child, jsonvalue.Object) {
			return
		}
		n := Node{Value: child, Parent: parent, Keyword: name, Token: token, single: single, base: nodes[parent].base}
		if isBase(child) {
			n.base = len(nodes)
		}
		nodes = append(nodes, n)
	}
	switch holds(name) {
	case oneSchema:
		add("", v, true)
	case mapOfSchemas:
		if !Is(v, jsonvalue.Object) {
			break
		}
		for at := range v.Len() {
			token, child := v.Member(at)
			add(token, child, false)
		}
	case listOfSchemas, schemaOrList:
		add("", v, true)
		for i, child := range Elems(v) {
			add(strconv.Itoa(i), child, false)
		}
	}
	return nodes
}

// isBase reports whether a schema is a resource of its own; an $id that is only
// a fragment is an anchor (draft 7).
func isBase(v jsonvalue.Value) bool {
	id := TextOf(v, "$id")
	return id != "" && id[0] != '#'
}

// Pointer returns a node's JSON Pointer below the root of the walk.
func Pointer(nodes []Node, i int) string {
	var path []int
	for ; nodes[i].Parent >= 0; i = nodes[i].Parent {
		path = append(path, i)
	}
	pointer := ""
	for k := len(path) - 1; k >= 0; k-- {
		n := &nodes[path[k]]
		pointer = jsonvalue.PointerToken(pointer, n.Keyword)
		if !n.single {
			pointer = jsonvalue.PointerToken(pointer, n.Token)
		}
	}
	return pointer
}
