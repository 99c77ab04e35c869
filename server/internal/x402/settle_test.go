package x402

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"net/http"
	"strconv"
	"testing"
	"time"

	"github.com/manifestseal/manifestseal/e2e/devnet"
	"github.com/manifestseal/manifestseal/server/internal/ledger"
	"github.com/manifestseal/manifestseal/server/internal/payment"
	"github.com/manifestseal/manifestseal/server/internal/solana"
	"github.com/manifestseal/manifestseal/server/internal/solana/solanatest"
	"github.com/manifestseal/manifestseal/server/internal/store/storetest"
)

// eventually sweeps until it is so, while blocks come.
func (s *shop) eventually(what string, so func() bool) {
	s.Helper()
	for range 2_000 {
		if so() {
			return
		}
		s.sweep(s.Context())
		if s.chain.moves {
			s.chain.pass(25)
		} else if err := pause(s.Context(), slot/10); err != nil {
			s.Fatal(err)
		}
	}
	s.Fatalf("it never came to %s: %+v", what, s.totals())
}

func (s *shop) inState(state ledger.State) func() bool {
	return func() bool { return s.totals().Payments[state] == 1 }
}

// pends sends a payment that can't settle now, and does not wait for it as long as
// a real server does.
func (s *shop) pends(w *wish, h http.Header) {
	s.Helper()
	patience := s.pace.Patience
	s.pace.Patience = 700 * time.Millisecond
	s.told(503, "settlement_pending")(s.send(w, h))
	s.pace.Patience = patience
}

func TestNodeThatSwallows(t *testing.T) {
	t.Parallel()
	s := newShop(t, storetest.SQLite(t))
	s.chain.suffers(devnet.Swallow, 5)
	s.buy(want("body"), s.buyer)
	s.balanced(1)
	if got := s.chain.count("sendTransaction"); got < 6 {
		t.Errorf("%d broadcasts of a payment whose first five were swallowed", got)
	}
}

func TestNodeWhoseAnswerIsLost(t *testing.T) {
	t.Parallel()
	s := newShop(t, storetest.SQLite(t))
	s.chain.suffers(devnet.LoseAnswer, 3)
	s.buy(want("body"), s.buyer)
	s.balanced(1)
}

// A payment that is not confirmed is pending, never a 402; then the sweeper brings
// it to its end, and the buyer gets the report by the same payment.
func TestSlowChain(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, dsn string) {
		s := newShop(t, dsn)
		s.chain.suffers(devnet.Hide, 0)
		w := want("body")
		entry := s.ask(w).Accepts[0]
		header := paid(entry, pay(entry, s.buyer), "")
		for range 2 {
			s.pends(w, header)
		}
		s.chain.heals()
		s.eventually("a settled payment", s.inState(ledger.Settled))
		s.balanced(1)
		s.bought(s.send(w, header))
		s.balanced(1)
		if w.made.Load() != 2 {
			t.Errorf("the report was made %d times, want once before the signature and once for the answer", w.made.Load())
		}
	})
}

func TestNodeThatIsDownBeforeTheClaim(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, dsn string) {
		s := newShop(t, dsn)
		w := want("body")
		entry := s.ask(w).Accepts[0]
		header := paid(entry, pay(entry, s.buyer), "")
		for _, fault := range []devnet.Fault{devnet.Down, devnet.Busy} {
			s.chain.suffers(fault, 0)
			s.told(503, "chain_unavailable")(s.send(w, header))
			s.untouched()
			s.chain.heals()
		}
		s.bought(s.send(w, header))
		s.balanced(1)
	})
}

func TestNodeThatGoesDownAfterTheClaim(t *testing.T) {
	t.Parallel()
	s := newShop(t, storetest.SQLite(t))
	s.pastStep = func(at step) {
		if at == afterSign {
			s.chain.suffers(devnet.Down, 0)
		}
	}
	w := want("body")
	entry := s.ask(w).Accepts[0]
	header := paid(entry, pay(entry, s.buyer), "")
	s.pends(w, header)
	s.pends(w, header)
	s.sweep(t.Context()) // comes to nothing, and breaks nothing
	s.chain.heals()
	s.eventually("a settled payment", s.inState(ledger.Settled))
	s.bought(s.send(w, header))
	s.balanced(1)
}

