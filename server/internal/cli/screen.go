package cli

import (
	"github.com/spf13/cobra"

	"github.com/manifestseal/manifestseal/engine"
	"github.com/manifestseal/manifestseal/engine/jsonvalue"
	"github.com/manifestseal/manifestseal/engine/manifest"
	"github.com/manifestseal/manifestseal/engine/poison"
	"github.com/manifestseal/manifestseal/engine/view"
	"github.com/manifestseal/manifestseal/server/internal/cli/console"
	"github.com/manifestseal/manifestseal/server/internal/cli/markdown"
	"github.com/manifestseal/manifestseal/server/internal/cli/plain"
)

const screenHelp = `Match the description of every tool against the published patterns of
prompt-injection-rules/v1, and every text of it, at any depth, against
mcp-poison-rules/v1; print one JSON object per tool. Positions count UTF-16 code
units, as in JavaScript. A hit that is a mention (a quotation, a denial) is marked.

A pattern screen gives no verdict: a match is a place to read, and no match says
nothing about what was not looked for. So the exit status is 0 whenever the
screen ran, with matches and without, and 2 when a document could not be read or
has no tools.

With --text the input is JSON strings, one a line, and each gives a line
{"matches": [...]} under prompt-injection-rules/v1; blank lines are left out.

` + fileHelp

const screenExamples = `  manifestseal screen manifest.json
  manifestseal screen --format json manifest.json | jq 'select(."prompt-injection-rules/v1".matches != [])'
  jq '.tools[].description' manifest.json | manifestseal screen --text -`

func (a *app) screenCommand() *cobra.Command {
	var text bool
	cmd := &cobra.Command{
		Use:     "screen FILE...",
		Short:   "Match tool descriptions against the published patterns",
		Long:    screenHelp,
		Example: screenExamples,
		Args:    func(_ *cobra.Command, args []string) error { return needFiles("manifestseal screen", args) },
		RunE: func(_ *cobra.Command, args []string) error {
			if text {
				return a.screenTexts(args)
			}
			return a.screen(args)
		},
	}
	a.addFormat(cmd, "text", "json", "markdown")
	cmd.Flags().BoolVar(&text, "text", false, "the input is JSON strings, one a line")
	return cmd
}

func (a *app) screen(args []string) error {
	out := a.results(args)
	for s := range out.each() {
		tools, hits, m, fault := a.screenOne(s)
		if fault != nil {
			out.refuse(s, fault)
			continue
		}
		a.tellNotes(s, m, out)
		switch out.format {
		case "json":
			a.screenJSON(out, s, withPoison(tools, hits))
		case "markdown":
			markdown.Screen(&out.document, out.title(s), screened(tools, hits, m))
		default:
			a.print(console.Screen(out.title(s), screened(tools, hits, m), m.Notes, a.look(a.stdout.file)))
		}
		if len(m.Entries) == 0 {
			a.raise(Unchecked)
			a.complain(noTools(s, "Nothing was screened."))
		}
	}
	out.end()
	return nil
}

// screenOne returns the engine's JSON lines and the poison hits, one per tool.
func (a *app) screenOne(s source) (lines []byte, hits [][]poison.Hit, m *manifest.Manifest, f *fault) {
	data, f := a.read(s)
	if f != nil {
		return nil, nil, nil, f
	}
	m, err := manifest.Read(data, manifest.Lenient)
	if err == nil {
		lines, err = engine.Screen(data, engine.Options{Mode: manifest.Lenient})
	}
	if err != nil {
		return nil, nil, nil, faultOf(s.name, err)
	}
	return lines, poisonHits(m), m, nil
}

// screenJSON prints a tool's object a line, or with several files one line each.
func (a *app) screenJSON(out *results, s source, lines []byte) {
	if !out.several {
		a.write(lines)
		return
	}
	out.json(s, func(w *jsonvalue.Builder) {
		w.Begin('[')
		for line := range splitLines(lines) {
			w.Raw(string(line))
		}
		w.End(']')
	})
}

// screened makes the engine's lines, with the texts that they are about, what a
// person reads.
func screened(lines []byte, hits [][]poison.Hit, m *manifest.Manifest) []plain.Screened {
	out := make([]plain.Screened, 0, len(m.Entries))
	i := 0
	for line := range splitLines(lines) {
		doc, err := jsonvalue.Parse(string(line))
		if err != nil {
			panic("cli: the engine's line is no JSON: " + err.Error())
		}
		e := m.Entries[i]
		t := plain.Screened{Name: []view.Segment{{Kind: "equal", Text: "(no name)"}}, Occurrence: int(doc.Root().Get("occurrence").Float()), Poison: hits[i]}
		i++
		if e.Named {
			t.Name = view.Plain(e.Name)
		}
		for name, book := range doc.Root().Members() {
			if name != "name" && name != "occurrence" {
				t.Scan = scanOf(name, book, e.Value.Get("description").Text())
			}
		}
		out = append(out, t)
	}
	return out
}
