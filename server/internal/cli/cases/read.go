// Package cases implements the measuring of the poison rules on labelled cases:
// reading them, counting hits, misses and false hits, leaving families and axes
// out in turn, and holding misses to a list of known boundaries. It follows the
// guard's design (eval) and mcp-guard-scan's instruments.
//
// It never decides what a hit means for a server.
package cases

import (
	"errors"
	"strconv"
	"strings"

	"github.com/manifestseal/manifestseal/engine/jsonvalue"
	"github.com/manifestseal/manifestseal/engine/manifest"
)

// Case is one labelled tool.
type Case struct {
	ID     string
	Poison bool
	Rules  []string // the rules or families that should hit, where somebody said so
	Tool   *manifest.Manifest
}

// Set is a file of cases.
type Set struct {
	Name  string
	Cases []Case
}

// Boundary is a miss that is known and accepted.
type Boundary struct{ ID, Reason string }

// Read reads a file of cases, one a line; blank lines are left out. The error
// says the line and is a *jsonvalue.Error where the line is no JSON.
func Read(data []byte) ([]Case, error) {
	var out []Case
	number := 0
	for line := range strings.Lines(string(data)) {
		number++
		if strings.TrimSpace(line) == "" {
			continue
		}
		c, err := readCase(strings.TrimRight(line, "\r\n"))
		var syntax *jsonvalue.Error
		switch {
		case errors.As(err, &syntax):
			placed := *syntax
			placed.Line, placed.Column = number, max(placed.Column, 1)
			return nil, &placed
		case err != nil:
			return nil, errors.New("line " + strconv.Itoa(number) + ": " + err.Error())
		}
		out = append(out, c)
	}
	if len(out) == 0 {
		return nil, errors.New("there is no case in it")
	}
	return out, nil
}

func readCase(line string) (Case, error) {
	doc, err := jsonvalue.Parse(line)
	if err != nil {
		return Case{}, err
	}
	root := doc.Root()
	if root.Kind() != jsonvalue.Object {
		return Case{}, errors.New("it is no object")
	}
	if doc.Noted(jsonvalue.DuplicateMember) {
		return Case{}, errors.New(doc.Notes()[0].Pointer + " stands twice")
	}
	for _, name := range []string{"id", "tool", "description", "label"} {
		if root.Get(name).Kind() != jsonvalue.String {
			return Case{}, errors.New(name + " must be a string")
		}
	}
	c := Case{ID: root.Get("id").Text()}
	switch root.Get("label").Text() {
	case "poison":
		c.Poison = true
	case "benign":
	default:
		return c, errors.New("label must be poison or benign")
	}
	if c.Rules, err = texts(root.Get("rules")); err != nil {
		return c, err
	}
	c.Tool, err = toolOf(root)
	return c, err
}

func texts(v jsonvalue.Value) ([]string, error) {
	if v.Exists() && v.Kind() != jsonvalue.Array {
		return nil, errors.New("rules must be an array of rule ids")
	}
	var out []string
	for _, e := range v.Elems() {
		if e.Kind() != jsonvalue.String {
			return nil, errors.New("rules must be an array of rule ids")
		}
		out = append(out, e.Text())
	}
	return out, nil
}

// toolOf makes the case's tool a manifest of its own, so that it is read as any
// other is.
func toolOf(row jsonvalue.Value) (*manifest.Manifest, error) {
	var w jsonvalue.Builder
	w.Begin('[')
	w.Begin('{')
	w.Name("name")
	w.Value(row.Get("tool"))
	w.Name("description")
	w.Value(row.Get("description"))
	if schema := row.Get("inputSchema"); schema.Exists() && schema.Kind() != jsonvalue.Null {
		w.Name("inputSchema")
		w.Value(schema)
	}
	w.End('}')
	w.End(']')
	return manifest.Read(w.Bytes, manifest.Wire)
}

// ReadBoundaries reads {"boundaries": [{"id", "reason"}]}.
func ReadBoundaries(data []byte) ([]Boundary, error) {
	doc, err := jsonvalue.Parse(string(data))
	if err != nil {
		return nil, err
	}
	list := doc.Root().Get("boundaries")
	if doc.Root().Kind() != jsonvalue.Object || list.Kind() != jsonvalue.Array || doc.Root().Len() != 1 {
		return nil, errors.New("it must be an object with boundaries, an array, and nothing else")
	}
	out := []Boundary{}
	for i, v := range list.Elems() {
		b := Boundary{v.Get("id").Text(), v.Get("reason").Text()}
		if b.ID == "" || strings.TrimSpace(b.Reason) == "" || v.Len() != 2 {
			return nil, errors.New("/boundaries/" + strconv.Itoa(i) + ": a boundary has an id and a reason, and nothing else")
		}
		out = append(out, b)
	}
	return out, nil
}
