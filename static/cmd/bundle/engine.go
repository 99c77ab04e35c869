package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// buildEngine compiles ./wasm so that the result depends on the sources and
// the compiler only: no paths, no version control state, no build id.
func buildEngine(opts options) (output, error) {
	dir, err := os.MkdirTemp("", "engine")
	if err != nil {
		return output{}, err
	}
	target := filepath.Join(dir, "engine.wasm")
	build := exec.Command(opts.goTool, "build", "-trimpath", "-buildvcs=false",
		"-ldflags=-s -w -buildid=", "-o", target, "./wasm")
	build.Dir = opts.root
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
	if text, err := build.CombinedOutput(); err != nil {
		return output{}, errors.Join(fmt.Errorf("engine: %w\n%s", err, text), os.RemoveAll(dir))
	}
	body, err := os.ReadFile(target)
	if err := errors.Join(err, os.RemoveAll(dir)); err != nil {
		return output{}, err
	}
	return output{"engine.wasm", "application/wasm", body}, nil
}
