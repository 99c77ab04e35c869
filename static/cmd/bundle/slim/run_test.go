package slim

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// stress is testdata/stress, built once.
var stress = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "stress")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "stress.wasm")
	build := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w -buildid=", "-o", file, "./testdata/stress")
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return nil, err
	}
	return os.ReadFile(file)
})

func built(t *testing.T) []byte {
	t.Helper()
	file, err := stress()
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Clone(file)
}

// inNode runs a module in Node, as `go run` would, with a collection at every turn.
func inNode(t *testing.T, file []byte, args ...string) (output string, ok bool) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "a.wasm")
	if err := os.WriteFile(name, file, 0o600); err != nil {
		t.Fatal(err)
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	lib := filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm")
	node := exec.Command("node", append([]string{filepath.Join(lib, "wasm_exec_node.js"), name}, args...)...)
	node.Env = []string{"PATH=" + os.Getenv("PATH"), "GOGC=1", "GODEBUG=gcstoptheworld=1,clobberfree=1"}
	text, err := node.CombinedOutput()
	return string(text), err == nil
}

// The garbage collector, growing stacks, panics and recover read what slim leaves.
func TestSlimRunsAsBefore(t *testing.T) {
	t.Parallel()
	whole := built(t)
	slimmed, err := Of(whole)
	if err != nil {
		t.Fatal(err)
	}
	want, ok := inNode(t, whole)
	if !ok || !strings.Contains(want, "again") {
		t.Fatalf("the program does not run as the linker left it:\n%s", want)
	}
	got, ok := inNode(t, slimmed)
	if diff := cmp.Diff(want, got); diff != "" || !ok {
		t.Errorf("slimmed it answers otherwise (-whole +slim), or fails (%t):\n%s", !ok, diff)
	}
}

func TestTraceSaysThePackage(t *testing.T) {
	t.Parallel()
	slimmed, err := Of(built(t))
	if err != nil {
		t.Fatal(err)
	}
	got, ok := inNode(t, slimmed, "panic")
	for _, want := range []string{"panic: runtime error: index out of range [1] with length 0", "goroutine 1 [running]:", "main."} {
		if ok || !strings.Contains(got, want) {
			t.Errorf("the trace does not say %q:\n%s", want, got)
		}
	}
	if strings.Contains(got, "main.go") {
		t.Errorf("the trace names a file:\n%s", got)
	}
}

func TestSlimIsOneAnswer(t *testing.T) {
	t.Parallel()
	whole := built(t)
	first, err := Of(whole)
	if err != nil {
		t.Fatal(err)
	}
	second, err := Of(built(t))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(first, second) {
		t.Error("two runs differ")
	}
	if len(first) > len(whole) {
		t.Errorf("it grew from %d to %d bytes", len(whole), len(first))
	}
}
