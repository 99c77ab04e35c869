package x402

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/manifestseal/manifestseal/server/internal/payment"
	"github.com/manifestseal/manifestseal/server/internal/solana"
)

// timeoutSeconds is how long a client should expect to wait for its answer.
const timeoutSeconds = 60

// paymentRequired is a 402 answer by version 2.
type paymentRequired struct {
	X402Version int            `json:"x402Version"`
	Error       string         `json:"error,omitempty"`
	Resource    resource       `json:"resource"`
	Accepts     []requirements `json:"accepts"`
	Extensions  map[string]any `json:"extensions,omitempty"`
}

type resource struct {
	URL         string `json:"url"`
	Description string `json:"description"`
	MimeType    string `json:"mimeType"`
}

type requirements struct {
	Scheme            string `json:"scheme"`
	Network           string `json:"network"`
	Amount            string `json:"amount"`
	Asset             string `json:"asset"`
	PayTo             string `json:"payTo"`
	MaxTimeoutSeconds int    `json:"maxTimeoutSeconds"`
	Extra             extra  `json:"extra"`
}

type extra struct {
	FeePayer             string `json:"feePayer"`
	Memo                 string `json:"memo,omitempty"`
	Order                string `json:"order,omitempty"`
	RecentBlockhash      string `json:"recentBlockhash,omitempty"`
	LastValidBlockHeight string `json:"lastValidBlockHeight,omitempty"`
}

// paymentRequiredV1 is a 402 answer by version 1, which is the body.
type paymentRequiredV1 struct {
	X402Version int              `json:"x402Version"`
	Error       string           `json:"error"`
	Accepts     []requirementsV1 `json:"accepts"`
}

type requirementsV1 struct {
	Scheme            string `json:"scheme"`
	Network           string `json:"network"`
	MaxAmountRequired string `json:"maxAmountRequired"`
	Resource          string `json:"resource"`
	Description       string `json:"description"`
	MimeType          string `json:"mimeType"`
	PayTo             string `json:"payTo"`
	MaxTimeoutSeconds int    `json:"maxTimeoutSeconds"`
	Asset             string `json:"asset"`
	Extra             extra  `json:"extra"`
}

func v1Name(network string) string {
	switch network {
	case solana.Mainnet:
		return "solana"
	case solana.Devnet:
		return "solana-devnet"
	}
	return ""
}

// requirements are an entry of an offer, without the hints that change each time.
func (t *Till) requirements(price uint64, o *order) requirements {
	r := requirements{
		Scheme: "exact", Network: t.terms.Network, Amount: strconv.FormatUint(price, 10), Asset: t.terms.Mint, PayTo: t.terms.PayTo,
		MaxTimeoutSeconds: timeoutSeconds, Extra: extra{FeePayer: t.terms.FeePayer},
	}
	if o != nil {
		r.Extra.Order, r.Extra.Memo = o.text, o.memo()
	}
	return r
}

// offer is a 402 with a new order. Nothing is written down. code says why a
// payment that came with the request was refused.
func (t *Till) offer(ctx context.Context, s *sale, code string) (*payment.Answer, error) {
	document, err := s.Load(ctx)
	if err != nil {
		return nil, err
	}
	hash, err := t.hash.latest(ctx, t.chain, t.now())
	if err != nil {
		return nil, t.noChain(err)
	}
	first := t.requirements(s.price, t.orders.make(t.boundTo(s), document, t.now()))
	second := t.requirements(s.price, nil)
	for _, r := range []*requirements{&first, &second} {
		r.Extra.RecentBlockhash = hash.Hash
		r.Extra.LastValidBlockHeight = strconv.FormatUint(hash.LastValidBlockHeight, 10)
	}
	what := resource{URL: t.origin + s.Route, Description: descriptions[s.Route], MimeType: "application/json"}
	header, err := encode(paymentRequired{
		X402Version: 2, Error: reason(code), Resource: what, Accepts: []requirements{first, second}, Extensions: declared(),
	})
	if err != nil {
		return nil, err
	}
	body, err := json.Marshal(paymentRequiredV1{X402Version: 1, Error: reason(code), Accepts: []requirementsV1{{
		Scheme: second.Scheme, Network: v1Name(second.Network), MaxAmountRequired: second.Amount, Asset: second.Asset, PayTo: second.PayTo,
		Resource: what.URL, Description: what.Description, MimeType: what.MimeType, MaxTimeoutSeconds: timeoutSeconds,
		Extra: extra{FeePayer: second.Extra.FeePayer},
	}}})
	if err != nil {
		return nil, err
	}
	return &payment.Answer{
		Status: http.StatusPaymentRequired, ContentType: "application/json", Body: append(body, '\n'),
		Header: http.Header{headerRequired: {header}, "Cache-Control": {"no-store"}},
	}, nil
}

func reason(code string) string {
	if code == "" {
		return "payment_required"
	}
	return code
}

// descriptions say what is sold and promise no result.
var descriptions = map[string]string{
	"/audit": "One signed audit report on the MCP tool manifest in this request. It says what the published rules find, which may be nothing.",
	"/drift": "One signed report that compares the MCP tool manifest in this request with its baseline. It may say that nothing changed.",
}

// declared are the extensions that a client may use.
func declared() map[string]any {
	return map[string]any{"payment-identifier": map[string]any{
		"info": map[string]any{"required": false},
		"schema": map[string]any{
			"$schema": "https://json-schema.org/draft/2020-12/schema",
			"type":    "object",
			"properties": map[string]any{
				"required": map[string]any{"type": "boolean"},
				"id":       map[string]any{"type": "string", "minLength": 16, "maxLength": 128, "pattern": "^[a-zA-Z0-9_-]+$"},
			},
			"required": []string{"required"},
		},
	}}
}

func encode(v any) (string, error) {
	text, err := json.Marshal(v)
	return base64.StdEncoding.EncodeToString(text), err
}

// blockhash is the newest one, asked for at most once a second: an offer costs
// the one who asks for it nothing, so it must cost the node next to nothing.
type blockhash struct {
	sync.Mutex
	hash  solana.Blockhash
	asked time.Time
}

func (b *blockhash) latest(ctx context.Context, chain *solana.Chain, now time.Time) (solana.Blockhash, error) {
	b.Lock()
	defer b.Unlock()
	if age := now.Sub(b.asked); age >= 0 && age < time.Second {
		return b.hash, nil
	}
	hash, err := chain.LatestBlockhash(ctx)
	if err == nil {
		b.hash, b.asked = hash, now
	}
	return hash, err
}
