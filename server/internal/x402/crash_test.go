package x402

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/manifestseal/manifestseal/e2e/devnet"
	"github.com/manifestseal/manifestseal/server/internal/store/storetest"
)

// A server is killed past each step; another that shares its database serves the
// buyer by the same payment.
func TestKilledBetweenTheSteps(t *testing.T) {
	t.Parallel()
	for _, at := range []step{afterClaim, afterSign, afterBroadcast, afterSettle, answered} {
		t.Run(string(at), func(t *testing.T) {
			t.Parallel()
			storetest.Each(t, func(t *testing.T, dsn string) {
				s := newShop(t, dsn)
				orders := s.orders(5*time.Millisecond, 5*time.Second)
				doomed := orders
				doomed.Die = at
				first, second := doomed.start(t), orders.start(t)
				c := s.customer("the buyer", func() string { return first.url })
				c.try(t.Context()) // the offer
				lost := c.try(t.Context())
				first.died(t)
				if at != answered && lost != nil {
					t.Fatalf("a server that was killed past %q answered", at)
				}
				c.urls = func() string { return second.url }
				report := c.persist(t.Context())
				if lost != nil && string(lost) != string(report) {
					t.Errorf("the answers differ: %s and %s", lost, report)
				}
				if c.offers != 1 {
					t.Errorf("the buyer was asked to pay %d times", c.offers)
				}
				s.balanced(1)
			})
		})
	}
}

// orders are for a server of this shop.
func (s *shop) orders(poll, patience time.Duration) childOrders {
	return childOrders{
		DSN: s.dsn, Chain: s.chain.address(), PayTo: s.chain.payTo, FeePayer: s.chain.feePayer,
		Poll: poll, Resend: 2 * poll, Patience: patience,
	}
}

func (s *shop) customer(name string, urls func() string) *customer {
	s.Helper()
	key := s.chain.rich(name)
	return &customer{TB: s, name: name, urls: urls, signs: func(r requirements) []byte { return pay(r, key) }}
}

// Twenty copies of a paid request come at once to two servers in processes of
// their own. All get the report, and the buyer is charged once.
func TestTwentyCopiesAtOnce(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, dsn string) {
		s := newShop(t, dsn)
		orders := s.orders(20*time.Millisecond, time.Minute)
		servers := []*child{orders.start(t), orders.start(t)}
		c := s.customer("the buyer", func() string { return servers[0].url })
		c.try(t.Context())              // the offer
		s.chain.suffers(devnet.Hide, 0) // nothing is confirmed

		reports := make([]string, 20)
		var wg sync.WaitGroup
		for i := range reports {
			wg.Go(func() {
				one := *c
				one.urls = func() string { return servers[i%2].url }
				reports[i] = string(one.persist(t.Context()))
			})
		}
		s.waitInside(servers, len(reports))
		s.chain.heals()
		wg.Wait()
		for _, report := range reports {
			if report == "" || report != reports[0] {
				t.Errorf("one copy got %q, another %q", report, reports[0])
			}
		}
		s.balanced(1)
		if paid := s.chain.paid(s.chain.key("the buyer")); paid != price {
			t.Errorf("the buyer was charged %d", paid)
		}
	})
}

// One copy of a request looks its payment up, and is overtaken: when it asks the
// chain, the other's transaction is there, which spoils its simulation. It must not
// be told to pay again.
func TestCopyOvertakenBeforeItsSimulation(t *testing.T) {
	t.Parallel()
	s := newShop(t, storetest.SQLite(t))
	w := want("body")
	entry := s.ask(w).Accepts[0]
	header := paid(entry, pay(entry, s.buyer), "")
	late := w.sale(header)
	load := late.Load
	var first []byte
	late.Load = func(ctx context.Context) ([32]byte, error) { // is between the two
		if first == nil {
			first = s.bought(s.send(w, header))
		}
		return load(ctx)
	}
	if report := s.bought(s.Sell(t.Context(), late)); !bytes.Equal(report, first) {
		t.Errorf("one copy got %q, the other %q", report, first)
	}
	s.balanced(1)
}

// waitInside waits until so many requests are inside the servers.
func (s *shop) waitInside(servers []*child, n int) {
	s.Helper()
	ctx, cancel := context.WithTimeout(s.Context(), time.Minute)
	defer cancel()
	for {
		inside := 0
		for _, server := range servers {
			inside += s.inside(ctx, server)
		}
		if inside == n {
			return
		}
		if err := pause(ctx, 5*time.Millisecond); err != nil {
			s.Fatalf("%d requests are inside, want %d", inside, n)
		}
	}
}

func (s *shop) inside(ctx context.Context, server *child) (n int) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, server.url+"/inside", nil)
	if err != nil {
		s.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		s.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		s.Fatal(err)
	}
	if _, err := fmt.Sscan(strings.TrimSpace(string(text)), &n); err != nil {
		s.Fatal(err)
	}
	return n
}
