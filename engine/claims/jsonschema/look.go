package jsonschema

import (
	"github.com/manifestseal/manifestseal/engine/jsonvalue"
)

// These look at values as their methods do, and are kept from being inlined for
// the bundle's sake.

//go:noinline
func is(v jsonvalue.Value, k jsonvalue.Kind) bool { return v.Kind() == k }

//go:noinline
func has(v jsonvalue.Value, name string) bool { return v.Get(name).Exists() }

//go:noinline
func textOf(v jsonvalue.Value, name string) string { return v.Get(name).Text() }

// member is one member of an object.
type member struct {
	name  string
	value jsonvalue.Value
}

//go:noinline
func members(v jsonvalue.Value) []member {
	if v.Kind() != jsonvalue.Object {
		return nil
	}
	list := make([]member, 0, v.Len())
	for name, m := range v.Members() {
		list = append(list, member{name, m})
	}
	return list
}

//go:noinline
func elems(v jsonvalue.Value) []jsonvalue.Value {
	if v.Kind() != jsonvalue.Array {
		return nil
	}
	list := make([]jsonvalue.Value, 0, v.Len())
	for _, e := range v.Elems() {
		list = append(list, e)
	}
	return list
}
