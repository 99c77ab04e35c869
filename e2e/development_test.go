package e2e

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/manifestseal/manifestseal/engine/seal"
	"github.com/manifestseal/manifestseal/server"
)

// A development server says what it is on its pages, in a way that everybody can
// read.
func TestDevelopmentIsShown(t *testing.T) {
	t.Parallel()
	url := serveWith(t, server.Config{Dev: true})
	p := visit(t, url, "/")
	p.loaded()
	p.looks("development")
	if got := p.text("development"); !strings.Contains(got, "prove nothing") {
		t.Errorf("the page says %q", got)
	}
}

// The way of a stranger: a report from the endpoint, the keys from where they are
// published, and a verdict that knows it for what it is.
func TestReportFromTheEndpoint(t *testing.T) {
	t.Parallel()
	url := serveWith(t, server.Config{Dev: true})
	report := answer(t, http.MethodPost, url+"/audit", `{"manifest":{"tools":[{"name":"a","description":"Reads a file."}]}}`)
	keys, err := seal.ReadKeys([]byte(answer(t, http.MethodGet, url+"/.well-known/jwks.json", "")))
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]seal.Check{
		report: seal.Development,
		strings.Replace(report, `"tool_count":1`, `"tool_count":2`, 1):           seal.Invalid,
		strings.Replace(report, url, "https://example.org", 1):                   seal.Invalid,
		strings.Replace(report, `"algorithm":"ed25519"`, `"algorithm":"rsa"`, 1): seal.Invalid,
	} {
		v, err := keys.Examine(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := v.Headline(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	var provenance struct {
		Issuer  string
		Signing struct{ Development bool }
	}
	if err := json.Unmarshal([]byte(answer(t, http.MethodGet, url+"/.well-known/manifestseal.json", "")), &provenance); err != nil {
		t.Fatal(err)
	}
	if provenance.Issuer != url || !provenance.Signing.Development {
		t.Errorf("got %+v", provenance)
	}
}

func answer(t *testing.T, method, url, body string) string {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s, %v\n%s", url, response.Status, err, text)
	}
	return string(text)
}
