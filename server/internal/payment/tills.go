package payment

import (
	"context"
	"net/http"
	"time"
)

// Disabled is the till of a server without a chain: it sells nothing.
type Disabled struct{}

// Sell refuses.
func (Disabled) Sell(context.Context, *Sale) (*Answer, error) {
	return nil, &Problem{
		Status: http.StatusServiceUnavailable, Code: "payments_disabled",
		Detail: "Payment is not configured on this server, so it issues no reports. The pages that compare and verify work; nothing was taken.",
	}
}

// Free is the till of a development server: reports without payment.
type Free struct{ Now func() time.Time }

// Sell makes the report at once.
func (t Free) Sell(ctx context.Context, sale *Sale) (*Answer, error) {
	if _, err := sale.Load(ctx); err != nil {
		return nil, err
	}
	made, err := sale.Make(ctx, t.Now())
	if err != nil {
		return nil, err
	}
	return &Answer{Status: http.StatusOK, ContentType: "application/json", Body: made.Bytes}, nil
}
