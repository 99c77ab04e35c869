package x402

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/manifestseal/manifestseal/server/internal/ledger"
	"github.com/manifestseal/manifestseal/server/internal/payment"
	"github.com/manifestseal/manifestseal/server/internal/solana"
)

// errGone: a row that was there is not any more.
var errGone = errors.New("x402: the claim is gone")

// known answers a payment that has a row. From here on the buyer's leaving changes
// nothing, and no answer asks for another payment unless this one has ended.
func (t *Till) known(ctx context.Context, s *sale, row *ledger.Row) (*payment.Answer, error) {
	if err := belongs(s, row); err != nil {
		return nil, err
	}
	held, cancel := context.WithTimeout(context.WithoutCancel(ctx), t.pace.Patience)
	defer cancel()
	made, row, err := t.finish(held, s, row)
	if err == nil && row.State == ledger.Expired {
		row, err = t.lookAgain(held, row)
	}
	if err != nil {
		return nil, err
	}
	switch row.State {
	case ledger.Settled:
		// A request that came before the payment settled is a copy of the one that
		// settled it: its answer is the first. Ages are compared, not two clocks.
		return t.deliver(ctx, s, row, made, time.Since(s.came) >= row.Age)
	case ledger.Failed:
		return nil, &solana.Invalid{Code: "invalid_transaction_state", Detail: "the payment failed on the chain"}
	}
	return nil, pending()
}

// belongs refuses a payment that was taken for another request, and one with an
// order from somebody who does not have the order: what is on the chain all know.
func belongs(s *sale, row *ledger.Row) error {
	sameOrder := row.Order == nil || (s.order != nil && *s.order.hash() == *row.Order)
	byMessage := row.Message == ledger.Hash(s.tx.MessageHash())
	if row.Request == s.request && row.Payer == s.tx.Payer() && (sameOrder || !byMessage) {
		return nil
	}
	return &payment.Problem{
		Status: http.StatusConflict, Code: "payment_used",
		Detail: "This payment, or its identifier, was used for another request. Nothing was taken. Send the request that it paid for, byte by byte and with its order, or ask for a new offer.",
	}
}

// finish brings an open payment to its end, by its own work or by waiting for the
// server that works on it. made is the report, where this call made it for a
// payment that nobody else will answer.
func (t *Till) finish(ctx context.Context, s *sale, row *ledger.Row) (made *payment.Report, _ *ledger.Row, err error) {
	began := time.Now()
	for row.State == ledger.Claimed || row.State == ledger.Signed {
		mine, err := s.ledger.Take(ctx, row.Message)
		if err != nil {
			t.leave(ctx, s.ledger, row.Message) // it may have been taken all the same
			return nil, nil, t.unknown(err)
		}
		if mine {
			report, err := t.work(ctx, s, row)
			if err != nil {
				return nil, nil, err
			}
			if report != nil {
				made = report
			}
		} else if err := pause(ctx, t.pace.wait(time.Since(began), 1)); err != nil {
			return nil, nil, pending()
		}
		next, err := s.ledger.Find(ctx, ledger.Keys{Message: row.Message})
		switch {
		case err != nil:
			return nil, nil, t.unknown(err)
		case next == nil:
			return nil, nil, errGone
		}
		row = next
	}
	return made, row, nil
}

// unknown is an error of the ledger after a claim: what became of the payment is
// not known, so it is pending.
func (t *Till) unknown(err error) error {
	if !errors.Is(err, context.DeadlineExceeded) {
		t.log.Error("the ledger gave no answer for an open payment", "error", err)
	}
	return pending()
}

// work does for a payment that is this server's what comes next.
func (t *Till) work(ctx context.Context, s *sale, row *ledger.Row) (*payment.Report, error) {
	defer t.leave(ctx, s.ledger, row.Message)
	if row.State == ledger.Signed {
		return nil, t.pursue(ctx, s, row.Message, row.Signature)
	}
	if row.Message != ledger.Hash(s.tx.MessageHash()) {
		// The order of a claim whose server died, paid by another transaction: the
		// claim was never signed, and its transaction is not here.
		if err := s.ledger.Drop(ctx, row.Message); err != nil {
			return nil, t.unknown(err)
		}
		return nil, errGone
	}
	return t.sign(ctx, s, row)
}

// leave must work when the time of the request is over.
func (t *Till) leave(ctx context.Context, l *ledger.Ledger, message ledger.Hash) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	if err := l.Leave(ctx, message); err != nil {
		t.log.Warn("an open payment could not be left to others; they wait for its lease", "error", err)
	}
}

