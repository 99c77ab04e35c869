package drift

import (
	"testing"

	"github.com/manifestseal/manifestseal/engine/jsonvalue"
)

func TestDirectionOf(t *testing.T) {
	schema := func(s string) string { return `{"name":"t","inputSchema":` + s + `}` }
	for _, c := range []struct{ name, old, new, want string }{
		{"white space in a description", `{"description":"a b"}`, `{"description":"a\n  b"}`, "notation only"},
		{"order of required", schema(`{"required":["a","b"]}`), schema(`{"required":["b","a"]}`), "notation only"},
		{"one type in a list", schema(`{"type":"object"}`), schema(`{"type":["object"]}`), "notation only"},
		{"another description", `{"description":"a"}`, `{"description":"b"}`, "reworded"},
		{"a parameter's description", schema(`{"properties":{"p":{"description":"a"}}}`), schema(`{"properties":{"p":{"description":"b"}}}`), "reworded"},
		{"outside the digest", `{"title":"a","outputSchema":{}}`, `{"title":"a","outputSchema":{"type":"object"}}`, "reworded"},
		{"a title of the annotations", `{"annotations":{"title":"a"}}`, `{"annotations":{"title":"b"}}`, "reworded"},
		{"a parameter more", schema(`{"properties":{}}`), schema(`{"properties":{"p":{}}}`), "loosened"},
		{"a parameter less", schema(`{"properties":{"p":{}}}`), schema(`{"properties":{}}`), "tightened"},
		{"no longer required", schema(`{"required":["a"]}`), schema(`{"required":[]}`), "loosened"},
		{"now required", schema(`{}`), schema(`{"required":["a"]}`), "tightened"},
		{"a longer enum", schema(`{"properties":{"p":{"enum":[1]}}}`), schema(`{"properties":{"p":{"enum":[1,2]}}}`), "loosened"},
		{"a shorter enum", schema(`{"properties":{"p":{"enum":[1,2]}}}`), schema(`{"properties":{"p":{"enum":[1]}}}`), "tightened"},
		{"a higher maximum", schema(`{"properties":{"p":{"maximum":1}}}`), schema(`{"properties":{"p":{"maximum":2}}}`), "loosened"},
		{"a higher minimum", schema(`{"properties":{"p":{"minimum":1}}}`), schema(`{"properties":{"p":{"minimum":2}}}`), "tightened"},
		{"a pattern gone", schema(`{"properties":{"p":{"pattern":"^a$"}}}`), schema(`{"properties":{"p":{"type":"string"}}}`), "loosened"},
		{"another pattern", schema(`{"properties":{"p":{"pattern":"^a$"}}}`), schema(`{"properties":{"p":{"pattern":"^b$"}}}`), "loosened"},
		{"additional properties closed", schema(`{"type":"object"}`), schema(`{"type":"object","additionalProperties":false}`), "tightened"},
		{"additional properties opened", schema(`{"type":"object","additionalProperties":false}`), schema(`{"type":"object"}`), "loosened"},
		{"deep inside items", schema(`{"properties":{"p":{"items":{"maxLength":3}}}}`), schema(`{"properties":{"p":{"items":{"maxLength":2}}}}`), "tightened"},
		{"no longer read-only", `{"annotations":{"readOnlyHint":true}}`, `{"annotations":{"readOnlyHint":false}}`, "loosened"},
		{"annotations gone", `{"annotations":{"readOnlyHint":true}}`, `{}`, "loosened"},
		{"now says that it is harmless", `{}`, `{"annotations":{"destructiveHint":false}}`, "tightened"},
		{"a schema gone", schema(`{"type":"object"}`), `{"name":"t"}`, "loosened"},
		{"a keyword that is not known", schema(`{"x":1}`), schema(`{"x":2}`), "loosened"},
		{"an entry that is no object", `"t"`, `{"name":"t"}`, "loosened"},
		{"worse in one place, better in another", schema(`{"properties":{"a":{},"b":{}}}`), schema(`{"properties":{"a":{},"c":{}}}`), "loosened"},
	} {
		t.Run(c.name, func(t *testing.T) {
			parse := func(s string) jsonvalue.Value {
				doc, err := jsonvalue.Parse(s)
				if err != nil {
					t.Fatal(err)
				}
				return doc.Root()
			}
			if got := DirectionOf(parse(c.old), parse(c.new)).String(); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
			if d := DirectionOf(parse(c.old), parse(c.old)); d != 0 {
				t.Errorf("against itself it goes %s", d)
			}
		})
	}
}
