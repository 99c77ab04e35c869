package server

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/manifestseal/manifestseal/server/internal/allowance"
	"github.com/manifestseal/manifestseal/server/internal/store/storetest"
)

// canary stands in everything that is submitted, in a spelling that no log
// format changes; canaryWallet is a caller.
const (
	canary       = "canaryQ7xZ"
	canaryWallet = "9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin"
)

// places are where something submitted could stay behind.
type places struct {
	server   *Server
	log      *bytes.Buffer
	metrics  net.Listener
	folders  []string
	answered bytes.Buffer // refusals and faults, as a program and as a browser gets them
}

func watched(t *testing.T) *places {
	t.Helper()
	p := &places{log: new(bytes.Buffer), folders: []string{t.TempDir(), t.TempDir()}}
	t.Setenv("TMPDIR", p.folders[0])
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p.metrics = listener
	db := storetest.Open(t, filepath.Join(p.folders[1], "manifestseal.db"))
	p.server = develop(t, Config{
		Logger: slog.New(slog.NewJSONHandler(p.log, &slog.HandlerOptions{Level: slog.LevelDebug})), Metrics: listener,
		Allowance: allowance.New(db, allowance.Limits{Interval: never}),
	})
	return p
}

// submit sends a body as a program and as a browser would, with the canary in
// every header that somebody might write down.
func (p *places) submit(t *testing.T, path, body string) {
	t.Helper()
	for _, accept := range []string{"*/*", browser} {
		r := httptest.NewRequest(http.MethodPost, path+"?q="+canary, strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", accept)
		for _, name := range []string{"User-Agent", "Referer", "Cookie", "Authorization", "X-Forwarded-For", "X-Request-Id", "PAYMENT-SIGNATURE"} {
			r.Header.Set(name, canary+"!")
		}
		w := httptest.NewRecorder()
		p.server.ServeHTTP(w, r)
		if w.Code != http.StatusOK && w.Code != http.StatusUnprocessableEntity {
			p.answered.Write(w.Body.Bytes())
		}
		if kept := w.Header().Get("X-Request-Id"); strings.Contains(kept, canary) {
			t.Errorf("the request id is %q", kept)
		}
	}
}

// everything is all that stayed behind, by place.
func (p *places) everything(t *testing.T) map[string][]byte {
	t.Helper()
	all := map[string][]byte{"the log": p.log.Bytes(), "an error answer": p.answered.Bytes(), "the metrics": []byte(metricsOf(t, p.metrics))}
	for _, folder := range p.folders {
		err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			text, err := os.ReadFile(path)
			all[path] = append([]byte(path), text...)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// Nothing that is submitted stays behind: not what is accepted, not what is
// refused, not what fails.
func TestNothingSubmittedIsKept(t *testing.T) {
	p := watched(t)
	tool := `{"name":"` + canary + `","description":"` + canary + `","inputSchema":{"type":"object","properties":{"` + canary + `":{"default":"` + canary + `"}}}}`
	manifest := `{"tools":[` + tool + `],"nextCursor":"` + canary + `"}`
	w := post(p.server, "/audit", `{"manifest":`+manifest+`}`)
	var audit struct {
		Block     json.RawMessage `json:"manifest_digest"`
		Signature json.RawMessage `json:"manifest_digest_signature"`
	}
	if err := json.Unmarshal(w.Body.Bytes(), &audit); err != nil || !strings.Contains(w.Body.String(), canary) {
		t.Fatalf("the canary is not in the report: %v", err)
	}
	host := elsewhere(t, p.server, time.Minute, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/" + canary + "/tools.json":
			io.WriteString(w, manifest)
		case "/" + canary + "/page":
			io.WriteString(w, "<html>"+canary)
		default:
			http.NotFound(w, r)
		}
	})
	url := func(path string) string { return `"url":"` + host + "/" + canary + path + `?token=` + canary + `"` }
	baselines := []string{
		`"baseline_manifest":` + manifest,
		`"baseline_report":` + strings.TrimSpace(w.Body.String()),
		`"baseline_digests":` + string(audit.Block) + `,"baseline_signature":` + string(audit.Signature),
	}
	broken := []string{
		`"baseline_manifest":{"` + canary + `":1}`,
		`"baseline_report":` + strings.Replace(w.Body.String(), `"score":`, `"score":1`, 1),
		`"baseline_digests":` + strings.Replace(string(audit.Block), `"tool_count":1`, `"tool_count":2`, 1) + `,"baseline_signature":"` + canary + `"`,
		`"baseline_signature":"` + canary + `"`,
	}
	currents := []string{`"manifest":` + manifest, `"manifest":[]`, `"manifest":"` + canary + `"`, `"manifest":{"mcpServers":{"` + canary + `":1}}`,
		url("/tools.json"), url("/page"), url("/missing"), `"url":"http://127.0.0.1/` + canary + `"`, `"url":"http://` + canary + `.internal/"`, `"url":"` + canary + `"`}
	callers := []string{`"caller":"` + canaryWallet + `"`, `"caller":"` + canary + `"`}
	for _, current := range currents {
		p.submit(t, "/audit", `{`+current+`}`)
		for _, baseline := range append(append([]string{}, baselines...), broken...) {
			p.submit(t, "/drift", `{`+baseline+`,`+current+`}`)
			for _, caller := range callers {
				p.submit(t, "/drift/precheck", `{`+baseline+`,`+current+`,`+caller+`}`)
			}
		}
	}
	p.submit(t, "/audit", `{"manifest":["`+canary+`",`+canary+`]}`)
	p.submit(t, "/audit", canary)
	p.submit(t, "/"+canary, canary)

	p.server.echo.Any("/fault", func(echo.Context) error { panic(canary) })
	p.submit(t, "/fault", canary)
	hidden := []string{canary, strings.ToLower(canary), canaryWallet, base64.StdEncoding.EncodeToString([]byte(canary))[:12], host}
	for place, text := range p.everything(t) {
		for _, secret := range hidden {
			if bytes.Contains(bytes.ToLower(text), []byte(strings.ToLower(secret))) {
				t.Errorf("%s holds %s", place, secret)
			}
		}
	}
	if n := bytes.Count(p.log.Bytes(), []byte(`"msg":"request"`)); n < 300 || p.answered.Len() < 10_000 || len(p.everything(t)) < 4 {
		t.Errorf("too little was looked at: %d requests", n)
	}
}
