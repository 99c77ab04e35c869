package x402

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/manifestseal/manifestseal/e2e/devnet"
	"github.com/manifestseal/manifestseal/server/internal/payment"
	"github.com/manifestseal/manifestseal/server/internal/solana"
	"github.com/manifestseal/manifestseal/server/internal/solana/solanatest"
	"github.com/manifestseal/manifestseal/server/internal/store/storetest"
)

// refusal is a request that is refused, with nothing consumed. What a transaction
// alone decides has a longer table beside its decoder.
type refusal struct {
	header func(s *shop, offer paymentRequired) http.Header
	status int
	code   string
}

func changed(change func(*requirements)) func(*shop, paymentRequired) http.Header {
	return func(s *shop, offer paymentRequired) http.Header {
		entry := offer.Accepts[0]
		tx := pay(entry, s.buyer)
		change(&entry)
		return paid(entry, tx, "")
	}
}

func text(header string) func(*shop, paymentRequired) http.Header {
	return func(*shop, paymentRequired) http.Header {
		return http.Header{headerPayment: {base64.StdEncoding.EncodeToString([]byte(header))}}
	}
}

// parts changes the transaction before it is signed.
func parts(change func(*solanatest.Parts, solana.Terms)) func(*shop, paymentRequired) http.Header {
	return func(s *shop, offer paymentRequired) http.Header {
		entry := offer.Accepts[0]
		p := solanatest.Pay(termsOf(entry), s.buyer, entry.Extra.RecentBlockhash)
		change(&p, termsOf(entry))
		return paid(entry, p.Bytes(), "")
	}
}

