package fetch

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/manifestseal/manifestseal/engine/criteria"
)

// sites are a server that stands for a host outside, and one that must never be
// reached.
type sites struct {
	public, inside *httptest.Server
	reached        atomic.Int64 // how often inside was asked
	fetcher        *Fetcher
}

func open(t *testing.T, handler http.HandlerFunc, deadline time.Duration) *sites {
	t.Helper()
	s := &sites{public: httptest.NewServer(handler)}
	s.inside = httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { s.reached.Add(1) }))
	t.Cleanup(s.public.Close)
	t.Cleanup(s.inside.Close)
	s.fetcher = NewForTest([]netip.AddrPort{addressOf(s.public)}, nil, deadline)
	return s
}

func addressOf(s *httptest.Server) netip.AddrPort {
	return s.Listener.Addr().(*net.TCPAddr).AddrPort()
}

func (s *sites) get(t *testing.T, url string) (*Document, error) {
	t.Helper()
	target, err := s.fetcher.Parse(url)
	if err != nil {
		t.Fatal(err)
	}
	return s.fetcher.Get(t.Context(), target)
}

const long = 20 * time.Second

func TestGet(t *testing.T) {
	body := strings.Repeat("x", CapBytes)
	var asked atomic.Int64
	s := open(t, func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		want := map[string]string{"User-Agent": criteria.UserAgent, "Cookie": "", "Referer": "", "Authorization": ""}
		for name, value := range want {
			if got := r.Header.Get(name); got != value || r.Method != http.MethodGet {
				t.Errorf("%s with %s %q", r.Method, name, got)
			}
		}
		io.WriteString(w, body)
	}, long)
	document, err := s.get(t, s.public.URL+"/tools.json?token=x#y")
	if err != nil {
		t.Fatal(err)
	}
	if string(document.Bytes) != body || document.Sum != sha256.Sum256([]byte(body)) || asked.Load() != 1 {
		t.Errorf("%d bytes in %d requests", len(document.Bytes), asked.Load())
	}
}

func TestRedirectsAreFollowedWithoutReferer(t *testing.T) {
	s := open(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Referer") != "" || r.Header.Get("Cookie") != "" {
			t.Errorf("the next host is told %v", r.Header)
		}
		if r.URL.Path == "/end" {
			io.WriteString(w, "[]")
			return
		}
		http.SetCookie(w, &http.Cookie{Name: "a", Value: "b"})
		w.Header().Set("Location", "/end")
		w.WriteHeader(http.StatusPermanentRedirect)
	}, long)
	if document, err := s.get(t, s.public.URL+"/start?token=hush"); err != nil || string(document.Bytes) != "[]" {
		t.Errorf("got %v", err)
	}
}

// A redirect is held to the same rules as the URL itself, in every spelling.
func TestRedirectInsideIsRefused(t *testing.T) {
	for _, to := range append(loopbackSpellings(), "", "://", "//localhost/x", "file:///etc/passwd", "ftp://example.org/", "http://169.254.169.254/", "http://u:p@example.org/", "INSIDE") {
		s := open(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", to)
			w.WriteHeader(http.StatusFound)
		}, long)
		if to == "INSIDE" {
			to = s.inside.URL
		}
		if _, err := s.get(t, s.public.URL); !errors.Is(err, Failed) {
			t.Errorf("to %q: %v", to, err)
		}
		if s.reached.Load() != 0 {
			t.Errorf("to %q: the inside was asked", to)
		}
	}
}

func TestRedirectsEnd(t *testing.T) {
	var asked atomic.Int64
	s := open(t, func(w http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		w.Header().Set("Location", "/again")
		w.WriteHeader(http.StatusSeeOther)
	}, long)
	if _, err := s.get(t, s.public.URL); !errors.Is(err, Failed) || asked.Load() != maxRedirects+1 {
		t.Errorf("%v after %d requests", err, asked.Load())
	}
}

func TestTooLarge(t *testing.T) {
	endless := func(w io.Writer) {
		for chunk := bytes.Repeat([]byte(" "), 64<<10); ; {
			if _, err := w.Write(chunk); err != nil {
				return
			}
		}
	}
	tests := []struct {
		name    string
		handler http.HandlerFunc
	}{
		{"one byte more", func(w http.ResponseWriter, _ *http.Request) { w.Write(make([]byte, CapBytes+1)) }},
		{"endless", func(w http.ResponseWriter, _ *http.Request) { endless(w) }},
		{"gzip bomb", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			endless(z)
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := open(t, tt.handler, long)
			if _, err := s.get(t, s.public.URL); !errors.Is(err, TooLarge) {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestFailed(t *testing.T) {
	tests := []struct {
		name    string
		handler http.HandlerFunc
	}{
		{"not found", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotFound) }},
		{"no content", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }},
		{"a part", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusPartialContent) }},
		{"broken gzip", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			io.WriteString(w, "no gzip")
		}},
		{"cut off", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "100")
			io.WriteString(w, "[")
		}},
		{"headers without end", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("X", strings.Repeat("x", 2*maxHeaderBytes))
		}},
		{"hangs up", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := open(t, tt.handler, long)
			if _, err := s.get(t, s.public.URL); !errors.Is(err, Failed) {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestSlowServersEnd(t *testing.T) {
	tests := []struct {
		name    string
		handler func(w http.ResponseWriter, wait func())
	}{
		{"before its headers", func(_ http.ResponseWriter, wait func()) { wait() }},
		{"in its body", func(w http.ResponseWriter, wait func()) {
			io.WriteString(w, "[")
			w.(http.Flusher).Flush()
			wait()
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := open(t, func(w http.ResponseWriter, r *http.Request) {
				tt.handler(w, func() { <-r.Context().Done() })
			}, 200*time.Millisecond)
			_, err := s.get(t, s.public.URL)
			if !errors.Is(err, Timeout) {
				t.Errorf("got %v", err)
			}
		})
	}
}

// A proxy named by the environment would dial in our place.
func TestProxiesAreIgnored(t *testing.T) {
	if f := New(); f.client.Transport.(*http.Transport).Proxy != nil {
		t.Error("a proxy would be asked")
	}
}

// The guard alone, for what a name server may answer.
func TestControl(t *testing.T) {
	f := New()
	for _, c := range []struct {
		network, address string
		allowed          bool
	}{
		{"tcp4", "93.184.215.14:443", true},
		{"tcp6", "[2606:2800:21f:cb07::1]:80", true},
		{"tcp4", "93.184.215.14:22", false},
		{"tcp4", "127.0.0.1:80", false},
		{"tcp6", "[::ffff:127.0.0.1]:80", false},
		{"tcp6", "[::1]:80", false},
		{"tcp4", "168.63.129.16:80", false},
		{"tcp4", "169.254.169.254:80", false},
		{"udp4", "93.184.215.14:443", false},
		{"unix", "/run/docker.sock", false},
	} {
		if got := f.control(c.network, c.address, nil) == nil; got != c.allowed {
			t.Errorf("%s %s: allowed %v", c.network, c.address, got)
		}
	}
}

func TestClientThatLeavesEndsTheFetch(t *testing.T) {
	s := open(t, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, long)
	target, err := s.fetcher.Parse(s.public.URL)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.fetcher.Get(ctx, target); !errors.Is(err, Failed) {
		t.Errorf("got %v", err)
	}
}
