package fetch

import (
	"errors"
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"golang.org/x/net/idna"
)

// ErrURL is the one answer to a URL that is not fetched, whatever the reason:
// which names and addresses are inside is nobody's business.
var ErrURL = errors.New("the URL is not one that is fetched: http or https on port 80, 443, 8080 or 8443, a public host, no credentials")

// maxURL is the longest URL that is looked at.
const maxURL = 2048

// Target is a URL that may be asked for. Whether its host is inside is only
// known when it is dialled.
type Target struct{ url *url.URL }

// Shown is the URL without query and fragment, which can hold secrets.
func (t *Target) Shown() string {
	shown := url.URL{Scheme: t.url.Scheme, Host: t.url.Host, Path: t.url.Path, RawPath: t.url.RawPath}
	return shown.String()
}

// Parse holds a URL to the fetch contract's url_rules. The error is ErrURL.
func (f *Fetcher) Parse(text string) (*Target, error) {
	u, err := url.Parse(text)
	if err != nil || len(text) > maxURL {
		return nil, ErrURL
	}
	return f.check(u)
}

func (f *Fetcher) check(u *url.URL) (*Target, error) {
	port := portOf(u)
	if port == 0 || u.User != nil || u.Opaque != "" {
		return nil, ErrURL
	}
	host, err := hostOf(u)
	if err != nil {
		return nil, err
	}
	if address, err := netip.ParseAddr(host); err == nil {
		if address.Zone() != "" || f.safe(netip.AddrPortFrom(address, port)) != nil {
			return nil, ErrURL
		}
	} else if !f.ports[port] || inside(host) {
		return nil, ErrURL
	}
	// What was judged is what will be dialled.
	clean := *u
	clean.Host, clean.Fragment, clean.RawFragment = host, "", ""
	if strings.Contains(host, ":") {
		clean.Host = "[" + host + "]"
	}
	if u.Port() != "" {
		clean.Host += ":" + u.Port()
	}
	return &Target{&clean}, nil
}

// portOf is the port that a URL names or its scheme has, and 0 for another scheme.
func portOf(u *url.URL) uint16 {
	scheme := map[string]uint16{"http": 80, "https": 443}[u.Scheme]
	if u.Port() == "" || scheme == 0 {
		return scheme
	}
	port, err := strconv.ParseUint(u.Port(), 10, 16)
	if err != nil {
		return 0
	}
	return uint16(port)
}

// hostOf is a URL's host as it will be looked up: a name in ASCII without its
// final dot, or an address. The characters that look like digits and dots become
// them here, as they would when it is dialled.
func hostOf(u *url.URL) (string, error) {
	host := u.Hostname()
	if _, err := netip.ParseAddr(host); err == nil {
		return host, nil
	}
	host, err := idna.Lookup.ToASCII(host)
	if err != nil {
		return "", ErrURL
	}
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	if host == "" || len(host) > 253 || strings.Contains("."+host+".", "..") {
		return "", ErrURL
	}
	return host, nil
}

// inside tells names that are of a machine or its network. A name that ends in a
// number is an address in some spelling (decimal, octal, hexadecimal, short) of
// which only the plain one is read.
func inside(host string) bool {
	labels := strings.Split(host, ".")
	last := labels[len(labels)-1]
	switch last {
	case "localhost", "local", "internal", "localdomain":
		return true
	}
	if len(labels) == 1 || strings.HasPrefix(last, "0x") {
		return true
	}
	return strings.Trim(last, "0123456789") == ""
}
