package cli

import (
	"github.com/spf13/cobra"

	"github.com/manifestseal/manifestseal/engine/claims"
	"github.com/manifestseal/manifestseal/engine/gate"
	"github.com/manifestseal/manifestseal/server/internal/cli/console"
)

const gradeHelp = `Grade what a manifest claims, by mcp-manifest-claims/v1: does each tool say who it
is, what it does and what it takes, and do these statements agree? The fix list is
ordered by the points that each fix brings back.

` + fileHelp + `

Exit status 0, or 2 when a document could not be read or has no tools. A low grade
is no failure; scan fails on findings.`

const gradeExamples = `  manifestseal grade manifest.json
  manifestseal grade --format json manifest.json | jq .score
  manifestseal grade --format html manifest.json > grade.html
  manifestseal grade --format text manifests/`

func (a *app) gradeCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "grade FILE...",
		Short:   "Grade what a manifest claims",
		Long:    gradeHelp,
		Example: gradeExamples,
		Args:    func(_ *cobra.Command, args []string) error { return needFiles("manifestseal grade", args) },
		RunE:    func(_ *cobra.Command, args []string) error { return a.grade(args) },
	}
	a.addFormat(cmd, "text", "json", "markdown", "html", "sarif")
	return cmd
}

func (a *app) grade(args []string) error {
	out := a.results(args)
	if err := out.oneDocument("manifest"); err != nil {
		return err
	}
	for s := range out.each() {
		m, fault := a.manifest(s)
		if fault != nil {
			out.refuse(s, fault)
			continue
		}
		a.tellNotes(s, m, out)
		grade := claims.Grade(m)
		switch out.format {
		case "json":
			out.json(s, grade.Write)
		case "markdown":
			out.document.Grade(out.title(s), m, grade)
		case "html":
			// All there is to see of one manifest, without the decision of a gate
			// that nobody asked for.
			v := inspection(m, gate.Scan(m, gate.Defaults(), gate.Extra{}))
			v.Gate, v.Outcome = "", ""
			a.printInspection(v)
		case "sarif":
			// The gate's form of the findings, without its decision.
			d := gate.Decide(gate.Input{Manifest: m, Grade: grade}, gate.Defaults())
			for i := range d.Findings {
				d.Findings[i].Fails = ""
			}
			out.sarifDecision(s, m, d)
		default:
			a.print(console.Grade(out.title(s), m, grade, a.look(a.stdout.file)))
		}
		if !grade.Graded {
			a.raise(Unchecked)
			a.complain(noTools(s, "Nothing was graded. This says nothing about a server's tools."))
		}
	}
	out.end()
	return nil
}
