// Package ledger implements the record of payments: which was claimed, signed,
// settled, failed or expired, so that each is taken once or not at all, whichever
// of several servers works on it and whenever one of them dies. Every step is one
// statement that names the state it expects; the tables (store/migrations) refuse
// any other. All times are the database's.
//
// It holds hashes, the payer, times, the price and counts. It will never know a
// body, a document or a report, and it does not know a chain.
package ledger

import (
	"context"
	"crypto/sha256"
	"errors"
	"time"

	"github.com/manifestseal/manifestseal/server/internal/payment"
	"github.com/manifestseal/manifestseal/server/internal/store"
)

// State is how far a payment has come.
type State string

// The states. Failed and Expired are ends in which nothing was paid, though
// Expired can still turn out to be Settled.
const (
	Claimed State = "claimed" // a server works on it, nothing was broadcast
	Signed  State = "signed"  // we signed it, so it may be on its way
	Settled State = "settled" // the chain has it
	Failed  State = "failed"  // the chain refused it
	Expired State = "expired" // it can't land any more
)

// Hash is a SHA-256.
type Hash [32]byte

// Sum is the hash of the parts, each with its length, so that no two lists of
// parts give the same.
func Sum(parts ...[]byte) Hash {
	h := sha256.New()
	for _, part := range parts {
		n := len(part)
		h.Write([]byte{byte(n >> 24), byte(n >> 16), byte(n >> 8), byte(n)})
		h.Write(part)
	}
	return Hash(h.Sum(nil))
}

// Claim is what a payment is, from its first step on.
type Claim struct {
	Message    Hash  // of the message that the payer signed
	Order      *Hash // nil for a payment without an order
	Identifier *Hash // of x402's payment-identifier, nil for none
	Request    Hash  // of the route and the body
	Payer      string
	Route      string
	Network    string
	Mint       string
	Amount     uint64
	LastValid  uint64 // block height
}

// Signature is what is fixed before the first broadcast.
type Signature struct {
	Transaction []byte // signed by both
	Signature   string // base58
	AsOf        time.Time
	Counts      payment.Counts
	Document    *Hash // in URL mode
}

// Row is one payment.
type Row struct {
	Claim
	Signature
	State     State
	Late      bool // settled after it had expired
	SettledAt time.Time
	Age       time.Duration // since it settled, when it was read
	AbsentAt  time.Time     // when the chain first could not have it any more
	Reissued  int
	Free      bool // no server works on it
}

// ErrLost is returned by a step that finds the payment elsewhere than it expects:
// another worker was quicker, or took over.
var ErrLost = errors.New("ledger: another worker has this payment now")

// Ledger is one worker's hold on the record: of a request, or of a sweeper.
type Ledger struct {
	db    *store.DB
	owner string
	lease time.Duration
}

// New is the hold of a worker that calls itself owner, a name that no other has.
// What it works on is free for others when it has not been heard of for the time
// of a lease.
func New(db *store.DB, owner string, lease time.Duration) *Ledger {
	return &Ledger{db: db, owner: owner, lease: lease}
}

// As is the hold of another worker on the same record.
func (l *Ledger) As(owner string) *Ledger { return New(l.db, owner, l.lease) }

// Claim begins a payment, and takes it for this worker. It reports false when it,
// its order or its identifier is there already.
func (l *Ledger) Claim(ctx context.Context, c Claim) (bool, error) {
	n, err := l.db.Exec(ctx, `
		INSERT INTO payment (message, ordered, identifier, request, payer, route, network, mint, amount, last_valid,
			state, owner, leased, claimed_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'claimed', $11, {now} + $12, {now})
		ON CONFLICT DO NOTHING`,
		c.Message[:], bytesOf(c.Order), bytesOf(c.Identifier), c.Request[:], c.Payer, c.Route, c.Network, c.Mint,
		int64(c.Amount), int64(c.LastValid), l.owner, l.lease.Milliseconds())
	return n == 1, err
}

// Take takes an open payment for this worker, or keeps it. It reports false when
// another works on it, or it is not open any more.
func (l *Ledger) Take(ctx context.Context, message Hash) (bool, error) {
	n, err := l.db.Exec(ctx, `
		UPDATE payment SET owner = $2, leased = {now} + $3
		WHERE message = $1 AND state IN ('claimed', 'signed') AND (owner = $2 OR leased < {now})`,
		message[:], l.owner, l.lease.Milliseconds())
	return n == 1, err
}

// Leave lets others take the payment at once.
func (l *Ledger) Leave(ctx context.Context, message Hash) error {
	_, err := l.db.Exec(ctx, `
		UPDATE payment SET leased = 0
		WHERE message = $1 AND state IN ('claimed', 'signed') AND owner = $2`, message[:], l.owner)
	return err
}

// Drop forgets a claim of this worker that was never signed.
func (l *Ledger) Drop(ctx context.Context, message Hash) error {
	_, err := l.db.Exec(ctx, `DELETE FROM payment WHERE message = $1 AND state = 'claimed' AND owner = $2`, message[:], l.owner)
	return err
}

