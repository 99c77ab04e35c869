package e2e

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"errors"
	"math/big"
	"net"
	"net/http"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/manifestseal/manifestseal/server"
	"github.com/manifestseal/manifestseal/static"
)

// authority is a certificate authority of this test, and a certificate by it
// for localhost.
func authority(t *testing.T) (ca []byte, leaf tls.Certificate) {
	t.Helper()
	key := func() *ecdsa.PrivateKey {
		k, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	root := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test authority"}, IsCA: true, BasicConstraintsValid: true,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), KeyUsage: x509.KeyUsageCertSign,
	}
	host := &x509.Certificate{
		SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: "localhost"}, DNSNames: []string{"localhost"},
		NotBefore: root.NotBefore, NotAfter: root.NotAfter, KeyUsage: x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	rootKey, hostKey := key(), key()
	sign := func(certificate *x509.Certificate, public any) []byte {
		der, err := x509.CreateCertificate(rand.Reader, certificate, root, public, rootKey)
		if err != nil {
			t.Fatal(err)
		}
		return der
	}
	ca = pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: sign(root, &rootKey.PublicKey)})
	return ca, tls.Certificate{Certificate: [][]byte{sign(host, &hostKey.PublicKey)}, PrivateKey: hostKey}
}

// peeked is a connection whose first byte was looked at.
type peeked struct {
	net.Conn
	first []byte
}

func (c *peeked) Read(p []byte) (int, error) {
	if len(c.first) == 0 {
		return c.Conn.Read(p)
	}
	n := copy(p, c.first)
	c.first = c.first[n:]
	return n, nil
}

// queue is a listener of connections that somebody else accepted.
type queue struct {
	net.Listener
	conns chan net.Conn
}

func (q queue) Accept() (net.Conn, error) {
	conn, ok := <-q.conns
	if !ok {
		return nil, net.ErrClosed
	}
	return conn, nil
}

// serveTLS serves as a site does behind its proxy, on one port: https, and http
// that leads there. The scanner asks for both by one name.
func serveTLS(t *testing.T) (address string, ca []byte) {
	t.Helper()
	ca, certificate := authority(t)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, port, err := net.SplitHostPort(listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	address = "localhost:" + port
	site, err := server.New(server.Config{Listen: "127.0.0.1:0", Origin: "https://" + address})
	if err != nil {
		t.Fatal(err)
	}
	secure := &http.Server{Handler: site, TLSConfig: &tls.Config{Certificates: []tls.Certificate{certificate}}, ReadHeaderTimeout: time.Minute}
	plain := &http.Server{Handler: http.RedirectHandler("https://"+address+"/", http.StatusMovedPermanently), ReadHeaderTimeout: time.Minute}
	over, clear := queue{listener, make(chan net.Conn)}, queue{listener, make(chan net.Conn)}
	served := make(chan error, 2)
	go func() { served <- secure.ServeTLS(over, "", "") }()
	go func() { served <- plain.Serve(clear) }()
	go sort(listener, over.conns, clear.conns)
	t.Cleanup(func() {
		if err := errors.Join(secure.Close(), plain.Close(), site.Close()); err != nil && !errors.Is(err, net.ErrClosed) {
			t.Error(err)
		}
		<-served
		<-served
	})
	return address, ca
}

// sort tells a TLS handshake, which begins with the byte 0x16, from a request.
func sort(listener net.Listener, over, clear chan<- net.Conn) {
	defer close(over)
	defer close(clear)
	for {
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		first := make([]byte, 1)
		if _, err := conn.Read(first); err != nil {
			_ = conn.Close() // whoever opened it has gone
			continue
		}
		into := clear
		if first[0] == 0x16 {
			into = over
		}
		into <- &peeked{conn, first}
	}
}

// node runs a script and decodes what it prints.
func node(t *testing.T, into any, environment []string, arguments ...string) {
	t.Helper()
	cmd := exec.Command("node", arguments...)
	cmd.Env = append(os.Environ(), environment...)
	out, err := cmd.Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			t.Fatalf("%v\n%s", err, exit.Stderr)
		}
		t.Fatal(err)
	}
	if err := json.Unmarshal(out, into); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// Mozilla's HTTP Observatory gives the site 120 points or more, and fails no
// test of it.
func TestObservatory(t *testing.T) {
	t.Parallel()
	address, ca := serveTLS(t)
	authorities := "NODE_EXTRA_CA_CERTS=" + write(t, "ca.pem", string(ca))
	pages := []string{address + "/", address + "/example", address + "/criteria", address + "/docs"}
	var results []struct {
		Page   string
		Score  int
		Grade  string
		Failed int
		Parts  []struct {
			Name, Result string
			Pass         bool
			Modifier     int
		}
	}
	node(t, &results, []string{authorities}, append([]string{"headers_observatory.mjs"}, pages...)...)
	for i, got := range results {
		if got.Score < 120 || got.Grade != "A+" || got.Failed != 0 || got.Page != pages[i] {
			t.Errorf("%s has %d points, grade %s, and %d tests failed", got.Page, got.Score, got.Grade, got.Failed)
		}
		for _, part := range got.Parts {
			t.Logf("%s %+d %s", got.Page, part.Modifier, part.Result)
		}
		t.Logf("%s: %d points, %s", got.Page, got.Score, got.Grade)
	}
	if len(results) != len(pages) {
		t.Errorf("%d pages have a score, want %d", len(results), len(pages))
	}
}

// Google's CSP Evaluator has nothing to say about any policy that is sent, in
// the page's seal, with the worker or with the service worker.
func TestPolicies(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	worker, _, ok := nextRelease(t).Lookup("worker.js")
	if !ok {
		t.Fatal("no worker")
	}
	p := visit(t, s.url, "/")
	p.sealed()
	policies := []string{eval[string](p, `document.querySelector('meta[http-equiv]').content`)}
	for _, path := range []string{"/", "/example", "/nowhere", static.Prefix, "/sw.js", worker} {
		response, err := http.Get(s.url + path)
		if err != nil {
			t.Fatal(err)
		}
		if err := response.Body.Close(); err != nil {
			t.Error(err)
		}
		policies = append(policies, response.Header.Get("Content-Security-Policy"))
	}
	var findings []struct {
		Policy                                  int
		Severity, Directive, Value, Description string
		Info                                    bool
	}
	node(t, &findings, nil, append([]string{"headers_csp.mjs"}, policies...)...)
	for _, f := range findings {
		if !f.Info {
			t.Errorf("%s: %s %s: %s\n%s", f.Severity, f.Directive, f.Value, f.Description, policies[f.Policy])
		}
	}
	var control []struct{ Info bool }
	if node(t, &control, nil, "headers_csp.mjs", "script-src 'unsafe-inline' *"); len(control) == 0 || control[0].Info {
		t.Errorf("the evaluator finds nothing in a bad policy: %v", control)
	}
}
