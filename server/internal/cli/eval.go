package cli

import (
	"github.com/spf13/cobra"

	"github.com/manifestseal/manifestseal/engine/jsonvalue"
	"github.com/manifestseal/manifestseal/server/internal/cli/cases"
	"github.com/manifestseal/manifestseal/server/internal/cli/console"
)

const evalHelp = `Measure mcp-poison-rules/v1 on cases that somebody labelled, one JSON object a line:
{"id", "tool", "description", "inputSchema"?, "label": "poison" or "benign",
"rules"?: [...]}. A case is hit when a rule above info hits it; mentions do not count.
recall_case is the share of poisoned cases that are hit, recall_rule the share of
the rules in "rules" that hit, fpr_benign the share of benign cases that are hit.
The numbers are about these cases, and about no others.

--ablate leaves each family of rules out, and each axis of the capability tiers, one
after the other, and says what that costs. After each the whole is measured again:
when that is not what it was before, the exit status is 2.

--boundaries names misses that are known and accepted, {"boundaries": [{"id",
"reason"}]}: any other miss gives exit status 1.

Exit status 0; 1 for a miss that is not declared, with --boundaries; 2 when a file
could not be read, and then nothing is measured.`

const evalExamples = `  manifestseal eval cases.jsonl
  manifestseal eval --format text --ablate poisoned.jsonl benign.jsonl
  manifestseal eval --boundaries known.json cases.jsonl`

type evalFlags struct {
	ablate     bool
	boundaries string
	rulebooks  []string
}

func (a *app) evalCommand() *cobra.Command {
	var flags evalFlags
	cmd := &cobra.Command{
		Use:     "eval CASES.jsonl...",
		Short:   "Measure the poison rules on labelled cases",
		Long:    evalHelp,
		Example: evalExamples,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage("no case file is named", "Name files of labelled cases, one JSON object a line.")
			}
			return onceStdin(args)
		},
		RunE: func(_ *cobra.Command, args []string) error { return a.eval(flags, args) },
	}
	f := cmd.Flags()
	f.BoolVar(&flags.ablate, "ablate", false, "leave out each family and each capability axis in turn")
	f.StringVar(&flags.boundaries, "boundaries", "", "`FILE` of misses that are known and accepted")
	f.StringArrayVar(&flags.rulebooks, "rulebook", nil, "`FILE` of rules of your own, measured too; may be given several times")
	a.addFormat(cmd, "text", "json", "markdown")
	return cmd
}

func (a *app) eval(flags evalFlags, args []string) error {
	books, err := a.rulebooks(flags.rulebooks)
	if err != nil {
		return err
	}
	known, err := a.boundaries(flags.boundaries)
	if err != nil {
		return err
	}
	sets, err := a.caseSets(args)
	if err != nil {
		return err
	}
	e := cases.Evaluation{Sets: sets, Books: books}
	result, failures := e.Run()
	for _, f := range failures {
		a.raise(Unchecked)
		a.complain(&fault{cause: &jsonvalue.Error{Class: gateClass, Code: f.Rule, Message: notChecked(&f), Advice: "What is measured lacks it."}})
	}
	if flags.boundaries != "" {
		result.Boundaries = known
		undeclared, stale := result.Hold()
		if len(undeclared) > 0 {
			a.raise(Drift)
		}
		for _, id := range stale {
			a.warn(console.Note(flags.boundaries, "the case "+quote(id)+" is declared as a boundary, and is no miss.", a.look(a.stderr)))
		}
	}
	if flags.ablate {
		ablation, restored := e.Ablate(result)
		result.Ablation = ablation
		if !restored {
			a.raise(Unchecked)
			a.complain(&fault{cause: &jsonvalue.Error{Class: "internal", Code: "not_restored", Message: "after an ablation the whole did not measure as before", Advice: "Do not use these numbers."}})
		}
	}
	a.printEvaluation(result)
	return nil
}

func (a *app) printEvaluation(r *cases.Result) {
	switch a.formatOf() {
	case "json":
		var w jsonvalue.Builder
		r.Write(&w)
		a.write(append(w.Bytes, '\n'))
	case "markdown":
		out := results{app: a, format: "markdown"}
		out.document.Evaluation(r)
		out.end()
	default:
		a.print(console.Evaluation(r, a.look(a.stdout.file)))
	}
}

func (a *app) caseSets(files []string) ([]cases.Set, error) {
	var sets []cases.Set
	for _, file := range files {
		data, f := a.read(source{name: file})
		if f != nil {
			return nil, f
		}
		list, err := cases.Read(data)
		if err != nil {
			return nil, caseFault(file, err)
		}
		sets = append(sets, cases.Set{Name: file, Cases: list})
	}
	return sets, nil
}

func (a *app) boundaries(file string) ([]cases.Boundary, error) {
	if file == "" {
		return nil, nil
	}
	data, f := a.read(source{name: file})
	if f != nil {
		return nil, f
	}
	list, err := cases.ReadBoundaries(data)
	if err != nil {
		return nil, boundaryFault(file, err)
	}
	return list, nil
}

func caseFault(file string, err error) *fault {
	f := faultOf(file, err)
	if f.cause.Class == "internal" {
		f.cause = &jsonvalue.Error{Class: caseClass, Code: "not_a_case", Message: err.Error()}
	}
	f.cause.Advice = `Write each case on a line of its own: {"id": "a-1", "tool": "add", "description": "Adds.", "label": "benign"}. Nothing was measured.`
	return f
}

func boundaryFault(file string, err error) *fault {
	f := caseFault(file, err)
	f.cause.Advice = `A list of boundaries is {"boundaries": [{"id": "a-1", "reason": "why it is accepted"}]}. Nothing was measured.`
	return f
}
