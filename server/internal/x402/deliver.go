package x402

import (
	"context"
	"encoding/json"
	"net/http"
	"strconv"
	"time"

	"github.com/manifestseal/manifestseal/server/internal/ledger"
	"github.com/manifestseal/manifestseal/server/internal/payment"
)

// deliver answers a settled payment with its report. made is the report where
// this request made it; otherwise it is made again from the body, by the time that
// was fixed then, which gives the same bytes.
func (t *Till) deliver(ctx context.Context, s *sale, row *ledger.Row, made *payment.Report, first bool) (*payment.Answer, error) {
	changed := false
	if made == nil {
		var err error
		if made, changed, err = t.remake(ctx, s, row); err != nil {
			return nil, err
		}
	}
	if !first {
		allowed, err := s.ledger.Reissue(ctx, row.Message)
		if err != nil {
			return nil, t.noLedger(err)
		}
		if !allowed {
			return nil, delivered(row)
		}
	}
	header, err := t.settlement(s, row, changed)
	if err != nil {
		return nil, err
	}
	name := headerResponse
	if s.paid.version == 1 {
		name = headerResponseV1
	}
	return &payment.Answer{
		Status: http.StatusOK, ContentType: "application/json", Body: made.Bytes,
		Header: http.Header{name: {header}, "Cache-Control": {"no-store"}},
	}, nil
}

// remake makes the report again. In URL mode the document may be another by now:
// then the report is on what is there now, by the time of now.
func (t *Till) remake(ctx context.Context, s *sale, row *ledger.Row) (made *payment.Report, changed bool, err error) {
	document, err := s.Load(ctx)
	switch {
	case err != nil && s.URLMode:
		return nil, false, &payment.Problem{
			Status: http.StatusServiceUnavailable, Code: "document_unavailable", RetryAfter: time.Minute,
			Detail: "The report is paid for, but the document at the URL can't be fetched now, or is no manifest. Do not pay again: send the same request with the same payment later, within 24 hours.",
		}
	case err != nil:
		return nil, false, err
	}
	asOf := row.AsOf
	if row.Document != nil && ledger.Hash(document) != *row.Document {
		changed, asOf = true, t.now().UTC().Truncate(time.Millisecond)
	}
	report, err := s.Make(ctx, asOf)
	return &report, changed, err
}

func delivered(row *ledger.Row) error {
	limit := "Its report can be fetched again ten times within 24 hours."
	if row.Order == nil {
		limit = "As it came without an order, its report can be fetched again for 15 minutes only."
	}
	return &payment.Problem{
		Status: http.StatusConflict, Code: "already_delivered",
		Detail: "This payment's report was delivered, and the time or number of fetching it again is used up. " + limit + " Nothing was taken; ask for a new offer to buy another.",
	}
}

// settlement is what goes into PAYMENT-RESPONSE.
func (t *Till) settlement(s *sale, row *ledger.Row, changed bool) (string, error) {
	network := row.Network
	if s.paid.version == 1 {
		network = v1Name(network)
	}
	receipt, err := t.signed(s, row)
	if err != nil {
		return "", err
	}
	extensions := map[string]any{"offer-receipt": map[string]any{"info": map[string]any{
		"receipt": map[string]any{"format": "jws", "signature": receipt},
	}}}
	if changed {
		extensions["manifestseal"] = map[string]any{"info": map[string]any{
			"document_changed": true,
			"note":             "The document at the URL is another than the one that was paid for; this report is on the document as it is now.",
		}}
	}
	return encode(settleResponse{
		Success: true, Payer: row.Payer, Transaction: row.Signature.Signature, Network: network,
		Amount: strconv.FormatUint(row.Amount, 10), Extensions: extensions,
	})
}

type settleResponse struct {
	Success     bool           `json:"success"`
	Payer       string         `json:"payer"`
	Transaction string         `json:"transaction"`
	Network     string         `json:"network"`
	Amount      string         `json:"amount"`
	Extensions  map[string]any `json:"extensions"`
}

// receipt is the payload of x402's signed receipt, with the price added. Its
// members stand in the order of the canonical form.
type receipt struct {
	Amount      string `json:"amount"`
	Asset       string `json:"asset"`
	IssuedAt    int64  `json:"issuedAt"`
	Network     string `json:"network"`
	Payer       string `json:"payer"`
	ResourceURL string `json:"resourceUrl"`
	Transaction string `json:"transaction"`
	Version     int    `json:"version"`
}

// signed is the receipt: of the time when the payment settled, so that it is the
// same however often it is asked for.
func (t *Till) signed(s *sale, row *ledger.Row) (string, error) {
	payload, err := json.Marshal(receipt{
		Amount: strconv.FormatUint(row.Amount, 10), Asset: row.Mint, IssuedAt: row.SettledAt.Unix(), Network: row.Network,
		Payer: row.Payer, ResourceURL: t.origin + s.Route, Transaction: row.Signature.Signature, Version: 1,
	})
	if err != nil {
		return "", err
	}
	return t.receipt(payload)
}
