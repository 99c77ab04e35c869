package server

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/manifestseal/manifestseal/server/internal/allowance"
	"github.com/manifestseal/manifestseal/server/internal/fetch"
	"github.com/manifestseal/manifestseal/server/internal/store/storetest"
	"github.com/manifestseal/manifestseal/server/internal/submission"
)

// elsewhere is a host that stands for one outside, which s may reach.
func elsewhere(t *testing.T, s *Server, deadline time.Duration, handler http.HandlerFunc) string {
	t.Helper()
	host := httptest.NewServer(handler)
	t.Cleanup(host.Close)
	s.issuer.fetch = fetch.NewForTest([]netip.AddrPort{host.Listener.Addr().(*net.TCPAddr).AddrPort()}, nil, deadline)
	return host.URL
}

func TestURLMode(t *testing.T) {
	s := develop(t, Config{})
	var asked atomic.Int64
	host := elsewhere(t, s, time.Minute, func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		if r.URL.RawQuery != "token=hush" {
			t.Errorf("asked for %s", r.URL)
		}
		io.WriteString(w, other)
	})
	url := `"url":"` + host + `/tools.json?token=hush#part"`
	sum := sha256.Sum256([]byte(other))
	for path, body := range map[string]string{"/audit": `{` + url + `}`, "/drift": `{"baseline_manifest":` + tools + `,` + url + `}`} {
		asked.Store(0)
		r := issued(t, s, post(s, path, body), http.StatusOK)
		want := map[string]string{"source": "url", "url": host + "/tools.json", "fetched_sha256": hex.EncodeToString(sum[:])}
		got := map[string]string{}
		for name := range want {
			got[name] = text(r, "current", name)
		}
		if diff := cmp.Diff(want, got); diff != "" || asked.Load() != 1 {
			t.Errorf("%s: fetched %d times; current (-want +got):\n%s", path, asked.Load(), diff)
		}
	}
}

// A document that can't be had or read is said to be that, signed, and never
// looks like a result.
func TestDocumentsThatCannotBeCompared(t *testing.T) {
	deep := strings.Repeat("[", 1001) + strings.Repeat("]", 1001)
	write := func(text string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, text) }
	}
	tests := []struct {
		name, reason string
		handler      http.HandlerFunc
	}{
		{"not found", "fetch_failed", http.NotFound},
		{"leads inside", "fetch_failed", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://127.0.0.1:80/", http.StatusFound)
		}},
		{"slow", "fetch_timeout", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }},
		{"one byte too much", "fetch_too_large", write(strings.Repeat(" ", fetch.CapBytes-1) + "[]")},
		{"a page", "not_a_manifest", write("<!doctype html><title>Sign in</title>")},
		{"nothing", "not_a_manifest", write("")},
		{"a report", "not_a_manifest", write(`{"criteria_id":"mcp-manifest-claims/v1","tools":[]}`)},
		{"a log that the page would unwrap", "not_a_manifest", write("data: " + tools + "\n\n")},
		{"not UTF-8", "not_a_manifest", write("[\"\xff\"]")},
		{"too deep", "too_deep", write(deep)},
		{"no tools", "zero_tools_current", write(`{"tools":[]}`)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := prechecking(t, allowance.Limits{Interval: never})
			deadline := time.Minute
			if tt.reason == "fetch_timeout" {
				deadline = 200 * time.Millisecond
			}
			host := elsewhere(t, s, deadline, tt.handler)
			url := `"url":"` + host + `/tools.json?token=hush"}`
			for _, c := range []struct {
				path, body string
				status     int
			}{
				{"/audit", `{` + url, http.StatusUnprocessableEntity},
				{"/drift", `{"baseline_manifest":` + tools + `,` + url, http.StatusUnprocessableEntity},
				{"/drift/precheck", `{"caller":"` + wallet + `","baseline_manifest":` + tools + `,` + url, http.StatusOK},
			} {
				w := post(s, c.path, c.body)
				r := issued(t, s, w, c.status)
				if got := text(r, "reason"); got != tt.reason || !strings.HasPrefix(text(r, "verdict"), "COULD NOT ") {
					t.Errorf("%s: %q, %q", c.path, got, text(r, "verdict"))
				}
				if text(r, "current", "url") != host+"/tools.json" || strings.Contains(w.Body.String(), "hush") {
					t.Errorf("%s: current is %s", c.path, r.Root.Get("current").Source())
				}
				if capped := r.Root.Get("cap_bytes").Exists(); capped != (tt.reason == "fetch_too_large") {
					t.Errorf("%s: cap_bytes %v", c.path, capped)
				}
			}
		})
	}
}

