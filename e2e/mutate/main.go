// Command mutate proves that the tests see what they are there for: it breaks a
// rule, a decision or a check in a copy of the tree, one at a time, and the named
// tests must fail each time. It ends with 1 when a mutation survives, and with 2
// when one can't be made or a test fails without any. An argument names the area
// to which it is limited: go run ./e2e/mutate gate.
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// perTest bounds a run: a mutation can make a loop endless, and that is seen too.
const perTest = 3 * time.Minute

func main() {
	os.Exit(run())
}

func run() int {
	if len(os.Args) > 1 {
		mutations = slices.DeleteFunc(mutations, func(m mutation) bool { return m.area != os.Args[1] })
	}
	copied, err := copyTree()
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		return 2
	}
	defer os.RemoveAll(copied)
	if err := soundWithout(copied); err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		return 2
	}
	status := 0
	for _, m := range mutations {
		err := m.try(copied)
		switch {
		case err == nil:
			fmt.Printf("killed    %-18s %s\n", m.area, m.what)
		case errors.Is(err, errSurvived):
			status = max(status, 1)
			fmt.Printf("SURVIVED  %-18s %s (%s %s)\n", m.area, m.what, m.pkg, m.tests)
		default:
			status = 2
			fmt.Printf("NOT MADE  %-18s %s: %v\n", m.area, m.what, err)
		}
	}
	fmt.Printf("%d mutations\n", len(mutations))
	return status
}

// copyTree copies what the engine and the command are built of. The corpus is not
// beside the copy: the project's own tests must see the mutations.
func copyTree() (string, error) {
	top, err := exec.Command("git", "rev-parse", "--show-toplevel").Output()
	if err != nil {
		return "", fmt.Errorf("this is no repository: %w", err)
	}
	root := strings.TrimSpace(string(top))
	list := exec.Command("git", "ls-files", "-z", "-co", "--exclude-standard", "go.mod", "go.sum", ".github", "e2e/devnet", "engine", "server", "static", "templates", "wasm")
	list.Dir = root
	names, err := list.Output()
	if err != nil {
		return "", err
	}
	to, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return "", err
	}
	for name := range strings.SplitSeq(strings.Trim(string(names), "\x00"), "\x00") {
		if err := copyFile(filepath.Join(root, name), filepath.Join(to, name)); err != nil {
			os.RemoveAll(to)
			return "", err
		}
	}
	return to, nil
}

func copyFile(from, to string) error {
	data, err := os.ReadFile(from)
	if errors.Is(err, os.ErrNotExist) {
		return nil // deleted, and not yet committed
	}
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	return os.WriteFile(to, data, 0o644)
}

// soundWithout runs every named test on the tree as it is: one that fails there
// proves nothing later.
func soundWithout(dir string) error {
	seen := map[string]bool{}
	for _, m := range mutations {
		if seen[m.pkg+m.tests] {
			continue
		}
		seen[m.pkg+m.tests] = true
		if out, err := test(dir, m); err != nil {
			return fmt.Errorf("%s %s fails without a mutation:\n%s", m.pkg, m.tests, out)
		} else if bytes.Contains(out, []byte("no tests to run")) {
			return fmt.Errorf("%s has no test %s", m.pkg, m.tests)
		}
	}
	return nil
}

// mutation is one text replaced by another in a file, and the tests that must
// see it.
type mutation struct {
	area, what string
	file       string
	old, new   string
	pkg, tests string
}

var errSurvived = errors.New("the tests pass")

func (m *mutation) try(dir string) error {
	path := filepath.Join(dir, m.file)
	before, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if n := strings.Count(string(before), m.old); n != 1 {
		return fmt.Errorf("%q stands %d times in %s, not once", m.old, n, m.file)
	}
	if err := os.WriteFile(path, []byte(strings.Replace(string(before), m.old, m.new, 1)), 0o644); err != nil {
		return err
	}
	defer os.WriteFile(path, before, 0o644)
	out, err := test(dir, *m)
	switch {
	case err == nil:
		return errSurvived
	case bytes.Contains(out, []byte("[build failed]")), bytes.Contains(out, []byte("[setup failed]")):
		return fmt.Errorf("it does not build:\n%s", out)
	}
	return nil
}

func test(dir string, m mutation) ([]byte, error) {
	ctx, cancel := context.WithTimeout(context.Background(), perTest)
	defer cancel()
	c := exec.CommandContext(ctx, "go", "test", "-count=1", "-run", m.tests, m.pkg)
	c.Dir = dir
	c.WaitDelay = 5 * time.Second // the test's own process may hold the pipe
	return c.CombinedOutput()
}
