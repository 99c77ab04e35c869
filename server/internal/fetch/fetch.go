// Package fetch implements the fetch contract of mcp-manifest-drift/v1: one
// read-only GET of a submitted URL, redirects followed, at most 524,288 decoded
// bytes within ten seconds, and never an address inside: the guard stands where
// a connection is dialled, so that neither a name, a redirect nor a second
// answer of a name server leads around it.
//
// It never knows what a manifest is, sends nothing of ours but a user agent, and
// keeps nothing.
package fetch

import (
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"syscall"
	"time"

	"code.dny.dev/ssrf"

	"github.com/manifestseal/manifestseal/engine/criteria"
)

// The contract's caps.
const (
	CapBytes = 524_288
	deadline = 10 * time.Second

	maxRedirects   = 5
	maxHeaderBytes = 64 << 10
)

// Failure is why a document could not be had, told in the report's reasons and
// no closer: whether an inner address answers must not show.
type Failure string

func (f Failure) Error() string { return "fetch: " + string(f) }

const (
	Failed   Failure = "fetch_failed"
	Timeout  Failure = "fetch_timeout"
	TooLarge Failure = "fetch_too_large"
)

// Document is what was fetched.
type Document struct {
	Bytes []byte
	Sum   [32]byte // SHA-256 of Bytes
}

// Fetcher fetches. It is safe for concurrent use.
type Fetcher struct {
	client   *http.Client
	ports    map[uint16]bool
	safe     func(netip.AddrPort) error
	deadline time.Duration
}

// New returns a fetcher under the contract.
func New() *Fetcher { return newFetcher(nil, nil, deadline) }

// NewForTest is New with a door to these addresses, through a resolver that may
// be of the test. No setting leads here.
func NewForTest(doors []netip.AddrPort, resolver *net.Resolver, deadline time.Duration) *Fetcher {
	return newFetcher(doors, resolver, deadline)
}

func newFetcher(doors []netip.AddrPort, resolver *net.Resolver, deadline time.Duration) *Fetcher {
	ports := []uint16{80, 443, 8080, 8443}
	// Azure's platform address is public by its number and inside by its use.
	guard := ssrf.New(ssrf.WithPorts(ports...), ssrf.WithDeniedV4Prefixes(netip.MustParsePrefix("168.63.129.16/32")))
	f := &Fetcher{ports: make(map[uint16]bool), deadline: deadline}
	open := make(map[netip.AddrPort]bool)
	for _, p := range ports {
		f.ports[p] = true
	}
	for _, d := range doors {
		open[d], f.ports[d.Port()] = true, true
	}
	f.safe = func(to netip.AddrPort) error {
		if open[to] {
			return nil
		}
		return guard.SafeAddrPort(to)
	}
	dialer := &net.Dialer{Resolver: resolver, Control: f.control}
	f.client = &http.Client{
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{
			Proxy:                  nil, // a proxy would dial in our place
			DialContext:            dialer.DialContext,
			DisableKeepAlives:      true,
			MaxResponseHeaderBytes: maxHeaderBytes,
		},
	}
	return f
}

// control is asked with the very address that a socket is about to connect to.
func (f *Fetcher) control(network, address string, _ syscall.RawConn) error {
	if network != "tcp4" && network != "tcp6" {
		return Failed
	}
	to, err := netip.ParseAddrPort(address)
	if err != nil {
		return Failed
	}
	return f.safe(to)
}

// Get fetches a document. The error is a Failure.
func (f *Fetcher) Get(ctx context.Context, target *Target) (*Document, error) {
	ctx, cancel := context.WithTimeout(ctx, f.deadline)
	defer cancel()
	for range maxRedirects + 1 {
		response, err := f.ask(ctx, target.url)
		if err != nil {
			return nil, failure(ctx)
		}
		next, err := f.redirect(response, target.url)
		if next == nil && err == nil {
			return read(ctx, response)
		}
		response.Body.Close()
		if err != nil {
			return nil, Failed
		}
		target = next
	}
	return nil, Failed
}

func (f *Fetcher) ask(ctx context.Context, u *url.URL) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("User-Agent", criteria.UserAgent)
	request.Header.Set("Accept", "application/json, */*;q=0.1")
	return f.client.Do(request)
}

// redirect is where an answer leads, nil when it is no redirect. The client's own
// following would tell the next host where we came from.
func (f *Fetcher) redirect(response *http.Response, from *url.URL) (*Target, error) {
	switch response.StatusCode {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
	default:
		return nil, nil
	}
	location := response.Header.Get("Location")
	to, err := from.Parse(location)
	if err != nil || location == "" || len(location) > maxURL {
		return nil, Failed
	}
	return f.check(to)
}

// read reads one byte more than the cap, of what decoding gives.
func read(ctx context.Context, response *http.Response) (*Document, error) {
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, Failed
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, CapBytes+1))
	switch {
	case err != nil:
		return nil, failure(ctx)
	case len(body) > CapBytes:
		return nil, TooLarge
	}
	return &Document{Bytes: body, Sum: sha256.Sum256(body)}, nil
}

func failure(ctx context.Context) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return Timeout
	}
	return Failed
}
