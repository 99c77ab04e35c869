package cli

import (
	"os"

	"github.com/spf13/cobra"

	"github.com/manifestseal/manifestseal/engine"
	"github.com/manifestseal/manifestseal/engine/manifest"
	"github.com/manifestseal/manifestseal/engine/report"
	"github.com/manifestseal/manifestseal/engine/view"
)

const driftHelp = `Compare a baseline with a current manifest and print the drift report of
mcp-manifest-drift/v1: which tools changed, were added or removed, field by field,
old beside new, and what differs outside the digests.

The current FILE is a manifest. The baseline FILE may also be a lockfile that pin
wrote, a report of ManifestSeal, a digest block with its signature, or a bare digest block; against a
block no old text is held. What is signed must verify under --keys. Either may be
- for standard input. Two directories are compared file by file, by name: every
file in and below them whose name ends in .json. A file that only one of them has
could not be compared.

For people each changed tool says which way it went: loosened (it accepts more, or
claims less), tightened, reworded, or notation only. Where the poison rules hit
something that they did not hit in the baseline, it says so: POISON ALARM.

Exit status:
  0  unchanged
  1  drift: the verdict is MANIFEST CHANGED, or tool members or numbers outside
     the digests differ (title, outputSchema, _meta and others), or the poison
     alarm is set; --digest-only leaves all but the verdict out. Order, and members
     of the list itself, never make 1.
  2  could not compare, also when a side has no tools`

const driftExamples = `  manifestseal drift --baseline approved.json --current now.json
  manifestseal drift --baseline manifestseal.lock.json --current now.json
  manifestseal drift --baseline approved/ --current now/
  curl -s URL | manifestseal drift --baseline block.json --current -
  manifestseal drift --baseline a.json --current b.json --format markdown >> "$GITHUB_STEP_SUMMARY"
  manifestseal drift --baseline a.json --current b.json --format html > report.html`

// driftFlags are the flags of drift alone.
type driftFlags struct {
	baseline, current string
	keys              string
	digestOnly        bool
}

func (a *app) driftCommand() *cobra.Command {
	var flags driftFlags
	cmd := &cobra.Command{
		Use:     "drift --baseline FILE --current FILE",
		Short:   "Compare a baseline with a current manifest",
		Long:    driftHelp,
		Example: driftExamples,
		Args:    driftArguments,
		RunE:    func(*cobra.Command, []string) error { return a.drift(flags) },
	}
	f := cmd.Flags()
	f.StringVarP(&flags.baseline, "baseline", "b", "", "`FILE` that was approved: a manifest, a lockfile, a report, a digest block, a directory, or -")
	f.StringVarP(&flags.current, "current", "c", "", "`FILE` that is there now: a manifest, a directory, or -")
	f.StringVar(&flags.keys, "keys", "", "`FILE` of the key set (JWKS) whose signatures anchor a baseline")
	f.BoolVar(&flags.digestOnly, "digest-only", false, "exit 1 only for what the digests cover")
	a.addFormat(cmd, "text", "json", "markdown", "html", "sarif")
	a.addAsOf(cmd)
	return cmd
}

func driftArguments(_ *cobra.Command, args []string) error {
	switch len(args) {
	case 0:
		return nil
	case 2:
		return usage("drift takes its two files by name", "Write manifestseal drift --baseline "+quote(args[0])+" --current "+quote(args[1]))
	}
	return usage("drift takes no argument "+quote(args[0]), "Write manifestseal drift --baseline FILE --current FILE")
}

func (a *app) drift(flags driftFlags) error {
	if flags.baseline == "" || flags.current == "" {
		return usage("drift needs --baseline FILE and --current FILE", "The baseline is what was approved, the current one what is there now.")
	}
	if err := onceStdin([]string{flags.baseline, flags.current}); err != nil {
		return err
	}
	asOf, err := a.time()
	if err != nil {
		return err
	}
	keys, err := a.keys(flags.keys)
	if err != nil {
		return err
	}
	pairs, several, err := a.pairs(flags)
	if err != nil {
		return err
	}
	out := &results{app: a, format: a.formatOf(), several: several, log: newLog()}
	if err := out.oneDocument("comparison"); err != nil {
		return err
	}
	options := engine.Options{AsOf: asOf, Keys: keys, Mode: manifest.Lenient}
	tally := tally{}
	a.progress.start(len(pairs))
	for _, p := range pairs {
		if a.stdout.broken() {
			break
		}
		a.compare(p, options, flags.digestOnly, out, &tally)
		a.progress.step()
	}
	if several && out.format == "text" {
		a.print(tally.text())
	}
	out.end()
	return nil
}

// compare compares one pair and prints the result.
func (a *app) compare(p pair, options engine.Options, digestOnly bool, out *results, tally *tally) {
	s := source{name: p.name}
	c, f := a.comparePair(p, options)
	if f != nil {
		tally.unchecked++
		out.refuse(s, f)
		return
	}
	status := Unchanged
	switch {
	case c.State() == view.NotCompared:
		status = Unchecked
		tally.unchecked++
	case c.State() == view.Changed:
		status = Drift
		tally.changed++
	case c.Outside || c.Drift.Assess().Poison.Alarm:
		tally.outside++
		if !digestOnly {
			status = Drift
		}
	default:
		tally.unchanged++
	}
	a.raise(status)
	a.tellDevelopment(p.baseline, c.Drift.Baseline.KeyID, options.Keys)
	a.printComparison(s, c, out)
	if status == Unchecked && out.format != "text" {
		a.complain(notCompared(p, c))
	}
}

// notCompared says of a report that compares nothing why, where it is read by a
// program.
func notCompared(p pair, c *engine.Comparison) *fault {
	f := noTools(source{name: p.baseline}, "No comparison was made. This says nothing about whether the manifest changed.")
	f.cause.Message = "the baseline contains no tools"
	switch c.Drift.Refusal.Reason {
	case report.ZeroToolsCurrent:
		f.file, f.cause.Message = p.current, "the current manifest contains no tools"
	case report.ZeroToolsBoth:
		f.cause.Message = "neither document contains a tool"
	}
	return f
}

func (a *app) comparePair(p pair, options engine.Options) (*engine.Comparison, *fault) {
	if p.fault != nil {
		return nil, p.fault
	}
	baseline, f := a.read(source{name: p.baseline})
	if f != nil {
		f.side = "baseline"
		return nil, f
	}
	current, f := a.read(source{name: p.current})
	if f != nil {
		f.side = "current"
		return nil, f
	}
	c, err := engine.Compare(baseline, current, options)
	if err == nil {
		return c, nil
	}
	f = faultOf(p.current, err)
	if f.side == "baseline" {
		f.file = p.baseline
	}
	return nil, f
}

func isDirectory(path string) bool {
	info, err := os.Stat(path)
	return path != "-" && err == nil && info.IsDir()
}
