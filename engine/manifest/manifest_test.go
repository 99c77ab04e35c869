package manifest

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/manifestseal/manifestseal/engine/jsonvalue"
)

const (
	tools  = `{"tools":[{"name":"a"},{"name":"b"}]}`
	answer = `{"jsonrpc":"2.0","id":1,"result":` + tools + `}`
)

// quoted is a text as a JSON string.
func quoted(text string) string { return string(jsonvalue.AppendQuoted(nil, text)) }

// Every wrapper gives the same two tools, and says where it took them from.
func TestWrappers(t *testing.T) {
	for _, c := range []struct {
		name, document string
		line, column   int // where what was taken out begins
	}{
		{"event stream", "event: message\r\nid: 1\r\ndata: " + answer + "\r\n\r\n", 3, 7},
		{"event stream without a space", "data:" + answer, 1, 6},
		{"event stream with other messages", "event: endpoint\ndata: /messages?session=1\n\n: comment\n\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\"}\n\ndata: " + answer + "\n\n", 8, 7},
		{"event over several lines", "data: {\"result\":\ndata: " + tools + "}\n\n", 1, 1},
		{"stdio log", "starting\n{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":{\"protocolVersion\":\"x\"}}\n2026-01-01 <- " + answer + "\n", 3, 15},
		{"code fence", "Here it is:\n\n```json\n" + tools + "\n```\nThat was it.", 3, 8},
		{"code fence with tildes", "~~~\n[{\"name\":\"a\"},{\"name\":\"b\"}]\n~~~", 1, 4},
		{"code fence never closed", "```\n" + tools, 1, 4},
		{"string", quoted(tools), 1, 1},
		{"inspector's entry, text", `{"request":"{}","response":` + quoted(tools) + `}`, 1, 1},
		{"inspector's entry, object", `{"request":{"method":"tools/list"},"response":` + tools + `}`, 1, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, err := Read([]byte(c.document), Lenient)
			if err != nil {
				t.Fatal(err)
			}
			if len(m.Entries) != 2 || m.Entries[0].Name != "a" || m.Entries[1].Name != "b" {
				t.Errorf("got %d tools", len(m.Entries))
			}
			if len(m.Notes) == 0 || m.Notes[0].Code != Unwrapped || m.Notes[0].Line != c.line || m.Notes[0].Column != c.column {
				t.Errorf("notes %+v, want unwrapped at %d:%d", m.Notes, c.line, c.column)
			}
			if _, err := Read([]byte(c.document), Wire); err == nil {
				t.Error("an endpoint would accept it")
			}
		})
	}
}

// Where a text is not UTF-8, nothing is taken out of it, wherever the fault is.
func TestBrokenTextIsNotUnwrapped(t *testing.T) {
	for _, document := range []string{
		"```json\n" + tools + "\n```\n\xff", "\xff\n```json\n" + tools + "\n```", "event: \xff\ndata: " + answer + "\n\n",
		"\xc3\n" + answer + "\n", "```json\n[{\"name\":\"\xff\"}]\n```",
	} {
		_, err := Read([]byte(document), Lenient)
		var e *jsonvalue.Error
		if !errors.As(err, &e) || e.Class != jsonvalue.Encoding || e.Offset != strings.IndexRune(document, utf8.RuneError) {
			t.Errorf("%q: %+v", document, err)
		}
	}
}

func TestWrappersThatHoldNoneOrSeveral(t *testing.T) {
	for _, c := range []struct {
		name, document string
		class          jsonvalue.Class
		code           string
	}{
		{"no result in a stream", "data: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n\n", jsonvalue.Wrapper, "no_result"},
		{"two results in a stream", "data: " + answer + "\n\ndata: " + answer + "\n\n", jsonvalue.Wrapper, "several_results"},
		{"two in a log", answer + "\n" + answer + "\n", jsonvalue.Wrapper, "several_results"},
		{"two fences", "```\n" + tools + "\n```\n```\n" + tools + "\n```", jsonvalue.Wrapper, "several_results"},
		{"a fence of other code", "```sh\nls\n```", jsonvalue.Wrapper, "no_result"},
		{"a string of another document", quoted(`{"openapi":"3.1.0"}`), jsonvalue.Wrapper, "no_result"},
		{"a string of words", `"hello"`, jsonvalue.Shape, "not_a_manifest"},
		{"a broken result in a stream", "data: {\"result\":{\"tools\":[}}\n\n", jsonvalue.Syntax, ""},
		{"a bare array in a stream", "data: {\"x\":1}\n\ndata: [{\"name\":\"a\"}]\n\n", jsonvalue.Wrapper, "no_result"},
		{"a fence too deep", "```\n" + strings.Repeat("[", 1001) + "\n```", jsonvalue.Depth, "too_deep"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Read([]byte(c.document), Lenient)
			var e *jsonvalue.Error
			if !errors.As(err, &e) || e.Class != c.class || e.Code != c.code {
				t.Errorf("got %+v, want class %s, code %q", err, c.class, c.code)
			}
			if e != nil && e.Class == jsonvalue.Wrapper && e.Advice == "" {
				t.Error("it does not say what to do")
			}
		})
	}
}

