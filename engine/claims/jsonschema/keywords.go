package jsonschema

// Dialect is a set of JSON Schema dialects; a schema has one of them.
type Dialect uint8

const (
	Draft4 Dialect = 1 << iota
	Draft6
	Draft7
	Release2019
	Release2020

	from6    = Draft6 | from7
	from7    = Draft7 | from2019
	from2019 = Release2019 | Release2020
	upTo7    = Draft4 | Draft6 | Draft7
	upTo2019 = Draft4 | Draft6 | Draft7 | Release2019
	all      = Draft4 | from6
)

// form is what a meta-schema asks of a keyword's value.
type form uint8

const (
	free form = iota
	aString
	aBoolean
	aNumber
	positiveNumber
	count             // an integer, 0 or more
	uniqueStrings     // an array of unique strings
	someUniqueStrings // the same with one at least
	typeNames         // one of the seven names, or an array of unique ones
	anArray
	someUnique // an array of unique values, one at least
	oneSchema
	schemaOrBoolean // draft 4, where true and false are no schemas
	mapOfSchemas
	listOfSchemas // one at least
	schemaOrList
	mapOfDependencies // a schema or unique strings each
	mapOfStringLists
	mapOfBooleans
	withoutFragment // a string whose only # may be its end
	anchor2019
	anchor2020
)

// keyword is a row of the meta-schemas. A name has several rows where the
// dialects differ.
type keyword struct {
	name     string
	dialects Dialect
	form     form
}

// keywords are ordered by name, in bytes.
var keywords = [...]keyword{
	{"$anchor", Release2019, anchor2019},
	{"$anchor", Release2020, anchor2020},
	{"$comment", from7, aString},
	{"$defs", from2019, mapOfSchemas},
	{"$dynamicAnchor", Release2020, anchor2020},
	{"$dynamicRef", Release2020, aString},
	{"$id", Draft6 | Draft7, aString},
	{"$id", from2019, withoutFragment},
	{"$recursiveAnchor", Release2019, aBoolean},
	{"$recursiveAnchor", Release2020, anchor2020},
	{"$recursiveRef", from2019, aString},
	{"$ref", all, aString},
	{"$schema", all, aString},
	{"$vocabulary", from2019, mapOfBooleans},
	{"additionalItems", Draft4, schemaOrBoolean},
	{"additionalItems", Draft6 | Draft7 | Release2019, oneSchema},
	{"additionalProperties", Draft4, schemaOrBoolean},
	{"additionalProperties", from6, oneSchema},
	{"allOf", all, listOfSchemas},
	{"anyOf", all, listOfSchemas},
	{"contains", from6, oneSchema},
	{"contentEncoding", from7, aString},
	{"contentMediaType", from7, aString},
	{"contentSchema", from2019, oneSchema},
	{"definitions", all, mapOfSchemas},
	{"dependencies", Draft4, mapOfDependencies},
	{"dependencies", from6, mapOfDependencies},
	{"dependentRequired", from2019, mapOfStringLists},
	{"dependentSchemas", from2019, mapOfSchemas},
	{"deprecated", from2019, aBoolean},
	{"description", all, aString},
	{"else", from7, oneSchema},
	{"enum", upTo7, someUnique}, // as draft 7 was first published, and as its most used checkers hold it
	{"enum", from2019, anArray},
	{"examples", from7, anArray},
	{"exclusiveMaximum", Draft4, aBoolean},
	{"exclusiveMaximum", from6, aNumber},
	{"exclusiveMinimum", Draft4, aBoolean},
	{"exclusiveMinimum", from6, aNumber},
	{"format", all, aString},
	{"id", Draft4, aString},
	{"if", from7, oneSchema},
	{"items", upTo2019, schemaOrList},
	{"items", Release2020, oneSchema},
	{"maxContains", from2019, count},
	{"maxItems", all, count},
	{"maxLength", all, count},
	{"maxProperties", all, count},
	{"maximum", all, aNumber},
	{"minContains", from2019, count},
	{"minItems", all, count},
	{"minLength", all, count},
	{"minProperties", all, count},
	{"minimum", all, aNumber},
	{"multipleOf", all, positiveNumber},
	{"not", all, oneSchema},
	{"oneOf", all, listOfSchemas},
	{"pattern", all, aString},
	{"patternProperties", all, mapOfSchemas},
	{"prefixItems", Release2020, listOfSchemas},
	{"properties", all, mapOfSchemas},
	{"propertyNames", from6, oneSchema},
	{"readOnly", from7, aBoolean},
	{"required", Draft4, someUniqueStrings},
	{"required", from6, uniqueStrings},
	{"then", from7, oneSchema},
	{"title", all, aString},
	{"type", all, typeNames},
	{"unevaluatedItems", from2019, oneSchema},
	{"unevaluatedProperties", from2019, oneSchema},
	{"uniqueItems", all, aBoolean},
	{"writeOnly", from7, aBoolean},
}

// rows returns where a keyword's rows begin, or where they would.
func rows(name string) int {
	low, high := 0, len(keywords)
	for low < high {
		if mid := (low + high) / 2; keywords[mid].name < name {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low
}

// formOf is what a dialect asks of a keyword; free where it does not know it.
func formOf(name string, d Dialect) form {
	for i := rows(name); i < len(keywords) && keywords[i].name == name; i++ {
		if keywords[i].dialects&d != 0 {
			return keywords[i].form
		}
	}
	return free
}

// holds says how a keyword holds schemas, in whichever dialect it does.
func holds(name string) form {
	if name == "items" {
		return schemaOrList
	}
	for i := rows(name); i < len(keywords) && keywords[i].name == name; i++ {
		switch f := keywords[i].form; f {
		case oneSchema, mapOfSchemas, listOfSchemas:
			return f
		case mapOfDependencies:
			return mapOfSchemas
		}
	}
	return free
}
