package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/manifestseal/manifestseal/static/cmd/bundle/enginewasm"
	"github.com/manifestseal/manifestseal/static/cmd/bundle/slim"
)

// printSizes prints the bytes of code of every package in the engine, before
// compression, largest first.
func printSizes(opts options, w io.Writer) error {
	engine, err := enginewasm.Build(enginewasm.Options{Root: opts.root, Go: opts.goTool, Whole: true})
	if err != nil {
		return err
	}
	sizes, err := slim.Sizes(engine)
	if err != nil {
		return err
	}
	names := slices.SortedFunc(maps.Keys(sizes), func(a, b string) int {
		return cmp.Or(cmp.Compare(sizes[b], sizes[a]), cmp.Compare(a, b))
	})
	for _, name := range names {
		if _, err := fmt.Fprintf(w, "%8d %s\n", sizes[name], name); err != nil {
			return err
		}
	}
	return nil
}
