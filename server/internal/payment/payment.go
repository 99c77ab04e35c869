// Package payment says what selling a report takes: what the paid endpoints hand
// to a till, and what they get back. It knows neither a chain nor a database.
package payment

import (
	"context"
	"net/http"
	"net/netip"
	"time"
)

// Sale is one request for a paid report. Its body has passed every check of the
// criteria's input contract, all but the fetch.
type Sale struct {
	Route   string      // "/audit" or "/drift"
	Body    []byte      // as received: bound by its hash, never stored or logged
	Header  http.Header // of the request
	Client  netip.Addr
	URLMode bool // the manifest is named by a URL

	// Load does what must be done before any payment is judged: in URL mode the
	// fetch, at most once however often it is called, and the refusals of the
	// criteria (zero tools, no manifest). It returns the SHA-256 of the fetched
	// document, zero in manifest mode. Its errors are the endpoint's answers
	// (the signed could-not shape, 422) and are handed back unchanged.
	Load func(ctx context.Context) (fetched [32]byte, err error)

	// Make makes the signed report after Load. The same body, document and time
	// give the same bytes.
	Make func(ctx context.Context, asOf time.Time) (Report, error)
}

// Report is a signed report and what may be written down about it.
type Report struct {
	Bytes  []byte
	Counts Counts
}

// Counts are the outcome counts of a report: of an audit Tools alone.
type Counts struct {
	Tools, Added, Removed, Changed, Unchanged int
}

// Answer is what goes back to the buyer.
type Answer struct {
	Status      int
	Header      http.Header // added to the response's own
	ContentType string
	Body        []byte
}

// Problem is a refusal that the server answers as application/problem+json.
type Problem struct {
	Status     int
	Code       string        // stable, such as payments_disabled
	Detail     string        // what happened and what to do next, for the buyer
	RetryAfter time.Duration // zero for none
}

func (p *Problem) Error() string { return p.Code + ": " + p.Detail }

// Till sells reports. Sell answers the whole request: an offer (402), a report,
// or an error, which is a *Problem or what Load returned.
type Till interface {
	Sell(ctx context.Context, sale *Sale) (*Answer, error)
}
