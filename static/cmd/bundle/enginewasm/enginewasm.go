// Package enginewasm implements the build of the engine for the browser, in one
// place for the bundle and for the test that builds it again elsewhere. The
// result depends on the sources and the compiler only: no paths, no version
// control state, no build id.
package enginewasm

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/manifestseal/manifestseal/static/cmd/bundle/slim"
)

// Options say what is built with what.
type Options struct {
	Root  string // top of the module
	Go    string // the go command
	Whole bool   // leave in what only tracebacks read, for a compiler that slim does not know
}

// notInlined are packages that are compiled without inlining: what runs once a
// document at most, and so is better small than fast. Package view is not among
// them though it would save 12 KB: it stands in every comparison.
var notInlined = [...]string{
	"github.com/manifestseal/manifestseal/engine",
	"github.com/manifestseal/manifestseal/engine/gate",
	"github.com/manifestseal/manifestseal/engine/pin",
	"github.com/manifestseal/manifestseal/engine/seal",
	"github.com/manifestseal/manifestseal/wasm/bridge",
	"filippo.io/edwards25519/...",
	"internal/reflectlite",
	"syscall/js",
}

// Build compiles ./wasm and slims it.
func Build(o Options) ([]byte, error) {
	dir, err := os.MkdirTemp("", "engine")
	if err != nil {
		return nil, err
	}
	body, err := build(o, filepath.Join(dir, "engine.wasm"))
	return body, errors.Join(err, os.RemoveAll(dir))
}

func build(o Options, target string) ([]byte, error) {
	args := []string{"build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w -buildid=", "-o", target}
	for _, pattern := range notInlined {
		args = append(args, "-gcflags="+pattern+"=-l")
	}
	cmd := exec.Command(o.Go, append(args, "./wasm")...)
	cmd.Dir = o.Root
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
	if text, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("engine: %w\n%s", err, text)
	}
	body, err := os.ReadFile(target)
	if err != nil || o.Whole {
		return body, err
	}
	body, err = slim.Of(body)
	if err != nil {
		return nil, fmt.Errorf("engine: slim: %w\nBuild with the version of Go that it knows (GOTOOLCHAIN), or keep the engine whole, some 250 KB larger: make bundle BUNDLE=-whole", err)
	}
	return body, nil
}
