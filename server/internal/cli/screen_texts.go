package cli

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"strconv"

	"github.com/manifestseal/manifestseal/engine"
	"github.com/manifestseal/manifestseal/engine/jsonvalue"
	"github.com/manifestseal/manifestseal/engine/screen"
	"github.com/manifestseal/manifestseal/server/internal/cli/console"
)

// screenTexts screens JSON strings, one a line, as they arrive. A line that is
// none has its error in its place, so that outputs and lines stay aligned.
func (a *app) screenTexts(args []string) error {
	if a.formatOf() == "markdown" {
		return usage("--text prints text or json", "Leave --format markdown out.")
	}
	out := a.results(args)
	for s := range out.each() {
		if f := a.screenLines(s, out); f != nil {
			out.refuse(s, f)
		}
	}
	return nil
}

func (a *app) screenLines(s source, out *results) *fault {
	r, f := a.open(s)
	if f != nil {
		return f
	}
	defer r.Close()
	var list jsonvalue.Builder // of several files, each gives one line
	list.Begin('[')
	lines := bufio.NewReaderSize(r, 64<<10)
	number, texts := 0, 0
	for !a.stdout.broken() {
		line, err := lines.ReadBytes('\n')
		number++
		if len(bytes.TrimSpace(line)) > 0 {
			texts++
			a.screenLine(s, out, &list, bytes.TrimRight(line, "\r\n"), number)
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return fileFault(s.name, err)
		}
	}
	if texts == 0 {
		return &fault{file: s.name, cause: &jsonvalue.Error{Class: jsonvalue.Empty, Code: "no_texts", Message: "there is no text in it", Advice: "Write each text as a JSON string on a line of its own."}}
	}
	list.End(']')
	if out.several && out.format == "json" {
		out.json(s, func(w *jsonvalue.Builder) { w.Raw(string(list.Bytes)) })
	}
	return nil
}

// screenLine prints one line's result, or adds it to the list.
func (a *app) screenLine(s source, out *results, list *jsonvalue.Builder, line []byte, number int) {
	matches, err := engine.ScreenText(line)
	if err != nil {
		f := faultOf(s.name, err)
		place := *f.cause
		place.Line, place.Column = number, max(place.Column, 1)
		f.cause = &place
		a.raise(Unchecked)
		a.complain(f)
		var w jsonvalue.Builder
		w.Begin('{')
		f.write(&w)
		w.End('}')
		matches = w.Bytes
	}
	switch {
	case out.format == "text":
		if err == nil {
			a.print(a.screenedText(s, out, line, matches, number))
		}
	case out.several:
		list.Raw(string(matches))
	default:
		a.print(string(matches) + "\n")
	}
}

func (a *app) screenedText(s source, out *results, line, matches []byte, number int) string {
	text, err := jsonvalue.Parse(string(line))
	result, err2 := jsonvalue.Parse(string(matches))
	if err != nil || err2 != nil {
		panic("cli: the engine screened what is no JSON")
	}
	scan := scanOf(screen.Injection().ID, result.Root(), text.Root().Text())
	title := "line " + strconv.Itoa(number)
	if out.several {
		title = s.name + ", " + title
	}
	return console.ScreenedText(title, &scan, a.look(a.stdout.file))
}

// open opens a document for reading it piece by piece.
func (a *app) open(s source) (io.ReadCloser, *fault) {
	if s.fault != nil {
		return nil, s.fault
	}
	if s.name == "-" {
		return io.NopCloser(a.stdin), nil
	}
	file, err := os.Open(s.name)
	if err != nil {
		return nil, fileFault(s.name, err)
	}
	return file, nil
}
