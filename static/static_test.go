package static

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/manifestseal/manifestseal/static/table"
)

func files(t *testing.T, asset table.Asset) fstest.MapFS {
	t.Helper()
	list := &table.Table{Build: "b", Sources: "s", Assets: map[string]table.Asset{"a.js": asset}}
	text, err := list.Format()
	if err != nil {
		t.Fatal(err)
	}
	return fstest.MapFS{
		table.FileName: {Data: text},
		"a.1.js":       {Data: []byte("plain text")},
		"a.1.js.br":    {Data: []byte("brotli")},
		"a.1.js.gz":    {Data: []byte("gz")},
	}
}

func script() table.Asset {
	return table.Asset{
		Path: "a.1.js", Integrity: "sha256-abc", MediaType: "text/javascript; charset=utf-8", Size: 10,
		Encodings: map[string]int{"br": 6, "gzip": 2},
	}
}

func TestNewRefuses(t *testing.T) {
	wrongSize, missing := script(), script()
	wrongSize.Size = 9
	missing.Path = "a.2.js"
	tests := []struct {
		name  string
		files fstest.MapFS
		want  string
	}{
		{"nothing built", fstest.MapFS{".gitkeep": {}}, "make build"},
		{"a file of another size", files(t, wrongSize), "make build"},
		{"a file that is missing", files(t, missing), "a.2.js"},
		{"a table that is no JSON", fstest.MapFS{table.FileName: {Data: []byte("{")}}, "asset table"},
		{"a table of another version", fstest.MapFS{table.FileName: {Data: []byte(`{"x":1}`)}}, "asset table"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := New(tt.files)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want an error that holds %q", err, tt.want)
			}
		})
	}
	if _, err := New(fstest.MapFS{}); !errors.Is(err, ErrNotBuilt) {
		t.Errorf("got %v, want ErrNotBuilt", err)
	}
}

func serve(t *testing.T, method, path string, headers map[string]string) *http.Response {
	t.Helper()
	assets, err := New(files(t, script()))
	if err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequest(method, path, nil)
	for name, value := range headers {
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	assets.ServeHTTP(w, r)
	return w.Result()
}

func TestServe(t *testing.T) {
	tests := []struct {
		name, accept, encoding, length, etag string
	}{
		{"as it is", "", "", "10", `"abc"`},
		{"brotli", "br", "br", "6", `"abc-br"`},
		{"gzip", "gzip", "gzip", "2", `"abc-gzip"`},
	}
	for _, tt := range tests {
		for _, method := range []string{http.MethodGet, http.MethodHead} {
			t.Run(tt.name+" "+method, func(t *testing.T) {
				got := serve(t, method, "/static/a.1.js", map[string]string{"Accept-Encoding": tt.accept})
				want := map[string]string{
					"Content-Type":     "text/javascript; charset=utf-8",
					"Cache-Control":    "public, max-age=31536000, immutable",
					"Vary":             "Accept-Encoding",
					"Content-Encoding": tt.encoding,
					"Etag":             tt.etag,
				}
				for name, value := range want {
					if got.Header.Get(name) != value {
						t.Errorf("%s is %q, want %q", name, got.Header.Get(name), value)
					}
				}
				if got.StatusCode != http.StatusOK {
					t.Errorf("got status %d, want 200", got.StatusCode)
				}
			})
		}
	}
}

func TestServeKnowsItsETags(t *testing.T) {
	tests := []struct {
		name, match string
		want        int
	}{
		{"same encoding", `"abc-br"`, http.StatusNotModified},
		{"another encoding", `"abc"`, http.StatusOK},
		{"a list", `"x", "abc-br"`, http.StatusNotModified},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := serve(t, http.MethodGet, "/static/a.1.js", map[string]string{"Accept-Encoding": "br", "If-None-Match": tt.match})
			if got.StatusCode != tt.want {
				t.Errorf("got %d, want %d", got.StatusCode, tt.want)
			}
		})
	}
}

func TestServeNothingElse(t *testing.T) {
	for _, path := range []string{"/static/a.js", "/static/assets.json", "/static/a.1.js.br", "/static/", "/static/../static.go"} {
		if got := serve(t, http.MethodGet, path, nil); got.StatusCode != http.StatusNotFound {
			t.Errorf("%s gives %d, want 404", path, got.StatusCode)
		}
	}
}

func TestExamplePairIsJSON(t *testing.T) {
	baseline, current := Example()
	for name, text := range map[string][]byte{"baseline": baseline, "current": current} {
		var list struct{ Tools []json.RawMessage }
		if err := json.Unmarshal(text, &list); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if len(list.Tools) < 6 {
			t.Errorf("%s has %d tools, too few to show everything", name, len(list.Tools))
		}
	}
}
