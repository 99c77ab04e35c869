// Command manifestseal compares MCP tool manifests, and serves the web app that
// does the same in a browser.
package main

import (
	"context"
	"os"
	"runtime/debug"
	"slices"

	"github.com/mattn/go-colorable"

	"github.com/manifestseal/manifestseal/server/internal/cli"
)

func main() {
	// A short run that reads one document after another need not collect often.
	if !slices.Contains(os.Args, "serve") && os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
	// On Windows a terminal must be asked to obey escape sequences.
	restore := colorable.EnableColorsStdout(nil)
	status := cli.Run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr, os.Getenv)
	restore()
	os.Exit(status)
}
