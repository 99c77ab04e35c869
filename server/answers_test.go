package server

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

func TestHeadersOnEveryAnswer(t *testing.T) {
	s := start(t, Config{})
	want := header{
		"Content-Security-Policy":      s.pages.policy,
		"X-Content-Type-Options":       "nosniff",
		"X-Frame-Options":              "DENY",
		"Referrer-Policy":              "no-referrer",
		"Cross-Origin-Opener-Policy":   "same-origin",
		"Cross-Origin-Embedder-Policy": "require-corp",
		"Cross-Origin-Resource-Policy": "same-origin",
		"Strict-Transport-Security":    "",
	}
	for _, path := range append(allPaths(), "/healthz", "/nowhere", "/static/x/site.css", "/static/nothing") {
		w := ask(s, http.MethodGet, path, nil)
		for name, value := range want {
			if name == "Content-Security-Policy" && path == reportPath {
				value = s.pages.buyPolicy // the one page that sends something
			}
			if got := w.Header().Get(name); got != value {
				t.Errorf("%s: %s is %q, want %q", path, name, got, value)
			}
		}
		if got := w.Header().Get("Permissions-Policy"); !strings.Contains(got, "camera=()") {
			t.Errorf("%s: Permissions-Policy is %q", path, got)
		}
		if cookies := w.Result().Cookies(); len(cookies) != 0 {
			t.Errorf("%s sets a cookie", path)
		}
	}
}

func TestPagePolicyAllowsNoOtherSite(t *testing.T) {
	for _, directive := range strings.Split(start(t, Config{}).pages.policy, ";") {
		for _, source := range strings.Fields(directive)[1:] {
			known := []string{"'sha384-compare.js'", "'sha384-inspect.js'", "'sha384-verify.js'", "'sha384-example.js'", "'none'", "'self'", "'wasm-unsafe-eval'", "data:", "'script'", "manifestseal"}
			if !slices.Contains(known, source) {
				t.Errorf("directive %q allows %s", directive, source)
			}
		}
	}
}

func TestWorkerHasItsOwnPolicy(t *testing.T) {
	w := ask(start(t, Config{}), http.MethodGet, "/static/x/worker.js", nil)
	if got := w.Header().Get("Content-Security-Policy"); got != workerPolicy {
		t.Errorf("got %q, want %q", got, workerPolicy)
	}
	if got := w.Header().Get("Cross-Origin-Embedder-Policy"); got != "require-corp" {
		t.Errorf("the worker has embedder policy %q; the page could not start it", got)
	}
}

func TestStrictTransportOnlyBehindHTTPS(t *testing.T) {
	tests := []struct {
		origin string
		want   bool
	}{
		{"", false}, {"http://localhost:8080", false}, {"https://example.org", true},
	}
	for _, tt := range tests {
		w := ask(start(t, Config{Origin: tt.origin}), http.MethodGet, "/", nil)
		if got := w.Header().Get("Strict-Transport-Security") != ""; got != tt.want {
			t.Errorf("origin %q: sent %v, want %v", tt.origin, got, tt.want)
		}
	}
}

func TestErrorsByAccept(t *testing.T) {
	s := start(t, Config{})
	tests := []struct {
		name, method, path, code string
		status                   int
	}{
		{"unknown path", http.MethodGet, "/nowhere", "not_found", 404},
		{"unknown criteria", http.MethodGet, "/criteria/other/v1", "not_found", 404},
		{"unknown asset", http.MethodGet, "/static/site.css", "not_found", 404},
		{"asset above its folder", http.MethodGet, "/static/../server.go", "not_found", 404},
		{"wrong method", http.MethodPost, "/", "method_not_allowed", 405},
		{"wrong method on an asset", http.MethodDelete, "/static/x/site.css", "method_not_allowed", 405},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := ask(s, tt.method, tt.path, nil)
			var got problem
			if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
				t.Fatal(err)
			}
			if w.Code != tt.status || got.Status != tt.status || got.Code != tt.code || got.Detail == "" || got.RequestID == "" {
				t.Errorf("got %d %+v, want %d %s", w.Code, got, tt.status, tt.code)
			}
			if got, want := w.Header().Get("Content-Type"), "application/problem+json"; got != want {
				t.Errorf("got type %q, want %q", got, want)
			}
			page := ask(s, tt.method, tt.path, header{"Accept": browser})
			root := document(t, page.Body)
			if page.Code != tt.status || count(root, has("data-testid", "fault")) != 1 {
				t.Errorf("a browser gets status %d and no page", page.Code)
			}
		})
	}
}

func TestWrongMethodNamesTheRightOnes(t *testing.T) {
	for _, path := range []string{"/", "/criteria", "/healthz"} {
		allow := ask(start(t, Config{}), http.MethodPut, path, nil).Header().Get("Allow")
		if !strings.Contains(allow, "GET") || !strings.Contains(allow, "HEAD") {
			t.Errorf("%s: Allow is %q", path, allow)
		}
	}
}

func TestHeadAnswersWhereGetDoes(t *testing.T) {
	s := start(t, Config{})
	for _, path := range append(allPaths(), "/healthz", "/static/x/site.css") {
		got, want := ask(s, http.MethodHead, path, nil), ask(s, http.MethodGet, path, nil)
		if got.Code != want.Code || got.Header().Get("Content-Type") != want.Header().Get("Content-Type") {
			t.Errorf("%s: HEAD gives %d %q, GET %d %q", path, got.Code, got.Header().Get("Content-Type"), want.Code, want.Header().Get("Content-Type"))
		}
	}
}

func TestBodyLimit(t *testing.T) {
	s := start(t, Config{})
	tests := []struct {
		name string
		size int
		want int
	}{
		{"at the cap", bodyLimit, http.StatusMethodNotAllowed},
		{"one above", bodyLimit + 1, http.StatusRequestEntityTooLarge},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := httptest.NewRecorder()
			s.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/", strings.NewReader(strings.Repeat("x", tt.size))))
			if w.Code != tt.want {
				t.Errorf("got %d, want %d", w.Code, tt.want)
			}
		})
	}
}

func TestHostilePathIsNotEchoed(t *testing.T) {
	w := ask(start(t, Config{}), http.MethodGet, "/%3Cscript%3Ealert(1)%3C/script%3E", header{"Accept": browser})
	root := document(t, w.Body)
	if count(root, func(n *html.Node) bool { return n.Data == "script" && n.FirstChild != nil }) != 0 || strings.Contains(w.Body.String(), "alert(1)") {
		t.Error("the path is repeated in the error page")
	}
}
