package e2e

import (
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
