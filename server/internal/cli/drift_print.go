package cli

import (
	"bytes"
	"context"

	"github.com/manifestseal/manifestseal/engine"
	"github.com/manifestseal/manifestseal/engine/jsonvalue"
	"github.com/manifestseal/manifestseal/server/internal/cli/console"
	"github.com/manifestseal/manifestseal/templates"
)

func (a *app) printComparison(s source, c *engine.Comparison, out *results) {
	switch out.format {
	case "json":
		if !out.several {
			a.write(c.Report) // the engine's bytes, its LF included
			return
		}
		out.json(s, func(w *jsonvalue.Builder) { w.Raw(string(bytes.TrimSuffix(c.Report, []byte{'\n'}))) })
	case "markdown":
		out.document.Result(out.title(s), directed(c))
	case "html":
		a.printHTML(c)
	case "sarif":
		out.sarifComparison(s, c)
	default:
		a.print(console.Titled(out.title(s), directed(c), a.look(a.stdout.file)))
	}
}

// printHTML prints one document that has everything in it.
func (a *app) printHTML(c *engine.Comparison) {
	style := a.styleSheet()
	v := *directed(c)
	// Rendering fails only as writing does, and that error stays in the output.
	_ = templates.ReportDocument(v, style).Render(context.Background(), a.stdout)
}
