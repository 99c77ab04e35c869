// Package static implements the assets of the web app: files made by hand in
// public, and the built bundle in dist, embedded into the binary and served
// by content hash. It follows RFC 9110 for content negotiation and RFC 8246
// for immutable responses. It never learns what the files mean to a page.
package static

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"

	"github.com/manifestseal/manifestseal/static/table"
)

//go:embed public
var public embed.FS

// A clean clone has no bundle, only .gitkeep: hence "all:".
//
//go:embed all:dist
var dist embed.FS

// ErrNotBuilt says that the bundle is missing from this binary.
var ErrNotBuilt = errors.New("the web assets are not built: run \"make build\"")

// Prefix is the URL path under which assets are served.
const Prefix = "/static/"

// Dist is the embedded bundle, to be given to New.
func Dist() fs.FS { return sub(dist, "dist") }

// Example is the example pair: two versions of one manifest, as files.
func Example() (baseline, current []byte) {
	return mustRead("public/example/baseline.json"), mustRead("public/example/current.json")
}

// Keys is the key set that this build pins, with its history: JWKS. A key comes
// in by a commit and never leaves, also when it is retired or compromised.
func Keys() []byte { return mustRead("public/keys.json") }

func sub(files embed.FS, dir string) fs.FS {
	under, err := fs.Sub(files, dir)
	if err != nil {
		panic(err) // the directory is named in the embed directive above
	}
	return under
}

func mustRead(name string) []byte {
	content, err := public.ReadFile(name)
	if err != nil {
		panic(err) // the file is part of the embedded directory
	}
	return content
}

// Assets is one bundle, held in memory, ready to be served.
type Assets struct {
	table  *table.Table
	byPath map[string]*file
}

// file is one asset with its precompressed twins, keyed by content coding;
// "" is the file as it is.
type file struct {
	name   string
	asset  table.Asset
	bodies map[string][]byte
}

// New reads the bundle in files. The error is ErrNotBuilt when there is none,
// and names the file when the table and the files disagree.
func New(files fs.FS) (*Assets, error) {
	text, err := fs.ReadFile(files, table.FileName)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNotBuilt
	}
	if err != nil {
		return nil, err
	}
	list, err := table.Parse(text)
	if err != nil {
		return nil, err
	}
	assets := &Assets{table: list, byPath: make(map[string]*file, len(list.Assets))}
	for name, asset := range list.Assets {
		loaded, err := load(files, name, asset)
		if err != nil {
			return nil, err
		}
		assets.byPath[asset.Path] = loaded
	}
	return assets, nil
}

func load(files fs.FS, name string, asset table.Asset) (*file, error) {
	loaded := &file{name: name, asset: asset, bodies: make(map[string][]byte)}
	sizes := map[string]int{"": asset.Size}
	for encoding, size := range asset.Encodings {
		sizes[encoding] = size
	}
	for encoding, size := range sizes {
		body, err := fs.ReadFile(files, asset.Path+table.Suffix(encoding))
		if err != nil {
			return nil, fmt.Errorf("asset %q: %w", name, err)
		}
		if len(body) != size {
			return nil, fmt.Errorf("asset %q: %d bytes in the file, %d in the table: run \"make build\"", name, len(body), size)
		}
		loaded.bodies[encoding] = body
	}
	return loaded, nil
}

// Build is the id of the bundle, 64 hex digits.
func (a *Assets) Build() string { return a.table.Build }

// Sources is the hash of the sources the bundle was made from; table.Sources
// computes it for a tree.
func (a *Assets) Sources() string { return a.table.Sources }

// Names lists the logical names, in no order.
func (a *Assets) Names() []string {
	names := make([]string, 0, len(a.table.Assets))
	for name := range a.table.Assets {
		names = append(names, name)
	}
	return names
}

// Lookup gives the URL path and the integrity value of a logical name, and
// whether the bundle has it.
func (a *Assets) Lookup(name string) (url, integrity string, ok bool) {
	asset, ok := a.table.Assets[name]
	if !ok {
		return "", "", false
	}
	return Prefix + asset.Path, asset.Integrity, true
}

// Body is the content of a logical name as it was before compression, or nil.
func (a *Assets) Body(name string) []byte {
	asset, ok := a.table.Assets[name]
	if !ok {
		return nil
	}
	return a.byPath[asset.Path].bodies[""]
}
