// Command bundle builds the browser side of ManifestSeal: TypeScript and CSS
// from web, the engine as WebAssembly, and the files of static/public, all
// into one directory under content-hashed names, compressed in advance, with a
// table that maps logical names to them. Two runs over one tree give the same
// bytes.
package main

import (
	"flag"
	"fmt"
	"os"
)

// options are the command's flags.
type options struct {
	root   string // top of the module
	out    string // where the bundle goes
	goTool string // the go command
	whole  bool   // the engine as the linker leaves it
	sizes  bool   // print what is in the engine, and build nothing
}

func main() {
	var opts options
	flag.StringVar(&opts.root, "root", ".", "top directory of the module")
	flag.StringVar(&opts.out, "out", "static/dist", "directory of the bundle")
	flag.StringVar(&opts.goTool, "go", "go", "the go command that builds the engine")
	flag.BoolVar(&opts.whole, "whole", false, "leave in the engine what only tracebacks read")
	flag.BoolVar(&opts.sizes, "sizes", false, "print the engine's code by package, and build no bundle")
	flag.Parse()
	if flag.NArg() > 0 {
		fmt.Fprintf(os.Stderr, "bundle: unexpected argument %q\n", flag.Arg(0))
		os.Exit(2)
	}
	do := run
	if opts.sizes {
		do = printSizes
	}
	if err := do(opts, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "bundle:", err)
		os.Exit(1)
	}
}
