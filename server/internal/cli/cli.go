// Package cli implements the command manifestseal: its subcommands, flags,
// formats and exit statuses, as values that a test can run without a process.
// It follows the reference of the command in the documentation; what it prints
// as JSON is the engine's, to the byte.
//
// It never decides anything about a manifest, and never fetches one.
package cli

import (
	"bufio"
	"context"
	"errors"
	"io"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/manifestseal/manifestseal/engine/jsonvalue"
	"github.com/manifestseal/manifestseal/server/internal/cli/console"
)

// The exit statuses. The highest of several results counts, and what could not
// be checked never counts as unchanged.
const (
	Unchanged = 0 // unchanged, or the command did what it says
	Drift     = 1 // the manifests differ
	Unchecked = 2 // could not check, or could not print
)

// Run runs the command with its arguments (without the program's name) and
// returns its exit status. Only serve looks at ctx; it also ends on SIGINT and
// SIGTERM. env looks up environment variables, "" for those that are not set.
func Run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer, env func(string) string) int {
	a := &app{
		stdin:  stdin,
		stdout: newOutput(stdout),
		stderr: stderr,
		env:    env,
		now:    time.Now,
	}
	a.progress = newProgress(stderr, isTerminal(stderr) && env("TERM") != "dumb")
	return a.run(ctx, args)
}

// app is one run of the command.
type app struct {
	stdin    io.Reader
	stdout   *output
	stderr   io.Writer
	env      func(string) string
	now      func() time.Time
	progress *progress
	status   int

	// flags that several subcommands have
	format string
	color  string
	full   bool
	asOf   string
}

func (a *app) run(ctx context.Context, args []string) int {
	root := a.root()
	root.SetArgs(args)
	root.SetIn(a.stdin)
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	cmd, err := root.ExecuteContextC(ctx)
	a.progress.stop()
	if err != nil {
		a.fail(cmd, err)
	}
	if err := a.stdout.flush(); err != nil {
		a.raise(Unchecked)
		// A reader that has seen enough is no fault to speak of.
		if !errors.Is(err, syscall.EPIPE) && !errors.Is(err, io.ErrClosedPipe) {
			a.complain(&fault{cause: &jsonvalue.Error{Class: fileClass, Message: "the output could not be written: " + reason(err)}})
		}
	}
	return a.status
}

// raise makes the exit status at least status.
func (a *app) raise(status int) { a.status = max(a.status, status) }

// fail says why a subcommand did not run, also to a program that reads JSON.
func (a *app) fail(cmd *cobra.Command, err error) {
	a.raise(Unchecked)
	var f *fault
	if !errors.As(err, &f) {
		f = usage(err.Error(), "See "+cmd.CommandPath()+" --help.")
	}
	if cmd.Annotations[answersInJSON] != "" && a.formatOf() == "json" {
		a.answer("", func(w *jsonvalue.Builder) { f.write(w) })
	}
	a.complain(f)
}

// complain prints a fault on standard error.
func (a *app) complain(f *fault) {
	a.warn(console.Fault(f.file, f.cause, a.look(a.stderr)))
}

func (a *app) warn(text string) {
	a.progress.around(func() {
		// What was printed so far comes first, where both end on one terminal.
		if a.stdout.terminal {
			a.stdout.flush()
		}
		io.WriteString(a.stderr, text)
	})
}

// answer prints one JSON object on a line of its own; file is its first member
// when there are several.
func (a *app) answer(file string, members func(w *jsonvalue.Builder)) {
	var w jsonvalue.Builder
	w.Begin('{')
	if file != "" {
		w.Member("file", jsonvalue.ToValid(file))
	}
	members(&w)
	w.End('}')
	a.write(append(w.Bytes, '\n'))
}

func (a *app) print(text string) { a.write([]byte(text)) }

// write prints; an error stays in the output until its end.
func (a *app) write(text []byte) {
	if !a.stdout.terminal {
		a.stdout.Write(text)
		return
	}
	a.progress.around(func() {
		a.stdout.Write(text)
		a.stdout.flush()
	})
}

// output is standard output, buffered; its first error stays.
type output struct {
	*bufio.Writer
	file     io.Writer
	terminal bool
}

func newOutput(w io.Writer) *output {
	return &output{bufio.NewWriterSize(w, 64<<10), w, isTerminal(w)}
}

func (o *output) flush() error { return o.Writer.Flush() }

// broken reports whether writing failed: the reader is gone, or there is no room.
func (o *output) broken() bool {
	_, err := o.Writer.Write(nil)
	return err != nil
}

// reason is an operating system's error without the words of Go around it.
func reason(err error) string {
	var number syscall.Errno
	if errors.As(err, &number) {
		return number.Error()
	}
	return err.Error()
}
