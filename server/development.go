package server

import (
	"crypto/ed25519"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"runtime"
	"strings"
	"time"

	"github.com/manifestseal/manifestseal/engine/seal"
	"github.com/manifestseal/manifestseal/server/internal/fetch"
	"github.com/manifestseal/manifestseal/server/internal/keys"
	"github.com/manifestseal/manifestseal/server/internal/payment"
	"github.com/manifestseal/manifestseal/server/internal/sign"
)

// ErrDevelopment is told where a development server would be reached from
// another machine: its reports are free and its key is nobody's.
var ErrDevelopment = errors.New("a development server listens on loopback only")

// newIssuer takes what the endpoints need from the settings.
func newIssuer(config Config, m *measures) (*issuer, error) {
	i := &issuer{
		url: strings.TrimSuffix(config.Origin, "/"), signer: config.Signer, history: config.History, till: config.Till, dev: config.Dev,
		measures: m, fetch: fetch.New(), now: time.Now, places: make(chan struct{}, 2*runtime.GOMAXPROCS(0)),
	}
	if config.Dev {
		return i, i.develop(config)
	}
	i.keys = i.history.Keys()
	for _, key := range i.keys {
		if key.Development {
			return nil, fmt.Errorf("the history holds %s, a development key: take it out, nothing may rest on it", key.ID)
		}
	}
	switch {
	case i.signer == nil && i.till != nil:
		return nil, errors.New("reports can't be sold without a signing key: name one")
	case i.signer != nil && i.url == "":
		return nil, errors.New("origin: reports name their issuer: say how visitors reach the site, such as https://example.org")
	}
	if i.till == nil {
		i.till = payment.Disabled{}
	}
	return i, nil
}

// develop gives a development server its till, and a key if it was given none.
func (i *issuer) develop(config Config) error {
	if config.Origin != "" && !isLocalOrigin(config.Origin) {
		return ErrDevelopment
	}
	if i.till == nil {
		i.till = payment.Free{Now: func() time.Time { return i.now() }}
	}
	if i.signer == nil {
		_, private, err := ed25519.GenerateKey(rand.Reader)
		if err != nil {
			return fmt.Errorf("development key: %w", err)
		}
		i.signer = sign.New(private)
	}
	for _, r := range i.history {
		if r.Key.ID == i.signer.KeyID() {
			return fmt.Errorf("the key %s stands in the history: a development server would sign with it what nobody paid for", r.Key.ID)
		}
	}
	i.history = append(i.history[:len(i.history):len(i.history)], keys.Record{
		Key:       seal.Key{ID: i.signer.KeyID(), Public: i.signer.Public(), State: seal.StateActive, Development: true},
		CreatedAt: keys.Time(i.now()),
	})
	i.keys = i.history.Keys()
	return nil
}

func isLoopback(address net.Addr) bool {
	to, err := netip.ParseAddrPort(address.String())
	return err == nil && to.Addr().Unmap().IsLoopback()
}

func isLocalOrigin(origin string) bool {
	u, err := url.Parse(origin)
	if err != nil {
		return false
	}
	if u.Hostname() == "localhost" {
		return true
	}
	address, err := netip.ParseAddr(u.Hostname())
	return err == nil && address.IsLoopback()
}
