package x402

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/manifestseal/manifestseal/e2e/devnet"
	"github.com/manifestseal/manifestseal/server/internal/ledger"
	"github.com/manifestseal/manifestseal/server/internal/payment"
	"github.com/manifestseal/manifestseal/server/internal/solana"
	"github.com/manifestseal/manifestseal/server/internal/solana/solanatest"
	"github.com/manifestseal/manifestseal/server/internal/store"
	"github.com/manifestseal/manifestseal/server/internal/store/storetest"
)

const price = 50_000

// quick is a pace for tests: nothing waits for the clock of a real chain.
var quick = Pace{Poll: time.Millisecond, Resend: time.Millisecond, Patience: 30 * time.Second, Sweep: 5 * time.Millisecond, Apart: time.Nanosecond, Margin: 64}

func settings(l *ledger.Ledger, chain *solana.Chain, payTo string, feePayer ed25519.PrivateKey) Config {
	return Config{
		Ledger: l, Chain: chain, Network: solana.Devnet, Mint: solana.USDCDevnet,
		PayTo: payTo, FeePayer: feePayer,
		Prices: map[string]uint64{"/audit": price, "/drift": price}, Orders: Keys{bytes.Repeat([]byte{1}, MinOrderKey)},
		Origin: "https://seal.example", Receipt: func(payload []byte) (string, error) { return "signed:" + string(payload), nil },
		Pace: quick,
	}
}

// shop is a till on its own database and its own node of a chain.
type shop struct {
	testing.TB
	chain *testChain
	dsn   string
	db    *store.DB
	books *ledger.Books
	buyer ed25519.PrivateKey
	*Till
}

func newShop(t testing.TB, dsn string, changes ...func(*Config)) *shop {
	t.Helper()
	return joinShop(t, newTestChain(t), dsn, changes...)
}

// newShopByClock is one on the chain whose clock the test may move.
func newShopByClock(t testing.TB, dsn string, changes ...func(*Config)) *shop {
	t.Helper()
	return joinShop(t, newClock(t), dsn, changes...)
}

// joinShop is one more till on a database and chain that others have too.
func joinShop(t testing.TB, chain *testChain, dsn string, changes ...func(*Config)) *shop {
	t.Helper()
	db := storetest.Open(t, dsn)
	config := settings(ledger.New(db, "test", 10*time.Second), chain.client(), chain.payTo, chain.feePayer)
	for _, change := range changes {
		change(&config)
	}
	till, err := New(config)
	if err != nil {
		t.Fatal(err)
	}
	return &shop{TB: t, chain: chain, dsn: dsn, db: db, books: ledger.NewBooks(db), Till: till, buyer: chain.rich("buyer")}
}

// wish is what a buyer asks for.
type wish struct {
	route, body string
	url         bool
	made        atomic.Int64
	document    func() ([32]byte, error) // nil for one that stays
}

func want(body string) *wish { return &wish{route: "/audit", body: body} }

// sale is the wish as the endpoint hands it over, with a payment or without.
func (w *wish) sale(header http.Header) *payment.Sale {
	var loaded [32]byte
	return &payment.Sale{
		Route: w.route, Body: []byte(w.body), Header: header, Client: netip.MustParseAddr("192.0.2.7"), URLMode: w.url,
		Load: func(context.Context) ([32]byte, error) {
			if !w.url {
				return [32]byte{}, nil
			}
			if w.document == nil {
				return sha256.Sum256([]byte("document")), nil
			}
			var err error
			loaded, err = w.document()
			return loaded, err
		},
		Make: func(_ context.Context, asOf time.Time) (payment.Report, error) {
			w.made.Add(1)
			text := fmt.Sprintf("report on %s as of %s, document %x\n", w.body, asOf.Format(time.RFC3339Nano), loaded[:2])
			return payment.Report{Bytes: []byte(text), Counts: payment.Counts{Tools: 3, Changed: 1, Unchanged: 2}}, nil
		},
	}
}

// ask sells without a payment and returns the offer.
func (s *shop) ask(w *wish) paymentRequired {
	s.Helper()
	answer, err := s.Sell(s.Context(), w.sale(nil))
	if err != nil || answer.Status != http.StatusPaymentRequired {
		s.Fatalf("got %+v, %v; want an offer", answer, err)
	}
	return offerOf(s, answer.Header)
}

func offerOf(t testing.TB, h http.Header) (offer paymentRequired) {
	t.Helper()
	text, err := base64.StdEncoding.DecodeString(h.Get(headerRequired))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &offer); err != nil || len(offer.Accepts) != 2 {
		t.Fatalf("the offer is %s: %v", text, err)
	}
	return offer
}

// termsOf is what a buyer reads in an offer.
func termsOf(r requirements) solana.Terms {
	var amount uint64
	if _, err := fmt.Sscan(r.Amount, &amount); err != nil {
		panic(err)
	}
	return solana.Terms{Network: r.Network, Mint: r.Asset, PayTo: r.PayTo, FeePayer: r.Extra.FeePayer, Amount: amount, Memo: r.Extra.Memo}
}

// pay signs a transaction for an entry of an offer.
func pay(r requirements, payer ed25519.PrivateKey) []byte {
	return solanatest.Pay(termsOf(r), payer, r.Extra.RecentBlockhash).Bytes()
}

