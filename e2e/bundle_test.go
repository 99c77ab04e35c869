package e2e

import (
	"io/fs"
	"os"
	"testing"

	"github.com/manifestseal/manifestseal/static"
	"github.com/manifestseal/manifestseal/static/table"
)

// A browser test of yesterday's bundle proves nothing.
func TestBundleIsFresh(t *testing.T) {
	assets, err := static.New(static.Dist())
	if err != nil {
		t.Fatal(err)
	}
	want, err := table.Sources(os.DirFS(".."))
	if err != nil {
		t.Fatal(err)
	}
	if got := assets.Sources(); got != want {
		t.Errorf("the bundle was built from sources %s, the tree has %s: run make bundle", got, want)
	}
}

// The page loads the whole engine before its first answer; the bar stands in
// wasm/README.md.
func TestEngineIsSmall(t *testing.T) {
	const bar = 800 << 10
	data, err := fs.ReadFile(static.Dist(), table.FileName)
	if err != nil {
		t.Fatal(err)
	}
	list, err := table.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	packed, ok := list.Assets["engine.wasm"].Encodings["br"]
	if !ok || packed > bar {
		t.Errorf("the engine has %d bytes in brotli, the bar is %d: wasm/README.md says how to see what is in it", packed, bar)
	}
}