// What never lands expires, and not before it can't land any more; then the buyer
// is offered again, and pays once.
func TestTransactionThatNeverLands(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, dsn string) {
		s := newShopByClock(t, dsn)
		s.chain.suffers(devnet.Swallow, 0)
		w := want("body")
		entry := s.ask(w).Accepts[0]
		header := paid(entry, pay(entry, s.buyer), "")
		begun := s.chain.height()
		s.pends(w, header)
		s.eventually("an expired payment", s.inState(ledger.Expired))
		if blocks := s.chain.height() - begun; blocks < solana.BlockhashLife {
			t.Errorf("it was given up after %d blocks, when it could still have landed", blocks)
		}
		s.chain.heals()
		s.hash.asked = time.Time{}
		s.refused("transaction_expired")(s.send(w, header))
		entry = s.ask(w).Accepts[0]
		s.bought(s.send(w, paid(entry, pay(entry, s.buyer), "")))
		s.balanced(1)
	})
}

// An expired payment that is on the chain after all is on the refund list, is no
// sale, and its buyer gets the report.
func TestFoundLate(t *testing.T) {
	t.Parallel()
	for name, find := range map[string]func(s *shop, w *wish, again func() (*payment.Answer, error)){
		"by the buyer": func(s *shop, w *wish, again func() (*payment.Answer, error)) { s.bought(again()) },
		"by the sweeper": func(s *shop, w *wish, again func() (*payment.Answer, error)) {
			if _, err := s.db.Exec(s.Context(), `UPDATE payment SET checked_at = 0`); err != nil {
				s.Fatal(err)
			}
			s.eventually("a settled payment", s.inState(ledger.Settled))
			s.bought(again())
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newShopByClock(t, storetest.SQLite(t))
			s.chain.suffers(devnet.Hide, 0) // a node that knows of nothing, though it lands
			w := want("body")
			entry := s.ask(w).Accepts[0]
			header := paid(entry, pay(entry, s.buyer), "")
			s.pends(w, header)
			s.eventually("an expired payment", s.inState(ledger.Expired))
			sent := ""
			if err := s.books.Sent(t.Context(), func(p ledger.Sent) error { sent = p.Signature; return nil }); err != nil {
				t.Fatal(err)
			}
			s.chain.heals()
			find(s, w, func() (*payment.Answer, error) { return s.send(w, header) })
			refunds, err := s.books.Refunds(t.Context())
			if err != nil || len(refunds) != 1 || refunds[0].Signature != sent || refunds[0].Amount != price {
				t.Errorf("the refunds are %+v, %v", refunds, err)
			}
			if totals := s.totals(); totals.Sales != 0 || totals.Payments[ledger.Settled] != 1 {
				t.Errorf("the books say %+v", totals)
			}
		})
	}
}

// A fork undoes a payment that was settled. It is broadcast again, and where it can't
// land any more, the books say that nothing was received. The buyer has the report
// either way, and is not asked to pay again.
func TestForkUndoesASettledPayment(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		after  func(s *shop)
		undone int
	}{
		"and it lands again":          {func(*shop) {}, 0},
		"when its blockhash is stale": {func(s *shop) { s.chain.pass(solana.BlockhashLife + 1) }, 1},
		"and then it fails":           {func(s *shop) { s.chain.fund(solana.Address(s.buyer), 1_000_000_000, 0) }, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newShopByClock(t, storetest.SQLite(t))
			w := want("body")
			report, header := s.buy(w, s.buyer)
			s.balanced(1)
			s.chain.control(devnet.Command{Undo: s.chain.control(devnet.Command{}).Transfers[0].Signature})
			test.after(s)
			s.eventually("an end", func() bool {
				if _, err := s.db.Exec(t.Context(), `UPDATE payment SET checked_at = 0`); err != nil {
					t.Fatal(err)
				}
				var open int
				if err := s.db.Row(t.Context(), `SELECT count(*) FROM payment WHERE txn IS NOT NULL`).Scan(&open); err != nil {
					t.Fatal(err)
				}
				return open == 0
			})
			totals, received := s.totals(), s.chain.control(devnet.Command{}).Received
			if totals.Undone != test.undone || totals.Sales != 1 || totals.Refunds != 0 || received != uint64(1-test.undone)*price {
				t.Errorf("the shop received %d, and the books say %+v", received, totals)
			}
			if again := s.bought(s.send(w, header)); !bytes.Equal(again, report) {
				t.Errorf("fetched again it is %s, want %s", again, report)
			}
			if differences, err := s.books.Differences(t.Context()); err != nil || len(differences) > 0 {
				t.Errorf("the books differ from themselves: %+v, %v", differences, err)
			}
		})
	}
}

