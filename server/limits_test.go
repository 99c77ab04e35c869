package server

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestBodiesOfSubmissions(t *testing.T) {
	s := develop(t, Config{})
	padded := func(size int) func(path string) string {
		return func(path string) string {
			body := map[string]string{"/audit": `{"manifest":[1]`, "/drift": `{"baseline_manifest":[1],"manifest":[1]`}[path]
			return body + strings.Repeat(" ", size-len(body)-1) + "}"
		}
	}
	tests := []struct {
		name, kind string
		body       func(path string) string
		code       string
		status     int
		chunked    bool
	}{
		{"at the cap", "application/json", padded(bodyLimit), "", 200, false},
		{"at the cap, in chunks", "application/json", padded(bodyLimit), "", 200, true},
		{"524,289 bytes", "application/json", padded(bodyLimit + 1), "body_too_large", 413, false},
		{"524,289 bytes in chunks", "application/json", padded(bodyLimit + 1), "body_too_large", 413, true},
		{"no type", "", padded(200), "unsupported_media_type", 415, false},
		{"text", "text/plain", padded(200), "unsupported_media_type", 415, false},
		{"a form", "application/x-www-form-urlencoded", padded(200), "unsupported_media_type", 415, false},
		{"a type that can't be read", "application/json; =", padded(200), "unsupported_media_type", 415, false},
		{"a relative of JSON", "application/problem+json", padded(200), "unsupported_media_type", 415, false},
		{"with a charset", "Application/JSON; charset=UTF-8", padded(200), "", 200, false},
		{"empty", "application/json", func(string) string { return "" }, "invalid_json", 400, false},
	}
	for _, tt := range tests {
		for _, path := range []string{"/audit", "/drift"} {
			t.Run(tt.name+path, func(t *testing.T) {
				var reader io.Reader = strings.NewReader(tt.body(path))
				if tt.chunked {
					reader = io.MultiReader(reader) // hides the length
				}
				r := httptest.NewRequest(http.MethodPost, path, reader)
				r.Header.Set("Content-Type", tt.kind)
				w := httptest.NewRecorder()
				s.ServeHTTP(w, r)
				var got problem
				if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
					t.Fatal(err)
				}
				if w.Code != tt.status || got.Code != tt.code {
					t.Errorf("got %d %s", w.Code, w.Body)
				}
			})
		}
	}
}

// A refusal has a place and a sentence, and a browser gets them as a page.
func TestRefusals(t *testing.T) {
	s := develop(t, Config{})
	w := post(s, "/drift", `{"manifest":`+tools+`,"baseline_manifest":{"mcpServers":{}}}`)
	var got problem
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if w.Code != http.StatusBadRequest || got.Code != "not_a_manifest" || got.Pointer != "/baseline_manifest" || got.Detail == "" || w.Header().Get("Content-Type") != "application/problem+json" {
		t.Errorf("got %d %+v", w.Code, got)
	}
	r := httptest.NewRequest(http.MethodPost, "/audit", strings.NewReader(`{"manifest":[],"<script>alert(1)</script>":1}`))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", browser)
	page := httptest.NewRecorder()
	s.ServeHTTP(page, r)
	if count(document(t, page.Body), has("data-testid", "fault")) != 1 || page.Code != http.StatusBadRequest {
		t.Errorf("a browser gets status %d and no page", page.Code)
	}
}

func TestEndpointsAnswerPostOnly(t *testing.T) {
	s := start(t, Config{})
	for _, path := range []string{"/audit", "/drift", "/drift/precheck"} {
		w := ask(s, http.MethodGet, path, nil)
		if w.Code != http.StatusMethodNotAllowed || !strings.Contains(w.Header().Get("Allow"), "POST") {
			t.Errorf("%s: %d, Allow %q", path, w.Code, w.Header().Get("Allow"))
		}
	}
}
