package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"sync/atomic"
	"testing"

	"golang.org/x/net/dns/dnsmessage"
)

// nameServer answers each question for an IPv4 address with the next of answers,
// and the last one from then on.
func nameServer(t *testing.T, answers ...[4]byte) (*net.Resolver, *atomic.Int64) {
	t.Helper()
	socket, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { socket.Close() })
	asked := new(atomic.Int64)
	go func() {
		for buffer := make([]byte, 1500); ; {
			n, from, err := socket.ReadFrom(buffer)
			if err != nil {
				return
			}
			if reply, err := answer(buffer[:n], asked, answers); err == nil {
				socket.WriteTo(reply, from)
			}
		}
	}()
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "udp", socket.LocalAddr().String())
	}}, asked
}

func answer(question []byte, asked *atomic.Int64, answers [][4]byte) ([]byte, error) {
	var m dnsmessage.Message
	if err := m.Unpack(question); err != nil || len(m.Questions) != 1 {
		return nil, errors.New("no question")
	}
	m.Response, m.Additionals = true, nil
	if q := m.Questions[0]; q.Type == dnsmessage.TypeA {
		k := min(int(asked.Add(1)), len(answers)) - 1
		m.Answers = []dnsmessage.Resource{{
			Header: dnsmessage.ResourceHeader{Name: q.Name, Type: q.Type, Class: q.Class},
			Body:   &dnsmessage.AResource{A: answers[k]},
		}}
	}
	return m.Pack()
}

var loopback = [4]byte{127, 0, 0, 1}

// A name that leads inside looks like any other until it is dialled.
func TestNameThatLeadsInside(t *testing.T) {
	s := open(t, func(http.ResponseWriter, *http.Request) {}, long)
	resolver, asked := nameServer(t, loopback)
	s.fetcher = NewForTest([]netip.AddrPort{netip.MustParseAddrPort("192.0.2.1:" + portOfURL(s.inside.URL))}, resolver, long)
	if _, err := s.get(t, "http://rebind.example:"+portOfURL(s.inside.URL)+"/"); !errors.Is(err, Failed) {
		t.Errorf("got %v", err)
	}
	if s.reached.Load() != 0 || asked.Load() == 0 {
		t.Errorf("the inside was asked %d times, the name server %d times", s.reached.Load(), asked.Load())
	}
}

// The first answer leads outside, the second inside: each connection is judged
// by the address that it goes to, so that the second goes nowhere.
func TestRebinding(t *testing.T) {
	var port string
	outside := [4]byte{127, 0, 0, 2}
	listener, err := net.Listen("tcp", "127.0.0.2:0")
	if err != nil {
		t.Skip("no second loopback address to stand for a host outside")
	}
	_, port, err = net.SplitHostPort(listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	var reached atomic.Int64
	hidden, err := net.Listen("tcp", "127.0.0.1:"+port)
	if err != nil {
		t.Skip("the port is taken on the first loopback address")
	}
	go http.Serve(hidden, http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached.Add(1) }))
	go http.Serve(listener, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/end" {
			io.WriteString(w, "[]")
			return
		}
		w.Header().Set("Location", fmt.Sprintf("http://rebind.example:%s/end", port))
		w.WriteHeader(http.StatusFound)
	}))
	t.Cleanup(func() { hidden.Close(); listener.Close() })
	door := []netip.AddrPort{listener.Addr().(*net.TCPAddr).AddrPort()}
	for _, c := range []struct {
		name    string
		answers [][4]byte
		want    error
	}{
		{"stays outside", [][4]byte{outside}, nil},
		{"inside at the second answer", [][4]byte{outside, loopback}, Failed},
		{"inside at once", [][4]byte{loopback}, Failed},
	} {
		resolver, _ := nameServer(t, c.answers...)
		s := &sites{fetcher: NewForTest(door, resolver, long)}
		if _, err := s.get(t, "http://rebind.example:"+port+"/start"); !errors.Is(err, c.want) {
			t.Errorf("%s: got %v, want %v", c.name, err, c.want)
		}
	}
	if reached.Load() != 0 {
		t.Errorf("the inside was asked %d times", reached.Load())
	}
}

func portOfURL(url string) string {
	_, port, err := net.SplitHostPort(url[len("http://"):])
	if err != nil {
		panic(err)
	}
	return port
}
