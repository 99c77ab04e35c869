package cli

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"manifestseal": func() {
			os.Exit(Run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr, os.Getenv))
		},
	})
}

// TestScripts uses the command as a stranger would: files in, text and exit
// statuses out.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			action, err := filepath.Abs("../../../.github/actions/manifestseal")
			env.Setenv("ACTION", action)
			return err
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"status": status,
			"harmless": func(ts *testscript.TestScript, _ bool, args []string) {
				for _, name := range args {
					if c, bad := firstControl(ts.ReadFile(name)); bad {
						ts.Fatalf("%s holds U+%04X", name, c)
					}
				}
			},
		},
	})
}

// status runs the command and holds it to one exit status: status N ARG...
func status(ts *testscript.TestScript, _ bool, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec("manifestseal", args[1:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
}

// firstControl returns the first character that a terminal would obey, or that
// would change how others are shown. JSON may hold bidirectional controls: it is
// for programs, and the exact text counts there.
func firstControl(text string) (rune, bool) {
	for _, r := range text {
		switch {
		case r == '\n':
		case r < 0x20, r >= 0x7F && r < 0xA0, r >= 0x200B && r <= 0x200F, r >= 0x202A && r <= 0x202E, r >= 0x2060 && r <= 0x206F, r == 0xFEFF, r >= 0xE0000 && r <= 0xE0FFF:
			return r, true
		}
	}
	return 0, false
}
