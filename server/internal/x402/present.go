package x402

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"regexp"

	"github.com/manifestseal/manifestseal/engine/jsonvalue"
	"github.com/manifestseal/manifestseal/server/internal/payment"
	"github.com/manifestseal/manifestseal/server/internal/solana"
)

// The headers of x402: version 2, then version 1.
const (
	headerPayment    = "Payment-Signature"
	headerPaymentV1  = "X-Payment"
	headerRequired   = "Payment-Required"
	headerResponse   = "Payment-Response"
	headerResponseV1 = "X-Payment-Response"
)

// presented is a payment as a client sent it: well formed, not yet judged.
type presented struct {
	version     int
	scheme      string
	network     string
	accepted    json.RawMessage // version 2 only
	order       string          // of accepted, or empty
	transaction []byte
	identifier  string
}

// envelope is the header's JSON, of both versions. Members that are not known are
// left alone: x402 lets clients add some.
type envelope struct {
	X402Version int
	Scheme      string
	Network     string
	Accepted    json.RawMessage
	Payload     *struct{ Transaction string }
	Extensions  map[string]json.RawMessage
}

// present reads the payment of a request: nil when there is none. A *Problem says
// that the header can't be read, an *Invalid that its payment can't be taken.
func present(h http.Header) (*presented, error) {
	values := append(append([]string{}, h.Values(headerPayment)...), h.Values(headerPaymentV1)...)
	if len(values) == 0 {
		return nil, nil
	}
	if len(values) > 1 {
		return nil, badHeader("the request has more than one payment header")
	}
	text, err := base64.StdEncoding.Strict().DecodeString(values[0])
	if err != nil {
		return nil, badHeader("the payment header is not base64")
	}
	var e envelope
	if err := strictly(text, &e); err != nil {
		return nil, err
	}
	want := 2
	if len(h.Values(headerPayment)) == 0 {
		want = 1
	}
	if e.X402Version != want {
		return nil, badHeader("the payment header is of another x402 version than its name")
	}
	return e.present()
}

// strictly refuses what two readers could read differently.
func strictly(text []byte, into any) error {
	doc, err := jsonvalue.Parse(string(text))
	if err != nil || doc.Root().Kind() != jsonvalue.Object {
		return badHeader("the payment header holds no JSON object")
	}
	if doc.Noted(jsonvalue.DuplicateMember) {
		return badHeader("a member of the payment header stands twice")
	}
	if err := json.Unmarshal(text, into); err != nil {
		return badHeader("a member of the payment header is of the wrong type")
	}
	return nil
}

func badHeader(why string) error {
	return &payment.Problem{
		Status: http.StatusBadRequest, Code: "invalid_payment_header",
		Detail: "The payment could not be read: " + why + ". Nothing was taken. Send it as x402 describes.",
	}
}

func (e *envelope) present() (*presented, error) {
	p := &presented{version: e.X402Version, scheme: e.Scheme, network: e.Network, accepted: e.Accepted}
	if e.Payload == nil || e.Payload.Transaction == "" {
		return nil, badHeader("payload.transaction is missing")
	}
	var err error
	if p.transaction, err = base64.StdEncoding.Strict().DecodeString(e.Payload.Transaction); err != nil {
		return nil, badHeader("payload.transaction is not base64")
	}
	if p.version == 2 {
		var accepted struct{ Extra struct{ Order string } }
		if err := json.Unmarshal(e.Accepted, &accepted); err != nil {
			return nil, badHeader("accepted is missing, or a member of it is of the wrong type")
		}
		p.order = accepted.Extra.Order
	}
	p.identifier, err = identifierOf(e.Extensions["payment-identifier"])
	return p, err
}

var identifierForm = regexp.MustCompile(`^[a-zA-Z0-9_-]{16,128}$`)

// identifierOf reads the extension payment-identifier; a declaration without an id
// is an echo of ours.
func identifierOf(extension json.RawMessage) (string, error) {
	if extension == nil {
		return "", nil
	}
	var e struct{ Info struct{ ID *string } }
	if err := json.Unmarshal(extension, &e); err != nil || e.Info.ID != nil && !identifierForm.MatchString(*e.Info.ID) {
		return "", badHeader("extensions.payment-identifier.info.id must be 16 to 128 letters, digits, hyphens and underscores")
	}
	if e.Info.ID == nil {
		return "", nil
	}
	return *e.Info.ID, nil
}

// echoed is an entry of accepts as a client sends it back. The members that stand
// aside are hints, made anew for each offer.
type echoed struct {
	Scheme            string     `json:"scheme"`
	Network           string     `json:"network"`
	Amount            string     `json:"amount"`
	Asset             string     `json:"asset"`
	PayTo             string     `json:"payTo"`
	MaxTimeoutSeconds int        `json:"maxTimeoutSeconds"`
	Extra             echoedMore `json:"extra"`
}

type echoedMore struct {
	FeePayer             string `json:"feePayer"`
	Memo                 string `json:"memo"`
	Order                string `json:"order"`
	RecentBlockhash      aside  `json:"recentBlockhash"`
	LastValidBlockHeight aside  `json:"lastValidBlockHeight"`
}

type aside struct{}

func (aside) UnmarshalJSON([]byte) error { return nil }

// accepts checks that what the client agreed to is what is offered.
func (p *presented) accepts(offered requirements, v1Network string) error {
	if p.version == 1 {
		switch {
		case p.scheme != offered.Scheme:
			return &solana.Invalid{Code: "unsupported_scheme", Detail: "the scheme is not exact"}
		case p.network != v1Network:
			return &solana.Invalid{Code: "invalid_network", Detail: "the network is not " + v1Network}
		}
		return nil
	}
	var got echoed
	decoder := json.NewDecoder(bytes.NewReader(p.accepted))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&got); err != nil {
		return &solana.Invalid{Code: "invalid_payment_requirements", Detail: "accepted is no entry of this offer"}
	}
	want := echoed{
		Scheme: offered.Scheme, Network: offered.Network, Amount: offered.Amount, Asset: offered.Asset, PayTo: offered.PayTo,
		MaxTimeoutSeconds: offered.MaxTimeoutSeconds,
		Extra:             echoedMore{FeePayer: offered.Extra.FeePayer, Memo: offered.Extra.Memo, Order: offered.Extra.Order},
	}
	if got.Extra == (echoedMore{}) { // a client that drops extra
		want.Extra = echoedMore{}
	}
	switch {
	case got.Scheme != want.Scheme:
		return &solana.Invalid{Code: "unsupported_scheme", Detail: "the scheme is not exact"}
	case got.Network != want.Network:
		return &solana.Invalid{Code: "invalid_network", Detail: "the network is not " + want.Network}
	case got != want:
		return &solana.Invalid{Code: "invalid_payment_requirements", Detail: "accepted is no entry of this offer"}
	}
	return nil
}
