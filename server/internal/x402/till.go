// Package x402 implements a till that sells reports for USDC on Solana by the
// x402 protocol: versions 2 and 1, the exact scheme, the payment-identifier and
// offer-receipt extensions (https://docs.x402.org). What is checked when, and how
// a payment is taken once or not at all, is told in README.md.
//
// It will never know what a report says.
package x402

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/manifestseal/manifestseal/server/internal/ledger"
	"github.com/manifestseal/manifestseal/server/internal/payment"
	"github.com/manifestseal/manifestseal/server/internal/solana"
)

// Config is what a till needs.
type Config struct {
	Ledger   *ledger.Ledger
	Chain    *solana.Chain
	Network  string // CAIP-2: solana.Mainnet or solana.Devnet
	Mint     string
	PayTo    string
	FeePayer ed25519.PrivateKey
	Prices   map[string]uint64 // of each route, in the mint's units
	Orders   Keys
	Origin   string // how buyers reach the site, such as https://example.org

	// Receipt signs what was paid as a JWS in compact form.
	Receipt func(payload []byte) (string, error)
	Logger  *slog.Logger
	Alarm   uint64 // the fee payer's balance below which the log says so; 0: DefaultAlarm
	Pace    Pace
}

// Till sells reports. Make it with New.
type Till struct {
	ledger   *ledger.Ledger
	chain    *solana.Chain
	terms    solana.Terms // but for price and memo
	key      ed25519.PrivateKey
	prices   map[string]uint64
	orders   Keys
	origin   string
	receipt  func([]byte) (string, error)
	log      *slog.Logger
	pace     Pace
	pursuits atomic.Int64 // payments that this server asks the chain for now
	hash     blockhash
	watch    watch
	alarm    uint64
	now      func() time.Time
	pastStep func(step) // in tests a place to die
}

// step is a moment between two that must not be torn apart.
type step string

const (
	afterClaim     step = "claimed"
	afterSign      step = "signed"
	afterBroadcast step = "broadcast"
	afterSettle    step = "settled"
)

var _ payment.Till = (*Till)(nil)

