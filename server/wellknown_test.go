package server

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/manifestseal/manifestseal/engine/seal"
	"github.com/manifestseal/manifestseal/server/internal/keys"
)

func TestKeySet(t *testing.T) {
	signer, old, stolen := testSigner(1), testSigner(2), testSigner(3)
	history := keys.History{
		{Key: keyOf(old, seal.StateRetired, "2026-02-01T00:00:00.000Z")},
		{Key: keyOf(stolen, seal.StateCompromised, "")},
		{Key: keyOf(signer, seal.StateActive, "")},
	}
	s := start(t, Config{Origin: "https://example.org/", Signer: signer, History: history})
	w := ask(s, http.MethodGet, "/.well-known/jwks.json", nil)
	published, err := seal.ReadKeys(w.Body.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	states := map[string]seal.State{}
	for _, key := range published {
		states[key.ID] = key.State
	}
	if states[signer.KeyID()] != seal.StateActive || states[old.KeyID()] != seal.StateRetired {
		t.Errorf("got %v", states)
	}
	if state := states[stolen.KeyID()]; state != seal.StateCompromised {
		t.Errorf("the compromised key is %q", state)
	}
	for name, want := range map[string]string{"Content-Type": "application/jwk-set+json", "Access-Control-Allow-Origin": "*", "Cross-Origin-Resource-Policy": "cross-origin"} {
		if got := w.Header().Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
}

func TestProvenance(t *testing.T) {
	read := func(s *Server) (p provenance) {
		if err := json.Unmarshal(ask(s, http.MethodGet, "/.well-known/manifestseal.json", nil).Body.Bytes(), &p); err != nil {
			t.Fatal(err)
		}
		return p
	}
	signer := testSigner(1)
	p := read(start(t, Config{Origin: "https://example.org/", Signer: signer, History: keys.History{{Key: keyOf(signer, seal.StateActive, "")}}}))
	if p.Issuer != "https://example.org" || p.Keys != "https://example.org/.well-known/jwks.json" || p.Signing == nil || p.Signing.KeyID != signer.KeyID() || p.Signing.Development || p.Payments {
		t.Errorf("got %+v", p)
	}
	if len(p.Criteria) != 4 || p.Build.Engine.Integrity != "sha384-engine.wasm" || p.Build.Go == "" || p.Build.Bundle == "" {
		t.Errorf("got %+v", p)
	}
	// Of two active keys the one whose private half is given signs.
	other := testSigner(2)
	two := keys.History{{Key: keyOf(other, seal.StateActive, "")}, {Key: keyOf(signer, seal.StateActive, "")}}
	if p := read(start(t, Config{Origin: "https://example.org", Signer: other, History: two})); p.Signing.KeyID != other.KeyID() {
		t.Errorf("%s signs", p.Signing.KeyID)
	}
	if p := read(develop(t, Config{})); p.Signing == nil || !p.Signing.Development {
		t.Errorf("development: %+v", p.Signing)
	}
	if p := read(start(t, Config{})); p.Signing != nil {
		t.Errorf("without a key: %+v", p.Signing)
	}
}

func TestReadiness(t *testing.T) {
	if w := ask(start(t, Config{}), http.MethodGet, "/readyz", nil); w.Code != http.StatusOK {
		t.Errorf("got %d %s", w.Code, w.Body)
	}
	s := start(t, Config{Ready: map[string]func(context.Context) error{
		"database": func(context.Context) error { return errors.New("postgres://user:password@host is away") },
		"chain":    func(context.Context) error { return nil },
	}})
	w := ask(s, http.MethodGet, "/readyz", nil)
	if got := strings.TrimSpace(w.Body.String()); w.Code != http.StatusServiceUnavailable || got != `{"failing":["database"],"status":"not_ready"}` {
		t.Errorf("got %d %s", w.Code, got)
	}
	if w := ask(s, http.MethodGet, "/healthz", nil); w.Code != http.StatusOK {
		t.Errorf("a process that waits for its database would be killed: %d", w.Code)
	}
}

func TestMetricsHaveAnAddressOfTheirOwn(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := develop(t, Config{Metrics: listener})
	post(s, "/audit", `{"manifest":`+tools+`}`)
	post(s, "/audit", `{"manifest":[]}`)
	post(s, "/audit", `{}`)
	text := metricsOf(t, listener)
	for _, line := range []string{
		`manifestseal_submissions_total{outcome="report",route="/audit"} 1`,
		`manifestseal_submissions_total{outcome="could_not",route="/audit"} 1`,
		`manifestseal_requests_total{method="POST",route="/audit",status="400"} 1`,
		`manifestseal_request_duration_seconds_count{route="/audit"} 3`,
		`go_goroutines `,
	} {
		if !strings.Contains(text, line) {
			t.Errorf("no line %s", line)
		}
	}
	if w := ask(s, http.MethodGet, "/metrics", nil); w.Code != http.StatusNotFound {
		t.Errorf("visitors get %d for the metrics", w.Code)
	}
}

func metricsOf(t *testing.T, listener net.Listener) string {
	t.Helper()
	response, err := http.Get("http://" + listener.Addr().String() + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
