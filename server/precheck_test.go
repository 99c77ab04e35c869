package server

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/manifestseal/manifestseal/server/internal/allowance"
	"github.com/manifestseal/manifestseal/server/internal/store/storetest"
)

// prechecking is a development server with a database of its own.
func prechecking(t *testing.T, limits allowance.Limits) *Server {
	t.Helper()
	return develop(t, Config{Allowance: allowance.New(storetest.Open(t, storetest.SQLite(t)), limits)})
}

const never = time.Nanosecond // no least time between two

func TestPrecheck(t *testing.T) {
	s := prechecking(t, allowance.Limits{Interval: never})
	w := post(s, "/drift/precheck", `{"baseline_manifest":`+tools+`,"manifest":`+other+`,"caller":"`+wallet+`"}`)
	var got map[string]any
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	resets, err := time.Parse(time.RFC3339, got["resets_at"].(string))
	if err != nil || resets.Location() != time.UTC || resets.Hour() != 0 || resets.Minute() != 0 {
		t.Errorf("resets_at is %v", got["resets_at"])
	}
	delete(got, "resets_at")
	want := map[string]any{
		"criteria_id": "mcp-manifest-drift/v1", "verdict": "MANIFEST CHANGED (3 tools)",
		"counts": map[string]any{"unchanged": 0.0, "changed": 1.0, "added": 1.0, "removed": 1.0},
		"origin": "customer_asserted", "remaining": 99.0,
		"note": "The baseline for this comparison was asserted by the customer (a submitted manifest), not anchored by a service-signed report; the report states the difference between the two submitted documents only.",
	}
	if diff := cmp.Diff(want, got); diff != "" || w.Code != http.StatusOK || w.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("status %d (-want +got):\n%s", w.Code, diff)
	}
}

// What gets no verdict costs none of the day's hundred.
func TestPrecheckCountsVerdictsOnly(t *testing.T) {
	s := prechecking(t, allowance.Limits{Interval: never})
	const baseline, caller = `{"baseline_manifest":` + tools, `,"caller":"` + wallet + `"}`
	remaining := func() float64 {
		var got struct{ Remaining float64 }
		if err := json.Unmarshal(post(s, "/drift/precheck", baseline+`,"manifest":`+tools+caller).Body.Bytes(), &got); err != nil {
			t.Fatal(err)
		}
		return got.Remaining
	}
	first := remaining()
	for _, current := range []string{`,"manifest":{}`, `,"manifest":null`, `,"url":"http://127.0.0.1/"`, ``} {
		if w := post(s, "/drift/precheck", baseline+current+caller); w.Code != http.StatusBadRequest {
			t.Errorf("%q: status %d", current, w.Code)
		}
	}
	r := issued(t, s, post(s, "/drift/precheck", baseline+`,"manifest":[]`+caller), http.StatusOK)
	if text(r, "reason") != "zero_tools_current" {
		t.Errorf("got %q", text(r, "reason"))
	}
	if got := remaining(); got != first-1 {
		t.Errorf("%v were left, and after failures %v", first, got)
	}
}

func TestPrecheckLimits(t *testing.T) {
	body := `{"baseline_manifest":` + tools + `,"manifest":` + tools + `,"caller":"` + wallet + `"}`
	tests := []struct {
		name, code string
		limits     allowance.Limits
	}{
		{"day", "precheck_day_used", allowance.Limits{PerDay: 1, Interval: never}},
		{"least time", "precheck_too_soon", allowance.Limits{Interval: time.Hour}},
		{"address", "too_many_requests", allowance.Limits{Burst: 1, Refill: time.Hour, Interval: never}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := prechecking(t, tt.limits)
			if w := post(s, "/drift/precheck", body); w.Code != http.StatusOK {
				t.Fatalf("the first: %d %s", w.Code, w.Body)
			}
			w := post(s, "/drift/precheck", body)
			var got problem
			if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
				t.Fatal(err)
			}
			seconds, err := strconv.Atoi(w.Header().Get("Retry-After"))
			if w.Code != http.StatusTooManyRequests || got.Code != tt.code || err != nil || seconds < 1 {
				t.Errorf("got %d %s, Retry-After %q", w.Code, w.Body, w.Header().Get("Retry-After"))
			}
		})
	}
}

// The address's bucket counts also what is refused, and an IPv6 customer has one
// for all of a /64.
func TestAddressBucketCountsEverything(t *testing.T) {
	s := prechecking(t, allowance.Limits{Burst: 2, Refill: time.Hour})
	var got []int
	for _, from := range []string{"[2001:db8::1]:1", "[2001:db8::2]:2", "[2001:db8::3]:3", "[2001:db8:0:1::1]:4"} {
		r := httptest.NewRequest(http.MethodPost, "/drift/precheck", strings.NewReader(`{}`))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("X-Forwarded-For", "198.51.100."+from[len(from)-1:]) // believed from a proxy only
		r.RemoteAddr = from
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		got = append(got, w.Code)
	}
	if diff := cmp.Diff([]int{400, 400, 429, 400}, got); diff != "" {
		t.Errorf("statuses (-want +got):\n%s", diff)
	}
}

func TestPrecheckWithoutKeyOrDatabase(t *testing.T) {
	for _, s := range []*Server{start(t, Config{}), develop(t, Config{})} {
		if w := post(s, "/drift/precheck", `{}`); w.Code != http.StatusServiceUnavailable || !strings.Contains(w.Body.String(), "precheck_disabled") {
			t.Errorf("got %d %s", w.Code, w.Body)
		}
	}
}