// New makes a till, or says what its settings lack. It calls nothing.
func New(c Config) (*Till, error) {
	if len(c.FeePayer) != ed25519.PrivateKeySize {
		return nil, errors.New("the fee payer's key is not 64 bytes long")
	}
	if v1Name(c.Network) == "" {
		return nil, fmt.Errorf("the network is %q: want %s or %s", c.Network, solana.Mainnet, solana.Devnet)
	}
	for _, route := range []string{"/audit", "/drift"} {
		if c.Prices[route] == 0 || c.Prices[route] > 1_000_000_000 {
			return nil, fmt.Errorf("the price of %s is %d units: want 1 to 1,000,000,000 (a thousand dollars)", route, c.Prices[route])
		}
	}
	if len(c.Orders) == 0 {
		return nil, errors.New("there is no key for orders")
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	if c.Alarm == 0 {
		c.Alarm = DefaultAlarm
	}
	return &Till{
		ledger: c.Ledger, chain: c.Chain, key: c.FeePayer, prices: c.Prices, orders: c.Orders,
		terms:  solana.Terms{Network: c.Network, Mint: c.Mint, PayTo: c.PayTo, FeePayer: solana.Address(c.FeePayer)},
		origin: strings.TrimSuffix(c.Origin, "/"), receipt: c.Receipt, log: c.Logger, alarm: c.Alarm, pace: c.Pace.withDefaults(),
		now: time.Now, pastStep: func(step) {},
	}, nil
}

// ReachedAt says how buyers reach the site, where that is known only when it
// listens. It must be called before the first sale.
func (t *Till) ReachedAt(origin string) { t.origin = origin }

// sale is one request on its way through the till.
type sale struct {
	*payment.Sale
	came    time.Time
	ledger  *ledger.Ledger // as this request's worker
	request ledger.Hash
	price   uint64
	paid    *presented // nil when the request has no payment
	tx      *solana.Payment
	order   *order // nil for a payment without one
	doubt   error  // why the order is not one of ours, if it is not
}

// Sell answers a request for a report, in the order of the design.
func (t *Till) Sell(ctx context.Context, request *payment.Sale) (*payment.Answer, error) {
	price, sold := t.prices[request.Route]
	if !sold {
		return nil, fmt.Errorf("x402: %s is not for sale", request.Route)
	}
	s := &sale{Sale: request, came: time.Now(), ledger: t.ledger.As(rand.Text()), request: requestHash(request), price: price}
	var err error
	if s.paid, err = present(request.Header); err != nil {
		return nil, err
	}
	if s.paid == nil {
		return t.offer(ctx, s, "")
	}
	answer, err := t.take(ctx, s)
	var invalid *solana.Invalid
	if errors.As(err, &invalid) {
		return t.offer(ctx, s, invalid.Code)
	}
	return answer, err
}

// requestHash binds a payment to the route and to the body's very bytes.
func requestHash(s *payment.Sale) ledger.Hash { return ledger.Sum([]byte(s.Route), s.Body) }

// take judges a payment: a known one is answered as it stands, whatever has
// expired or moved since; an unknown one has to pass everything. An *Invalid is
// answered with a new offer.
func (t *Till) take(ctx context.Context, s *sale) (*payment.Answer, error) {
	if err := t.recognise(s); err != nil {
		return nil, err
	}
	for range 3 { // a row can go between two looks: the claim of a server that died
		answer, err := t.once(ctx, s)
		if !errors.Is(err, errGone) {
			return answer, err
		}
	}
	return nil, pending()
}

func (t *Till) once(ctx context.Context, s *sale) (*payment.Answer, error) {
	row, err := s.ledger.Find(ctx, t.keysOf(s))
	if err != nil {
		return nil, t.noLedger(err)
	}
	if row == nil {
		if row, err = t.begin(ctx, s); err != nil {
			if row, err = t.overtaken(ctx, s, err); err != nil {
				return nil, err
			}
		}
	}
	return t.known(ctx, s, row)
}

// overtaken is the row of a copy of this request that was quicker: its transaction
// on the chain is why this one's can't be there, so the refusal is none. Without
// such a row the refusal stands.
func (t *Till) overtaken(ctx context.Context, s *sale, refusal error) (*ledger.Row, error) {
	var invalid *solana.Invalid
	if !errors.As(refusal, &invalid) {
		return nil, refusal
	}
	row, err := s.ledger.Find(ctx, t.keysOf(s))
	switch {
	case err != nil:
		return nil, t.noLedger(err)
	case row == nil:
		return nil, refusal
	}
	return row, nil
}

// recognise reads the transaction and the order, and checks the one signature by
// which the payer is known.
func (t *Till) recognise(s *sale) error {
	var err error
	if s.tx, err = solana.Decode(s.paid.transaction); err != nil {
		return err
	}
	if s.paid.order != "" {
		// It may have been made by a key or for a price of the past: then the ledger
		// has to know the payment, and by this order.
		if s.order, s.doubt = t.orders.read(s.paid.order, t.boundTo(s)); s.doubt != nil {
			s.order = &order{text: s.paid.order}
		}
	}
	return s.tx.VerifyPayer()
}

func (t *Till) keysOf(s *sale) ledger.Keys {
	k := ledger.Keys{Message: ledger.Hash(s.tx.MessageHash()), Payer: s.tx.Payer()}
	if s.order != nil && s.doubt == nil {
		k.Order = s.order.hash()
	}
	if s.paid.identifier != "" {
		h := ledger.Sum([]byte("payment-identifier"), []byte(s.paid.identifier))
		k.Identifier = &h
	}
	return k
}

// begin judges an unknown payment and claims it. The row may be another server's,
// when that was quicker.
func (t *Till) begin(ctx context.Context, s *sale) (*ledger.Row, error) {
	if s.doubt != nil {
		return nil, s.doubt
	}
	document, err := s.Load(ctx)
	if err != nil {
		return nil, err
	}
	if s.order != nil && !t.orders.holds(s.order, document) {
		return nil, documentChanged()
	}
	terms, err := t.check(s)
	if err != nil {
		return nil, err
	}
	if err := t.allow(ctx, s); err != nil {
		return nil, err
	}
	height, err := t.ask(ctx, s)
	if err != nil {
		return nil, err
	}
	keys := t.keysOf(s)
	claimed, err := s.ledger.Claim(ctx, ledger.Claim{
		Message: keys.Message, Order: keys.Order, Identifier: keys.Identifier, Request: s.request, Payer: keys.Payer, Route: s.Route,
		Network: terms.Network, Mint: terms.Mint, Amount: terms.Amount, LastValid: height + solana.BlockhashLife,
	})
	if err != nil {
		return nil, t.noLedger(err)
	}
	if claimed {
		t.pastStep(afterClaim)
	}
	row, err := s.ledger.Find(context.WithoutCancel(ctx), keys)
	switch {
	case err != nil:
		return nil, pending()
	case row == nil:
		return nil, errGone
	}
	return row, nil
}

// check judges what the request and the transaction alone decide.
func (t *Till) check(s *sale) (solana.Terms, error) {
	terms := t.terms
	terms.Amount = s.price
	if s.order != nil {
		if s.order.expired(t.now()) {
			return terms, &solana.Invalid{Code: "order_expired", Detail: "the offer is too old"}
		}
		terms.Memo = s.order.memo()
	}
	if err := s.paid.accepts(t.requirements(s.price, s.order), v1Name(t.terms.Network)); err != nil {
		return terms, err
	}
	return terms, s.tx.Check(terms)
}

// allow keeps away those whose transactions cost us fees for nothing.
func (t *Till) allow(ctx context.Context, s *sale) error {
	wait, err := t.ledger.Struck(ctx, t.suspects(s)...)
	if err != nil {
		return t.noLedger(err)
	}
	if wait > 0 {
		return &payment.Problem{
			Status: http.StatusTooManyRequests, Code: "too_many_failed_payments", RetryAfter: wait,
			Detail: "Several payments from this wallet or address failed on the chain. Nothing was taken. Try again later, with a wallet that holds the price.",
		}
	}
	return nil
}

func (t *Till) suspects(s *sale) []string {
	return []string{s.tx.Payer(), s.Client.Unmap().WithZone("").String()}
}

// ask lets the chain judge, and returns its height: the transaction's blockhash,
// which is good now, can't be longer than a blockhash's life from there.
func (t *Till) ask(ctx context.Context, s *sale) (uint64, error) {
	if err := t.chain.Simulate(ctx, s.paid.transaction); err != nil {
		return 0, t.noChain(err)
	}
	height, err := t.chain.BlockHeight(ctx)
	if err != nil {
		return 0, t.noChain(err)
	}
	return height, nil
}

// noChain is what a buyer is told of a node's error, before anything is claimed.
func (t *Till) noChain(err error) error {
	var invalid *solana.Invalid
	if errors.As(err, &invalid) {
		return err
	}
	t.log.Warn("the Solana node gave no answer", "error", err)
	return &payment.Problem{
		Status: http.StatusServiceUnavailable, Code: "chain_unavailable", RetryAfter: 10 * time.Second,
		Detail: "The payment network can't be reached now. Nothing was taken. Send the same request again in a few seconds.",
	}
}

func (t *Till) noLedger(err error) error {
	t.log.Error("the ledger gave no answer", "error", err)
	return &payment.Problem{
		Status: http.StatusServiceUnavailable, Code: "payments_unavailable", RetryAfter: 10 * time.Second,
		Detail: "The record of payments can't be reached now. Send the same request again in a few seconds, with the same payment if it has one: it is never taken twice.",
	}
}

// pending is what a buyer is told whose payment may have been taken: never to pay
// again.
func pending() error {
	return &payment.Problem{
		Status: http.StatusServiceUnavailable, Code: "settlement_pending", RetryAfter: 2 * time.Second,
		Detail: "The payment was sent to the network and is not confirmed yet. Do not pay again: send the same request with the same payment until the report is there.",
	}
}

func documentChanged() error {
	return &payment.Problem{
		Status: http.StatusConflict, Code: "document_changed",
		Detail: "The document at the URL is another than the one that was offered. Nothing was taken. Ask again without a payment for a new offer.",
	}
}
