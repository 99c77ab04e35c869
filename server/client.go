package server

import (
	"net/http"
	"net/netip"
	"strings"

	"github.com/labstack/echo/v4"
)

// addressOf is the address that a request comes from: that of the connection,
// or, when that is one of our proxies, the last one in X-Forwarded-For that is
// not. What a client writes there itself is never believed.
func (s *Server) addressOf(r *http.Request) string {
	connection, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return ""
	}
	address := connection.Addr().Unmap()
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for k := len(hops) - 1; k >= 0 && s.isProxy(address); k-- {
		hop, err := netip.ParseAddr(strings.TrimSpace(hops[k]))
		if err != nil {
			break
		}
		address = hop.Unmap()
	}
	return address.WithZone("").String()
}

func (s *Server) isProxy(address netip.Addr) bool {
	for _, prefix := range s.proxies {
		if prefix.Contains(address) {
			return true
		}
	}
	return false
}

// clientOf is addressOf as an address; the zero Addr where there is none.
func clientOf(c echo.Context) netip.Addr {
	address, err := netip.ParseAddr(c.RealIP())
	if err != nil {
		return netip.Addr{}
	}
	return address
}