func TestTooManyToolsBehindAURL(t *testing.T) {
	s := develop(t, Config{})
	host := elsewhere(t, s, time.Minute, func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, "["+strings.Repeat("{},", submission.MaxTools)+"{}]")
	})
	w := post(s, "/audit", `{"url":"`+host+`"}`)
	if w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), `"too_many_tools"`) || !strings.Contains(w.Body.String(), `"/url"`) {
		t.Errorf("got %d %s", w.Code, w.Body)
	}
}

// A fetch is what a request without payment can make us do, so an address has as
// many as of everything else that is free.
func TestFetchesAreLimitedByAddress(t *testing.T) {
	s := develop(t, Config{Allowance: allowance.New(storetest.Open(t, storetest.SQLite(t)), allowance.Limits{Burst: 2, Refill: time.Hour})})
	var asked atomic.Int64
	host := elsewhere(t, s, time.Minute, func(w http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		io.WriteString(w, tools)
	})
	var got []int
	for range 3 {
		got = append(got, post(s, "/audit", `{"url":"`+host+`"}`).Code)
	}
	got = append(got, post(s, "/audit", `{"manifest":`+tools+`}`).Code)
	if diff := cmp.Diff([]int{200, 200, 429, 200}, got); diff != "" || asked.Load() != 2 {
		t.Errorf("%d fetches; statuses (-want +got):\n%s", asked.Load(), diff)
	}
	paying := httptest.NewRequest(http.MethodPost, "/audit", strings.NewReader(`{"url":"`+host+`"}`))
	paying.Header.Set("Content-Type", "application/json")
	paying.Header.Set("Payment-Signature", "e30=")
	w := httptest.NewRecorder()
	if s.ServeHTTP(w, paying); w.Code != http.StatusOK {
		t.Errorf("who pays is held up: %d", w.Code)
	}
}

// What leads inside answers as what is not there: nobody learns which.
func TestRefusedAddressesLookLikeDeadOnes(t *testing.T) {
	s := develop(t, Config{})
	dead, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var answers []string
	for _, to := range []string{"http://127.0.0.1:80/", "http://10.0.0.1/", "http://localhost/", "http://" + dead.Addr().String() + "/"} {
		host := elsewhere(t, s, time.Minute, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, to, http.StatusFound) })
		w := post(s, "/audit", `{"url":"`+host+`"}`)
		answers = append(answers, text(issued(t, s, w, http.StatusUnprocessableEntity), "reason"))
	}
	if err := dead.Close(); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"fetch_failed", "fetch_failed", "fetch_failed", "fetch_failed"}, answers); diff != "" {
		t.Error(diff)
	}
	first := post(s, "/audit", `{"url":"http://127.0.0.1/"}`).Body.String()
	for _, url := range []string{"http://10.0.0.1/", "http://db.internal/", "http://2130706433/", "https://example.org:22/"} {
		if got := post(s, "/audit", `{"url":"`+url+`"}`).Body.String(); withoutID(got) != withoutID(first) {
			t.Errorf("%s answers %s", url, got)
		}
	}
}

// withoutID takes the one member out that differs from request to request.
func withoutID(problem string) string {
	before, _, _ := strings.Cut(problem, `"request_id"`)
	return before
}

func TestNothingIsFetchedThatIsNotSold(t *testing.T) {
	s := start(t, Config{})
	var asked atomic.Int64
	host := elsewhere(t, s, time.Minute, func(http.ResponseWriter, *http.Request) { asked.Add(1) })
	if w := post(s, "/audit", `{"url":"`+host+`"}`); w.Code != http.StatusServiceUnavailable || asked.Load() != 0 {
		t.Errorf("status %d after %d requests", w.Code, asked.Load())
	}
}
