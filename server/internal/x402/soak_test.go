package x402

import (
	"context"
	"math/rand/v2"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/manifestseal/manifestseal/e2e/devnet"
	"github.com/manifestseal/manifestseal/server/internal/ledger"
	"github.com/manifestseal/manifestseal/server/internal/solana"
	"github.com/manifestseal/manifestseal/server/internal/store/storetest"
)

// TestSoak sells while servers are killed and the node misbehaves: make soak for
// many purchases, a few in every run. Every buyer is served, every buyer is charged
// once, and the ledger is what the chain says.
func TestSoak(t *testing.T) {
	t.Parallel()
	purchases := 16
	if text := os.Getenv("MANIFESTSEAL_SOAK"); text != "" {
		var err error
		if purchases, err = strconv.Atoi(text); err != nil || purchases < 1 {
			t.Fatalf("MANIFESTSEAL_SOAK is %q, want a number of purchases", text)
		}
	}
	storetest.Each(t, func(t *testing.T, dsn string) { soak(t, dsn, purchases) })
}

func soak(t *testing.T, dsn string, purchases int) {
	s := joinShop(t, newChainOfItsOwn(t), dsn)
	orders := s.orders(5*time.Millisecond, time.Second)
	f := &fleet{t: t, orders: orders, chaos: rand.New(rand.NewPCG(402, uint64(purchases)))}
	f.servers = []*child{orders.start(t), orders.start(t)}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute+time.Duration(purchases)*2*time.Second)
	defer cancel()

	var next, kills atomic.Int64
	var wg sync.WaitGroup
	for range 6 {
		wg.Go(func() {
			for n := next.Add(1); n <= int64(purchases); n = next.Add(1) {
				name := "buyer " + strconv.FormatInt(n, 10)
				c := s.customer(name, f.any)
				report := c.persist(ctx)
				again := c.persist(ctx)
				if len(report) == 0 || string(report) != string(again) {
					t.Errorf("%s got %q, then %q", name, report, again)
				}
				if paid := s.chain.paid(s.chain.key(name)); paid != price {
					t.Errorf("%s was charged %d", name, paid)
				}
				kills.Add(f.trouble(s.chain))
			}
		})
	}
	wg.Wait()
	s.chain.heals()
	s.settled(ctx)
	s.balanced(purchases)
	totals := s.totals()
	t.Logf("%d purchases, %d servers killed, %d broadcasts; payments %v, refunds %d",
		purchases, kills.Load(), s.chain.count("sendTransaction"), totals.Payments, totals.Refunds)
	if totals.Refunds != 0 {
		t.Errorf("%d refunds are due from a chain that never lied", totals.Refunds)
	}
	if kills.Load() == 0 {
		t.Error("no server was killed")
	}
}

// settled waits until no payment is open any more.
func (s *shop) settled(ctx context.Context) {
	s.Helper()
	for {
		totals := s.totals()
		if totals.Payments[ledger.Claimed]+totals.Payments[ledger.Signed] == 0 {
			return
		}
		s.chain.pass(10)
		s.sweep(ctx)
		if err := pause(ctx, 20*time.Millisecond); err != nil {
			s.Fatalf("payments stay open: %+v", totals)
		}
	}
}

// fleet is a few servers, of which some die.
type fleet struct {
	t       testing.TB
	orders  childOrders
	mu      sync.Mutex
	servers []*child
	chaos   *rand.Rand
}

// any is one of them. One that has died is replaced, as a supervisor does.
func (f *fleet) any() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	n := f.chaos.IntN(len(f.servers))
	select {
	case <-f.servers[n].gone:
		f.servers[n] = f.orders.start(f.t)
	default:
	}
	return f.servers[n].url
}

// trouble is what goes wrong after a purchase. It says how many servers died.
func (f *fleet) trouble(chain *testChain) int64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch f.chaos.IntN(10) {
	case 0, 1: // at any moment
		return f.replace(f.orders)
	case 2, 3: // past a step of the next payment it works on
		doomed := f.orders
		doomed.Die = []step{afterClaim, afterSign, afterBroadcast, afterSettle, answered}[f.chaos.IntN(5)]
		return f.replace(doomed)
	case 4:
		chain.suffers(devnet.Swallow, 1+f.chaos.IntN(4))
	case 5:
		chain.suffers(devnet.LoseAnswer, 1+f.chaos.IntN(4))
	case 6: // a node that is down for the next few calls of everybody
		chain.suffers(devnet.Down, 1+f.chaos.IntN(30))
	case 7: // what was signed and has not landed can't any more
		chain.suffers(devnet.Swallow, 3)
		chain.pass(solana.BlockhashLife + 1)
	}
	return 0
}

// replace kills a server and starts another in its place.
func (f *fleet) replace(by childOrders) int64 {
	n := f.chaos.IntN(len(f.servers))
	f.servers[n].kill()
	f.servers[n] = by.start(f.t)
	return 1
}
