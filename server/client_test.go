package server

import (
	"net/http/httptest"
	"net/netip"
	"testing"
)

func TestAddressOf(t *testing.T) {
	s := &Server{proxies: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("fd00::/8")}}
	tests := []struct {
		name, connection string
		forwarded        []string
		want             string
	}{
		{"none in between", "203.0.113.9:1", nil, "203.0.113.9"},
		{"a client that writes its own", "203.0.113.9:1", []string{"198.51.100.1"}, "203.0.113.9"},
		{"through a proxy", "10.0.0.1:1", []string{"198.51.100.1"}, "198.51.100.1"},
		{"through two", "[fd00::1]:1", []string{"198.51.100.1, 10.2.3.4"}, "198.51.100.1"},
		{"in two headers", "10.0.0.1:1", []string{"192.0.2.7", "198.51.100.1"}, "198.51.100.1"},
		{"a client's own before the proxy's", "10.0.0.1:1", []string{"8.8.8.8, 198.51.100.1"}, "198.51.100.1"},
		{"a proxy that says nothing", "10.0.0.1:1", nil, "10.0.0.1"},
		{"no address", "10.0.0.1:1", []string{"unknown"}, "10.0.0.1"},
		{"mapped", "[::ffff:10.0.0.1]:1", []string{"::ffff:198.51.100.1"}, "198.51.100.1"},
		{"with a zone", "[fe80::1%lo]:1", nil, "fe80::1"},
		{"no connection", "@", nil, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := httptest.NewRequest("GET", "/", nil)
			r.RemoteAddr = tt.connection
			r.Header["X-Forwarded-For"] = tt.forwarded
			if got := s.addressOf(r); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
