package jsonschema

import (
	"strconv"
	"strings"

	"github.com/manifestseal/manifestseal/engine/jsonvalue"
)

func decimal(n int) string { return strconv.Itoa(n) }

// forms are what the values of the forms must pass, and what to call them. A form
// that is missing here takes anything.
var forms = [...]struct {
	ok   func(jsonvalue.Value) bool
	what string
}{
	aString:           {isString, "a string"},
	aBoolean:          {isBoolean, "true or false"},
	aNumber:           {isNumber, "a number"},
	positiveNumber:    {isPositive, "a number above 0"},
	count:             {isCount, "an integer, 0 or more"},
	uniqueStrings:     {AreUniqueStrings, "an array of unique strings"},
	someUniqueStrings: {areSomeUniqueStrings, "an array of unique strings, one at least"},
	typeNames:         {isType, "one of array, boolean, integer, null, number, object and string, or an array of unique ones of these"},
	anArray:           {isArray, "an array"},
	someUnique:        {areSomeUnique, "an array of unique values, one at least"},
	mapOfSchemas:      {isObject, "an object"},
	mapOfDependencies: {isObject, "an object"},
	listOfSchemas:     {never, "an array of schemas, one at least"}, // asked only of what is none
	schemaOrList:      {never, "an array of schemas, one at least"},
	mapOfStringLists:  {areStringLists, "an object of arrays of unique strings"},
	mapOfBooleans:     {areBooleans, "an object of booleans"},
	withoutFragment:   {isWithoutFragment, "a string without a fragment"},
	anchor2019:        {isAnchor2019, "a name that begins with a letter"},
	anchor2020:        {isAnchor2020, "a name that begins with a letter or underscore"},
}

// wanted returns what a value should have been, and "" where it has the form.
func wanted(v jsonvalue.Value, f form) string {
	if check := &forms[f]; check.ok != nil && !check.ok(v) {
		return check.what
	}
	return ""
}

func never(jsonvalue.Value) bool         { return false }
func isString(v jsonvalue.Value) bool    { return Is(v, jsonvalue.String) }
func isArray(v jsonvalue.Value) bool     { return Is(v, jsonvalue.Array) }
func isObject(v jsonvalue.Value) bool    { return Is(v, jsonvalue.Object) }
func isBoolean(v jsonvalue.Value) bool   { return Is(v, jsonvalue.True) || Is(v, jsonvalue.False) }
func isPositive(v jsonvalue.Value) bool  { return isNumber(v) && v.Float() > 0 }
func areBooleans(v jsonvalue.Value) bool { return every(v, isBoolean) }

func areStringLists(v jsonvalue.Value) bool { return every(v, AreUniqueStrings) }

func areSomeUniqueStrings(v jsonvalue.Value) bool { return AreUniqueStrings(v) && v.Len() > 0 }

func areSomeUnique(v jsonvalue.Value) bool {
	return isArray(v) && v.Len() > 0 && Repeated(v) < 0
}

func isWithoutFragment(v jsonvalue.Value) bool {
	text := v.Text()
	hash := strings.IndexByte(text, '#')
	return isString(v) && (hash < 0 || hash == len(text)-1)
}

func isAnchor2019(v jsonvalue.Value) bool { return isString(v) && isAnchor(v.Text(), anchor2019) }
func isAnchor2020(v jsonvalue.Value) bool { return isString(v) && isAnchor(v.Text(), anchor2020) }

func isCount(v jsonvalue.Value) bool { return IsInteger(v) && v.Float() >= 0 }

// isNumber leaves out what is beyond every double: it counts as null (R5).
//
//go:noinline
func isNumber(v jsonvalue.Value) bool {
	f := v.Float()
	return Is(v, jsonvalue.Number) && f-f == 0
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
	if isString(v) {
		return isTypeName(v.Text())
	}
	for _, e := range Elems(v) {
		if !isTypeName(e.Text()) {
			return false
		}
	}
	return areSomeUnique(v)
}

//go:noinline
func isTypeName(name string) bool {
	switch name {
	case "array", "boolean", "integer", "null", "number", "object", "string":
		return true
	}
	return false
}

// AreUniqueStrings reports whether a value is an array of strings, none twice.
func AreUniqueStrings(v jsonvalue.Value) bool {
	if !Is(v, jsonvalue.Array) {
		return false
	}
	if v.Len() > 0 && !allStrings(v) {
		return false
	}
	return Repeated(v) < 0
}

// Repeated returns the index of the first element of an array that equals one
// before it, and -1 when all differ.
func Repeated(v jsonvalue.Value) int {
	if v.Len() < 2 {
		return -1
	}
	if v.Len() <= fewElements && allStrings(v) {
		return repeatedString(v)
	}
	seen := make(map[string]struct{}, v.Len())
	var scratch []byte
	for i, e := range Elems(v) {
		scratch = e.AppendCanonical(scratch[:0])
		if _, twice := seen[string(scratch)]; twice {
			return i
		}
		seen[string(scratch)] = struct{}{}
	}
	return -1
}

// fewElements is how many are compared each with each.
const fewElements = 16

func allStrings(v jsonvalue.Value) bool {
	e := v.First()
	for i := range v.Len() {
		if i > 0 {
			e = e.Next()
		}
		if e.Kind() != jsonvalue.String {
			return false
		}
	}
	return true
}

// repeatedString is Repeated for few strings. Their texts are equal exactly when
// their canonical forms are.
func repeatedString(v jsonvalue.Value) int {
	var texts [fewElements]string
	e := v.First()
	for i := range v.Len() {
		if i > 0 {
			e = e.Next()
		}
		texts[i] = e.Text()
		for k := range i {
			if texts[k] == texts[i] {
				return i
			}
		}
	}
	return -1
}

// every reports whether a value is an object whose members all pass.
func every(v jsonvalue.Value, pass func(jsonvalue.Value) bool) bool {
	if !Is(v, jsonvalue.Object) {
		return false
	}
	for _, m := range Members(v) {
		m := m.Value
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
