package manifest

import (
	"github.com/manifestseal/manifestseal/engine/jsonvalue"
)

// neighbour is a kind of document that people mistake for a manifest.
type neighbour struct {
	code    string
	is      func(root jsonvalue.Value) bool
	message string
	advice  string
}

const (
	askServer = "Ask the server for its tools/list and give its answer here."
	giveWhole = "Give the whole answer to tools/list: {\"tools\": [...]}, {\"result\": {\"tools\": [...]}} or a bare array of tools."
)

func isObject(v jsonvalue.Value) bool { return v.Kind() == jsonvalue.Object }
func isArray(v jsonvalue.Value) bool  { return v.Kind() == jsonvalue.Array }
func isString(v jsonvalue.Value) bool { return v.Kind() == jsonvalue.String }

// neighbours is looked through in order; the first that fits names the document.
var neighbours = [...]neighbour{
	{"mcp_servers_config", func(r jsonvalue.Value) bool { return isObject(r.Get("mcpServers")) },
		"this is a client configuration (mcpServers), not a manifest", "It says how servers are started. " + askServer},
	{"vscode_servers_config", func(r jsonvalue.Value) bool {
		return isObject(r.Get("servers")) || isObject(r.Get("mcp").Get("servers"))
	}, "this is an editor's server configuration (servers), not a manifest", "It says how servers are started. " + askServer},
	{"jsonrpc_error", func(r jsonvalue.Value) bool { return isObject(r.Get("error")) && !r.Get("result").Exists() },
		"this is a JSON-RPC error response, not a tools/list result", "The server refused the call: read error.message, mend the call and ask again."},
	{"openapi", func(r jsonvalue.Value) bool { return isString(r.Get("openapi")) || isString(r.Get("swagger")) },
		"this is an OpenAPI document, not a manifest", "It describes an HTTP interface. " + askServer},
	{"initialize_result", func(r jsonvalue.Value) bool {
		return r.Get("protocolVersion").Exists() || r.Get("result").Get("protocolVersion").Exists() || r.Get("serverInfo").Exists()
	}, "this is the answer to initialize, not to tools/list", "Call tools/list after initialize and give that answer here."},
	{"jsonrpc_request", func(r jsonvalue.Value) bool { return isString(r.Get("method")) && r.Get("jsonrpc").Exists() },
		"this is a JSON-RPC request or notification, not a result", "Give the server's answer to tools/list."},
	{"prompts_list", func(r jsonvalue.Value) bool {
		return isArray(r.Get("prompts")) || isArray(r.Get("result").Get("prompts"))
	},
		"this is a list of prompts, not of tools", askServer},
	{"resources_list", func(r jsonvalue.Value) bool {
		return isArray(r.Get("resources")) || isArray(r.Get("result").Get("resources")) ||
			isArray(r.Get("resourceTemplates")) || isArray(r.Get("result").Get("resourceTemplates"))
	}, "this is a list of resources, not of tools", askServer},
	{"tool_call_result", func(r jsonvalue.Value) bool {
		return isArray(r.Get("content")) || isArray(r.Get("result").Get("content"))
	},
		"this is the result of a tool call, not of tools/list", askServer},
	{"nested_result", func(r jsonvalue.Value) bool { return isArray(r.Get("result").Get("result").Get("tools")) },
		"this holds a result inside a result", "Take the outer object away and give {\"result\": {\"tools\": [...]}}."},
	{"single_tool", func(r jsonvalue.Value) bool {
		return isString(r.Get("name")) && (r.Get("inputSchema").Exists() || r.Get("input_schema").Exists())
	}, "this is one tool, not a list of tools", "Put it into an array: [ ... ]."},
	{"registry_server", func(r jsonvalue.Value) bool {
		return isArray(r.Get("packages")) || isArray(r.Get("remotes")) || isArray(r.Get("servers"))
	}, "this is a registry's server.json, not a manifest", "It says where a server is had. " + askServer},
	{"mcpb_manifest", func(r jsonvalue.Value) bool {
		return r.Get("manifest_version").Exists() || r.Get("dxt_version").Exists()
	},
		"this is a bundle's manifest.json, not a tools/list result", askServer},
	{"package_json", func(r jsonvalue.Value) bool {
		return isString(r.Get("name")) && isString(r.Get("version"))
	}, "this is a package.json, not a manifest", "It describes a package. " + askServer},
	{"json_schema", func(r jsonvalue.Value) bool { return r.Get("$schema").Exists() || isObject(r.Get("properties")) },
		"this is a JSON Schema, not a manifest", askServer},
	{"tools_by_name", func(r jsonvalue.Value) bool { return isObject(r.Get("tools")) },
		"\"tools\" is an object here, not an array", "Make it an array of tools, each with its name."},
	{"tools_not_array", func(r jsonvalue.Value) bool { return r.Get("tools").Exists() || r.Get("result").Get("tools").Exists() },
		"\"tools\" is not an array", giveWhole},
	{"several_servers", severalServers,
		"this holds the tools of several servers, keyed by server", "Compare one server at a time: take out the object of one."},
}

