package capability

import (
	"slices"
	"strings"

	"github.com/manifestseal/manifestseal/engine/jsonvalue"
)

// Inner is a command inside a batch.
type Inner struct {
	Pointer string // JSON Pointer to the command, into the arguments or the tool that was asked about
	Name    string
	Tier    Tier
}

// maxInner is how many commands of a batch are kept. A batch that holds more is opaque.
const maxInner = 1000

// Command returns the tier of a command that is known by its name alone: a tool, a method, an action. The first word of
// a command line is its command.
func Command(name string) Tier { return inCommand(name).tier }

func inCommand(name string) finding {
	switch name {
	case "GET", "HEAD", "OPTIONS":
		return finding{Read, lead, name, false}
	case "POST", "PUT", "PATCH":
		return finding{Mutate, lead, name, false}
	}
	words := splitName(name)
	f := inName(words)
	if f.strength == hint && len(words) > 1 {
		return finding{}
	}
	return f
}

// Unpack returns the commands inside the batches of a call's arguments, and whether one of them could not be read. What
// is no batch gives nothing.
func Unpack(arguments jsonvalue.Value) (inner []Inner, opaque bool) {
	for _, m := range members(arguments) {
		if !isBatchParameter(squeeze(m.name)) {
			continue
		}
		u := unpacker{}
		u.payload(jsonvalue.PointerToken("", m.name), m.value)
		inner = append(inner, u.inner...)
		opaque = opaque || u.opaque || len(u.inner) == 0
	}
	return inner, opaque
}

type unpacker struct {
	inner  []Inner
	opaque bool
}

// payload takes a list of commands, one command, or either as a text that holds JSON.
func (u *unpacker) payload(pointer string, v jsonvalue.Value) {
	switch v.Kind() {
	case jsonvalue.String:
		doc, err := jsonvalue.Parse(v.Text())
		if err != nil {
			u.command(pointer, v.Text())
			return
		}
		if root := doc.Root(); root.Kind() != jsonvalue.String {
			u.payload(pointer, root)
			return
		}
		u.opaque = true
	case jsonvalue.Array:
		for i, e := range elements(v) {
			if len(u.inner) == maxInner {
				u.opaque = true
				return
			}
			u.one(jsonvalue.PointerToken(pointer, indexToken(i)), e)
		}
	case jsonvalue.Object:
		u.one(pointer, v)
	}
}

// one takes one command: a text, an object that names it, or a list whose first element does.
func (u *unpacker) one(pointer string, v jsonvalue.Value) {
	switch v.Kind() {
	case jsonvalue.String:
		u.command(pointer, v.Text())
	case jsonvalue.Object:
		name := ""
		for _, key := range commandKeys {
			if t := v.Get(key); t.Kind() == jsonvalue.String {
				name = t.Text()
				break
			}
		}
		if name == "" {
			u.opaque = true
			return
		}
		u.command(pointer, name)
	case jsonvalue.Array:
		if words := elements(v); len(words) > 0 {
			u.command(pointer, words[0].Text())
		}
	default:
		u.opaque = true
	}
}

func (u *unpacker) command(pointer, name string) {
	u.inner = append(u.inner, Inner{pointer, name, Command(name)})
}

// isBatchParameter says whether a parameter carries commands.
func isBatchParameter(word string) bool {
	return in(word, " commandsjson commandjson commands batch batchcommands batchjson steps stepsjson toolcalls calls callsjson actions actionsjson operations "+
		"operationsjson requests tasks workflow pipeline macro sequence instructions invocations ")
}

// carriesCommands says whether a parameter's schema fits commands: a text that is JSON by its name, or objects that have
// a member for the command's name.
func carriesCommands(word string, s jsonvalue.Value) bool {
	if strings.HasSuffix(word, "json") || word == "commands" || word == "batchcommands" {
		return isText(s) || hasType(s, "array")
	}
	if !hasType(s, "array") {
		return false
	}
	p := s.Get("items").Get("properties")
	return slices.ContainsFunc(commandKeys[:], func(key string) bool { return p.Get(key).Exists() })
}

// commandKeys are the members under which a batch names a command, the surest first.
var commandKeys = [...]string{"command", "tool", "tool_name", "toolName", "name", "action", "method", "operation", "op", "type", "cmd"}
