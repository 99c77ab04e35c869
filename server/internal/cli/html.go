package cli

import (
	"context"

	"github.com/manifestseal/manifestseal/engine/digest"
	"github.com/manifestseal/manifestseal/engine/gate"
	"github.com/manifestseal/manifestseal/engine/manifest"
	"github.com/manifestseal/manifestseal/engine/view"
	"github.com/manifestseal/manifestseal/server/internal/cli/console"
	"github.com/manifestseal/manifestseal/static"
	"github.com/manifestseal/manifestseal/templates"
)

// oneDocument refuses several inputs where the format makes one document of one
// of them.
func (r *results) oneDocument(of string) error {
	if !r.several || r.format != "html" {
		return nil
	}
	return usage("--format html makes one document of one "+of, "Name one "+of+", or use --format markdown.")
}

// inspection is what a person sees of a decision.
func inspection(m *manifest.Manifest, d *gate.Decision) *view.Inspection {
	return view.Inspect(m, digest.Of(m, ""), d)
}

// printInspection prints one document that has everything in it.
func (a *app) printInspection(v *view.Inspection) {
	for i := range v.Tools {
		// The exact name is there to be copied by a script, which this document
		// does not have; it would hold the name's control characters.
		v.Tools[i].PlainName = ""
	}
	// Rendering fails only as writing does, and that error stays in the output.
	_ = templates.InspectionDocument(*v, a.styleSheet()).Render(context.Background(), a.stdout)
}

// styleSheet is the web app's, or none, which is said.
func (a *app) styleSheet() string {
	assets, err := static.New(static.Dist())
	if err == nil {
		if style := assets.Body("site.css"); style != nil {
			return string(style)
		}
	}
	a.warn(console.Note("html", "this binary was built without the web app's style sheet, so the document is plain.", a.look(a.stderr)))
	return ""
}
