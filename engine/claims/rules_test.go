package claims

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/manifestseal/manifestseal/engine/jsonvalue"
)

// ruleCases are for each rule members of the good tool by which its first tool
// fails, and by which it passes. A text that begins with [ is the list's tools.
var ruleCases = []struct {
	id            string
	fails, passes []string
}{
	{"I1", []string{`["get_weather"]`, `[null]`, `[[{"name": "a"}]]`}, []string{`{}`, `[{}]`}},
	{"I2", []string{`{"name": "-"}`, `{"name": 7}`, `{"name": " \t"}`, `{"name": ""}`}, []string{`{}`, `{"name": "0"}`}},
	{"I3", []string{`[{"name": "a"}, {"name": "a"}]`, `[{"name": "get x"}, {"name": "b"}, {"name": "get x"}]`}, []string{`[{"name": "a"}, {"name": "A"}]`, `{}`}},
	{"I4", []string{`{"name": "get weather"}`, `{"name": "wetter_für"}`, `{"name": "a/b"}`, `{"name": "` + strings.Repeat("a", 129) + `"}`}, []string{`{"name": "a.b-C_9"}`, `{"name": "` + strings.Repeat("a", 128) + `"}`}},
	{"I4b", []string{`{"name": "` + strings.Repeat("a", 65) + `"}`, `{"name": "` + strings.Repeat("a", 128) + `"}`}, []string{`{"name": "` + strings.Repeat("a", 64) + `"}`, `{}`}},
	{"I5", []string{`[{"name": "send_mail"}, {"name": "send_mаil"}]`, `[{"name": "read"}, {"name": "ｒead"}]`, `[{"name": "get_l"}, {"name": "get_1"}]`, `[{"name": "turn"}, {"name": "tum"}]`}, []string{`[{"name": "send_mail"}, {"name": "send_mails"}]`, `[{"name": "Read"}, {"name": "read"}]`, `[{"name": "a"}, {"name": "a"}]`}},
	{"I6", []string{`{"description": "Adds two\u200bnumbers and returns their sum."}`, `{"name": "get\u202eweather"}`, `{"title": "Weather\udb40\udc41"}`, `{"description": "Returns \u001b[8m the weather of a city."}`,
		`{"inputSchema": {"type": "object", "properties": {"a": {"type": "string", "description": "x\u2060y"}}}}`, `{"inputSchema": {"type": "object", "properties": {"a\u00adb": {"type": "string"}}}}`, `{"annotations": {"title": "a\u200fb"}}`, `{"description": "hello\u200dworld, this is the weather"}`},
		[]string{`{}`, `{"description": "Sends ❤️, 👩\u200d💻, 1️⃣ and 🏴\udb40\udc67\udb40\udc62\udb40\udc65\udb40\udc6e\udb40\udc67\udb40\udc7f to a city."}`, `{"description": "می\u200cخواهم هوای شهر را بدانم و بس"}`, `{"description": "क्\u200dष और क्\u200cष दोनों शहर का मौसम"}`, `{"description": "Lines\nand\ttabs are no secrets at all.\r\n"}`}},
	{"D1", []string{`{"description": "-"}`, `{"description": " \n"}`, `{"description": null}`, `{"description": "\u200b"}`}, []string{`{}`, `{"description": "x"}`}},
	{"D2", []string{`{"description": "Gets weather"}`, `{"name": "get_the_weather_of_city", "description": "Get the weather of city."}`, `{"title": "Weather report for cities", "description": "Weather Report for Cities."}`}, []string{`{}`, `{"description": "Twenty characters ok."}`}},
	{"D3", []string{`[{"name": "a", "description": "Returns the weather."}, {"name": "b", "description": "Returns the weather."}]`, `[{"name": "a", "description": "x"}, {"description": "x"}, {"name": "c"}]`}, []string{`{}`, `[{"name": "a", "description": "x"}, {"name": "b", "description": "y"}]`}},
	{"D4", []string{`{"title": "-"}`, `{"title": " "}`, `{"title": 5}`}, []string{`{}`, `{"title": "-", "annotations": {"title": "Weather"}}`}},
	{"D5", []string{`{"inputSchema": {"type": "object", "properties": {"a": {"type": "string"}}}}`, `{"inputSchema": {"type": "object", "properties": {"a": {"type": "string", "description": "A"}, "b": {"description": " "}, "c": true}}}`, `{"inputSchema": {"type": "object", "properties": {"a": {"$ref": "#/$defs/none"}}}}`},
		[]string{`{}`, `{"inputSchema": {"type": "object", "properties": {"a": {"$ref": "#/$defs/a"}}, "$defs": {"a": {"type": "string", "description": "A"}}}}`, `{"inputSchema": {"type": "object", "properties": {"a": {"anyOf": [{"type": "string", "description": "A"}, {"type": "null"}]}}}}`}},
	{"D6", []string{"{\"description\": \"Set `maxResults` for more of the weather.\"}", "{\"description\": \"Weather. Pass the `city_name` to it, please.\"}", "{\"description\": \"Weather; argument: `cityName` is needed.\"}"}, []string{"{\"description\": \"Weather of the argument `cityName`.\", \"inputSchema\": {\"type\": \"object\", \"properties\": {\"cityName\": {\"type\": \"string\"}}}}", "{\"description\": \"Weather. Set `city_name` to a city.\", \"inputSchema\": {\"type\": \"object\", \"properties\": {\"city_name\": {\"type\": \"string\"}}}}"}},
	{"D7", []string{`{"description": "` + strings.Repeat("é", 2001) + `"}`, `{"description": "` + strings.Repeat("ab ", 700) + `"}`}, []string{`{}`, `{"description": "` + strings.Repeat("é", 2000) + `"}`}},
	{"S1", []string{`{"inputSchema": "-"}`, `{"inputSchema": null}`, `{"inputSchema": []}`, `{"inputSchema": {}}`, `{"inputSchema": {"type": "array"}}`, `{"inputSchema": {"type": ["object"]}}`}, []string{`{}`, `{"inputSchema": {"type": "object"}}`}},
	{"S2", []string{`{"inputSchema": {"type": "object", "required": "city"}}`, `{"inputSchema": {"type": "object", "required": ["a", "a"]}}`, `{"inputSchema": {"type": "object", "required": [1]}}`, `{"inputSchema": {"type": "object", "properties": {"a": {"type": "string", "required": true}}}}`}, []string{`{}`, `{"inputSchema": {"type": "object", "required": []}}`}},
	{"S3", []string{`{"inputSchema": {"type": "object", "required": ["city"]}}`, `{"inputSchema": {"type": "object", "properties": {"a": {"type": "object", "properties": {"b": {"type": "string"}}, "required": ["b", "c"]}}}}`, `{"inputSchema": {"type": "object", "properties": {"a": {"type": "string"}}, "anyOf": [{"required": ["a"]}, {"required": ["b"]}]}}`},
		[]string{`{}`, `{"inputSchema": {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string"}}, "anyOf": [{"required": ["a"]}, {"required": ["b"]}]}}`, `{"inputSchema": {"type": "object", "patternProperties": {"^x": {"type": "string"}}, "required": ["x1"]}}`, `{"inputSchema": {"type": "object", "$defs": {"needs": {"required": ["a"]}}, "allOf": [{"$ref": "#/$defs/needs"}], "properties": {"a": {"type": "string"}}}}`, `{"inputSchema": {"type": "object", "properties": {"hasOwnProperty": {"type": "string"}}, "required": ["hasOwnProperty"]}}`}},
	{"S4", []string{`{"inputSchema": {"type": "object", "properties": {"a": {}}}}`, `{"inputSchema": {"type": "object", "properties": {"a": {"description": "A"}}}}`, `{"inputSchema": {"type": "object", "properties": {"a": true}}}`, `{"inputSchema": {"type": "object", "properties": {"a": {"type": "array", "items": {"type": "object", "properties": {"b": {"title": "B"}}}}}}}`},
		[]string{`{}`, `{"inputSchema": {"type": "object", "properties": {"a": {"enum": [1]}, "b": {"const": 1}, "c": {"$ref": "#"}, "d": {"anyOf": [{}]}, "e": {"allOf": [{}]}, "f": {"oneOf": [{}]}}}}`, `{"inputSchema": {"type": "object", "properties": {"a": {"type": "string"}}, "if": {"properties": {"a": {"minLength": 2}}}}}`}},
	{"S5", []string{`{"inputSchema": {"type": "object", "properties": {"a": {"type": "string", "default": 1}}}}`, `{"inputSchema": {"type": "object", "properties": {"a": {"enum": ["x"], "default": "y"}}}}`, `{"inputSchema": {"type": "object", "properties": {"a": {"type": "integer", "maximum": 5, "default": 6}}}}`, `{"inputSchema": {"type": "object", "properties": {"a": {"type": "integer", "default": 1.5}}}}`, `{"inputSchema": {"type": "object", "properties": {"a": {"type": "number", "exclusiveMinimum": 0, "default": 0}}}}`, `{"inputSchema": {"type": "object", "properties": {"a": {"type": "string", "maxLength": 2, "default": "abc"}}}}`, `{"inputSchema": {"type": "object", "properties": {"a": {"type": "string", "default": null}}}}`},
		[]string{`{"inputSchema": {"type": "object", "properties": {"a": {"type": "integer", "default": 1.0}}}}`, `{"inputSchema": {"type": "object", "properties": {"a": {"type": ["string", "null"], "default": null}}}}`, `{"inputSchema": {"type": "object", "properties": {"a": {"enum": [1.0], "default": 1}}}}`, `{"inputSchema": {"type": "object", "properties": {"a": {"type": "string", "maxLength": 1, "default": "😀"}}}}`, `{"inputSchema": {"type": "object", "properties": {"a": {"type": "string", "nullable": true, "default": null}}}}`}},
	{"S6", []string{`{"inputSchema": {"type": "object", "properties": {"a": {"enum": []}}}}`, `{"inputSchema": {"type": "object", "properties": {"a": {"enum": ["x", "y", "x"]}}}}`, `{"inputSchema": {"type": "object", "properties": {"a": {"enum": [1, 1.0]}}}}`}, []string{`{"inputSchema": {"type": "object", "properties": {"a": {"enum": [1, "1"]}}}}`, `{"inputSchema": {"type": "object", "properties": {"a": {"enum": [null, false, 0, ""]}}}}`}},
	{"S7", []string{`{"inputSchema": {"type": "object", "properties": {"a": {"minimum": 2, "maximum": 1}}}}`, `{"inputSchema": {"type": "object", "properties": {"a": {"minLength": 2, "maxLength": 1}}}}`, `{"inputSchema": {"type": "object", "properties": {"a": {"exclusiveMinimum": 9, "maximum": 3}}}}`}, []string{`{"inputSchema": {"type": "object", "properties": {"a": {"minimum": 1, "maximum": 1}}}}`, `{"inputSchema": {"type": "object", "properties": {"a": {"minItems": 0, "maxItems": 9}}}}`}},
	{"S8", []string{`{"inputSchema": {"type": "object", "properties": {"a": {"type": "string", "default": "x"}}, "required": ["a"]}}`, `{"inputSchema": {"type": "object", "properties": {"o": {"type": "object", "properties": {"a": {"default": null}}, "required": ["a"]}}}}`}, []string{`{}`, `{"inputSchema": {"type": "object", "properties": {"a": {"type": "string", "default": "x"}, "b": {"type": "string"}}, "required": ["b"]}}`}},
	{"S9", []string{`{"inputSchema": {"type": "object", "properties": {"a": {"type": "string", "description": "Optional. The city."}}, "required": ["a"]}}`, `{"inputSchema": {"type": "object", "properties": {"a": {"type": "string", "description": "The city (optional)"}}, "required": ["a"]}}`}, []string{`{}`, `{"inputSchema": {"type": "object", "properties": {"a": {"type": "string", "description": "Optionally filtered list, not optional itself"}}, "required": ["a"]}}`}},
	{"S10", []string{`{"inputSchema": {"type": "object", "properties": {"a": {"$ref": "#/$defs/a"}}}}`, `{"inputSchema": {"type": "object", "properties": {"a": {"$ref": "https://example.com/a.json"}}}}`, `{"inputSchema": {"type": "object", "properties": {"a": {"$ref": "#name"}}}}`, `{"inputSchema": {"type": "object", "properties": {"a": {"$ref": "other.json"}}}}`, `{"inputSchema": {"type": "object", "properties": {"a": {"$ref": "#/type"}}}}`, `{"outputSchema": {"type": "object", "properties": {"a": {"$ref": "#/x"}}}}`},
		[]string{`{"inputSchema": {"type": "object", "properties": {"a": {"$ref": "#/$defs/a~1b%25"}}, "$defs": {"a/b%": {}}}}`, `{"inputSchema": {"type": "object", "properties": {"a": {"$ref": "#"}, "b": {"$ref": "#/properties/a"}}}}`, `{"inputSchema": {"type": "object", "properties": {"a": {"$ref": "#x"}}, "$defs": {"y": {"$anchor": "x"}}}}`, `{"inputSchema": {"$id": "https://example.com/s.json", "type": "object", "properties": {"a": {"$ref": "https://example.com/s.json#/$defs/a"}, "b": {"$ref": "s.json"}}, "$defs": {"a": true}}}`, `{"inputSchema": {"type": "object", "properties": {"a": {"anyOf": [{"type": "null"}]}, "b": {"$ref": "#/properties/a/anyOf/0"}, "$ref": {"type": "string"}}}}`}},
	{"S11", []string{`{"outputSchema": null}`, `{"outputSchema": "object"}`, `{"outputSchema": {"type": "objekt"}}`, `{"outputSchema": {"properties": []}}`}, []string{`{"outputSchema": {"type": "object"}}`, `{"outputSchema": {"type": "object", "properties": {"a": {"type": "number"}}}}`}},
	{"S12", []string{`{"inputSchema": {"type": "object", "properties": {"a": {"type": "any"}}}}`, `{"inputSchema": {"type": "object", "properties": {"a": "string"}}}`, `{"inputSchema": {"type": "object", "properties": {"a": {"minLength": -1}}}}`, `{"inputSchema": {"type": "object", "properties": {"a": {"items": [{}]}}}}`, `{"inputSchema": {"type": "object", "additionalProperties": "no"}}`, `{"inputSchema": {"$schema": "http://json-schema.org/draft-04/schema#", "type": "object", "required": []}}`},
		[]string{`{}`, `{"inputSchema": {"$schema": "http://json-schema.org/draft-07/schema#", "type": "object", "properties": {"a": {"items": [{}]}}}}`, `{"inputSchema": {"type": "object", "unknown": 5, "properties": {"type": {"type": "string"}}}}`}},
	{"A1", []string{`{"annotations": []}`, `{"annotations": "readOnly"}`, `{"annotations": {"readOnlyHint": "true"}}`, `{"annotations": {"openWorldHint": null}}`}, []string{`{}`, `{"annotations": {}}`}},
	{"A2", []string{`{"name": "delete_city"}`, `{"name": "wipeDisk"}`, `{"name": "drop.table"}`, `[{"name": "x_kill_job", "annotations": {"readOnlyHint": true}}, {"name": "x_list_jobs"}]`}, []string{`{}`, `{"name": "workflow_run_delete_log_get"}`, `{"name": "update_city"}`}},
	{"A3", []string{`{"name": "update_city"}`, `{"description": "Deletes the city from the map of the world."}`, `{"name": "city_tool", "description": "Sends an e-mail to everybody in the city."}`, `{"name": "city_create", "description": "Create a city on the map."}`}, []string{`{}`, `{"name": "workflow_run", "description": "Returns a run of a workflow."}`, `{"name": "merge_request_get"}`, `{"name": "buffer_tool", "description": "Create a buffer zone around a point."}`, `{"description": "Set of tools about the weather."}`}},
	{"A4", []string{`{"annotations": {"readOnlyHint": true, "destructiveHint": true}}`, `{"name": "x", "annotations": {"destructiveHint": true, "readOnlyHint": true, "idempotentHint": true}}`}, []string{`{}`, `{"annotations": {"readOnlyHint": true, "destructiveHint": false}}`}},
	{"A5", []string{`{"name": "delete_city", "annotations": {"destructiveHint": false}}`, `{"name": "purge-cache", "annotations": {"readOnlyHint": false, "destructiveHint": false}}`}, []string{`{"name": "create_city", "annotations": {"destructiveHint": false}}`, `{"name": "city_delete_preview", "annotations": {"destructiveHint": false}}`}},
	{"A6", []string{`{"name": "create_city", "annotations": {"idempotentHint": true}}`, `{"name": "sendMail", "annotations": {"idempotentHint": true}}`}, []string{`{"name": "update_city", "annotations": {"idempotentHint": true}}`, `{"name": "delete_city", "annotations": {"idempotentHint": true}}`}},
	{"A7", []string{`{"annotations": {"openWorldHint": false}, "inputSchema": {"type": "object", "properties": {"imageUrl": {"type": "string"}}}}`, `{"annotations": {"openWorldHint": false}, "inputSchema": {"type": "object", "properties": {"to": {"type": "string", "format": "email"}}}}`, `{"annotations": {"openWorldHint": false}, "description": "Search the web for the weather of a city."}`}, []string{`{"annotations": {"openWorldHint": false}}`, `{"annotations": {"openWorldHint": false}, "description": "Lists the web apps of a subscription.", "inputSchema": {"type": "object", "properties": {"hosting": {"type": "string"}, "verify_host": {"type": "boolean"}}}}`}},
	{"A8", []string{`{"annotations": {"readOnlyHint": false}}`, `{"name": "listCities", "annotations": {"readOnlyHint": false}}`}, []string{`{"name": "get_or_create_city", "annotations": {"readOnlyHint": false}}`, `{"name": "workflow", "annotations": {"readOnlyHint": false}}`}},
	{"A9", []string{`{"name": "create_city", "annotations": "-"}`, `{"name": "delete_city", "annotations": {"destructiveHint": true}}`, `{"name": "set_city", "annotations": {"readOnlyHint": "no"}}`}, []string{`{"name": "create_city", "annotations": {"readOnlyHint": false}}`, `{"name": "create_city"}`}},
	{"A9b", []string{`{"annotations": "-"}`, `{"annotations": {"readOnlyHint": true}}`, `{"annotations": {"readOnlyHint": false, "openWorldHint": true}}`}, []string{`{}`, `{"annotations": {"readOnlyHint": false, "openWorldHint": true, "destructiveHint": false}}`}},
	{"A10", []string{`[{"name": "get_a", "annotations": {"readOnlyHint": true}}, {"name": "update_a", "annotations": {"readOnlyHint": true, "title": "x"}}]`, `[{"name": "list", "annotations": {"destructiveHint": true}}, {"name": "delete", "annotations": {"destructiveHint": true}}]`}, []string{`{}`, `[{"name": "get_a", "annotations": {"readOnlyHint": true}}, {"name": "list_a", "annotations": {"readOnlyHint": true}}]`, `[{"name": "get_a", "annotations": {"readOnlyHint": true}}, {"name": "update_a", "annotations": {"readOnlyHint": false}}]`}},
	{"A11", []string{`{"inputSchema": {"type": "object", "properties": {"method": {"enum": ["get", "delete"]}}}}`, `{"inputSchema": {"type": "object", "properties": {"o": {"type": "object", "properties": {"action": {"enum": ["list_cities", "update_city"]}}}}}}`, `{"inputSchema": {"type": "object", "properties": {"http_method": {"enum": ["GET", "POST"]}}}}`}, []string{`{"inputSchema": {"type": "object", "properties": {"method": {"enum": ["get", "get_comments"]}}}}`, `{"inputSchema": {"type": "object", "properties": {"action": {"enum": ["merge_requests", "commits"]}}}}`}},
	{"A12", []string{`{"annotations": {"readOnlyHint": true, "destructiveHint": false}}`, `{"annotations": {"readOnlyHint": true, "idempotentHint": true}}`}, []string{`{}`, `{"annotations": {"readOnlyHint": true}}`}},
	{"C1", []string{`{"inputSchema": {"type": "object", "properties": {"command": {"type": "string"}}}}`, `{"inputSchema": {"type": "object", "properties": {"code": {"type": "string", "description": "Code to execute"}}}}`, `{"inputSchema": {"type": "object", "properties": {"o": {"type": "object", "properties": {"shell_command": {"type": "string"}}}}}}`}, []string{`{}`, `{"inputSchema": {"type": "object", "properties": {"command": {"enum": ["status", "version"]}}}}`, `{"inputSchema": {"type": "object", "properties": {"code": {"type": "string", "description": "The country's code"}}}}`}},
	{"C2", []string{`{"name": "delete_city", "annotations": {"readOnlyHint": false}}`, `{"name": "manage_city", "annotations": {"destructiveHint": true}}`}, []string{`{"name": "delete_city", "annotations": {}, "inputSchema": {"type": "object", "properties": {"dry_run": {"type": "boolean"}}}}`, `{"annotations": {"destructiveHint": true}, "inputSchema": {"type": "object", "properties": {"confirmDeletion": {"type": "boolean"}}}}`}},
	{"C3", []string{`{"inputSchema": {"type": "object", "properties": {"system_prompt": {"type": "string"}}}}`, `{"inputSchema": {"type": "object", "properties": {"conversationHistory": {"type": "array"}}}}`, `{"inputSchema": {"type": "object", "properties": {"o": {"type": "object", "properties": {"privateKey": {"type": "string"}}}}}}`, `{"inputSchema": {"type": "object", "properties": {"password": {"type": "string"}}}}`}, []string{`{}`, `{"name": "create_user", "annotations": {}, "inputSchema": {"type": "object", "properties": {"password": {"type": "string"}}}}`, `{"inputSchema": {"type": "object", "properties": {"conversation_id": {"type": "string"}, "public_key": {"type": "string"}, "prompt": {"type": "string"}}}}`}},
	{"C4", []string{`{"description": "Use ghp_` + "9aKq27LmXwPz0RtYv4BsNc8JdFg3Hu1Ei5Qo" + ` for the weather."}`, `{"inputSchema": {"type": "object", "properties": {"k": {"type": "string", "default": "AKIA` + "J7Q2LMXW9PZ4RTYV" + `"}}}}`, `{"description": "key:\nAKIA` + "J7Q2LMXW9PZ4RTYV" + `."}`, `{"description": "\u0041KIA` + "J7Q2LMXW9PZ4RTYV" + `"}`, `{"_meta": {"pem": "-----BEGIN PRIVATE KEY-----\n` + strings.Repeat("MIIEvQIBADANBgkqhkiG9w0BAQE", 4) + `"}}`},
		[]string{`{}`, `{"description": "Use AKIAIOSFODNN7EXAMPLE or ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx in tests."}`, `{"description": "Takes a key that begins with -----BEGIN PRIVATE KEY----- as PEM."}`, `{"description": "task-management-for-everybody-in-the-city-and-around and sk-learn"}`}},
}

