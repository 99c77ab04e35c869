package x402

import (
	"context"
	"crypto/rand"

	"github.com/manifestseal/manifestseal/server/internal/ledger"
	"github.com/manifestseal/manifestseal/server/internal/solana"
)

// Run sweeps until ctx is done: it brings payments to their end that no request
// works on any more. Every server runs it; they don't get in each other's way.
func (t *Till) Run(ctx context.Context) {
	for {
		t.look(ctx)
		t.sweep(ctx)
		if pause(ctx, t.pace.Sweep) != nil {
			return
		}
	}
}

// inOneSweep bounds the questions to the node of one round.
const inOneSweep = 50

func (t *Till) sweep(ctx context.Context) {
	hold := t.ledger.As("sweeper " + rand.Text())
	if _, err := hold.DropAbandoned(ctx); err != nil {
		t.sweepFault(ctx, err)
		return
	}
	due, err := hold.Due(ctx, inOneSweep)
	if err != nil {
		t.sweepFault(ctx, err)
		return
	}
	for _, row := range due {
		if err := t.sweepOne(ctx, hold, row); err != nil {
			t.sweepFault(ctx, err)
		}
		if ctx.Err() != nil {
			return
		}
	}
}

func (t *Till) sweepFault(ctx context.Context, err error) {
	if ctx.Err() == nil {
		t.log.Warn("the sweeper was stopped by an error; it tries again", "error", err)
	}
}

func (t *Till) sweepOne(ctx context.Context, hold *ledger.Ledger, row *ledger.Row) error {
	if err := hold.Checked(ctx, row.Message); err != nil {
		return err
	}
	switch row.State {
	case ledger.Signed:
		return t.sweepSigned(ctx, hold, row)
	case ledger.Settled:
		return t.sweepSettled(ctx, row)
	case ledger.Expired:
		return t.sweepExpired(ctx, row)
	}
	return nil
}

// sweepSigned does one round of what a request does many of, and is the only one
// that gives a payment up.
func (t *Till) sweepSigned(ctx context.Context, hold *ledger.Ledger, row *ledger.Row) error {
	mine, err := hold.Take(ctx, row.Message)
	if err != nil || !mine {
		return err
	}
	defer t.leave(ctx, hold, row.Message)
	// The height first: what is not there after it can't come any more.
	final, err := t.chain.FinalizedHeight(ctx)
	if err != nil {
		return err
	}
	status, err := t.chain.Status(ctx, row.Signature.Signature)
	if err != nil {
		return err
	}
	switch {
	case status != solana.Unknown:
		if err := t.ledger.Seen(ctx, row.Message); err != nil {
			return err
		}
		_, err := t.record(ctx, row.Message, row.Signature.Signature, []string{row.Payer})
		return err
	case final > row.LastValid+t.pace.Margin:
		return t.giveUp(ctx, row)
	}
	return t.chain.Send(ctx, row.Transaction)
}

// giveUp needs two answers, some time apart, by which the payment is not there
// and can't come: one node behind a balancer may be far behind the others.
func (t *Till) giveUp(ctx context.Context, row *ledger.Row) error {
	expired, err := t.ledger.Absent(ctx, row.Message, t.pace.Apart)
	if expired {
		t.log.Info("a payment expired: the chain never took it", "signature", row.Signature.Signature)
	}
	return err
}

// sweepSettled keeps the transaction until no fork can undo it.
func (t *Till) sweepSettled(ctx context.Context, row *ledger.Row) error {
	status, err := t.chain.Status(ctx, row.Signature.Signature)
	switch {
	case err != nil:
		return err
	case status == solana.Finalized:
		return t.ledger.Finish(ctx, row.Message)
	case isGone(status):
		return t.sweepUndone(ctx, row)
	case !row.AbsentAt.IsZero():
		return t.ledger.Seen(ctx, row.Message)
	}
	return nil
}

func isGone(status solana.Status) bool { return status == solana.Unknown || status == solana.Failed }

// sweepUndone broadcasts a payment again that a fork undid, as long as it can land,
// and then notes that nothing was received. Its report was sold, and stays so.
func (t *Till) sweepUndone(ctx context.Context, row *ledger.Row) error {
	final, err := t.chain.FinalizedHeight(ctx)
	if err != nil {
		return err
	}
	status, err := t.chain.Status(ctx, row.Signature.Signature) // again, after the height
	if err != nil || !isGone(status) {
		return err
	}
	if final <= row.LastValid+t.pace.Margin {
		t.log.Error("a settled payment is not on the chain any more; it is broadcast again", "signature", row.Signature.Signature, "status", string(status))
		return t.chain.Send(ctx, row.Transaction)
	}
	undone, err := t.ledger.Undone(ctx, row.Message, t.pace.Apart)
	if undone {
		t.log.Error("a fork of the chain undid a payment for good: its report was sold for nothing", "signature", row.Signature.Signature, "payer", row.Payer)
	}
	return err
}

func (t *Till) sweepExpired(ctx context.Context, row *ledger.Row) error {
	status, err := t.chain.Status(ctx, row.Signature.Signature)
	if err != nil || status != solana.Confirmed && status != solana.Finalized {
		return err
	}
	t.log.Error("a payment that had expired is on the chain: it is on the list of refunds", "signature", row.Signature.Signature)
	return t.unlessLost(t.ledger.SettleLate(ctx, row.Message))
}
