package manifest

import (
	"strconv"
	"strings"

	"github.com/manifestseal/manifestseal/engine/jsonvalue"
)

// What people have in the clipboard is often a wrapper around the answer
// (R10a). A wrapper is looked for only where the text itself is no JSON, or
// JSON that is no manifest; exactly one result is taken out, never a guess
// between several.

// part is a piece of a wrapper that may be a tools/list result.
type part struct {
	text     string // the text that holds it
	from, to int    // where in text
}

// unwrapText looks for a wrapper in a text that is no JSON; without one it
// returns the syntax error, better named where the text is a known neighbour.
func unwrapText(text string, syntax error) (*Manifest, error) {
	body := strings.TrimPrefix(text, "\uFEFF")
	skip := len(text) - len(body)
	for _, w := range []struct {
		name  string
		parts func(string) ([]part, bool)
	}{
		{"a text/event-stream capture", eventStream},
		{"a Markdown code fence", codeFences},
		{"a log of JSON-RPC lines", logLines},
	} {
		parts, is := w.parts(text[skip:])
		if !is {
			continue
		}
		for i := range parts {
			if parts[i].text == "" {
				parts[i] = part{text, parts[i].from + skip, parts[i].to + skip}
			}
		}
		return only(w.name, parts)
	}
	return nil, nameSyntax(body, syntax)
}

// only returns the one manifest among the parts of a wrapper.
func only(wrapper string, parts []part) (*Manifest, error) {
	var found *Manifest
	var at part
	n := 0
	for _, p := range parts {
		doc, err := jsonvalue.ParsePart(p.text, p.from, p.to, jsonvalue.MaxDepth)
		if err != nil {
			// A result that cannot be read may be the one that was meant.
			return nil, err
		}
		if m := fit(doc); m != nil && (m.Shape != BareArray || wrapper == "a Markdown code fence") {
			found, at = m, p
			n++
		}
	}
	if n != 1 {
		return nil, wrapperError(wrapper, n)
	}
	note := jsonvalue.Note{Code: Unwrapped, Position: jsonvalue.PositionOf(at.text, at.from), Message: "The tools/list result was taken out of " + wrapper + "."}
	found.Notes = append([]jsonvalue.Note{note}, found.Notes...)
	return found, nil
}

func wrapperError(wrapper string, n int) error {
	e := &jsonvalue.Error{Class: jsonvalue.Wrapper}
	if n == 0 {
		e.Code = "no_result"
		e.Message = "this is " + wrapper + " that holds no tools/list result"
		e.Advice = "Give the part in which the server answers tools/list."
		return e
	}
	e.Code = "several_results"
	e.Message = "this is " + wrapper + " that holds " + strconv.Itoa(n) + " tools/list results"
	e.Advice = "Give one of them: which is meant can't be told. If they are pages of one list, put their tools into one array."
	return e
}

// lines yields each line's place, without its line break.
func lines(text string, yield func(from, to int)) {
	for from := 0; from < len(text); {
		to := strings.IndexAny(text[from:], "\r\n")
		if to < 0 {
			yield(from, len(text))
			return
		}
		yield(from, from+to)
		from += to + 1
		if text[from-1] == '\r' && from < len(text) && text[from] == '\n' {
			from++
		}
	}
}

// eventStream finds the data of a text/event-stream's events.
func eventStream(text string) (parts []part, is bool) {
	first := strings.TrimLeft(text, " \t\r\n")
	for _, field := range []string{"event:", "data:", "id:", "retry:", ":"} {
		is = is || strings.HasPrefix(first, field)
	}
	if !is {
		return nil, false
	}
	is = false
	var data []part
	flush := func() {
		if p, ok := joinData(text, data); ok {
			parts = append(parts, p)
		}
		data = data[:0]
	}
	lines(text, func(from, to int) {
		line := text[from:to]
		if line == "" {
			flush()
		}
		if value, ok := strings.CutPrefix(line, "data:"); ok {
			is = is || value != ""
			data = append(data, part{from: to - len(strings.TrimPrefix(value, " ")), to: to})
		}
	})
	flush()
	return parts, is
}

