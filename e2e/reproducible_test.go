package e2e

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/manifestseal/manifestseal/static"
	"github.com/manifestseal/manifestseal/static/cmd/bundle/enginewasm"
)

// The engine that is served is what anybody gets who builds these sources, in
// whatever folder.
func TestEngineIsReproducible(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{"engine", "wasm"} {
		if err := os.CopyFS(filepath.Join(dir, name), os.DirFS(filepath.Join("..", name))); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"go.mod", "go.sum"} {
		data, err := os.ReadFile(filepath.Join("..", name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got, err := enginewasm.Build(enginewasm.Options{Root: dir, Go: "go"})
	if err != nil {
		t.Fatal(err)
	}
	assets, err := static.New(static.Dist())
	if err != nil {
		t.Fatal(err)
	}
	if served := assets.Body("engine.wasm"); !bytes.Equal(got, served) {
		t.Errorf("built in another folder the engine has %d bytes, the bundle's has %d, and they differ", len(got), len(served))
	}
}
