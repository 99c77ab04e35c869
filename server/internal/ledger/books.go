package ledger

import (
	"context"
	"time"

	"github.com/manifestseal/manifestseal/server/internal/store"
)

// Books are the record as an operator reads it.
type Books struct{ db *store.DB }

// NewBooks reads the record in db.
func NewBooks(db *store.DB) *Books { return &Books{db} }

// Totals are the record in numbers.
type Totals struct {
	Payments map[State]int // every state stands in it
	Sales    int           // rows of the ledger
	Amount   uint64        // their sum
	Refunds  int           // that nobody has dealt with
	Undone   int           // sales whose payment a fork undid for good
}

// Totals counts.
func (b *Books) Totals(ctx context.Context) (Totals, error) {
	t := Totals{Payments: map[State]int{Claimed: 0, Signed: 0, Settled: 0, Failed: 0, Expired: 0}}
	rows, err := b.db.Query(ctx, `SELECT state, count(*) FROM payment GROUP BY state`)
	if err != nil {
		return t, err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var state State
		var n int
		if err := rows.Scan(&state, &n); err != nil {
			return t, err
		}
		t.Payments[state] = n
	}
	if err := rows.Err(); err != nil {
		return t, err
	}
	var amount int64
	if err := b.db.Row(ctx, `SELECT count(*), CAST(coalesce(sum(amount), 0) AS BIGINT) FROM ledger`).Scan(&t.Sales, &amount); err != nil {
		return t, err
	}
	t.Amount = uint64(amount)
	return t, b.db.Row(ctx, `
		SELECT (SELECT count(*) FROM refund WHERE done_at IS NULL), (SELECT count(*) FROM payment WHERE undone_at IS NOT NULL)`).Scan(&t.Refunds, &t.Undone)
}

// Sent is a payment that was once broadcast, as far as the chain can confirm it.
type Sent struct {
	Signature string
	State     State
	Late      bool
	Undone    bool // it is not on the chain, since a fork
}

// Sent calls each for every payment that was ever broadcast, oldest first.
func (b *Books) Sent(ctx context.Context, each func(Sent) error) error {
	rows, err := b.db.Query(ctx, `SELECT signature, state, late, undone_at IS NOT NULL FROM payment WHERE signature IS NOT NULL ORDER BY signed_at, signature`)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }()
	var sent []Sent // the chain is asked after the query, which holds a connection
	for rows.Next() {
		var s Sent
		var late int
		if err := rows.Scan(&s.Signature, &s.State, &late, &s.Undone); err != nil {
			return err
		}
		s.Late = late == 1
		sent = append(sent, s)
	}
	if err := rows.Err(); err != nil {
		return err
	}
	for _, s := range sent {
		if err := each(s); err != nil {
			return err
		}
	}
	return nil
}

// Difference is a sale that the payments and the ledger tell differently.
type Difference struct {
	Payer            string
	Time             time.Time
	Amount           uint64
	Payments, Ledger int // how many such there are in each
}

// Differences recomputes the ledger from the payments, and returns where the two
// are not the same: nothing, unless somebody changed the database past its rules.
func (b *Books) Differences(ctx context.Context) ([]Difference, error) {
	rows, err := b.db.Query(ctx, `
		SELECT payer, time, amount, sum(paid), sum(sold) FROM (
			SELECT payer, settled_at AS time, amount, tools, added, removed, changed, unchanged, 1 AS paid, 0 AS sold
			FROM payment WHERE state = 'settled' AND late = 0
			UNION ALL
			SELECT payer, time, amount, tools, added, removed, changed, unchanged, 0, 1 FROM ledger
		) AS both_of_them
		GROUP BY payer, time, amount, tools, added, removed, changed, unchanged
		HAVING sum(paid) <> sum(sold)
		ORDER BY time, payer`)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	var found []Difference
	for rows.Next() {
		var d Difference
		var at, amount int64
		if err := rows.Scan(&d.Payer, &at, &amount, &d.Payments, &d.Ledger); err != nil {
			return nil, err
		}
		d.Time, d.Amount = time.UnixMilli(at).UTC(), uint64(amount)
		found = append(found, d)
	}
	return found, rows.Err()
}

// Refund is a payment that was found after it had been given up.
type Refund struct {
	Signature string
	Payer     string
	Amount    uint64
	FoundAt   time.Time
	DoneAt    time.Time // zero when nobody has dealt with it
	Reissued  int       // how often the buyer fetched the report after all
}

// Refunds lists them, oldest first.
func (b *Books) Refunds(ctx context.Context) ([]Refund, error) {
	rows, err := b.db.Query(ctx, `
		SELECT r.signature, r.payer, r.amount, r.found_at, coalesce(r.done_at, 0), p.reissued
		FROM refund r JOIN payment p ON p.message = r.message ORDER BY r.found_at, r.signature`)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	var found []Refund
	for rows.Next() {
		var r Refund
		var amount, foundAt, doneAt int64
		if err := rows.Scan(&r.Signature, &r.Payer, &amount, &foundAt, &doneAt, &r.Reissued); err != nil {
			return nil, err
		}
		r.Amount, r.FoundAt = uint64(amount), time.UnixMilli(foundAt).UTC()
		if doneAt > 0 {
			r.DoneAt = time.UnixMilli(doneAt).UTC()
		}
		found = append(found, r)
	}
	return found, rows.Err()
}

// Done notes that a refund is dealt with. It reports false when there is none of
// that signature that is still due.
func (b *Books) Done(ctx context.Context, signature string) (bool, error) {
	n, err := b.db.Exec(ctx, `UPDATE refund SET done_at = {now} WHERE signature = $1 AND done_at IS NULL`, signature)
	return n == 1, err
}