// joinData is one event's data: a place in the text when it is one line, a text
// of its own when it is several. Data that is no JSON object (an endpoint's
// address) is none.
func joinData(text string, data []part) (part, bool) {
	if len(data) == 0 || !strings.HasPrefix(strings.TrimLeft(text[data[0].from:data[0].to], " \t"), "{") {
		return part{}, false
	}
	if len(data) == 1 {
		return data[0], true
	}
	var b strings.Builder
	for i, d := range data {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(text[d.from:d.to])
	}
	return part{b.String(), 0, b.Len()}, true
}

// codeFences finds the contents of Markdown code fences that begin like JSON.
func codeFences(text string) (parts []part, is bool) {
	fence, from := "", 0
	lines(text, func(start, end int) {
		line := strings.TrimSpace(text[start:end])
		switch mark := fenceMark(line); {
		case mark == "":
		case fence == "":
			fence, from = mark, end
			is = true
		case strings.HasPrefix(mark, fence) && mark == line:
			parts = appendJSON(parts, text, from, start)
			fence = ""
		}
	})
	if fence != "" {
		parts = appendJSON(parts, text, from, len(text))
	}
	return parts, is
}

func appendJSON(parts []part, text string, from, to int) []part {
	if body := strings.TrimSpace(text[from:to]); strings.HasPrefix(body, "{") || strings.HasPrefix(body, "[") {
		return append(parts, part{from: from, to: to})
	}
	return parts
}

func fenceMark(line string) string {
	for _, c := range []string{"`", "~"} {
		if n := len(line) - len(strings.TrimLeft(line, c)); n >= 3 {
			return line[:n]
		}
	}
	return ""
}

// logLines finds the JSON-RPC messages of a log, one a line, each perhaps behind
// a prefix such as a time. One broken message makes the text no such log.
func logLines(text string) (parts []part, is bool) {
	count := 0
	lines(text, func(from, to int) {
		brace := strings.IndexByte(text[from:to], '{')
		if brace >= 0 && strings.Contains(text[from:to], `"jsonrpc"`) {
			parts = append(parts, part{from: from + brace, to: from + len(strings.TrimRight(text[from:to], " \t"))})
		}
		count++
	})
	for _, p := range parts {
		if text[p.to-1] != '}' {
			return nil, false
		}
	}
	return parts, len(parts) > 0 && count > 1
}

// unwrapValue takes a result out of JSON that holds JSON: a string, or an
// inspector's history entry. It returns nothing where the value is neither.
func unwrapValue(root jsonvalue.Value) (*Manifest, error) {
	inner, wrapper := root, "a JSON string"
	if isObject(root) && root.Get("request").Exists() && root.Get("response").Exists() {
		inner, wrapper = root.Get("response"), "an inspector's history entry"
	}
	var text string
	switch {
	case isString(inner):
		text = jsonSource(inner.Text())
		if begin := strings.TrimLeft(text, " \t\r\n"); !strings.HasPrefix(begin, "{") && !strings.HasPrefix(begin, "[") {
			return nil, nil
		}
	case isObject(inner) && inner != root:
		text = inner.Source()
	default:
		return nil, nil
	}
	return only(wrapper, []part{{text, 0, len(text)}})
}

// jsonSource writes the lone surrogates of a text as escapes, so that it is
// UTF-8 again; inside a JSON string that means the same, elsewhere both are
// errors.
func jsonSource(text string) string {
	if !strings.Contains(text, "\xED") {
		return text
	}
	var quoted []byte
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == 0xED && text[i+1] >= 0xA0 {
			quoted = jsonvalue.AppendQuoted(quoted[:0], text[i:i+3])
			b.Write(quoted[1 : len(quoted)-1])
			i += 2
			continue
		}
		b.WriteByte(text[i])
	}
	return b.String()
}