func toolsOf(t *testing.T, c string) string {
	if strings.HasPrefix(c, "[") {
		return `{"tools":` + c + `}`
	}
	return list(with(t, c))
}

func TestRules(t *testing.T) {
	for _, c := range ruleCases {
		t.Run(c.id, func(t *testing.T) {
			rule := ruleOf(t, c.id)
			if len(c.fails) < 2 || len(c.passes) < 2 {
				t.Error("a rule needs two cases at least of each kind")
			}
			for _, doc := range c.fails {
				o := grade(t, toolsOf(t, doc))
				if got := o.Tools[0].Checks[rule]; got != Fail {
					t.Errorf("%s: got %v, want fail", doc, got)
					continue
				}
				checkFindings(t, read(t, toolsOf(t, doc)).Doc.Root(), o)
			}
			for _, doc := range c.passes {
				if got := grade(t, toolsOf(t, doc)).Tools[0].Checks[rule]; got != Pass {
					t.Errorf("%s: got %v, want pass", doc, got)
				}
			}
		})
	}
	covered := map[string]bool{"I7": true, "C5": true}
	for _, c := range ruleCases {
		covered[c.id] = true
	}
	for _, r := range rules {
		if !covered[r.ID] {
			t.Errorf("rule %s has no cases", r.ID)
		}
	}
}

