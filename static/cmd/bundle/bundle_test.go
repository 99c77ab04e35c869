package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/manifestseal/manifestseal/static/table"
)

func TestWebBundlesTwiceToTheSameBytes(t *testing.T) {
	opts := options{root: "../../..", goTool: "go"}
	first, err := bundleWeb(opts)
	if err != nil {
		t.Fatal(err)
	}
	second, err := bundleWeb(opts)
	if err != nil {
		t.Fatal(err)
	}
	names := make(map[string]bool)
	for i, out := range first {
		names[out.name] = len(out.body) > 0
		if string(out.body) != string(second[i].body) {
			t.Errorf("%s differs between two runs", out.name)
		}
	}
	want := map[string]bool{"compare.js": true, "inspect.js": true, "example.js": true, "report.js": true, "verify.js": true, "worker.js": true, "sw.js": true, "retire.js": true, "site.css": true}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("outputs (-want +got):\n%s", diff)
	}
}

func TestWriteKeepsTwinsAndRemovesStaleFiles(t *testing.T) {
	dir := t.TempDir()
	out := output{name: "sub/a.js", mediaType: javaScript, body: []byte(longText())}
	asset, err := write(dir, out)
	if err != nil {
		t.Fatal(err)
	}
	twin := filepath.Join(dir, filepath.FromSlash(asset.Path)) + ".br"
	before := stat(t, twin)
	stale := filepath.Join(dir, "old.0.js")
	for _, name := range []string{stale, filepath.Join(dir, ".gitkeep")} {
		if err := os.WriteFile(name, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	again, err := write(dir, out)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(asset, again); diff != "" {
		t.Errorf("second write (-first +second):\n%s", diff)
	}
	if !os.SameFile(before, stat(t, twin)) {
		t.Error("the compressed twin was made again")
	}
	if err := removeStale(dir, &table.Table{Assets: map[string]table.Asset{out.name: asset}}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(stale); !os.IsNotExist(err) {
		t.Error("a stale file is still there")
	}
	stat(t, filepath.Join(dir, ".gitkeep"))
	stat(t, twin)
}

func TestHandMadeRefusesKindsWithoutMediaType(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.exe"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := handMade(dir); err == nil {
		t.Error("a file without a media type was accepted")
	}
}

func longText() string {
	text := make([]byte, 4096)
	for i := range text {
		text[i] = "abc "[i%4]
	}
	return string(text)
}

func stat(t *testing.T, name string) os.FileInfo {
	t.Helper()
	info, err := os.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	return info
}