// A node that is behind knows nothing of a settled payment for a while: that is no
// fork, however late it is.
func TestNodeBehindIsNoFork(t *testing.T) {
	t.Parallel()
	s := newShopByClock(t, storetest.SQLite(t), func(c *Config) { c.Pace.Apart = time.Hour })
	s.buy(want("body"), s.buyer)
	sweep := func() {
		t.Helper()
		if _, err := s.db.Exec(t.Context(), `UPDATE payment SET checked_at = 0`); err != nil {
			t.Fatal(err)
		}
		s.sweep(t.Context())
	}
	s.chain.suffers(devnet.Hide, 0)
	s.chain.pass(solana.BlockhashLife + 200)
	sweep()
	sweep()
	if totals := s.totals(); totals.Undone != 0 {
		t.Errorf("one moment's answers undo a payment: %+v", totals)
	}
	s.chain.heals()
	sweep()
	s.balanced(1)
}

// Before an expired payment is answered with an offer, the chain must be asked: a
// node that does not answer leaves it pending.
func TestExpiredAndNodeDown(t *testing.T) {
	t.Parallel()
	s := newShopByClock(t, storetest.SQLite(t))
	s.chain.suffers(devnet.Swallow, 0)
	w := want("body")
	entry := s.ask(w).Accepts[0]
	header := paid(entry, pay(entry, s.buyer), "")
	s.pends(w, header)
	s.eventually("an expired payment", s.inState(ledger.Expired))
	s.chain.suffers(devnet.Down, 0)
	s.pends(w, header)
}

func TestBuyerWhoLeaves(t *testing.T) {
	t.Parallel()
	for _, at := range []step{afterClaim, afterSign, afterBroadcast, afterSettle} {
		t.Run(string(at), func(t *testing.T) {
			t.Parallel()
			s := newShop(t, storetest.SQLite(t))
			ctx, leave := context.WithCancel(t.Context())
			s.pastStep = func(now step) {
				if now == at {
					leave()
				}
			}
			w := want("body")
			entry := s.ask(w).Accepts[0]
			header := paid(entry, pay(entry, s.buyer), "")
			_, _ = s.Sell(ctx, w.sale(header)) // nobody hears the answer
			if ctx.Err() == nil {
				t.Fatal("the buyer did not leave")
			}
			s.balanced(1)
			s.bought(s.send(w, header))
			s.balanced(1)
		})
	}
}

// A report that can't be made is not paid for, and the payment stays good.
func TestReportThatCannotBeMade(t *testing.T) {
	t.Parallel()
	s := newShop(t, storetest.SQLite(t))
	w := want("body")
	entry := s.ask(w).Accepts[0]
	header := paid(entry, pay(entry, s.buyer), "")
	broken := errors.New("it broke")
	sale := w.sale(header)
	sale.Make = func(context.Context, time.Time) (payment.Report, error) { return payment.Report{}, broken }
	if _, err := s.Sell(t.Context(), sale); !errors.Is(err, broken) {
		t.Errorf("got %v, want the error of the report", err)
	}
	s.untouched()
	s.bought(s.send(w, header))
	s.balanced(1)
}