// severalServers: an object whose every member is a manifest by itself.
func severalServers(root jsonvalue.Value) bool {
	if root.Len() == 0 {
		return false
	}
	for _, v := range root.Members() {
		if !isArray(v.Get("tools")) {
			return false
		}
	}
	return true
}

// Neighbour says why a readable document is no manifest: which known neighbour
// it is and what to do, or that no shape fits (R10). It is an error of class
// Shape.
func Neighbour(root jsonvalue.Value) *jsonvalue.Error {
	if e := ownError(Own(root)); e != nil {
		return e
	}
	if isObject(root) {
		for _, n := range &neighbours {
			if n.is(root) {
				return &jsonvalue.Error{Class: jsonvalue.Shape, Code: n.code, Message: n.message, Advice: n.advice}
			}
		}
	}
	return &jsonvalue.Error{Class: jsonvalue.Shape, Code: "not_a_manifest", Message: "this is " + describe(root) + ", not a tools/list document", Advice: giveWhole}
}

func describe(v jsonvalue.Value) string {
	switch v.Kind() {
	case jsonvalue.Null:
		return "null"
	case jsonvalue.True, jsonvalue.False:
		return "a boolean"
	case jsonvalue.Number:
		return "a number"
	case jsonvalue.String:
		return "a string"
	}
	if v.Len() == 0 {
		return "an empty object"
	}
	return "an object without a tools array"
}

// cousin is a list that fits an accepted shape and yet is no tools/list: told
// by the document, or by an entry without inputSchema.
type cousin struct {
	document func(root jsonvalue.Value) bool
	entry    func(tool jsonvalue.Value) bool
	say      string
}

const notCovered = " Their schemas do not stand under inputSchema, so the digest does not cover them."

var cousins = [...]cousin{
	{document: func(r jsonvalue.Value) bool {
		return r.Get("manifest_version").Exists() || r.Get("dxt_version").Exists()
	},
		say: "This looks like a bundle's manifest.json: its tools hold a name and a description only. Compare the server's own tools/list."},
	{entry: func(t jsonvalue.Value) bool { return t.Get("jsonrpc").Exists() },
		say: "This looks like a JSON-RPC batch: each response counts as one nameless tool. Give the tools/list response alone."},
	{entry: func(t jsonvalue.Value) bool { return isObject(t.Get("function")) || isObject(t.Get("parameters")) },
		say: "This looks like a list of OpenAI functions." + notCovered},
	{entry: func(t jsonvalue.Value) bool {
		return isArray(t.Get("functionDeclarations")) || isArray(t.Get("function_declarations"))
	}, say: "This looks like Gemini function declarations: each group counts as one nameless tool." + notCovered},
	{entry: func(t jsonvalue.Value) bool { return t.Get("input_schema").Exists() },
		say: "This looks like a list of Anthropic tools." + notCovered},
	{entry: func(t jsonvalue.Value) bool { return isArray(t.Get("arguments")) },
		say: "This looks like a registry's list of tools or a list of prompts." + notCovered},
}

func looksLike(m *Manifest, root jsonvalue.Value) string {
	for _, c := range &cousins {
		if c.document != nil && c.document(root) || c.entry != nil && anyBare(m.Entries, c.entry) {
			return c.say
		}
	}
	return ""
}

func anyBare(entries []Entry, is func(jsonvalue.Value) bool) bool {
	for _, e := range entries {
		if !e.Value.Get("inputSchema").Exists() && is(e.Value) {
			return true
		}
	}
	return false
}
