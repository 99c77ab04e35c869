package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/manifestseal/manifestseal/engine/capability"
	"github.com/manifestseal/manifestseal/engine/gate"
	"github.com/manifestseal/manifestseal/engine/jsonvalue"
	"github.com/manifestseal/manifestseal/engine/manifest"
	"github.com/manifestseal/manifestseal/engine/poison"
	"github.com/manifestseal/manifestseal/server/internal/cli/console"
	"github.com/manifestseal/manifestseal/server/internal/cli/rulebook"
)

const scanHelp = `Look at one manifest with all there is, as a gate: the pattern screens, the
grade of mcp-manifest-claims/v1 and the capability tiers. It fails on a finding at
or above --fail-on (info, low, medium, high, critical). Matches of the injection
rulebook count as medium where it calls them suspicious, as high where malicious;
a quoted mention never fails.

--fail-on-capability also fails on tools of tier T3_destructive_or_exec (or of the
tier that is given, --fail-on-capability=T2). A tool whose tier is unknown could be
of any: then the gate could not be checked, unless --allow-unknown lets it through.
--require-annotations fails on tools that write without readOnlyHint: false, that
destroy or execute without destructiveHint: true, and on hints that deny the tier.

--rulebook adds rules of your own, ECMAScript patterns in a JSON file:
{"id", "rules": [{"id", "severity", "description", "pattern", "flags"?}]}. They are
run over every text of a tool. A rule that can't be run, or takes too long, is
named, and the result is "could not check".

--mutes lets pass what somebody read, one poison rule on one tool each:
{"mutes": [{"rule", "tool", "occurrence"?, "reason", "digest"}]}. The digest is the
tool's whole_digest, as a lockfile has it: when the tool changes, the mute is over.

` + fileHelp + `

Exit status:
  0  clean: nothing that fails the gate
  1  failed
  2  could not check: a file that can't be read or has no tools, a rule that
     could not be run, an unknown tier under --fail-on-capability`

const scanExamples = `  manifestseal scan manifest.json
  manifestseal scan --fail-on critical --fail-on-capability manifests/
  manifestseal scan --require-annotations --rulebook ours.json manifest.json
  manifestseal scan --format html manifest.json > scan.html
  manifestseal scan --format sarif manifest.json > scan.sarif`

type scanFlags struct {
	failOn, failOnCapability string
	options                  gate.Options
	rulebooks                []string
	mutes                    string
}

func (a *app) scanCommand() *cobra.Command {
	flags := scanFlags{options: gate.Defaults()}
	cmd := &cobra.Command{
		Use:     "scan FILE...",
		Short:   "Screens, grade and tiers of a manifest, as a gate",
		Long:    scanHelp,
		Example: scanExamples,
		Args:    func(_ *cobra.Command, args []string) error { return needFiles("manifestseal scan", args) },
		RunE:    func(_ *cobra.Command, args []string) error { return a.scan(flags, args) },
	}
	f := cmd.Flags()
	f.StringVar(&flags.failOn, "fail-on", gate.High.String(), "least `SEVERITY` that fails: "+strings.Join(gate.Severities(), ", "))
	f.StringVar(&flags.failOnCapability, "fail-on-capability", "", "fail on tools of this `TIER` or above; without a value T3")
	f.Lookup("fail-on-capability").NoOptDefVal = "T3"
	f.BoolVar(&flags.options.AllowUnknown, "allow-unknown", false, "let tools through whose tier is unknown")
	f.BoolVar(&flags.options.RequireAnnotations, "require-annotations", false, "fail on tools that write and don't say so in their annotations")
	f.StringArrayVar(&flags.rulebooks, "rulebook", nil, "`FILE` of rules of your own; may be given several times")
	f.StringVar(&flags.mutes, "mutes", "", "`FILE` of findings that were read and let pass")
	a.addFormat(cmd, "text", "json", "markdown", "html", "sarif")
	complete(cmd, "fail-on", gate.Severities()...)
	complete(cmd, "fail-on-capability", tierNames...)
	return cmd
}