func TestRefusalsConsumeNothing(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]refusal{
		"no base64":                  {func(*shop, paymentRequired) http.Header { return http.Header{headerPayment: {"{}"}} }, 400, "invalid_payment_header"},
		"base64 of another alphabet": {func(*shop, paymentRequired) http.Header { return http.Header{headerPayment: {"e30_"}} }, 400, "invalid_payment_header"},
		"empty":                      {func(*shop, paymentRequired) http.Header { return http.Header{headerPayment: {""}} }, 400, "invalid_payment_header"},
		"no JSON":                    {text(`hello`), 400, "invalid_payment_header"},
		"no object":                  {text(`[]`), 400, "invalid_payment_header"},
		"bytes after it":             {text(`{"x402Version":2} {}`), 400, "invalid_payment_header"},
		"deep":                       {text(`{"accepted":` + strings.Repeat("[", 2000) + strings.Repeat("]", 2000) + `}`), 400, "invalid_payment_header"},
		"nothing in it":              {text(`{}`), 400, "invalid_payment_header"},
		"version as text":            {text(`{"x402Version":"2"}`), 400, "invalid_payment_header"},
		"version 3":                  {text(`{"x402Version":3,"payload":{"transaction":"AA=="}}`), 400, "invalid_payment_header"},
		"no payload":                 {text(`{"x402Version":2,"accepted":{}}`), 400, "invalid_payment_header"},
		"payload null":               {text(`{"x402Version":2,"accepted":{},"payload":null}`), 400, "invalid_payment_header"},
		"transaction missing":        {text(`{"x402Version":2,"accepted":{},"payload":{}}`), 400, "invalid_payment_header"},
		"transaction no text":        {text(`{"x402Version":2,"accepted":{},"payload":{"transaction":7}}`), 400, "invalid_payment_header"},
		"transaction no base64":      {text(`{"x402Version":2,"accepted":{},"payload":{"transaction":"%%%"}}`), 400, "invalid_payment_header"},
		"accepted missing":           {text(`{"x402Version":2,"payload":{"transaction":"AA=="}}`), 400, "invalid_payment_header"},
		"accepted a list":            {text(`{"x402Version":2,"accepted":[],"payload":{"transaction":"AA=="}}`), 400, "invalid_payment_header"},
		"a member twice":             {text(`{"x402Version":2,"accepted":{"payTo":"a","payTo":"b"},"payload":{"transaction":"AA=="}}`), 400, "invalid_payment_header"},
		"the payload twice":          {text(`{"x402Version":2,"accepted":{},"payload":{"transaction":"AA=="},"payload":{"transaction":"AAA="}}`), 400, "invalid_payment_header"},
		"two headers": {func(s *shop, o paymentRequired) http.Header {
			h := paid(o.Accepts[0], pay(o.Accepts[0], s.buyer), "")
			h[headerPayment] = append(h[headerPayment], h[headerPayment]...)
			return h
		}, 400, "invalid_payment_header"},
		"both versions": {func(s *shop, o paymentRequired) http.Header {
			h := paid(o.Accepts[1], pay(o.Accepts[1], s.buyer), "")
			h[headerPaymentV1] = paidV1(o.Accepts[1], pay(o.Accepts[1], s.buyer))[headerPaymentV1]
			return h
		}, 400, "invalid_payment_header"},
		"version 2 under the name of 1": {func(s *shop, o paymentRequired) http.Header {
			return http.Header{headerPaymentV1: paid(o.Accepts[1], pay(o.Accepts[1], s.buyer), "")[headerPayment]}
		}, 400, "invalid_payment_header"},
		"identifier too short": {func(s *shop, o paymentRequired) http.Header {
			return paid(o.Accepts[0], pay(o.Accepts[0], s.buyer), "short")
		}, 400, "invalid_payment_header"},
		"identifier with a space": {func(s *shop, o paymentRequired) http.Header {
			return paid(o.Accepts[0], pay(o.Accepts[0], s.buyer), "sixteen characters")
		}, 400, "invalid_payment_header"},

		"another scheme":             {changed(func(r *requirements) { r.Scheme = "upto" }), 402, "unsupported_scheme"},
		"another network":            {changed(func(r *requirements) { r.Network = solana.Mainnet }), 402, "invalid_network"},
		"a lower amount":             {changed(func(r *requirements) { r.Amount = "1" }), 402, "invalid_payment_requirements"},
		"the amount spelt otherwise": {changed(func(r *requirements) { r.Amount = "050000" }), 402, "invalid_payment_requirements"},
		"another asset":              {changed(func(r *requirements) { r.Asset = solana.USDCMainnet }), 402, "invalid_payment_requirements"},
		"another recipient":          {changed(func(r *requirements) { r.PayTo = solana.Address(solanatest.Key("somebody")) }), 402, "invalid_payment_requirements"},
		"another timeout":            {changed(func(r *requirements) { r.MaxTimeoutSeconds++ }), 402, "invalid_payment_requirements"},
		"another fee payer":          {changed(func(r *requirements) { r.Extra.FeePayer = solana.Address(solanatest.Key("somebody")) }), 402, "invalid_payment_requirements"},
		"another memo":               {changed(func(r *requirements) { r.Extra.Memo = strings.Repeat("0", 32) }), 402, "invalid_payment_requirements"},
		"memo without order":         {changed(func(r *requirements) { r.Extra.Order = "" }), 402, "invalid_payment_requirements"},
		"order that is none":         {changed(func(r *requirements) { r.Extra.Order = "order" }), 402, "invalid_order"},
		"order of zeros": {changed(func(r *requirements) {
			r.Extra.Order = base64.RawURLEncoding.EncodeToString(make([]byte, orderSize))
		}), 402, "invalid_order"},
		"order with a bit changed": {changed(func(r *requirements) {
			raw, _ := base64.RawURLEncoding.DecodeString(r.Extra.Order)
			raw[8] ^= 1 // of the expiry
			r.Extra.Order = base64.RawURLEncoding.EncodeToString(raw)
		}), 402, "invalid_order"},
		"order spelt otherwise": {changed(func(r *requirements) { r.Extra.Order += "=" }), 402, "invalid_order"},
		"order of another body": {func(s *shop, o paymentRequired) http.Header {
			entry := s.ask(want("another body")).Accepts[0]
			return paid(entry, pay(entry, s.buyer), "")
		}, 402, "invalid_order"},
		"order of another route": {func(s *shop, o paymentRequired) http.Header {
			w := want("body")
			w.route = "/drift"
			entry := s.ask(w).Accepts[0]
			return paid(entry, pay(entry, s.buyer), "")
		}, 402, "invalid_order"},
		"order of another server": {func(s *shop, o paymentRequired) http.Header {
			other := joinShop(s, s.chain, storetest.SQLite(s), func(c *Config) { c.Orders = Keys{bytes.Repeat([]byte{9}, MinOrderKey)} })
			entry := other.ask(want("body")).Accepts[0]
			return paid(entry, pay(entry, s.buyer), "")
		}, 402, "invalid_order"},
		"order of another price": {func(s *shop, o paymentRequired) http.Header {
			other := joinShop(s, s.chain, storetest.SQLite(s), func(c *Config) { c.Prices = map[string]uint64{"/audit": 1, "/drift": 1} })
			entry := other.ask(want("body")).Accepts[0]
			return paid(entry, pay(entry, s.buyer), "")
		}, 402, "invalid_order"},
		"order too old": {func(s *shop, o paymentRequired) http.Header {
			s.now = func() time.Time { return time.Now().Add(16 * time.Minute) }
			return paid(o.Accepts[0], pay(o.Accepts[0], s.buyer), "")
		}, 402, "order_expired"},
		"paid for another order": {func(s *shop, o paymentRequired) http.Header {
			return paid(o.Accepts[0], pay(s.ask(want("body")).Accepts[0], s.buyer), "")
		}, 402, solana.CodeMemo},

		"transaction of zeros": {func(s *shop, o paymentRequired) http.Header {
			return paid(o.Accepts[0], make([]byte, 200), "")
		}, 402, solana.CodeUndecodable},
		"payer has not signed": {func(s *shop, o paymentRequired) http.Header {
			tx := pay(o.Accepts[0], s.buyer)
			clear(tx[65:129])
			return paid(o.Accepts[0], tx, "")
		}, 402, solana.CodeSignature},
		"changed after it was signed": {func(s *shop, o paymentRequired) http.Header {
			tx := pay(o.Accepts[0], s.buyer)
			tx[len(tx)-2] ^= 1 // of the memo
			return paid(o.Accepts[0], tx, "")
		}, 402, solana.CodeSignature},
		"a unit too little": {parts(func(p *solanatest.Parts, terms solana.Terms) {
			terms.Amount--
			p.Instructions[2] = solanatest.Transfer(terms, solanatest.Public(p.Payer), p.Instructions[2].Program)
		}), 402, solana.CodeAmount},
		"a unit too much": {parts(func(p *solanatest.Parts, terms solana.Terms) {
			terms.Amount++
			p.Instructions[2] = solanatest.Transfer(terms, solanatest.Public(p.Payer), p.Instructions[2].Program)
		}), 402, solana.CodeAmount},
		"to somebody else": {parts(func(p *solanatest.Parts, terms solana.Terms) {
			terms.PayTo = solana.Address(solanatest.Key("thief"))
			p.Instructions[2] = solanatest.Transfer(terms, solanatest.Public(p.Payer), p.Instructions[2].Program)
		}), 402, solana.CodeRecipient},
		"a second transfer": {parts(func(p *solanatest.Parts, terms solana.Terms) {
			p.Instructions = append(p.Instructions, p.Instructions[2])
		}), 402, solana.CodeFifth},
		"a second memo": {parts(func(p *solanatest.Parts, terms solana.Terms) {
			p.Instructions = append(p.Instructions, solanatest.Memo(terms.Memo))
		}), 402, solana.CodeMemoCount},
		"a dear priority": {parts(func(p *solanatest.Parts, terms solana.Terms) {
			p.Instructions[1] = solanatest.Price(1 << 60)
		}), 402, solana.CodePriceTooHigh},
		"an unknown blockhash": {parts(func(p *solanatest.Parts, terms solana.Terms) {
			p.Blockhash = [32]byte{1}
		}), 402, solana.CodeSimulation},
		"not enough money": {func(s *shop, o paymentRequired) http.Header {
			s.chain.fund(solana.Address(s.buyer), 1_000_000_000, price-1)
			return paid(o.Accepts[0], pay(o.Accepts[0], s.buyer), "")
		}, 402, solana.CodeSimulation},
		"version 1 of another network": {func(s *shop, o paymentRequired) http.Header {
			return headerOf(headerPaymentV1, map[string]any{"x402Version": 1, "scheme": "exact", "network": "solana",
				"payload": map[string]any{"transaction": base64.StdEncoding.EncodeToString(pay(o.Accepts[1], s.buyer))}})
		}, 402, "invalid_network"},
		"version 1 of another scheme": {func(s *shop, o paymentRequired) http.Header {
			return headerOf(headerPaymentV1, map[string]any{"x402Version": 1, "scheme": "upto", "network": "solana-devnet",
				"payload": map[string]any{"transaction": base64.StdEncoding.EncodeToString(pay(o.Accepts[1], s.buyer))}})
		}, 402, "unsupported_scheme"},

		"the node is down": {func(s *shop, o paymentRequired) http.Header {
			s.chain.suffers(devnet.Down, 0)
			return paid(o.Accepts[0], pay(o.Accepts[0], s.buyer), "")
		}, 503, "chain_unavailable"},
		"the fee payer is empty": {func(s *shop, o paymentRequired) http.Header {
			s.chain.fund(solana.Address(s.chain.feePayer), 900_000, 0)
			return paid(o.Accepts[0], pay(o.Accepts[0], s.buyer), "")
		}, 503, "chain_unavailable"},
		"the database is gone": {func(s *shop, o paymentRequired) http.Header {
			ctx, cancel := context.WithCancel(s.Context())
			cancel()
			_, err := s.Sell(ctx, want("body").sale(paid(o.Accepts[0], pay(o.Accepts[0], s.buyer), "")))
			s.told(503, "payments_unavailable")(nil, err)
			return http.Header{headerPayment: {"x"}}
		}, 400, "invalid_payment_header"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newShop(t, storetest.SQLite(t))
			w := want("body")
			header := tc.header(s, s.ask(w))
			answer, err := s.send(w, header)
			if tc.status == http.StatusPaymentRequired {
				s.refused(tc.code)(answer, err)
			} else {
				s.told(tc.status, tc.code)(answer, err)
			}
			s.untouched()
			if w.made.Load() != 0 {
				t.Error("a report was made")
			}
		})
	}
}

