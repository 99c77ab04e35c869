package ledger

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"github.com/manifestseal/manifestseal/server/internal/payment"
)

// Keys are by what a payment can be recognised.
type Keys struct {
	Message    Hash
	Order      *Hash
	Payer      string
	Identifier *Hash // of the payer
}

// Find looks a payment up: by its message; else the live one of its order; else
// the live one of the payer's identifier. It returns nil when there is none.
func (l *Ledger) Find(ctx context.Context, k Keys) (*Row, error) {
	row, err := l.find(ctx, `message = $1`, k.Message[:])
	if row != nil || err != nil {
		return row, err
	}
	const live = `state IN ('claimed', 'signed', 'settled') AND late = 0`
	if k.Order != nil {
		if row, err = l.find(ctx, `ordered = $1 AND `+live, k.Order[:]); row != nil || err != nil {
			return row, err
		}
	}
	if k.Identifier != nil {
		return l.find(ctx, `payer = $1 AND identifier = $2 AND `+live, k.Payer, k.Identifier[:])
	}
	return nil, nil
}

func (l *Ledger) find(ctx context.Context, where string, args ...any) (*Row, error) {
	rows, err := l.list(ctx, where, args...)
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	return rows[0], nil
}

func (l *Ledger) list(ctx context.Context, where string, args ...any) ([]*Row, error) {
	found, err := l.db.Query(ctx, `
		SELECT message, ordered, identifier, request, payer, route, network, mint, amount, last_valid, state, late,
			signature, txn, document, as_of, tools, added, removed, changed, unchanged, settled_at, absent_at, reissued,
			leased < {now}, coalesce({now} - settled_at, 0)
		FROM payment WHERE `+where, args...)
	if err != nil {
		return nil, err
	}
	defer func() { _ = found.Close() }()
	var rows []*Row
	for found.Next() {
		row, err := scan(found)
		if err != nil {
			return nil, err
		}
		rows = append(rows, row)
	}
	return rows, found.Err()
}

func scan(found *sql.Rows) (*Row, error) {
	var r Row
	var message, order, identifier, request, document []byte
	var signature sql.NullString
	var amount, lastValid, late, age int64
	var asOf, settledAt, absentAt sql.NullInt64
	var tools, added, removed, changed, unchanged sql.NullInt64
	err := found.Scan(&message, &order, &identifier, &request, &r.Payer, &r.Route, &r.Network, &r.Mint, &amount, &lastValid,
		&r.State, &late, &signature, &r.Transaction, &document, &asOf, &tools, &added, &removed, &changed, &unchanged,
		&settledAt, &absentAt, &r.Reissued, &r.Free, &age)
	if err != nil {
		return nil, err
	}
	if len(message) != len(Hash{}) || len(request) != len(Hash{}) {
		return nil, fmt.Errorf("ledger: a row's message is %d bytes and its request %d", len(message), len(request))
	}
	r.Message, r.Request, r.Amount, r.LastValid, r.Late = Hash(message), Hash(request), uint64(amount), uint64(lastValid), late == 1
	r.Order, r.Identifier, r.Document = hashOf(order), hashOf(identifier), hashOf(document)
	r.Signature.Signature = signature.String
	r.Counts = payment.Counts{Tools: int(tools.Int64), Added: int(added.Int64), Removed: int(removed.Int64), Changed: int(changed.Int64), Unchanged: int(unchanged.Int64)}
	r.AsOf, r.SettledAt, r.AbsentAt = timeOf(asOf), timeOf(settledAt), timeOf(absentAt)
	r.Age = time.Duration(age) * time.Millisecond
	return &r, nil
}

func timeOf(ms sql.NullInt64) time.Time {
	if !ms.Valid {
		return time.Time{}
	}
	return time.UnixMilli(ms.Int64).UTC()
}
