package jsonschema

import "github.com/manifestseal/manifestseal/engine/jsonvalue"

// These look at values as their methods do. They are kept from being inlined:
// this package and the rules look some three hundred times, and in the browser's
// bundle the copies weigh more than the rules. Lists instead of iterators are for
// the same reason: a loop over an iterator is a function of its own.

// Is reports whether a value has a kind.
//
//go:noinline
func Is(v jsonvalue.Value, k jsonvalue.Kind) bool { return v.Kind() == k }

// Has reports whether a value is an object with a member of that name.
//
//go:noinline
func Has(v jsonvalue.Value, name string) bool { return v.Get(name).Exists() }

// TextOf is the text of a member, "" where it is no string.
//
//go:noinline
func TextOf(v jsonvalue.Value, name string) string { return v.Get(name).Text() }

// Member is one member of an object.
type Member struct {
	Name  string
	Value jsonvalue.Value
}

// Members are an object's members, ordered by name.
//
//go:noinline
func Members(v jsonvalue.Value) []Member {
	if v.Kind() != jsonvalue.Object {
		return nil
	}
	list := make([]Member, 0, v.Len())
	for name, m := range v.Members() {
		list = append(list, Member{name, m})
	}
	return list
}

// Elems are an array's elements.
//
//go:noinline
func Elems(v jsonvalue.Value) []jsonvalue.Value {
	if v.Kind() != jsonvalue.Array {
		return nil
	}
	list := make([]jsonvalue.Value, 0, v.Len())
	for _, e := range v.Elems() {
		list = append(list, e)
	}
	return list
}