// paid is the header of version 2.
func paid(r requirements, tx []byte, identifier string) http.Header {
	envelope := map[string]any{
		"x402Version": 2, "resource": map[string]any{"url": "https://seal.example/audit"}, "accepted": r,
		"payload": map[string]any{"transaction": base64.StdEncoding.EncodeToString(tx)},
	}
	if identifier != "" {
		envelope["extensions"] = map[string]any{"payment-identifier": map[string]any{"info": map[string]any{"required": false, "id": identifier}}}
	}
	return headerOf(headerPayment, envelope)
}

func paidV1(r requirements, tx []byte) http.Header {
	return headerOf(headerPaymentV1, map[string]any{
		"x402Version": 1, "scheme": "exact", "network": "solana-devnet",
		"payload": map[string]any{"transaction": base64.StdEncoding.EncodeToString(tx)},
	})
}

func headerOf(name string, envelope any) http.Header {
	text, err := encode(envelope)
	if err != nil {
		panic(err)
	}
	return http.Header{name: {text}}
}

// send presents a payment.
func (s *shop) send(w *wish, h http.Header) (*payment.Answer, error) {
	return s.Sell(s.Context(), w.sale(h))
}

// bought is an answer that must be a report.
func (s *shop) bought(answer *payment.Answer, err error) []byte {
	s.Helper()
	if err != nil || answer.Status != http.StatusOK {
		s.Fatalf("got %s, %v; want a report", said(answer), err)
	}
	return answer.Body
}

// refused is an answer that must be a 402 with the code.
func (s *shop) refused(code string) func(*payment.Answer, error) {
	return func(answer *payment.Answer, err error) {
		s.Helper()
		if err != nil || answer.Status != http.StatusPaymentRequired {
			s.Fatalf("got %s, %v; want a 402 %s", said(answer), err, code)
		}
		if got := offerOf(s, answer.Header).Error; got != code {
			s.Fatalf("the offer says %q, want %q", got, code)
		}
	}
}

// told is an error that must be a problem with the code.
func (s *shop) told(status int, code string) func(*payment.Answer, error) {
	return func(answer *payment.Answer, err error) {
		s.Helper()
		var problem *payment.Problem
		if !errors.As(err, &problem) || problem.Status != status || problem.Code != code {
			s.Fatalf("got %s, %v; want %d %s", said(answer), err, status, code)
		}
	}
}

func said(answer *payment.Answer) string {
	if answer == nil {
		return "no answer"
	}
	return fmt.Sprintf("%d %.200s", answer.Status, answer.Body)
}

// buy goes the whole way.
func (s *shop) buy(w *wish, payer ed25519.PrivateKey) (report []byte, header http.Header) {
	s.Helper()
	entry := s.ask(w).Accepts[0]
	header = paid(entry, pay(entry, payer), "")
	return s.bought(s.send(w, header)), header
}

func (s *shop) totals() ledger.Totals {
	s.Helper()
	totals, err := s.books.Totals(s.Context())
	if err != nil {
		s.Fatal(err)
	}
	return totals
}

// untouched is the state of things when nothing was consumed.
func (s *shop) untouched() {
	s.Helper()
	totals := s.totals()
	for state, n := range totals.Payments {
		if n != 0 {
			s.Errorf("%d payments are %s, want none", n, state)
		}
	}
	if totals.Sales != 0 || s.chain.count("sendTransaction") != 0 {
		s.Errorf("%d sales and %d broadcasts, want none", totals.Sales, s.chain.count("sendTransaction"))
	}
}

// balanced checks the end of things: the books agree with themselves and with the
// chain, which moved the price for each of their sales and nothing else.
func (s *shop) balanced(sales int) {
	s.Helper()
	totals := s.totals()
	if totals.Sales != sales || totals.Amount != uint64(sales)*price || totals.Payments[ledger.Settled] < sales {
		s.Errorf("the books say %+v, want %d sales", totals, sales)
	}
	differences, err := s.books.Differences(s.Context())
	if err != nil || len(differences) > 0 {
		s.Errorf("the books differ from themselves: %+v, %v", differences, err)
	}
	state := s.chain.control(devnet.Command{})
	if state.Received != uint64(sales)*price {
		s.Errorf("the shop received %d for %d sales", state.Received, sales)
	}
	var onChain, inBooks []string
	for _, transfer := range state.Transfers {
		onChain = append(onChain, transfer.Signature)
		if transfer.Amount != price {
			s.Errorf("a transfer is of %d", transfer.Amount)
		}
	}
	err = s.books.Sent(s.Context(), func(p ledger.Sent) error {
		if p.State == ledger.Settled {
			inBooks = append(inBooks, p.Signature)
		}
		return nil
	})
	slices.Sort(onChain)
	slices.Sort(inBooks)
	if diff := cmp.Diff(onChain, inBooks); err != nil || diff != "" {
		s.Errorf("the chain's payments (-) are not those of the books (+): %v\n%s", err, diff)
	}
}

func settlementOf(t testing.TB, answer *payment.Answer, name string) (got settleResponse) {
	t.Helper()
	text, err := base64.StdEncoding.DecodeString(answer.Header.Get(name))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatalf("%s: %v", strings.TrimSpace(string(text)), err)
	}
	return got
}
