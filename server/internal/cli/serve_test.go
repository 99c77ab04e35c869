package cli

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/manifestseal/manifestseal/static"
)

// TestServe starts the web app on a free port, asks it, and ends it in order.
// Without a built bundle it holds the command to saying so.
func TestServe(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r, w := io.Pipe()
	var stderr bytes.Buffer
	status := make(chan int, 1) // a server that does not start must not hang the test
	env := func(name string) string {
		return map[string]string{"MANIFESTSEAL_LISTEN": "127.0.0.1:0", "MANIFESTSEAL_LOG_FORMAT": "json"}[name]
	}
	go func() {
		status <- Run(ctx, []string{"serve"}, strings.NewReader(""), w, &stderr, env)
		w.Close()
	}()
	if _, err := static.New(static.Dist()); err != nil {
		go io.Copy(io.Discard, r)
		if got := <-status; got != Unchecked || !errors.Is(err, static.ErrNotBuilt) || !strings.Contains(stderr.String(), "make build") {
			t.Errorf("without a bundle: status %d, stderr %q", got, stderr.String())
		}
		return
	}
	line, err := bufio.NewReader(r).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	url := strings.Fields(strings.TrimPrefix(line, "ManifestSeal is at "))[0]
	response, err := http.Get(url + "/healthz")
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if response.StatusCode != http.StatusOK {
		t.Errorf("healthz: %s", response.Status)
	}
	cancel()
	if got := <-status; got != Unchanged {
		t.Errorf("status %d after an orderly end", got)
	}
	if !strings.Contains(stderr.String(), `"route":"/healthz"`) {
		t.Errorf("no log line in JSON: %q", stderr.String())
	}
}

func TestServeFaults(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	tests := []struct {
		name string
		args []string
		want string
	}{
		{"no port", []string{"--listen", "localhost"}, "--listen is no address"},
		{"port out of range", []string{"--listen", "127.0.0.1:99999"}, "invalid port"},
		{"taken", []string{"--listen", taken.Addr().String()}, "something else listens on"},
		{"origin", []string{"--origin", "example.org"}, "origin"},
		{"log format", []string{"--log-format", "xml"}, "there is no log format"},
		{"log level", []string{"--log-level", "loud"}, "there is no log level"},
		{"metrics nowhere", []string{"--metrics-listen", "nowhere"}, "--metrics-listen: it can't listen there"},
		{"proxies", []string{"--trusted-proxies", "10.0.0.1"}, "holds no network"},
		{"no key file", []string{"--key-file", "nowhere.pem"}, "the signing key can't be used"},
		{"no descriptor", []string{"--key-fd", "out"}, "--key-fd takes the number"},
		{"no history", []string{"--keys", "nowhere.json"}, "no such history"},
		{"argument", []string{"now"}, "takes no argument"},
		{"development on every interface", []string{"--dev", "--listen", ":0"}, "on loopback only"},
		{"a burner wallet in earnest", []string{"--dev-wallet", "wallet.js"}, "development only"},
		{"a burner wallet that is not there", []string{"--dev", "--dev-wallet", "none.js"}, "none.js"},
		{"development for the public", []string{"--dev", "--listen", "127.0.0.1:0", "--origin", "https://example.org"}, "on loopback only"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := run(t, "", append([]string{"serve"}, tt.args...)...)
			built := !strings.Contains(got.stderr, "make build")
			if got.status != Unchecked || got.stdout != "" || built && !strings.Contains(got.stderr, tt.want) {
				t.Errorf("status %d, stdout %q, stderr %q", got.status, got.stdout, got.stderr)
			}
			if strings.Contains(got.stderr, "listen tcp") {
				t.Errorf("words of Go: %q", got.stderr)
			}
		})
	}
}
