package cli

import (
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/manifestseal/manifestseal/engine/jsonvalue"
	"github.com/manifestseal/manifestseal/engine/manifest"
	"github.com/manifestseal/manifestseal/engine/report"
	"github.com/manifestseal/manifestseal/engine/screen"
)

func (a *app) versionCommand() *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:     "version",
		Short:   "Print the version, and which criteria it follows",
		Long:    "Print the version of the command, of the criteria that it follows, and of what it was built with.",
		Example: "  manifestseal version\n  manifestseal version --format json",
		Args:    noArguments,
		RunE:    func(*cobra.Command, []string) error { return a.version(format) },
	}
	cmd.Flags().StringVarP(&format, "format", "f", "text", "what to print: text, json")
	complete(cmd, "format", "text", "json")
	return cmd
}

func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usage(cmd.CommandPath()+" takes no argument "+quote(args[0]), "See "+cmd.CommandPath()+" --help.")
	}
	return nil
}

// build is what the binary knows of itself.
type build struct{ version, revision string }

func buildOf() build {
	b := build{version: "unknown"}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	if info.Main.Version != "" {
		b.version = info.Main.Version
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			b.revision = s.Value
		}
	}
	return b
}

func (a *app) version(format string) error {
	b := buildOf()
	platform := runtime.GOOS + "/" + runtime.GOARCH
	switch format {
	case "text": // also in a pipe, as other programs do
		a.print("manifestseal " + b.version + " (" + manifest.DriftCriteria + " " + report.Version + ", " + screen.Injection().ID + ", " + runtime.Version() + ", " + platform + ")\n")
	case "json":
		a.answer("", func(w *jsonvalue.Builder) {
			w.Member("version", b.version)
			w.Member("revision", b.revision)
			w.Member("criteria", manifest.DriftCriteria)
			w.Member("criteria_version", report.Version)
			w.Member("rulebook", screen.Injection().ID)
			w.Member("go", runtime.Version())
			w.Member("platform", platform)
		})
	default:
		return usage("there is no format "+quote(format)+" here", "The formats are text, json.")
	}
	return nil
}