func TestReissuesEnd(t *testing.T) {
	t.Parallel()
	s := newShop(t, storetest.SQLite(t))
	w := want("body")
	report, header := s.buy(w, s.buyer)
	for range ledger.MaxReissues {
		if !bytes.Equal(s.bought(s.send(w, header)), report) {
			t.Fatal("the report changed")
		}
	}
	s.told(409, "already_delivered")(s.send(w, header))
	s.balanced(1)
}

func TestDocumentAtURL(t *testing.T) {
	t.Parallel()
	gone := &payment.Problem{Status: 422, Code: "fetch_failed"}
	document := func(name string) func() ([32]byte, error) {
		return func() ([32]byte, error) { return sha256.Sum256([]byte(name)), nil }
	}
	fresh := func(t *testing.T) (*shop, *wish, requirements) {
		s := newShop(t, storetest.SQLite(t))
		w := want(`{"url":"https://example.org/tools.json"}`)
		w.url, w.document = true, document("first")
		return s, w, s.ask(w).Accepts[0]
	}
	t.Run("changed after the offer", func(t *testing.T) {
		t.Parallel()
		s, w, entry := fresh(t)
		header := paid(entry, pay(entry, s.buyer), "")
		w.document = document("second")
		s.told(409, "document_changed")(s.send(w, header))
		s.untouched()
		w.document = document("first")
		s.bought(s.send(w, header))
		s.balanced(1)
	})
	t.Run("gone after the offer", func(t *testing.T) {
		t.Parallel()
		s, w, entry := fresh(t)
		w.document = func() ([32]byte, error) { return [32]byte{}, gone }
		s.told(422, "fetch_failed")(s.send(w, paid(entry, pay(entry, s.buyer), "")))
		s.untouched()
	})
	t.Run("changed after the purchase", func(t *testing.T) {
		t.Parallel()
		s, w, entry := fresh(t)
		header := paid(entry, pay(entry, s.buyer), "")
		first := s.bought(s.send(w, header))
		again, err := s.send(w, header)
		if !bytes.Equal(first, s.bought(again, err)) || settlementOf(t, again, headerResponse).Extensions["manifestseal"] != nil {
			t.Error("the same document gives another report")
		}
		w.document = document("second")
		answer, err := s.send(w, header)
		if bytes.Equal(first, s.bought(answer, err)) {
			t.Error("another document gives the same report")
		}
		if settlementOf(t, answer, headerResponse).Extensions["manifestseal"] == nil {
			t.Error("it does not say that the document changed")
		}
		s.balanced(1)
	})
	t.Run("gone after the purchase", func(t *testing.T) {
		t.Parallel()
		s, w, entry := fresh(t)
		header := paid(entry, pay(entry, s.buyer), "")
		first := s.bought(s.send(w, header))
		w.document = func() ([32]byte, error) { return [32]byte{}, gone }
		for range ledger.MaxReissues + 1 { // failed attempts count for nothing
			s.told(503, "document_unavailable")(s.send(w, header))
		}
		w.document = document("first")
		if !bytes.Equal(first, s.bought(s.send(w, header))) {
			t.Error("the report changed")
		}
	})
}

// The claim of a server that died before it signed is taken over: by a copy of the
// request, or, for its order, by another transaction.
func TestClaimOfADeadServer(t *testing.T) {
	t.Parallel()
	for name, other := range map[string]bool{"the same transaction": false, "another transaction": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			storetest.Each(t, func(t *testing.T, dsn string) {
				s := newShop(t, dsn)
				w := want("body")
				entry := s.ask(w).Accepts[0]
				header := paid(entry, pay(entry, s.buyer), "")
				s.pastStep = func(at step) { panic("died past " + string(at)) }
				func() {
					defer func() { _ = recover() }()
					_, _ = s.send(w, header)
				}()
				if got := s.totals().Payments[ledger.Claimed]; got != 1 {
					t.Fatalf("%d claims, want one", got)
				}
				s.pastStep = func(step) {}
				if _, err := s.db.Exec(t.Context(), `UPDATE payment SET leased = 0`); err != nil {
					t.Fatal(err)
				}
				if other {
					entry.Extra.RecentBlockhash = s.fresh(w, entry.Extra.RecentBlockhash)
					header = paid(entry, pay(entry, s.buyer), "")
				}
				s.bought(s.send(w, header))
				s.balanced(1)
			})
		})
	}
}