// sign makes the report, and only then signs the payment: a buyer pays for what
// is there. What is broadcast is recorded before.
func (t *Till) sign(ctx context.Context, s *sale, row *ledger.Row) (*payment.Report, error) {
	if s.doubt != nil {
		return nil, errors.Join(s.doubt, s.ledger.Drop(ctx, row.Message))
	}
	document, err := s.Load(ctx)
	if err != nil {
		return nil, errors.Join(err, s.ledger.Drop(ctx, row.Message))
	}
	if s.order != nil && !t.orders.holds(s.order, document) {
		return nil, errors.Join(documentChanged(), s.ledger.Drop(ctx, row.Message))
	}
	asOf := t.now().UTC().Truncate(time.Millisecond)
	made, err := s.Make(ctx, asOf)
	if err != nil {
		return nil, errors.Join(err, s.ledger.Drop(ctx, row.Message))
	}
	signed, name, err := solana.CoSign(s.paid.transaction, t.key)
	if err != nil {
		return nil, errors.Join(err, s.ledger.Drop(ctx, row.Message))
	}
	signature := ledger.Signature{Transaction: signed, Signature: name, AsOf: asOf, Counts: made.Counts}
	if s.URLMode {
		h := ledger.Hash(document)
		signature.Document = &h
	}
	switch err := s.ledger.Sign(ctx, row.Message, signature); {
	case errors.Is(err, ledger.ErrLost):
		return nil, nil
	case err != nil:
		return nil, t.unknown(err)
	}
	t.pastStep(afterSign)
	return &made, t.pursue(ctx, s, row.Message, signature)
}

// pursue broadcasts the same bytes again and again until the chain has them or
// refuses them. When the time is over it is pending, and the sweeper goes on.
func (t *Till) pursue(ctx context.Context, s *sale, message ledger.Hash, signed ledger.Signature) error {
	t.pursuits.Add(1)
	defer t.pursuits.Add(-1)
	began := time.Now()
	var sent time.Time
	for {
		if time.Since(sent) >= t.pace.Resend {
			if err := t.chain.Send(ctx, signed.Transaction); err != nil {
				t.log.Warn("a payment could not be broadcast; it will be again", "error", err)
			}
			if sent.IsZero() {
				t.pastStep(afterBroadcast)
			}
			sent = time.Now()
		}
		ended, err := t.record(ctx, message, signed.Signature, t.suspects(s))
		if err != nil || ended {
			return err
		}
		if err := pause(ctx, t.pace.wait(time.Since(began), t.pursuits.Load())); err != nil {
			return pending()
		}
		if mine, err := s.ledger.Take(ctx, message); err != nil || !mine {
			return t.unlessLost(err)
		}
	}
}

func (t *Till) unlessLost(err error) error {
	if err == nil || errors.Is(err, ledger.ErrLost) {
		return nil
	}
	return t.unknown(err)
}

// record asks the chain once, and writes down an end. A node that does not answer
// is no end.
func (t *Till) record(ctx context.Context, message ledger.Hash, signature string, suspects []string) (ended bool, err error) {
	status, err := t.chain.Status(ctx, signature)
	if err != nil {
		t.log.Warn("the Solana node does not say what became of a payment", "error", err)
		return false, nil
	}
	switch status {
	case solana.Confirmed, solana.Finalized:
		if err := t.unlessLost(t.ledger.Settle(ctx, message)); err != nil {
			return false, err
		}
		t.pastStep(afterSettle)
		return true, nil
	case solana.Failed:
		err := t.ledger.Fail(ctx, message)
		if err == nil {
			err = t.ledger.Strike(ctx, suspects...)
		}
		return true, t.unlessLost(err)
	}
	return false, nil
}

// lookAgain: before a buyer whose payment expired is asked to pay again, the chain
// is asked once more.
func (t *Till) lookAgain(ctx context.Context, row *ledger.Row) (*ledger.Row, error) {
	status, err := t.chain.Status(ctx, row.Signature.Signature)
	if err != nil {
		t.log.Warn("the Solana node does not say what became of a payment", "error", err)
		return nil, pending()
	}
	if status != solana.Confirmed && status != solana.Finalized {
		return nil, &solana.Invalid{Code: "transaction_expired", Detail: "the payment did not reach the chain in time"}
	}
	if err := t.unlessLost(t.ledger.SettleLate(ctx, row.Message)); err != nil {
		return nil, err
	}
	found, err := t.ledger.Find(ctx, ledger.Keys{Message: row.Message})
	if err != nil || found == nil {
		return nil, pending()
	}
	return found, nil
}

func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