// checkFindings holds the findings against the checks: one for each that failed
// or is unknown, each with a pointer that leads somewhere and short evidence.
func checkFindings(t *testing.T, root jsonvalue.Value, o *Output) {
	t.Helper()
	type key struct{ tool, rule int }
	found := map[key]int{}
	for _, f := range o.Findings {
		if !resolves(root, f.Pointer) {
			t.Errorf("%s: the pointer %q leads nowhere", rules[f.Rule].ID, f.Pointer)
		}
		if n := codePoints(f.Evidence); n > evidenceLength {
			t.Errorf("%s: evidence of %d characters", rules[f.Rule].ID, n)
		}
		if f.Message == "" {
			t.Errorf("%s: no message", rules[f.Rule].ID)
		}
		if f.Tool >= 0 {
			found[key{f.Tool, f.Rule}]++
		}
	}
	for i := range o.Tools {
		for r, s := range o.Tools[i].Checks {
			want := 0
			if s == Fail || s == Unknown && r != ruleI7 {
				want = 1
			}
			if got := found[key{i, r}]; got != want {
				t.Errorf("tool %d, %s is %v and has %d findings, want %d", i, rules[r].ID, s, got, want)
			}
		}
	}
}

func resolves(v jsonvalue.Value, pointer string) bool {
	for pointer != "" {
		token, rest, _ := strings.Cut(pointer[1:], "/")
		if pointer = rest; rest != "" {
			pointer = "/" + rest
		}
		token = strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~")
		if v.Kind() == jsonvalue.Array {
			next := jsonvalue.Value{}
			for i, e := range v.Elems() {
				if itoa(i) == token {
					next = e
				}
			}
			v = next
		} else {
			v = v.Get(token)
		}
	}
	return v.Exists()
}

