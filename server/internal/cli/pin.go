package cli

import (
	"errors"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/manifestseal/manifestseal/engine"
	"github.com/manifestseal/manifestseal/engine/jsonvalue"
	"github.com/manifestseal/manifestseal/engine/manifest"
	"github.com/manifestseal/manifestseal/engine/pin"
	"github.com/manifestseal/manifestseal/server/internal/cli/plain"
)

// defaultLock is the lockfile's name where nobody names one.
const defaultLock = "manifestseal.lock.json"

const pinHelp = `Write a lockfile of a manifest that was reviewed, to be committed and compared
against: manifestseal drift --baseline LOCK --current FILE. It holds the digest
block, a digest of every whole tool, the tools themselves and their history.

An existing lockfile is never overwritten. --accept TOOL moves the baseline of one
tool, all of that name, to what it is in the current manifest: changed, new or gone.
Every other tool stays as it was reviewed. The lockfile is replaced whole or not at
all, and its history grows.

FILE is one manifest, or - for standard input.

Exit status 0, or 2 when nothing was written.`

const pinExamples = `  manifestseal pin manifest.json
  manifestseal pin manifest.json --out locks/github.lock.json
  manifestseal pin --accept create_issue --accept list_issues now.json
  manifestseal pin --lock locks/github.lock.json --accept create_issue --current now.json`

type pinFlags struct {
	out, lock, current string
	accept             []string
}

func (a *app) pinCommand() *cobra.Command {
	var flags pinFlags
	cmd := &cobra.Command{
		Use:     "pin FILE [--out LOCK] [--accept TOOL]...",
		Short:   "Write a lockfile, or move one tool's baseline in it",
		Long:    pinHelp,
		Example: pinExamples,
		Args:    cobra.ArbitraryArgs,
		RunE:    func(_ *cobra.Command, args []string) error { return a.pin(flags, args) },
	}
	f := cmd.Flags()
	f.StringVarP(&flags.out, "out", "o", "", "`LOCK` to write; "+defaultLock+" by default, - for standard output")
	f.StringVar(&flags.lock, "lock", "", "`LOCK` in which tools are accepted (default: that of --out)")
	f.StringVarP(&flags.current, "current", "c", "", "`FILE` of the manifest, in place of the argument")
	f.StringArrayVar(&flags.accept, "accept", nil, "move the baseline of this `TOOL`; may be given several times")
	a.addFormat(cmd, "text", "json", "markdown")
	a.addAsOf(cmd)
	return cmd
}

func (a *app) pin(flags pinFlags, args []string) error {
	if flags.current != "" {
		args = append(args, flags.current)
	}
	switch {
	case len(args) == 0:
		return usage("no manifest is named", "Write manifestseal pin FILE, or - for standard input.")
	case len(args) > 1:
		return usage("pin takes one manifest, not "+plain.Number(len(args)), "A lockfile is of one server: pin each manifest into a file of its own with --out.")
	}
	asOf, err := a.time()
	if err != nil {
		return err
	}
	m, f := a.manifest(source{name: args[0]})
	if f != nil {
		return f
	}
	a.tellNotes(source{name: args[0]}, m, &results{app: a, format: "json"})
	if len(flags.accept) > 0 {
		return a.accept(flags, args[0], m, asOf)
	}
	if flags.lock != "" {
		return usage("--lock goes with --accept TOOL", "To write a new lockfile, name it with --out.")
	}
	return a.pinNew(flags.out, args[0], m, asOf)
}

func (a *app) pinNew(out, file string, m *manifest.Manifest, asOf string) error {
	if len(m.Entries) == 0 {
		return noTools(source{name: file}, "Nothing was pinned: a lockfile without tools can't be compared with.")
	}
	l, err := pin.New(m, asOf)
	if err != nil {
		return faultOf(file, err)
	}
	if out == "-" {
		a.write(l.JSON())
		return nil
	}
	if out == "" {
		out = defaultLock
	}
	if err := writeNew(out, l.JSON()); err != nil {
		return lockWriteFault(out, err)
	}
	a.printPinned(out, l, l.History)
	return nil
}

// accept moves tools in a lockfile. It is replaced only when every one of them
// could be moved.
func (a *app) accept(flags pinFlags, file string, m *manifest.Manifest, asOf string) error {
	path := flags.lock
	if path == "" {
		path = flags.out
	}
	if path == "" {
		path = defaultLock
	}
	if path == "-" || file == path {
		return usage("the lockfile must be a file of its own", "Name it with --lock; the manifest may come from standard input.")
	}
	if flags.out != "" && flags.out != path {
		return usage("--out and --lock name two files", "With --accept the lockfile is replaced where it is.")
	}
	data, f := a.read(source{name: path})
	if f != nil {
		if f.cause.Code == "not_found" {
			f.cause.Advice = "Pin the manifest first: manifestseal pin FILE --out " + plain.Text(path)
		}
		return f
	}
	l, err := pin.Read(data)
	if err != nil {
		return lockFault(path, err)
	}
	before := len(l.History)
	for _, tool := range slices.Compact(slices.Sorted(slices.Values(flags.accept))) {
		if l, err = l.Accept(m, tool, asOf); err != nil {
			return acceptFault(path, err)
		}
	}
	if len(l.Tools) == 0 {
		return &fault{file: path, cause: &jsonvalue.Error{Class: lockClass, Code: "zero_tools", Message: "no tool would be left in the lockfile", Advice: "Nothing was written. Delete the lockfile when the server is no longer used."}}
	}
	if err := replace(path, l.JSON()); err != nil {
		return lockWriteFault(path, err)
	}
	a.printPinned(path, l, l.History[before:])
	return nil
}

// lockFault says why a lockfile can't be relied on. Nothing is written then.
func lockFault(path string, err error) *fault {
	f := faultOf(path, err)
	var syntax *jsonvalue.Error
	if !errors.As(err, &syntax) {
		f.cause = &jsonvalue.Error{Class: engine.LockfileError, Code: "not_as_written", Message: err.Error()}
	}
	f.cause.Advice = strings.TrimSpace(f.cause.Advice + " Nothing was written. Take the lockfile from the repository again, or pin anew after a review.")
	return f
}

func acceptFault(path string, err error) *fault {
	var refused *pin.AcceptError
	if !errors.As(err, &refused) {
		return faultOf(path, err)
	}
	return &fault{file: path, cause: &jsonvalue.Error{Class: lockClass, Code: "not_accepted", Message: "tool " + quote(refused.Tool) + ": " + refused.Why,
		Advice: "Nothing was written. manifestseal drift --baseline " + plain.Text(path) + " --current FILE lists what differs."}}
}

func lockWriteFault(path string, err error) *fault {
	e := &jsonvalue.Error{Class: lockClass, Code: "not_written"}
	switch {
	case errors.Is(err, os.ErrExist):
		e.Code, e.Message, e.Advice = "exists", "there is a file already, and a lockfile is never overwritten", "Move the baseline of the tools that you reviewed with --accept TOOL, or delete the file first."
	case errors.Is(err, os.ErrNotExist):
		e.Message, e.Advice = "there is no such folder", "Make it first."
	case errors.Is(err, os.ErrPermission):
		e.Message, e.Advice = "it may not be written by you", "Check the permissions of its folder. Nothing was changed."
	default:
		e.Message, e.Advice = "it could not be written: "+reason(err), "Nothing was changed."
	}
	return &fault{file: path, cause: e}
}
