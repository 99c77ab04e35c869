package cli

import (
	"github.com/spf13/cobra"

	"github.com/manifestseal/manifestseal/engine/digest"
	"github.com/manifestseal/manifestseal/engine/jsonvalue"
	"github.com/manifestseal/manifestseal/engine/manifest"
	"github.com/manifestseal/manifestseal/server/internal/cli/console"
	"github.com/manifestseal/manifestseal/server/internal/cli/markdown"
)

const digestHelp = `Print the digest block of a manifest: the sha256 of every tool, of its fields,
and of the whole list, by mcp-manifest-drift/v1. A block can stand as a baseline
of drift later.

` + fileHelp + `

Exit status 0, or 2 when a document could not be read or has no tools.`

const digestExamples = `  manifestseal digest manifest.json
  manifestseal digest manifest.json --as-of 2026-01-31T12:00:00Z > block.json
  manifestseal digest --format text manifests/
  curl -s URL | manifestseal digest -`

func (a *app) digestCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "digest FILE...",
		Short:   "Print the digest block of a manifest",
		Long:    digestHelp,
		Example: digestExamples,
		Args:    func(_ *cobra.Command, args []string) error { return needFiles("manifestseal digest", args) },
		RunE:    func(_ *cobra.Command, args []string) error { return a.digest(args) },
	}
	a.addFormat(cmd, "text", "json", "markdown")
	a.addAsOf(cmd)
	return cmd
}

func (a *app) digest(args []string) error {
	asOf, err := a.time()
	if err != nil {
		return err
	}
	out := a.results(args)
	for s := range out.each() {
		m, fault := a.manifest(s)
		if fault != nil {
			out.refuse(s, fault)
			continue
		}
		a.tellNotes(s, m, out)
		block := digest.Of(m, asOf)
		switch out.format {
		case "json":
			out.json(s, func(w *jsonvalue.Builder) { block.Write(w) })
		case "markdown":
			markdown.Digest(&out.document, out.title(s), block)
		default:
			a.print(console.Digest(out.title(s), block, m.Notes, a.look(a.stdout.file)))
		}
		if len(m.Entries) == 0 {
			a.raise(Unchecked)
			a.complain(noTools(s, "The block says so, and nothing can be compared with it."))
		}
	}
	out.end()
	return nil
}

// manifest reads a document that must be a manifest.
func (a *app) manifest(s source) (*manifest.Manifest, *fault) {
	data, fault := a.read(s)
	if fault != nil {
		return nil, fault
	}
	m, err := manifest.Read(data, manifest.Lenient)
	if err != nil {
		return nil, faultOf(s.name, err)
	}
	return m, nil
}

func noTools(s source, advice string) *fault {
	return &fault{file: s.name, cause: &jsonvalue.Error{Class: jsonvalue.Empty, Code: "zero_tools", Message: "the manifest contains no tools", Advice: advice}}
}

// tellNotes prints a manifest's reading notes on standard error, for the
// outputs that have no place for them.
func (a *app) tellNotes(s source, m *manifest.Manifest, out *results) {
	if out.format == "text" && !out.several {
		return
	}
	const most = 5
	for i, n := range m.Notes {
		if i == most {
			a.warn(console.Note(s.name, more(len(m.Notes)-most, "reading note"), a.look(a.stderr)))
			return
		}
		a.warn(console.Note(s.name, placed(n), a.look(a.stderr)))
	}
}