func TestGoodToolHasFullMarks(t *testing.T) {
	o := grade(t, list(goodTool))
	if o.Score != 100 || o.Grade != "A" || o.Counts.Fail != 0 {
		t.Errorf("got %d %s %+v %+v", o.Score, o.Grade, o.Counts, o.Findings)
	}
	if len(o.Findings) != 1 || o.Findings[0].Rule != ruleC5 {
		t.Errorf("got findings %+v, want the size alone", o.Findings)
	}
}

func TestPage(t *testing.T) {
	o := grade(t, `{"nextCursor": "x", "tools": [`+goodTool+`]}`)
	if got := o.Tools[0].Checks[ruleI7]; got != Unknown {
		t.Errorf("I7: got %v, want unknown", got)
	}
	if o.Score != 100 || o.Counts.Unknown != 1 {
		t.Errorf("got score %d and %d unknown; unknown is shown, never counted", o.Score, o.Counts.Unknown)
	}
	if f := o.Findings[0]; f.Rule != ruleI7 || f.Tool != -1 || f.Pointer != "/nextCursor" {
		t.Errorf("got %+v", f)
	}
	if o := grade(t, `{"nextCursor": null, "tools": [`+goodTool+`]}`); o.Tools[0].Checks[ruleI7] != Pass {
		t.Error("nextCursor: null is no page")
	}
}

func TestUnknownDialect(t *testing.T) {
	o := grade(t, list(with(t, `{"inputSchema": {"$schema": "https://example.com/mine", "type": "object"}}`)))
	if got := o.Tools[0].Checks[ruleS12]; got != Unknown {
		t.Errorf("got %v, want unknown", got)
	}
}

func TestEvidenceSpellsOutHiddenCharacters(t *testing.T) {
	o := grade(t, list(with(t, `{"description": "Returns\u202e the weather of a city."}`)))
	for _, f := range o.Findings {
		if f.Rule == ruleI6 {
			if diff := cmp.Diff("Returns⟨U+202E⟩ the weather of a city.", f.Evidence); diff != "" {
				t.Error(diff)
			}
		}
	}
}

func TestSecretsAreNotRepeated(t *testing.T) {
	const secret = "ghp_9aKq27LmXwPz0RtYv4BsNc8JdFg3Hu1Ei5Qo"
	o := grade(t, list(with(t, `{"title": "`+secret+`"}`)))
	for _, f := range o.Findings {
		if f.Rule == ruleC4 && strings.Contains(f.Evidence+f.Message, secret) {
			t.Errorf("the report repeats the secret: %+v", f)
		}
	}
}