func TestBlockhashThatIsTooOld(t *testing.T) {
	t.Parallel()
	s := newShopByClock(t, storetest.SQLite(t))
	w := want("body")
	entry := s.ask(w).Accepts[0]
	s.chain.pass(solana.BlockhashLife + 1)
	s.refused(solana.CodeSimulation)(s.send(w, paid(entry, pay(entry, s.buyer), "")))
	s.untouched()
}

// Hints are made anew for each offer; a client may send back what it likes there.
func TestHintsStandAside(t *testing.T) {
	t.Parallel()
	s := newShop(t, storetest.SQLite(t))
	w := want("body")
	entry := s.ask(w).Accepts[0]
	tx := pay(entry, s.buyer)
	var envelope map[string]any
	raw, err := base64.StdEncoding.DecodeString(paid(entry, tx, "")[headerPayment][0])
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, &envelope); err != nil {
		t.Fatal(err)
	}
	hints := envelope["accepted"].(map[string]any)["extra"].(map[string]any)
	hints["lastValidBlockHeight"] = 7
	delete(hints, "recentBlockhash")
	envelope["somethingNew"] = true
	s.bought(s.send(w, headerOf(headerPayment, envelope)))
}

func TestOrdersByTheKeyBefore(t *testing.T) {
	t.Parallel()
	chain, dsn := newTestChain(t), storetest.SQLite(t)
	older, newer := bytes.Repeat([]byte{1}, MinOrderKey), bytes.Repeat([]byte{2}, MinOrderKey)
	before := joinShop(t, chain, dsn, func(c *Config) { c.Orders = Keys{older} })
	after := joinShop(t, chain, dsn, func(c *Config) { c.Orders = Keys{newer, older} })
	w := want("body")
	entry := before.ask(w).Accepts[0]
	header := paid(entry, pay(entry, before.buyer), "")
	after.bought(after.send(w, header))

	entry = after.ask(w).Accepts[0]
	before.refused("invalid_order")(before.send(w, paid(entry, pay(entry, before.buyer), "")))
	after.balanced(1)
}

