package cli

import (
	"github.com/spf13/cobra"

	"github.com/manifestseal/manifestseal/engine/capability"
	"github.com/manifestseal/manifestseal/server/internal/cli/console"
)

const capabilityHelp = `Say what each tool can do at most, by what its name, description, schema and
annotations say: T0_read, T1_local, T2_mutate, T3_destructive_or_exec, or unknown,
with the evidence that decided. Unknown is never read-only. A tier is a reading of
words, no permission and no promise.

--ledger holds the tiers to a list that somebody wrote: a JSON file
{"tool name": "T2_mutate", ...}. A tool whose tier differs, and one that only the
list or only the manifest has, gives exit status 1.

` + fileHelp + `

Exit status 0; 1 when a tool is not as the ledger says; 2 when a document could not
be read or has no tools.`

const capabilityExamples = `  manifestseal capability manifest.json
  manifestseal capability --format json manifest.json | jq .summary
  manifestseal capability --ledger tiers.json manifest.json`

func (a *app) capabilityCommand() *cobra.Command {
	var ledger string
	cmd := &cobra.Command{
		Use:     "capability FILE...",
		Short:   "Say what each tool can do at most",
		Long:    capabilityHelp,
		Example: capabilityExamples,
		Args:    func(_ *cobra.Command, args []string) error { return needFiles("manifestseal capability", args) },
		RunE:    func(_ *cobra.Command, args []string) error { return a.capability(ledger, args) },
	}
	cmd.Flags().StringVar(&ledger, "ledger", "", "`FILE` of the tiers that the tools must have")
	a.addFormat(cmd, "text", "json", "markdown")
	return cmd
}

func (a *app) capability(ledger string, args []string) error {
	want, err := a.ledger(ledger)
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
		r := capability.Manifest(m, capability.Options{})
		switch out.format {
		case "json":
			out.json(s, r.Write)
		case "markdown":
			out.document.Capability(out.title(s), r)
		default:
			a.print(console.Capability(out.title(s), r, a.look(a.stdout.file)))
		}
		if len(m.Entries) == 0 {
			a.raise(Unchecked)
			a.complain(noTools(s, "There is nothing to classify."))
			continue
		}
		if ledger != "" {
			a.crossCheck(s, r, want)
		}
	}
	out.end()
	return nil
}
