package e2e

import (
	"bytes"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/manifestseal/manifestseal/server"
	"github.com/manifestseal/manifestseal/static"
	"github.com/manifestseal/manifestseal/static/table"
)

// site is a server whose every request is written down as it arrived, beside
// what the server itself logs. It is also a proxy: a browser that has it as one
// shows it every request, to whatever machine.
type site struct {
	url   string
	front *httptest.Server
	log   safeBuffer

	mu       sync.Mutex
	answers  http.Handler
	requests []request
}

// request is what came over the wire.
type request struct{ method, url, header, body string }

func (r request) String() string { return r.method + " " + r.url + "\n" + r.header + "\n" + r.body }

func newSite(t *testing.T) *site {
	t.Helper()
	s := new(site)
	s.front = httptest.NewServer(s)
	t.Cleanup(s.front.Close)
	s.url = s.front.URL
	s.release(t, server.Config{})
	return s
}

// release has the site answer by another server from now on.
func (s *site) release(t *testing.T, config server.Config) {
	t.Helper()
	config.Listen = "127.0.0.1:0"
	config.Logger = slog.New(slog.NewJSONHandler(&s.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	next, err := server.New(config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := next.Close(); err != nil {
			t.Error(err)
		}
	})
	s.mu.Lock()
	s.answers = next
	s.mu.Unlock()
}

func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var header bytes.Buffer
	_ = r.Header.Write(&header) // a buffer takes everything
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, "unreadable", http.StatusBadRequest)
		return
	}
	target := r.URL.String()
	if r.Method == http.MethodConnect {
		target = r.Host
	}
	s.mu.Lock()
	s.requests = append(s.requests, request{r.Method, target, header.String(), string(body)})
	answers := s.answers
	s.mu.Unlock()
	if r.Method == http.MethodConnect || "http://"+r.Host != s.url {
		http.Error(w, "nothing beyond this machine is reached", http.StatusBadGateway)
		return
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	answers.ServeHTTP(w, r)
}

// spoil has the site answer with something else at one path.
func (s *site) spoil(path, mediaType, body string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	answers := s.answers
	s.answers = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != path {
			answers.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Content-Type", mediaType)
		_, _ = io.WriteString(w, body) // the browser may have left
	})
}

// seen gives the requests so far.
func (s *site) seen() []request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]request(nil), s.requests...)
}

// own gives those that were meant for the site.
func (s *site) own() []string {
	var urls []string
	for _, r := range s.seen() {
		if strings.HasPrefix(r.url, "/") || strings.HasPrefix(r.url, s.url) {
			urls = append(urls, r.method+" "+strings.TrimPrefix(r.url, s.url))
		}
	}
	return urls
}

// safeBuffer is written by a server and read by a test.
type safeBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *safeBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *safeBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// nextRelease is the bundle under another build id, which every page names.
func nextRelease(t *testing.T) *static.Assets {
	t.Helper()
	files := make(fstest.MapFS)
	dist := static.Dist()
	err := fs.WalkDir(dist, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		body, err := fs.ReadFile(dist, name)
		files[name] = &fstest.MapFile{Data: body}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	list, err := table.Parse(files[table.FileName].Data)
	if err != nil {
		t.Fatal(err)
	}
	list.Build = strings.Repeat("1", 64)
	if files[table.FileName].Data, err = list.Format(); err != nil {
		t.Fatal(err)
	}
	assets, err := static.New(files)
	if err != nil {
		t.Fatal(err)
	}
	return assets
}

// sealed waits until the page is sealed and works offline.
func (p *tab) sealed() {
	p.t.Helper()
	p.loaded()
	p.until(`document.documentElement.dataset.sealed !== undefined && document.documentElement.dataset.offline !== undefined`)
	got := eval[string](p, `document.documentElement.dataset.sealed + ' ' + document.documentElement.dataset.offline`)
	if got != "true ready" {
		p.t.Fatalf("sealed and offline: %q: %s %s", got, p.text("seal-state"), p.text("offline-state"))
	}
}
