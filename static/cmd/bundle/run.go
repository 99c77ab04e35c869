package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"text/tabwriter"

	"github.com/manifestseal/manifestseal/static/cmd/bundle/enginewasm"
	"github.com/manifestseal/manifestseal/static/table"
)

// output is one asset before it has a hashed name.
type output struct {
	name      string // logical name
	mediaType string
	body      []byte
}

func run(opts options, report io.Writer) error {
	sources, err := table.Sources(os.DirFS(opts.root))
	if err != nil {
		return err
	}
	outputs, err := collect(opts)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(opts.out, 0o755); err != nil {
		return err
	}
	list := &table.Table{Sources: sources, Assets: make(map[string]table.Asset)}
	for _, out := range outputs {
		asset, err := write(opts.out, out)
		if err != nil {
			return fmt.Errorf("%s: %w", out.name, err)
		}
		list.Assets[out.name] = asset
	}
	list.Build = buildID(list.Assets)
	if err := removeStale(opts.out, list); err != nil {
		return err
	}
	if err := writeTable(opts.out, list); err != nil {
		return err
	}
	return printTable(report, list)
}

func collect(opts options) ([]output, error) {
	web, err := bundleWeb(opts)
	if err != nil {
		return nil, err
	}
	hand, err := handMade(filepath.Join(opts.root, "static", "public"))
	if err != nil {
		return nil, err
	}
	engine, err := enginewasm.Build(enginewasm.Options{Root: opts.root, Go: opts.goTool, Whole: opts.whole})
	if err != nil {
		return nil, err
	}
	return slices.Concat(web, hand, []output{{"engine.wasm", "application/wasm", engine}}), nil
}

// buildID covers names, paths and contents (by their integrity values).
func buildID(assets map[string]table.Asset) string {
	sum := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(assets)) {
		asset := assets[name]
		fmt.Fprintf(sum, "%s\n%s\n%s\n%s\n", name, asset.Path, asset.Integrity, asset.MediaType)
	}
	return hex.EncodeToString(sum.Sum(nil))
}

func writeTable(dir string, list *table.Table) error {
	text, err := list.Format()
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, table.FileName), text, 0o644)
}

func printTable(w io.Writer, list *table.Table) error {
	tab := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(tab, "raw\tbr\tgzip\t  asset")
	for _, name := range slices.Sorted(maps.Keys(list.Assets)) {
		asset := list.Assets[name]
		fmt.Fprintf(tab, "%d\t%s\t%s\t  %s\n", asset.Size, size(asset, "br"), size(asset, "gzip"), name)
	}
	fmt.Fprintf(tab, "\t\t\t  build %s\n", list.Build[:16])
	return tab.Flush()
}

func size(asset table.Asset, encoding string) string {
	if n, ok := asset.Encodings[encoding]; ok {
		return fmt.Sprint(n)
	}
	return "–"
}