// Sign records what is about to be broadcast. Only after it may anything be.
func (l *Ledger) Sign(ctx context.Context, message Hash, s Signature) error {
	return l.one(l.db.Exec(ctx, `
		UPDATE payment SET state = 'signed', txn = $3, signature = $4, as_of = $5, document = $6,
			tools = $7, added = $8, removed = $9, changed = $10, unchanged = $11, signed_at = {now}
		WHERE message = $1 AND state = 'claimed' AND owner = $2`,
		message[:], l.owner, s.Transaction, s.Signature, s.AsOf.UnixMilli(), bytesOf(s.Document),
		s.Counts.Tools, s.Counts.Added, s.Counts.Removed, s.Counts.Changed, s.Counts.Unchanged))
}

// Settle records that the chain has the payment; the same statement writes the
// ledger. It needs no lease: what is on the chain is true for all. ErrLost says
// that it is not signed, or not any more.
func (l *Ledger) Settle(ctx context.Context, message Hash) error {
	return l.one(l.db.Exec(ctx, `
		UPDATE payment SET state = 'settled', settled_at = {now}, checked_at = {now}, absent_at = NULL
		WHERE message = $1 AND state = 'signed'`, message[:]))
}

// Fail records that the chain refused the payment.
func (l *Ledger) Fail(ctx context.Context, message Hash) error {
	return l.one(l.db.Exec(ctx, `
		UPDATE payment SET state = 'failed', txn = NULL, ended_at = {now}
		WHERE message = $1 AND state = 'signed'`, message[:]))
}

// Absent records an answer of the chain by which the payment is not there and
// can't come any more. The first is noted; one that comes the given time or more
// after it ends the payment, and Absent reports true.
func (l *Ledger) Absent(ctx context.Context, message Hash, apart time.Duration) (bool, error) {
	n, err := l.db.Exec(ctx, `
		UPDATE payment SET state = 'expired', ended_at = {now}
		WHERE message = $1 AND state = 'signed' AND absent_at + $2 <= {now}`, message[:], apart.Milliseconds())
	if n == 1 || err != nil {
		return n == 1, err
	}
	_, err = l.db.Exec(ctx, `
		UPDATE payment SET absent_at = {now} WHERE message = $1 AND state = 'signed' AND absent_at IS NULL`, message[:])
	return false, err
}

// Seen takes an answer of absence back: the chain knows the payment after all.
func (l *Ledger) Seen(ctx context.Context, message Hash) error {
	_, err := l.db.Exec(ctx, `
		UPDATE payment SET absent_at = NULL WHERE message = $1 AND state IN ('signed', 'settled') AND absent_at IS NOT NULL`, message[:])
	return err
}

// SettleLate records that the chain has a payment which had expired; the same
// statement puts it on the refund list.
func (l *Ledger) SettleLate(ctx context.Context, message Hash) error {
	return l.one(l.db.Exec(ctx, `
		UPDATE payment SET state = 'settled', late = 1, settled_at = {now}, checked_at = {now}, absent_at = NULL
		WHERE message = $1 AND state = 'expired'`, message[:]))
}

// Finish records that no fork can undo the payment, and drops the transaction.
func (l *Ledger) Finish(ctx context.Context, message Hash) error {
	_, err := l.db.Exec(ctx, `
		UPDATE payment SET txn = NULL, final_at = {now}
		WHERE message = $1 AND state = 'settled' AND final_at IS NULL AND undone_at IS NULL`, message[:])
	return err
}

// Undone records an answer of the chain by which a settled payment is not there any
// more and can't come again: a fork undid it. As with Absent it takes two, the given
// time apart; then the transaction is dropped, and Undone reports true. The payment
// stays settled: its report was sold.
func (l *Ledger) Undone(ctx context.Context, message Hash, apart time.Duration) (bool, error) {
	n, err := l.db.Exec(ctx, `
		UPDATE payment SET undone_at = {now}, txn = NULL
		WHERE message = $1 AND state = 'settled' AND final_at IS NULL AND undone_at IS NULL AND absent_at + $2 <= {now}`,
		message[:], apart.Milliseconds())
	if n == 1 || err != nil {
		return n == 1, err
	}
	_, err = l.db.Exec(ctx, `
		UPDATE payment SET absent_at = {now}
		WHERE message = $1 AND state = 'settled' AND final_at IS NULL AND undone_at IS NULL AND absent_at IS NULL`, message[:])
	return false, err
}

func (l *Ledger) one(n int64, err error) error {
	switch {
	case err != nil:
		return err
	case n != 1:
		return ErrLost
	}
	return nil
}

// The limits of asking again for a report that was delivered. Without an order
// whoever sees the transaction on the chain could ask, so the time is short.
const (
	MaxReissues = 10
	reissueTime = 24 * time.Hour
	unorderTime = 15 * time.Minute
)

// Reissue counts one more answer for a settled payment, and reports false when
// there were enough, or it is too late.
func (l *Ledger) Reissue(ctx context.Context, message Hash) (bool, error) {
	n, err := l.db.Exec(ctx, `
		UPDATE payment SET reissued = reissued + 1
		WHERE message = $1 AND state = 'settled' AND reissued < $2
			AND settled_at + CASE WHEN ordered IS NULL THEN CAST($3 AS BIGINT) ELSE CAST($4 AS BIGINT) END > {now}`,
		message[:], MaxReissues, unorderTime.Milliseconds(), reissueTime.Milliseconds())
	return n == 1, err
}

func bytesOf(h *Hash) any {
	if h == nil {
		return nil
	}
	return h[:]
}

func hashOf(b []byte) *Hash {
	if len(b) != len(Hash{}) {
		return nil
	}
	h := Hash(b)
	return &h
}
