package jsonschema

import (
	"strconv"
	"strings"

	"github.com/manifestseal/manifestseal/engine/jsonvalue"
)

func decimal(n int) string { return strconv.Itoa(n) }

// wanted returns what a value should have been, and "" where it has the form.
func wanted(v jsonvalue.Value, f form) string {
	k := v.Kind()
	switch f {
	case aString:
		return unless(k == jsonvalue.String, "a string")
	case aBoolean:
		return unless(k == jsonvalue.True || k == jsonvalue.False, "true or false")
	case aNumber:
		return unless(isNumber(v), "a number")
	case positiveNumber:
		return unless(isNumber(v) && v.Float() > 0, "a number above 0")
	case count:
		return unless(isCount(v), "an integer, 0 or more")
	case uniqueStrings:
		return unless(AreUniqueStrings(v), "an array of unique strings")
	case someUniqueStrings:
		return unless(AreUniqueStrings(v) && v.Len() > 0, "an array of unique strings, one at least")
	case typeNames:
		return unless(isType(v), "one of array, boolean, integer, null, number, object and string, or an array of unique ones of these")
	case anArray:
		return unless(k == jsonvalue.Array, "an array")
	case someUnique:
		return unless(k == jsonvalue.Array && v.Len() > 0 && Repeated(v) < 0, "an array of unique values, one at least")
	case mapOfSchemas, mapOfDependencies:
		return unless(k == jsonvalue.Object, "an object")
	case listOfSchemas, schemaOrList:
		return unless(false, "an array of schemas, one at least")
	case mapOfStringLists:
		return unless(every(v, AreUniqueStrings), "an object of arrays of unique strings")
	case mapOfBooleans:
		return unless(every(v, func(v jsonvalue.Value) bool { return is(v, jsonvalue.True) || is(v, jsonvalue.False) }), "an object of booleans")
	case withoutFragment:
		text := v.Text()
		hash := strings.IndexByte(text, '#')
		return unless(k == jsonvalue.String && (hash < 0 || hash == len(text)-1), "a string without a fragment")
	case anchor2019, anchor2020:
		return unless(k == jsonvalue.String && isAnchor(v.Text(), f), "a name that begins with a letter")
	}
	return ""
}

//go:noinline
func unless(ok bool, what string) string {
	if ok {
		return ""
	}
	return what
}

func isCount(v jsonvalue.Value) bool { return IsInteger(v) && v.Float() >= 0 }

// isNumber leaves out what is beyond every double: it counts as null (R5).
//
//go:noinline
func isNumber(v jsonvalue.Value) bool {
	f := v.Float()
	return is(v, jsonvalue.Number) && f-f == 0
}

// isWhole reports whether a double has no fraction; every one of 2^53 and above
// has none.
func isWhole(f float64) bool {
	if f < 0 {
		f = -f
	}
	return f >= 1<<53 || f == float64(int64(f))
}

// IsInteger reports whether a value is an integer in JSON Schema's sense: 1.0 is one.
func IsInteger(v jsonvalue.Value) bool { return isNumber(v) && isWhole(v.Float()) }

func isType(v jsonvalue.Value) bool {
	if is(v, jsonvalue.String) {
		return isTypeName(v.Text())
	}
	if !is(v, jsonvalue.Array) || v.Len() == 0 {
		return false
	}
	for _, e := range elems(v) {
		if !isTypeName(e.Text()) {
			return false
		}
	}
	return Repeated(v) < 0
}

func isTypeName(name string) bool {
	switch name {
	case "array", "boolean", "integer", "null", "number", "object", "string":
		return true
	}
	return false
}

// AreUniqueStrings reports whether a value is an array of strings, none twice.
func AreUniqueStrings(v jsonvalue.Value) bool {
	if !is(v, jsonvalue.Array) {
		return false
	}
	for _, e := range elems(v) {
		if !is(e, jsonvalue.String) {
			return false
		}
	}
	return Repeated(v) < 0
}

// Repeated returns the index of the first element of an array that equals one
// before it, and -1 when all differ.
func Repeated(v jsonvalue.Value) int {
	if v.Len() < 2 {
		return -1
	}
	seen := make(map[string]struct{}, v.Len())
	var scratch []byte
	for i, e := range elems(v) {
		scratch = e.AppendCanonical(scratch[:0])
		if _, twice := seen[string(scratch)]; twice {
			return i
		}
		seen[string(scratch)] = struct{}{}
	}
	return -1
}

// every reports whether a value is an object whose members all pass.
func every(v jsonvalue.Value, pass func(jsonvalue.Value) bool) bool {
	if !is(v, jsonvalue.Object) {
		return false
	}
	for _, m := range members(v) {
		m := m.value
		if !pass(m) {
			return false
		}
	}
	return true
}

// isAnchor matches ^[A-Za-z][-A-Za-z0-9.:_]*$ of 2019-09 and
// ^[A-Za-z_][-A-Za-z0-9._]*$ of 2020-12.
func isAnchor(text string, f form) bool {
	for i := range len(text) {
		switch c := text[i]; {
		case c|0x20 >= 'a' && c|0x20 <= 'z':
		case c == '_' && (i > 0 || f == anchor2020):
		case i > 0 && (c == '-' || c == '.' || c >= '0' && c <= '9'):
		case i > 0 && c == ':' && f == anchor2019:
		default:
			return false
		}
	}
	return text != ""
}
