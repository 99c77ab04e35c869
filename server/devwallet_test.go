package server

import (
	"crypto/sha512"
	"encoding/base64"
	"net/http"
	"strings"
	"testing"
)

func TestDevWallet(t *testing.T) {
	t.Parallel()
	script := []byte("register()")
	s := start(t, Config{Dev: true, DevWallet: script})
	w := ask(s, http.MethodGet, devWalletPath, nil)
	if w.Code != http.StatusOK || w.Body.String() != string(script) || !strings.HasPrefix(w.Header().Get("Content-Type"), "text/javascript") {
		t.Errorf("GET %s = %d %q %q", devWalletPath, w.Code, w.Header().Get("Content-Type"), w.Body)
	}
	sum := sha512.Sum384(script)
	if got, want := s.pages.devWallet.Integrity, "sha384-"+base64.StdEncoding.EncodeToString(sum[:]); got != want {
		t.Errorf("integrity = %s, want %s", got, want)
	}
	if strings.Contains(s.pages.policy, s.pages.devWallet.Integrity) {
		t.Error("the private pages' policy admits the wallet")
	}
}

func TestNoDevWalletInEarnest(t *testing.T) {
	t.Parallel()
	for name, config := range map[string]Config{"in earnest": {}, "in development without one": {Dev: true}} {
		s := start(t, config)
		if w := ask(s, http.MethodGet, devWalletPath, nil); w.Code != http.StatusNotFound {
			t.Errorf("%s: GET %s = %d", name, devWalletPath, w.Code)
		}
		if s.pages.devWallet.URL != "" {
			t.Errorf("%s: the pages know a wallet", name)
		}
	}
	if s, err := New(Config{Listen: "127.0.0.1:0", Assets: bundle(t), DevWallet: []byte("register()")}); err == nil {
		t.Errorf("a server in earnest takes a development wallet (%v)", s.Close())
	}
}
