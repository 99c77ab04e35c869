package x402

import (
	"bytes"
	"encoding/json"
	"net/http"
	"testing"

	"github.com/manifestseal/manifestseal/server/internal/payment"
	"github.com/manifestseal/manifestseal/server/internal/solana"
	"github.com/manifestseal/manifestseal/server/internal/store/storetest"
)

func TestPurchase(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, dsn string) {
		s := newShop(t, dsn)
		w := want(`{"manifest":{"tools":[]}}`)
		entry := s.ask(w).Accepts[0]
		s.untouched()
		header := paid(entry, pay(entry, s.buyer), "")
		answer, err := s.send(w, header)
		report := s.bought(answer, err)

		got := settlementOf(t, answer, headerResponse)
		buyer := solana.Address(s.buyer)
		if !got.Success || got.Payer != buyer || got.Transaction == "" || got.Network != entry.Network || got.Amount != "50000" {
			t.Errorf("PAYMENT-RESPONSE is %+v", got)
		}
		receipt, _ := json.Marshal(got.Extensions["offer-receipt"])
		for _, part := range []string{"signed:", buyer, got.Transaction, "https://seal.example/audit"} {
			if !bytes.Contains(receipt, []byte(part)) {
				t.Errorf("the receipt %s lacks %s", receipt, part)
			}
		}
		s.balanced(1)

		again, err := s.send(w, header)
		if !bytes.Equal(s.bought(again, err), report) || again.Header.Get(headerResponse) != answer.Header.Get(headerResponse) {
			t.Errorf("asked again it answers %s, want %s", again.Body, report)
		}
		s.balanced(1)
		if got := s.chain.paid(s.buyer); got != price {
			t.Errorf("the buyer paid %d", got)
		}
	})
}

func TestOneOfferServesEveryClient(t *testing.T) {
	t.Parallel()
	s := newShop(t, storetest.SQLite(t))
	w := want(`{"manifest":[]}`)
	answer, err := s.Sell(t.Context(), w.sale(nil))
	if err != nil {
		t.Fatal(err)
	}
	offer := offerOf(t, answer.Header)
	first, second := offer.Accepts[0], offer.Accepts[1]
	if offer.X402Version != 2 || offer.Resource.URL != "https://seal.example/audit" || offer.Resource.Description == "" || answer.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("the offer is %+v, its headers %v", offer, answer.Header)
	}
	if first.Extra.Order == "" || len(first.Extra.Memo) != 32 || first.Extra.RecentBlockhash == "" {
		t.Errorf("the first entry is %+v", first)
	}
	if second.Extra.Order != "" || second.Extra.Memo != "" || second.Extra.FeePayer != first.Extra.FeePayer {
		t.Errorf("the second entry is %+v", second)
	}
	var body paymentRequiredV1
	if err := json.Unmarshal(answer.Body, &body); err != nil {
		t.Fatal(err)
	}
	if body.X402Version != 1 || len(body.Accepts) != 1 || body.Accepts[0].Network != "solana-devnet" || body.Accepts[0].MaxAmountRequired != "50000" || body.Accepts[0].Extra.FeePayer == "" {
		t.Errorf("the body is %s", answer.Body)
	}

	s.bought(s.send(w, paid(second, pay(second, s.chain.rich("one")), "")))
	bare := second
	bare.Extra = extra{}
	s.bought(s.send(w, paid(bare, pay(second, s.chain.rich("two")), "")))
	v1, err := s.send(w, paidV1(second, pay(second, s.chain.rich("three"))))
	s.bought(v1, err)
	if got := settlementOf(t, v1, headerResponseV1); got.Network != "solana-devnet" || !got.Success {
		t.Errorf("X-PAYMENT-RESPONSE is %+v", got)
	}
	s.balanced(3)
}

func TestNoPaymentNoRow(t *testing.T) {
	t.Parallel()
	s := newShop(t, storetest.SQLite(t))
	refusal := &payment.Problem{Status: http.StatusUnprocessableEntity, Code: "zero_tools"}
	w := want("x")
	w.url, w.document = true, func() ([32]byte, error) { return [32]byte{}, refusal }
	s.told(422, "zero_tools")(s.send(w, nil))
	s.untouched()
}

func TestOfferNamesWhereTheServerListens(t *testing.T) {
	t.Parallel()
	s := newShop(t, storetest.SQLite(t), func(c *Config) { c.Origin = "" })
	s.ReachedAt("http://127.0.0.1:4711")
	if got := s.ask(want("body")).Resource.URL; got != "http://127.0.0.1:4711/audit" {
		t.Errorf("the offer is of %s", got)
	}
}
