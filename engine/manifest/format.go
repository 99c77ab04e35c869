package manifest

import (
	"strings"

	"github.com/manifestseal/manifestseal/engine/jsonvalue"
)

// nameSyntax adds to a syntax error which other format the text is, where its
// beginning tells. The place stays: it is where the text stops being JSON.
func nameSyntax(text string, err error) error {
	syntax, ok := err.(*jsonvalue.Error)
	if !ok || syntax.Class != jsonvalue.Syntax {
		return err
	}
	begin := strings.TrimLeft(text, " \t\r\n")
	for _, f := range []struct {
		code   string
		is     bool
		say    string
		advice string
	}{
		{"json_text_sequence", strings.HasPrefix(begin, "\x1E"),
			"this is a JSON text sequence (RFC 7464)", "Put its records into one array: jq --seq -s . FILE."},
		{"html", strings.HasPrefix(begin, "<"),
			"this is HTML or XML", "The address answered with a page: fetch the tools/list document itself."},
		{"yaml", isYAML(begin),
			"this looks like YAML", "Convert it to JSON first: yq -o json FILE."},
		{"python", isPython(begin),
			"this looks like Python's way to print a value", "Print it with json.dumps."},
		{"json5", isJSON5(begin),
			"this looks like JSON5 or JavaScript", "Write names and strings in double quotes, without trailing commas or comments."},
	} {
		if f.is {
			syntax.Code = f.code
			syntax.Message = f.say + ": " + syntax.Message
			syntax.Advice = f.advice
			return syntax
		}
	}
	return syntax
}

func isYAML(begin string) bool {
	if strings.HasPrefix(begin, "---") || strings.HasPrefix(begin, "- ") {
		return true
	}
	line, _, _ := strings.Cut(begin, "\n")
	key, _, found := strings.Cut(strings.TrimRight(line, "\r"), ":")
	if !found || key == "" {
		return false
	}
	for i := range len(key) {
		if c := key[i] | 0x20; (c < 'a' || c > 'z') && key[i] != '_' && key[i] != '-' {
			return false
		}
	}
	return true
}

func isPython(begin string) bool {
	return (strings.HasPrefix(begin, "{'") || strings.HasPrefix(begin, "[{'")) && !strings.Contains(begin, "//")
}

// isJSON5: an object that begins with a bare name or single quotes.
func isJSON5(begin string) bool {
	rest, found := strings.CutPrefix(begin, "{")
	rest = strings.TrimLeft(rest, " \t\r\n")
	if !found || rest == "" {
		return false
	}
	c := rest[0] | 0x20
	return c >= 'a' && c <= 'z' || rest[0] == '\'' || rest[0] == '$' || rest[0] == '_'
}
