package solana_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strings"
	"testing"

	"github.com/manifestseal/manifestseal/server/internal/solana"
)

// stall sells one word to x402 clients of both versions: as little as is needed
// to see what they sign. The till that sells reports is another package's.
type stall struct {
	*town
	t *testing.T
}

func (s *stall) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	header := r.Header.Get("PAYMENT-SIGNATURE") + r.Header.Get("X-PAYMENT")
	if header == "" {
		s.offer(w)
		return
	}
	data, err := base64.StdEncoding.DecodeString(header)
	if err != nil {
		s.t.Error(err)
	}
	var payment struct{ Payload struct{ Transaction []byte } }
	if err := json.Unmarshal(data, &payment); err != nil {
		s.t.Error(err)
	}
	tx := payment.Payload.Transaction
	if err := judge(tx, s.terms); err != nil {
		s.t.Errorf("what the client signed is refused: %v", err)
	}
	if err := s.Simulate(s.t.Context(), tx); err != nil {
		s.t.Error(err)
	}
	signature := s.settle(s.t, tx, solana.Confirmed)
	receipt := fmt.Sprintf(`{"success":true,"transaction":%q,"network":%q,"payer":%q}`, signature, s.Network, s.Buyer)
	w.Header().Set("PAYMENT-RESPONSE", base64.StdEncoding.EncodeToString([]byte(receipt)))
	_, _ = io.WriteString(w, "sold")
}

func (s *stall) offer(w http.ResponseWriter) {
	extra := fmt.Sprintf(`{"feePayer":%q,"memo":%q}`, s.FeePayer, s.terms.Memo)
	second := fmt.Sprintf(`{"x402Version":2,"resource":{"url":"http://shop/"},"accepts":[{"scheme":"exact","network":%q,"amount":"50000","asset":%q,"payTo":%q,"maxTimeoutSeconds":60,"extra":%s}]}`,
		s.Network, s.Mint, s.PayTo, extra)
	first := fmt.Sprintf(`{"x402Version":1,"error":"","accepts":[{"scheme":"exact","network":"solana-devnet","maxAmountRequired":"50000","asset":%q,"payTo":%q,"resource":"http://shop/","description":"","mimeType":"text/plain","maxTimeoutSeconds":60,"extra":%s}]}`,
		s.Mint, s.PayTo, extra)
	w.Header().Set("PAYMENT-REQUIRED", base64.StdEncoding.EncodeToString([]byte(second)))
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusPaymentRequired)
	_, _ = io.WriteString(w, first)
}

// What @x402/svm signs, in both versions of the protocol, passes every rule and
// settles.
func TestThirdPartyClientsTransactions(t *testing.T) {
	t.Parallel()
	w := open(t)
	shop := httptest.NewServer(&stall{w, t})
	defer shop.Close()
	for _, version := range []string{"2", "1"} {
		command := exec.CommandContext(t.Context(), "node", "../../../e2e/x402/buy.mjs", "--url", shop.URL, "--rpc", w.URL, "--key", w.BuyerKey, "--x402", version)
		command.Stdin = strings.NewReader("{}")
		var problems strings.Builder
		command.Stderr = &problems
		output, err := command.Output()
		if err != nil {
			t.Fatalf("x402 version %s: %v\n%s", version, err, problems.String())
		}
		var got struct {
			Status  int
			Body    string
			Receipt struct{ Transaction string }
		}
		if err := json.Unmarshal(output, &got); err != nil {
			t.Fatal(err)
		}
		if got.Status != http.StatusOK || got.Body != "sold" || got.Receipt.Transaction == "" {
			t.Errorf("x402 version %s: the client got %s", version, output)
		}
	}
}
