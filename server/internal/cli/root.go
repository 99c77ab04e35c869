package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/manifestseal/manifestseal/server/internal/cli/plain"
)

const rootHelp = `ManifestSeal says what an MCP tool manifest (the answer to tools/list) holds and
what changed in it: which tools, which fields, old beside new, by published rules
and digests that anybody can compute again. Nothing leaves this machine.

Exit status:
  0  unchanged or clean, or the command did what it says
  1  drift, or a finding that fails the gate
  2  could not check: wrong usage, a file that can't be read or is no manifest,
     no tools, an unknown key. This never counts as unchanged.`

const rootExamples = `  manifestseal drift --baseline approved.json --current now.json
  manifestseal digest now.json > block.json
  manifestseal scan now.json
  manifestseal pin now.json && manifestseal drift --baseline manifestseal.lock.json --current now.json
  manifestseal serve`

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:           "manifestseal COMMAND",
		Short:         "Inspect, pin and compare MCP tool manifests",
		Long:          rootHelp,
		Example:       rootExamples,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          unknownCommand,
		// Nothing was checked, so this is no success.
		RunE: func(cmd *cobra.Command, _ []string) error {
			cmd.SetOut(a.stderr)
			a.raise(Unchecked)
			return cmd.Help()
		},
	}
	root.SuggestionsMinimumDistance = 2
	root.DisableFlagsInUseLine = true
	root.SetUsageTemplate(strings.Replace(root.UsageTemplate(), "{{if .HasAvailableSubCommands}}\n  {{.CommandPath}} [", "{{if and .HasParent .HasAvailableSubCommands}}\n  {{.CommandPath}} [", 1))
	root.SetFlagErrorFunc(flagFault)
	root.AddCommand(a.driftCommand(), a.digestCommand(), a.screenCommand(), a.gradeCommand(), a.capabilityCommand(), a.scanCommand(), a.pinCommand(), a.evalCommand(), a.verifyCommand(), a.keygenCommand(), a.keysCommand(), a.serveCommand(), a.ledgerCommand(), a.versionCommand())
	root.SetHelpCommand(helpCommand(root))
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		if cmd.Name() == "completion" {
			cmd.Args = cobra.ArbitraryArgs
			cmd.RunE = func(*cobra.Command, []string) error {
				return usage("completion needs the name of a shell", "Write manifestseal completion bash, fish, powershell or zsh.")
			}
		}
	}
	return root
}

// helpCommand is cobra's, but for a command that there is not.
func helpCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Print the help of a command",
		RunE: func(_ *cobra.Command, args []string) error {
			cmd, _, err := root.Find(args)
			if err != nil || cmd == root && len(args) > 0 {
				return unknownCommand(root, args)
			}
			return cmd.Help()
		},
	}
}

func unknownCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	advice := "The commands are listed by manifestseal --help."
	if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
		advice = "Did you mean " + strings.Join(near, " or ") + "?"
	}
	return usage("there is no command "+quote(args[0]), advice)
}

func quote(text string) string { return `"` + plain.Clip(plain.Text(text), 100) + `"` }

// flagFault turns pflag's errors into faults, with the flag that may have been
// meant.
func flagFault(cmd *cobra.Command, err error) error {
	message, advice := err.Error(), "See "+cmd.CommandPath()+" --help."
	if name, unknown := strings.CutPrefix(message, "unknown flag: --"); unknown {
		message = cmd.CommandPath() + " has no flag --" + name
		if near := nearestFlag(cmd, name); near != "" {
			advice = "Did you mean --" + near + "? " + advice
		}
	}
	return usage(message, advice)
}

func nearestFlag(cmd *cobra.Command, name string) (nearest string) {
	least := max(2, len(name)/3) + 1
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		d := distance(name, f.Name)
		if strings.HasPrefix(f.Name, name) {
			d = 0
		}
		if d < least {
			nearest, least = f.Name, d
		}
	})
	return nearest
}

// distance is Levenshtein's, over bytes.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}

// answersInJSON marks a command whose faults also go to programs that read its
// output.
const answersInJSON = "answers_in_json"

// addFormat adds the flags of everything that is printed; the first format is
// that for terminals.
func (a *app) addFormat(cmd *cobra.Command, formats ...string) {
	list := strings.Join(formats, ", ")
	cmd.Annotations = map[string]string{answersInJSON: "yes"}
	cmd.Flags().StringVarP(&a.format, "format", "f", "", "print as `FORMAT`: "+list+" (default: text on a terminal, json in a pipe)")
	cmd.Flags().StringVar(&a.color, "color", "auto", "have colours in text `WHEN`: auto, always, never")
	cmd.Flags().BoolVar(&a.full, "full", false, "show in text what is folded or cut otherwise")
	complete(cmd, "format", formats...)
	complete(cmd, "color", "auto", "always", "never")
	cmd.PreRunE = func(*cobra.Command, []string) error {
		if a.format != "" && !slices.Contains(formats, a.format) {
			wrong := a.format
			a.format = ""
			return usage("there is no format "+quote(wrong)+" here", "The formats are "+list+".")
		}
		if !slices.Contains([]string{"auto", "always", "never"}, a.color) {
			return usage("--color takes auto, always or never, not "+quote(a.color), "")
		}
		return nil
	}
}

func complete(cmd *cobra.Command, flag string, values ...string) {
	err := cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
	if err != nil {
		panic(err) // the flag was added just before
	}
}

func (a *app) formatOf() string {
	switch {
	case a.format != "":
		return a.format
	case a.stdout.terminal:
		return "text"
	}
	return "json"
}
