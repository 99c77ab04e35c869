package claims

import (
	"strings"

	"github.com/manifestseal/manifestseal/engine/jsonvalue"
)

// These look at values as their methods do. They are kept from being inlined:
// the rules look some two hundred times, and in the browser's bundle the copies
// weigh more than the rules.

//go:noinline
func is(v jsonvalue.Value, k jsonvalue.Kind) bool { return v.Kind() == k }

//go:noinline
func has(v jsonvalue.Value, name string) bool { return v.Get(name).Exists() }

//go:noinline
func kindOf(v jsonvalue.Value, name string) jsonvalue.Kind { return v.Get(name).Kind() }

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

// oneOf reports whether a word is in a list of words that spaces part.
//
//go:noinline
func oneOf(word, list string) bool {
	for at := 0; word != ""; {
		i := strings.Index(list[at:], word)
		if i < 0 {
			return false
		}
		i += at
		at = i + len(word)
		if (i == 0 || list[i-1] == ' ') && (at == len(list) || list[at] == ' ') {
			return !strings.Contains(word, " ")
		}
	}
	return false
}
