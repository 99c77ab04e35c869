package server

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"

	"github.com/manifestseal/manifestseal/static"
	"github.com/manifestseal/manifestseal/static/table"
)

// releaseOf reads the list that a server put in front of its service worker.
func releaseOf(t *testing.T, s *Server) release {
	t.Helper()
	body := ask(s, http.MethodGet, serviceWorkerPath, nil).Body.String()
	text, found := strings.CutPrefix(body, "var manifestsealRelease=")
	text, script, cut := strings.Cut(text, ";\n")
	if !found || !cut || script != "content of sw.js" {
		t.Fatalf("the service worker reads %q", body)
	}
	var r release
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		t.Fatal(err)
	}
	return r
}

func TestServiceWorkerListsPagesAndAssets(t *testing.T) {
	s := start(t, Config{})
	var pages, assets []string
	for _, f := range releaseOf(t, s).Files {
		if f.Page {
			pages = append(pages, f.URL)
		} else {
			assets = append(assets, strings.TrimPrefix(f.URL, "/static/x/"))
		}
	}
	if diff := cmp.Diff(offlinePages(), pages); diff != "" {
		t.Errorf("pages (-want +got)\n%s", diff)
	}
	if diff := cmp.Diff(assetNames(), assets); diff != "" {
		t.Errorf("assets (-want +got)\n%s", diff)
	}
}

// Two processes that serve one build must not look like two releases.
func TestReleaseDependsOnTheBuildOnly(t *testing.T) {
	first := releaseOf(t, start(t, Config{}))
	if diff := cmp.Diff(first, releaseOf(t, start(t, Config{Origin: "https://example.org"}))); diff != "" {
		t.Errorf("two processes differ\n%s", diff)
	}
}

func TestServiceWorkerIsSentForItself(t *testing.T) {
	for _, off := range []bool{false, true} {
		w := ask(start(t, Config{NoServiceWorker: off}), http.MethodGet, serviceWorkerPath, nil)
		want := header{
			"Content-Type":            "text/javascript; charset=utf-8",
			"Cache-Control":           "no-cache",
			"Content-Security-Policy": serviceWorkerPolicy,
		}
		for name, value := range want {
			if got := w.Header().Get(name); got != value {
				t.Errorf("off %v: %s is %q, want %q", off, name, got, value)
			}
		}
	}
}

func TestKillSwitch(t *testing.T) {
	s := start(t, Config{NoServiceWorker: true})
	if got, want := ask(s, http.MethodGet, serviceWorkerPath, nil).Body.String(), "content of retire.js"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	for id, path := range map[string]string{"compare": "/", "inspect": "/inspect"} {
		root := document(t, ask(s, http.MethodGet, path, nil).Body)
		if count(root, func(n *html.Node) bool { return has("id", id)(n) && has("data-service-worker", "")(n) }) != 1 {
			t.Errorf("%s would register a service worker", path)
		}
	}
}

func TestEngineIsAskedForEarly(t *testing.T) {
	s := start(t, Config{})
	want := `</static/x/engine.wasm>; rel="preload"; as="fetch"; crossorigin="anonymous"; integrity="sha384-engine.wasm"; fetchpriority="high"`
	for _, path := range []string{"/", "/inspect"} {
		if got := ask(s, http.MethodGet, path, nil).Header().Get("Link"); got != want {
			t.Errorf("%s: got %q, want %q", path, got, want)
		}
	}
}

func TestABundleWithoutAServiceWorkerIsRefused(t *testing.T) {
	files := make(fstest.MapFS)
	list := &table.Table{Assets: make(map[string]table.Asset)}
	for _, name := range assetNames() {
		files[name] = &fstest.MapFile{}
		list.Assets[name] = table.Asset{Path: name}
	}
	text, err := list.Format()
	if err != nil {
		t.Fatal(err)
	}
	files[table.FileName] = &fstest.MapFile{Data: text}
	assets, err := static.New(files)
	if err != nil {
		t.Fatal(err)
	}
	if s, err := New(Config{Listen: "127.0.0.1:0", Assets: assets}); err == nil || !strings.Contains(err.Error(), "service worker") {
		t.Errorf("got %v, %v", s, err)
	}
}