// tierNames are the tiers that a gate can be set at.
var tierNames = []string{"T0_read", "T1_local", "T2_mutate", "T3_destructive_or_exec"}

// parseTier reads a tier by its wire value or by its number alone.
func parseTier(text string) (capability.Tier, bool) {
	for t := capability.Read; t <= capability.Destructive; t++ {
		if text == t.String() || strings.EqualFold(text, t.String()[:2]) {
			return t, true
		}
	}
	return capability.Unknown, false
}

func (f *scanFlags) parse() error {
	var known bool
	if f.options.FailOn, known = gate.ParseSeverity(f.failOn); !known {
		return usage("there is no severity "+quote(f.failOn), "The severities are "+strings.Join(gate.Severities(), ", ")+".")
	}
	if f.failOnCapability != "" {
		if f.options.FailOnCapability, known = parseTier(f.failOnCapability); !known {
			return usage("there is no tier "+quote(f.failOnCapability), "The tiers are "+strings.Join(tierNames, ", ")+"; T0 to T3 will do.")
		}
	}
	return nil
}

func (a *app) scan(flags scanFlags, args []string) error {
	if err := flags.parse(); err != nil {
		return err
	}
	if err := onceStdin(append(args, flags.rulebooks...)); err != nil {
		return err
	}
	books, err := a.rulebooks(flags.rulebooks)
	if err != nil {
		return err
	}
	mutes, err := a.mutes(flags.mutes)
	if err != nil {
		return err
	}
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
		d := scanOne(m, flags.options, books, mutes)
		a.raise(statusOf(d.Outcome))
		a.printDecision(out, s, m, d)
	}
	out.end()
	return nil
}

func scanOne(m *manifest.Manifest, o gate.Options, books []*rulebook.Rulebook, mutes []poison.Mute) *gate.Decision {
	more := gate.Extra{Mutes: mutes}
	for _, b := range books {
		found, failed := b.Scan(m)
		more.Findings, more.Failures = append(more.Findings, found...), append(more.Failures, failed...)
	}
	return gate.Scan(m, o, more)
}

func statusOf(o gate.Outcome) int {
	switch o {
	case gate.Clean:
		return Unchanged
	case gate.Failed:
		return Drift
	}
	return Unchecked
}

func (a *app) printDecision(out *results, s source, m *manifest.Manifest, d *gate.Decision) {
	switch out.format {
	case "json":
		out.json(s, d.Write)
	case "markdown":
		out.document.Gate(out.title(s), d)
	case "html":
		a.printInspection(inspection(m, d))
	case "sarif":
		out.sarifDecision(s, m, d)
	default:
		a.print(console.Gate(out.title(s), d, m.Notes, a.look(a.stdout.file)))
		return
	}
	// Who reads another format may never see it.
	for i := range d.Failures {
		f := &d.Failures[i]
		a.complain(&fault{file: s.name, cause: &jsonvalue.Error{Class: gateClass, Code: f.Rule, Message: notChecked(f), Advice: "The result says that it could not be checked, whatever else was found."}})
	}
}

func notChecked(f *gate.Failure) string {
	switch {
	case f.Rule == "":
		return f.Message
	case f.Source == gate.CapabilityTiers:
		return f.Message + "; --allow-unknown lets them through"
	}
	return "rule " + f.Rule + " of " + f.Source + ": " + f.Message
}

// rulebooks reads the user's own rules. One bad rule ends the command: what it
// would have looked for must not pass as not there.
func (a *app) rulebooks(files []string) ([]*rulebook.Rulebook, error) {
	var books []*rulebook.Rulebook
	seen := map[string]string{}
	for _, file := range files {
		data, f := a.read(source{name: file})
		if f != nil {
			return nil, f
		}
		b, err := rulebook.Read(data)
		if err != nil {
			return nil, rulebookFault(file, err)
		}
		if reservedBook(b.ID) || seen[b.ID] != "" {
			return nil, rulebookFault(file, &rulebook.Error{Pointer: "/id", Message: "is the id of another rulebook: results could not be told apart"})
		}
		seen[b.ID] = file
		books = append(books, b)
	}
	return books, nil
}