// A payment that was taken is known whatever the server's settings have become since:
// a buyer whose answer was lost is not asked to pay again.
func TestKnownWhateverChanged(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*Config){
		"the price":        func(c *Config) { c.Prices = map[string]uint64{"/audit": 2 * price, "/drift": price} },
		"the orders' keys": func(c *Config) { c.Orders = Keys{bytes.Repeat([]byte{9}, MinOrderKey)} },
		"the recipient":    func(c *Config) { c.PayTo = solana.Address(solanatest.Key("another shop")) },
		"the fee payer":    func(c *Config) { c.FeePayer = solanatest.Key("another fee payer") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dsn := storetest.SQLite(t)
			before := newShop(t, dsn)
			after := joinShop(t, before.chain, dsn, change)
			w := want("body")
			report, header := before.buy(w, before.buyer)
			if again := after.bought(after.send(w, header)); !bytes.Equal(again, report) {
				t.Errorf("it answers %s, want %s", again, report)
			}
			before.balanced(1)

			entry := before.ask(want("under way")).Accepts[0]
			header = paid(entry, pay(entry, before.buyer), "")
			before.chain.suffers(devnet.Hide, 0)
			before.pends(want("under way"), header)
			after.pends(want("under way"), header)
			before.chain.heals()
			after.bought(after.send(want("under way"), header))
			before.balanced(2)

			// A thief who saw it on the chain has no order, and a made-up one is none.
			made := entry
			made.Extra.Order += "A"
			after.told(409, "payment_used")(after.send(want("under way"), paid(made, pay(entry, before.buyer), "")))

			// What was claimed and never signed is not taken by other terms.
			entry = before.ask(want("claimed")).Accepts[0]
			header = paid(entry, pay(entry, before.buyer), "")
			before.pastStep = func(step) { panic("died") }
			func() {
				defer func() { _ = recover() }()
				_, _ = before.send(want("claimed"), header)
			}()
			if _, err := before.db.Exec(t.Context(), `UPDATE payment SET leased = 0 WHERE state = 'claimed'`); err != nil {
				t.Fatal(err)
			}
			after.refused("invalid_order")(after.send(want("claimed"), header))
			if n := after.totals().Payments[ledger.Claimed]; n != 0 {
				t.Errorf("%d claims are left", n)
			}
			before.balanced(2)
		})
	}
}

// fresh is the blockhash of an offer of a later block.
func (s *shop) fresh(w *wish, than string) string {
	s.Helper()
	for {
		s.hash.asked = time.Time{}
		if hash := s.ask(w).Accepts[0].Extra.RecentBlockhash; hash != than {
			return hash
		}
		if err := pause(s.Context(), slot/10); err != nil {
			s.Fatal(err)
		}
	}
}

func TestSweeperForgetsWhatIsFinal(t *testing.T) {
	t.Parallel()
	s := newShopByClock(t, storetest.SQLite(t))
	s.buy(want("body"), s.buyer)
	kept := func() int {
		var n int
		if err := s.db.Row(t.Context(), `SELECT count(*) FROM payment WHERE txn IS NOT NULL`).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	if kept() != 1 {
		t.Error("the transaction is not kept until it is final")
	}
	s.chain.pass(50)
	if _, err := s.db.Exec(t.Context(), `UPDATE payment SET checked_at = 0`); err != nil {
		t.Fatal(err)
	}
	s.sweep(t.Context())
	if kept() != 0 {
		t.Error("the transaction is kept after it is final")
	}
	s.balanced(1)
}

func TestManyBuyers(t *testing.T) {
	t.Parallel()
	s := newShop(t, storetest.SQLite(t))
	for n := range 8 {
		name := strconv.Itoa(n)
		w := want("body " + name)
		s.buy(w, s.chain.rich("buyer "+name))
	}
	s.balanced(8)
}
