package table

import (
	"maps"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

func TestFormatIsParsedBack(t *testing.T) {
	want := &Table{Build: "b", Sources: "s", Assets: map[string]Asset{
		"b.css": {Path: "b.2.css", Integrity: "i", MediaType: "text/css", Size: 1},
		"a.js":  {Path: "a.1.js", Size: 2, Encodings: map[string]int{"gzip": 1, "br": 1}},
	}}
	text, err := want.Format()
	if err != nil {
		t.Fatal(err)
	}
	got, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func tree() fstest.MapFS {
	return fstest.MapFS{
		"engine/a.go": {Data: []byte("a")}, "wasm/main.go": {Data: []byte("m")}, "web/x/x.ts": {Data: []byte("x")},
		"static/public/icon.svg": {Data: []byte("i")}, "static/cmd/bundle/main.go": {Data: []byte("b")},
		"go.mod": {Data: []byte("mod")}, "go.sum": {Data: []byte("sum")},
	}
}

func TestSourcesNoticesWhatABundleIsMadeOf(t *testing.T) {
	was, err := Sources(tree())
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name, file string
		want       bool // whether the hash differs
	}{
		{"an engine file", "engine/a.go", true},
		{"a new style sheet", "web/styles/b.css", true},
		{"a file by hand", "static/public/icon.svg", true},
		{"a test", "engine/a_test.go", false},
		{"test data", "engine/screen/testdata/x.json", false},
		{"vectors", "engine/enginetest/vectors/x.json", false},
		{"a template", "templates/a.templ", false},
		{"the bundle itself", "static/dist/assets.json", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			files := maps.Clone(tree())
			files[tt.file] = &fstest.MapFile{Data: []byte("new")}
			is, err := Sources(files)
			if err != nil {
				t.Fatal(err)
			}
			if got := is != was; got != tt.want {
				t.Errorf("differs: %v, want %v", got, tt.want)
			}
		})
	}
}

func TestSourcesNeedsTheWholeTree(t *testing.T) {
	files := tree()
	delete(files, "wasm/main.go")
	if _, err := Sources(files); err == nil {
		t.Error("a tree without wasm was accepted")
	}
}
