package server

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"net/netip"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/manifestseal/manifestseal/server/internal/payment"
)

// counter is a till that does what a test says.
type counter func(context.Context, *payment.Sale) (*payment.Answer, error)

func (c counter) Sell(ctx context.Context, sale *payment.Sale) (*payment.Answer, error) {
	return c(ctx, sale)
}

// What a till is handed, and that what it says goes out as it is.
func TestTillIsHandedTheSale(t *testing.T) {
	var sold *payment.Sale
	s := develop(t, Config{Till: counter(func(ctx context.Context, sale *payment.Sale) (*payment.Answer, error) {
		sold = sale
		if _, err := sale.Load(ctx); err != nil {
			return nil, err
		}
		made, err := sale.Make(ctx, issueTime)
		if err != nil {
			return nil, err
		}
		again, err := sale.Make(ctx, issueTime)
		if err != nil || !bytes.Equal(made.Bytes, again.Bytes) {
			t.Errorf("made twice, it differs: %v", err)
		}
		want := payment.Counts{Tools: 2, Added: 1, Removed: 1, Changed: 1}
		if diff := cmp.Diff(want, made.Counts); diff != "" {
			t.Errorf("counts (-want +got):\n%s", diff)
		}
		return &payment.Answer{Status: http.StatusPaymentRequired, ContentType: "application/json", Body: []byte(`{}`), Header: http.Header{"Payment-Required": {"x"}}}, nil
	})})
	body := `{"baseline_manifest":` + tools + `,"manifest":` + other + `}`
	w := post(s, "/drift", body)
	if w.Code != http.StatusPaymentRequired || w.Body.String() != `{}` || w.Header().Get("Payment-Required") != "x" || w.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("got %d %v %s", w.Code, w.Header(), w.Body)
	}
	if sold.Route != "/drift" || string(sold.Body) != body || sold.URLMode || sold.Client != netip.MustParseAddr("192.0.2.1") {
		t.Errorf("sold %+v", sold)
	}
}

func TestTillsRefusals(t *testing.T) {
	tests := []struct {
		name    string
		err     error
		status  int
		retry   string
		problem string
	}{
		{"pending", &payment.Problem{Status: 503, Code: "settlement_pending", Detail: "Ask again.", RetryAfter: 1500 * time.Millisecond}, 503, "2", `"settlement_pending"`},
		{"another document", &payment.Problem{Status: 409, Code: "document_changed", Detail: "Ask again."}, 409, "", `"document_changed"`},
		{"a fault of ours", errors.New("the secret of a database"), 500, "", `"internal"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := develop(t, Config{Till: counter(func(context.Context, *payment.Sale) (*payment.Answer, error) { return nil, tt.err })})
			w := post(s, "/audit", `{"manifest":`+tools+`}`)
			if w.Code != tt.status || w.Header().Get("Retry-After") != tt.retry || !bytes.Contains(w.Body.Bytes(), []byte(tt.problem)) || bytes.Contains(w.Body.Bytes(), []byte("secret")) {
				t.Errorf("got %d %v %s", w.Code, w.Header(), w.Body)
			}
		})
	}
}

// No till is asked before the whole body is in order.
func TestTillIsAskedLast(t *testing.T) {
	s := develop(t, Config{Till: counter(func(context.Context, *payment.Sale) (*payment.Answer, error) {
		t.Error("the till was asked")
		return nil, errors.New("asked")
	})})
	for _, body := range []string{`{}`, `{"manifest":{}}`, `{"manifest":[1],"url":null}`, `{"url":"http://127.0.0.1/"}`, `[`} {
		if w := post(s, "/audit", body); w.Code != http.StatusBadRequest {
			t.Errorf("%s: status %d", body, w.Code)
		}
	}
}
