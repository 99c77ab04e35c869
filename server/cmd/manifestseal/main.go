// Command manifestseal compares MCP tool manifests, and serves the web app that
// does the same in a browser.
package main

import (
	"context"
	"os"

	"github.com/mattn/go-colorable"

	"github.com/manifestseal/manifestseal/server/internal/cli"
)

func main() {
	// On Windows a terminal must be asked to obey escape sequences.
	restore := colorable.EnableColorsStdout(nil)
	status := cli.Run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr, os.Getenv)
	restore()
	os.Exit(status)
}