func TestPaymentsThatWereUsed(t *testing.T) {
	t.Parallel()
	const id = "an-identifier-of-the-buyer"
	for name, test := range map[string]func(s *shop, w *wish, first requirements, tx []byte){
		"for another body": func(s *shop, w *wish, first requirements, tx []byte) {
			other := want("another body")
			bare := s.ask(other).Accepts[1]
			s.told(409, "payment_used")(s.send(other, paid(bare, tx, "")))
			mine := s.ask(other).Accepts[0]
			s.told(409, "payment_used")(s.send(other, paid(mine, tx, "")))
		},
		"for another route": func(s *shop, w *wish, first requirements, tx []byte) {
			other := want(w.body)
			other.route = "/drift"
			s.told(409, "payment_used")(s.send(other, paid(s.ask(other).Accepts[0], tx, "")))
		},
		"without its order, from what is on the chain": func(s *shop, w *wish, first requirements, tx []byte) {
			s.told(409, "payment_used")(s.send(w, paid(s.ask(w).Accepts[1], tx, "")))
			s.told(409, "payment_used")(s.send(w, paidV1(first, tx)))
		},
		"under another order": func(s *shop, w *wish, first requirements, tx []byte) {
			s.told(409, "payment_used")(s.send(w, paid(s.ask(w).Accepts[0], tx, "")))
		},
		"by somebody else, who learnt the order": func(s *shop, w *wish, first requirements, tx []byte) {
			s.told(409, "payment_used")(s.send(w, paid(first, pay(first, s.chain.rich("thief")), "")))
		},
		"with another fee payer's signature in it": func(s *shop, w *wish, first requirements, tx []byte) {
			malleable := bytes.Clone(tx)
			copy(malleable[1:65], bytes.Repeat([]byte{7}, 64))
			s.bought(s.send(w, paid(first, malleable, "")))
		},
		"with the payer's signature taken out": func(s *shop, w *wish, first requirements, tx []byte) {
			unsigned := bytes.Clone(tx)
			clear(unsigned[65:129])
			s.refused(solana.CodeSignature)(s.send(w, paid(first, unsigned, "")))
		},
		"by a second transaction for the same order": func(s *shop, w *wish, first requirements, tx []byte) {
			again := first
			again.Extra.RecentBlockhash = s.ask(w).Accepts[0].Extra.RecentBlockhash
			second := pay(again, s.buyer)
			if bytes.Equal(second, tx) {
				s.Fatal("it is the same transaction")
			}
			s.bought(s.send(w, paid(again, second, "")))
		},
		"its identifier, for the same request": func(s *shop, w *wish, first requirements, tx []byte) {
			entry := s.ask(w).Accepts[0]
			s.bought(s.send(w, paid(entry, pay(entry, s.buyer), id)))
		},
		"its identifier, for another request": func(s *shop, w *wish, first requirements, tx []byte) {
			other := want("another body")
			entry := s.ask(other).Accepts[0]
			s.told(409, "payment_used")(s.send(other, paid(entry, pay(entry, s.buyer), id)))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newShop(t, storetest.SQLite(t)) // the ledger's own tests are on both databases
			w := want("body")
			first := s.ask(w).Accepts[0]
			tx := pay(first, s.buyer)
			s.bought(s.send(w, paid(first, tx, id)))
			s.fresh(w, first.Extra.RecentBlockhash) // the next offer has one of its own
			test(s, w, first, tx)
			s.balanced(1)
		})
	}
}