// A place inside a wrapper is a place in what the person handed in.
func TestPlacesInsideAWrapper(t *testing.T) {
	m, err := Read([]byte("```json\n{\"tools\":[\n {\"n\":1,\"n\":2}]}\n```"), Lenient)
	if err != nil {
		t.Fatal(err)
	}
	note := m.Notes[1]
	if diff := cmp.Diff([]any{jsonvalue.DuplicateMember, "/tools/0/n", 3, 9}, []any{note.Code, note.Pointer, note.Line, note.Column}); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestNeighboursAreNamed(t *testing.T) {
	for code, document := range map[string]string{
		"mcp_servers_config":    `{"mcpServers":{}}`,
		"vscode_servers_config": `{"servers":{}}`,
		"jsonrpc_error":         `{"jsonrpc":"2.0","error":{"code":1}}`,
		"jsonrpc_request":       `{"jsonrpc":"2.0","method":"tools/list"}`,
		"openapi":               `{"openapi":"3.1.0","paths":{}}`,
		"initialize_result":     `{"result":{"protocolVersion":"x","capabilities":{"tools":{}}}}`,
		"prompts_list":          `{"prompts":[]}`,
		"resources_list":        `{"result":{"resourceTemplates":[]}}`,
		"tool_call_result":      `{"content":[]}`,
		"nested_result":         `{"result":{"result":{"tools":[]}}}`,
		"single_tool":           `{"name":"a","inputSchema":{}}`,
		"registry_server":       `{"name":"a","packages":[]}`,
		"mcpb_manifest":         `{"manifest_version":"0.3","name":"a","version":"1"}`,
		"package_json":          `{"name":"a","version":"1"}`,
		"json_schema":           `{"$schema":"x"}`,
		"tools_by_name":         `{"tools":{"a":{}}}`,
		"tools_not_array":       `{"tools":null}`,
		"several_servers":       `{"one":{"tools":[]},"two":{"tools":[]}}`,
		"not_a_manifest":        `{}`,
		"own_report":            `{"criteria_id":"mcp-manifest-drift/v1","tools":[{"name":"a"}]}`,
		"own_digest_block":      `{"criteria_id":"mcp-manifest-drift/v1","tools":[],"aggregate_digest":"x"}`,
		"own_lockfile":          `{"scheme":"manifestseal-lock/v1","tools":[]}`,
	} {
		_, err := Read([]byte(document), Wire)
		var e *jsonvalue.Error
		if !errors.As(err, &e) || e.Class != jsonvalue.Shape || e.Code != code || e.Advice == "" {
			t.Errorf("%s: got %+v, want the code %s and advice", document, err, code)
		}
	}
}

func TestPairingNames(t *testing.T) {
	m, err := Read([]byte(`[{"name":" a "},{"name":"\u2003\ufeff"},{"name":""},{"name":5},{},"a",{"name":"\u200b"},{"name":"\ud800"}]`), Wire)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range m.Entries {
		if !e.Named {
			got = append(got, "null")
			continue
		}
		got = append(got, e.Name)
	}
	// U+200B is no white space of ECMAScript's.
	want := []string{" a ", "null", "null", "null", "null", "null", "\u200b", "\xed\xa0\x80"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestEncodings(t *testing.T) {
	utf16 := func(order string) []byte {
		out := map[string][]byte{"le": {0xFF, 0xFE}, "be": {0xFE, 0xFF}}[order]
		for _, c := range []byte(tools) {
			if order == "le" {
				out = append(out, c, 0)
			} else {
				out = append(out, 0, c)
			}
		}
		return out
	}
	for _, c := range []struct {
		name     string
		document []byte
		code     string // of the refusal; "" when it is read
	}{
		{"UTF-16LE", utf16("le"), ""},
		{"UTF-16BE", utf16("be"), ""},
		{"UTF-8 with a mark", []byte("\uFEFF" + tools), ""},
		{"UTF-16 cut", utf16("le")[:9], "invalid_utf16"},
		{"UTF-16 with half a pair", []byte("\xFF\xFE\"\x00\x3D\xD8x\x00"), "invalid_utf16"},
		{"UTF-32LE", []byte("\xFF\xFE\x00\x00[\x00\x00\x00"), "utf32"},
		{"UTF-32BE", []byte("\x00\x00\xFE\xFF\x00\x00\x00["), "utf32"},
		{"gzip", []byte("\x1F\x8B\x08\x00"), "gzip"},
		{"zip", []byte("PK\x03\x04"), "zip"},
		{"a byte that is no UTF-8", []byte("[\"\xFF\"]"), "invalid_utf8"},
	} {
		m, err := Read(c.document, Lenient)
		var e *jsonvalue.Error
		switch {
		case c.code == "" && (err != nil || len(m.Entries) != 2):
			t.Errorf("%s: %v", c.name, err)
		case c.code != "" && (!errors.As(err, &e) || e.Code != c.code):
			t.Errorf("%s: got %v, want %s", c.name, err, c.code)
		}
	}
}

// Whatever is handed in: an answer or a named error, never a panic; and what an
// endpoint accepts, people's clipboards accept too.
func FuzzRead(f *testing.F) {
	for _, s := range []string{tools, answer, "data: " + answer + "\n\n", "```\n" + tools + "\n```", quoted(tools), "\xFF\xFE{\x00", "x\n" + answer, `{"request":1,"response":"[]"}`, `"\ud800{"`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		strict, strictErr := Read(data, Wire)
		m, err := Read(data, Lenient)
		if strictErr == nil && (err != nil || len(m.Entries) != len(strict.Entries)) {
			t.Fatalf("%q: an endpoint reads %d tools, a person %v", data, len(strict.Entries), err)
		}
		var e *jsonvalue.Error
		if err != nil && (!errors.As(err, &e) || e.Class == "" || e.Message == "") {
			t.Fatalf("%q: %v", data, err)
		}
	})
}
