package server

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/labstack/echo/v4"
	"golang.org/x/net/html"

	"github.com/manifestseal/manifestseal/static"
	"github.com/manifestseal/manifestseal/static/table"
)

// bundle is a small one that has every file the pages refer to, so that these
// tests need no build.
func bundle(t *testing.T) *static.Assets {
	t.Helper()
	files := make(fstest.MapFS)
	list := &table.Table{Build: strings.Repeat("b", 64), Assets: make(map[string]table.Asset)}
	for _, name := range append(assetNames(), "sw.js", "retire.js") {
		body := []byte("content of " + name)
		files["x/"+name] = &fstest.MapFile{Data: body}
		list.Assets[name] = table.Asset{Path: "x/" + name, Integrity: "sha384-" + name, MediaType: "text/plain", Size: len(body)}
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
	return assets
}

func start(t *testing.T, config Config) *Server {
	t.Helper()
	config.Listen, config.Assets = "127.0.0.1:0", bundle(t)
	s, err := New(config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

type header map[string]string

func ask(s *Server, method, target string, h header) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, target, nil)
	for name, value := range h {
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w
}

const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"

func document(t *testing.T, body io.Reader) *html.Node {
	t.Helper()
	root, err := html.Parse(body)
	if err != nil {
		t.Fatal(err)
	}
	return root
}

func count(root *html.Node, test func(*html.Node) bool) int {
	n := 0
	for d := range root.Descendants() {
		if d.Type == html.ElementNode && test(d) {
			n++
		}
	}
	return n
}

func has(name, value string) func(*html.Node) bool {
	return func(n *html.Node) bool {
		for _, a := range n.Attr {
			if a.Key == name && a.Val == value {
				return true
			}
		}
		return false
	}
}

func TestRunServesUntilItsContextEnds(t *testing.T) {
	s := start(t, Config{})
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx) }()
	response, err := http.Get(s.URL() + "/healthz")
	if err != nil {
		t.Fatal(err)
	}
	if err := response.Body.Close(); err != nil {
		t.Error(err)
	}
	if response.StatusCode != http.StatusOK {
		t.Errorf("got status %d, want 200", response.StatusCode)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Errorf("Run ended with %v", err)
	}
}

func TestNewRefuses(t *testing.T) {
	tests := []struct {
		name   string
		config Config
	}{
		{"address that is none", Config{Listen: "nowhere"}},
		{"origin with a path", Config{Listen: "127.0.0.1:0", Origin: "https://example.org/app"}},
		{"origin with a user", Config{Listen: "127.0.0.1:0", Origin: "https://me@example.org"}},
		{"origin of another scheme", Config{Listen: "127.0.0.1:0", Origin: "ftp://example.org"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.config.Assets = bundle(t)
			if s, err := New(tt.config); err == nil {
				t.Errorf("accepted: %v", s.Close())
			}
		})
	}
}

func TestPanicsBecomeErrors(t *testing.T) {
	var logged bytes.Buffer
	s := start(t, Config{Logger: slog.New(slog.NewJSONHandler(&logged, nil))})
	s.echo.GET("/panic", func(echo.Context) error { panic("secret of a visitor") })
	w := ask(s, http.MethodGet, "/panic", nil)
	if w.Code != http.StatusInternalServerError {
		t.Errorf("got status %d, want 500", w.Code)
	}
	if both := logged.String() + w.Body.String(); strings.Contains(both, "secret") {
		t.Error("the value of a panic was told")
	}
}

func TestLogHoldsNoQuery(t *testing.T) {
	var logged bytes.Buffer
	s := start(t, Config{Logger: slog.New(slog.NewJSONHandler(&logged, nil))})
	ask(s, http.MethodGet, "/example?token=hush", nil)
	ask(s, http.MethodGet, "/hush/path", nil)
	ask(s, "HUSH", "/", nil)
	if strings.Contains(strings.ToLower(logged.String()), "hush") {
		t.Errorf("the log repeats what a visitor sent:\n%s", logged.String())
	}
	var line map[string]any
	first, _, _ := strings.Cut(logged.String(), "\n")
	if err := json.Unmarshal([]byte(first), &line); err != nil {
		t.Fatal(err)
	}
	for _, member := range []string{"method", "route", "status", "bytes", "duration", "request_id"} {
		if line[member] == nil {
			t.Errorf("the log line has no %s", member)
		}
	}
	if line["route"] != "/example" {
		t.Errorf("got route %v, want /example", line["route"])
	}
}

func TestRequestIDs(t *testing.T) {
	s := start(t, Config{})
	tests := []struct {
		name, sent string
		kept       bool
	}{
		{"well-formed", "abc-DEF_12345", true},
		{"too short", "abc", false},
		{"too long", strings.Repeat("a", 65), false},
		{"with a line break", "abcdefgh\nx", false},
		{"with a quote", `abcdefgh"x`, false},
		{"not ASCII", "abcdefghé", false},
		{"none", "", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := ask(s, http.MethodGet, "/healthz", header{requestIDHeader: tt.sent}).Header().Get(requestIDHeader)
			if (got == tt.sent) != tt.kept || len(got) < 8 {
				t.Errorf("sent %q, got %q", tt.sent, got)
			}
		})
	}
}
