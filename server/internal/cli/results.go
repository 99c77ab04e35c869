package cli

import (
	"iter"
	"strconv"
	"strings"

	"github.com/manifestseal/manifestseal/engine/jsonvalue"
	"github.com/manifestseal/manifestseal/server/internal/cli/markdown"
	"github.com/manifestseal/manifestseal/server/internal/cli/plain"
	"github.com/manifestseal/manifestseal/server/internal/cli/sarif"
)

// results prints one result after another, framed as the format and their
// number ask: bare, as JSON Lines, or as one Markdown document.
type results struct {
	app      *app
	format   string
	several  bool
	list     []source
	document markdown.Document
	log      sarif.Log
}

func (a *app) results(args []string) *results {
	r := &results{app: a, format: a.formatOf(), log: newLog()}
	r.list, r.several = a.sources(args)
	return r
}

// each yields the documents one at a time, and moves the bar. A closed output
// ends it: nobody reads on.
func (r *results) each() iter.Seq[source] {
	return func(yield func(source) bool) {
		r.app.progress.start(len(r.list))
		for _, s := range r.list {
			if !yield(s) || r.app.stdout.broken() {
				return
			}
			r.app.progress.step()
		}
	}
}

// title is a result's heading: its file, when there are several.
func (r *results) title(s source) string {
	if r.several {
		return s.name
	}
	return ""
}

// json prints one result, which value writes.
func (r *results) json(s source, value func(w *jsonvalue.Builder)) {
	if r.several {
		r.app.answer(s.name, func(w *jsonvalue.Builder) {
			w.Name("result")
			value(w)
		})
		return
	}
	var w jsonvalue.Builder
	value(&w)
	r.app.write(append(w.Bytes, '\n'))
}

// refuse says why there is no result: to people on standard error, and in the
// output where a program or a reader expects something.
func (r *results) refuse(s source, f *fault) {
	r.app.raise(Unchecked)
	r.app.complain(f)
	switch r.format {
	case "json":
		r.app.answer(r.title(s), func(w *jsonvalue.Builder) { f.write(w) })
	case "markdown":
		r.document.Fault(f.file, f.cause)
	case "sarif":
		r.log.Failed = append(r.log.Failed, sarif.Notification{File: f.file, Message: f.cause.Error()})
	}
}

// end prints what was gathered.
func (r *results) end() {
	switch r.format {
	case "markdown":
		r.app.print(r.document.String())
	case "sarif":
		r.app.write(r.log.JSON())
	}
}

func more(n int, noun string) string { return plain.Count(n, "more "+noun) }

// placed is a reading note with its place.
func placed(n jsonvalue.Note) string {
	text := n.Message
	if n.Pointer != "" {
		text = clip(n.Pointer, 200) + ": " + text
	}
	if n.Line > 0 {
		text = "line " + strconv.Itoa(n.Line) + ", column " + strconv.Itoa(n.Column) + ": " + text
	}
	return text
}

// clip shortens a pointer before it is made harmless.
func clip(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}