func TestIdentifierOfAnotherPayerIsFree(t *testing.T) {
	t.Parallel()
	s := newShop(t, storetest.SQLite(t))
	for n, name := range []string{"one", "two"} {
		w := want(name)
		entry := s.ask(w).Accepts[0]
		s.bought(s.send(w, paid(entry, pay(entry, s.chain.rich(name)), "the-very-same-identifier")))
		s.balanced(n + 1)
	}
}

func TestFailedTransactionsAreLimited(t *testing.T) {
	t.Parallel()
	s := newShop(t, storetest.SQLite(t))
	attempts := 0
	attempt := func(who string) (*payment.Answer, error) {
		attempts++
		key := s.chain.rich(who)
		s.pastStep = func(at step) {
			if at == afterSign { // spent elsewhere, after the simulation
				s.chain.fund(solana.Address(key), 1_000_000_000, 0)
			}
		}
		w := want(who + strconv.Itoa(attempts))
		entry := s.ask(w).Accepts[0]
		return s.send(w, paid(entry, pay(entry, key), ""))
	}
	for range 3 {
		s.refused("invalid_transaction_state")(attempt("poor"))
	}
	s.told(429, "too_many_failed_payments")(attempt("poor"))
	s.told(429, "too_many_failed_payments")(attempt("another of that address"))
	s.balanced(0)
	if totals := s.totals(); totals.Payments["failed"] != 3 {
		t.Errorf("the books say %+v", totals)
	}
}
