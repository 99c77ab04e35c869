package ledger

import (
	"context"
	"database/sql"
	"errors"
	"time"
)

// How often the sweeper looks, and for how long.
const (
	abandonedAfter = time.Minute         // a claim that nobody works on
	unfinalEvery   = 5 * time.Second     // one that is settled and not yet final
	expiredEvery   = 10 * time.Minute    // one that expired
	expiredKeeps   = 30 * 24 * time.Hour // for this long
)

// open is the condition of the index payment_open, word by word: else the sweeper
// reads every payment there ever was.
const open = `(state IN ('claimed', 'signed', 'expired') OR (state = 'settled' AND txn IS NOT NULL))`

// DropAbandoned forgets claims that were never signed and that nobody works on:
// nothing was broadcast. It says how many there were.
func (l *Ledger) DropAbandoned(ctx context.Context) (int64, error) {
	return l.db.Exec(ctx, `DELETE FROM payment WHERE `+open+` AND state = 'claimed' AND leased + $1 < {now}`, abandonedAfter.Milliseconds())
}

// Due are at most limit payments that somebody must look at: those that were
// signed and nobody works on, those not yet final, and from time to time those
// that expired.
func (l *Ledger) Due(ctx context.Context, limit int) ([]*Row, error) {
	return l.list(ctx, open+` AND (
		(state = 'signed' AND leased < {now})
		OR (state = 'settled' AND txn IS NOT NULL AND checked_at + $1 < {now})
		OR (state = 'expired' AND checked_at + $2 < {now} AND ended_at + $3 > {now}))
		ORDER BY checked_at LIMIT $4`,
		unfinalEvery.Milliseconds(), expiredEvery.Milliseconds(), expiredKeeps.Milliseconds(), limit)
}

// Checked notes that a payment was looked at.
func (l *Ledger) Checked(ctx context.Context, message Hash) error {
	_, err := l.db.Exec(ctx, `UPDATE payment SET checked_at = {now} WHERE message = $1`, message[:])
	return err
}

// The limits of transactions that fail on the chain, which cost us their fees:
// so many, and then none until so long after the last.
const (
	strikesAllowed = 3
	strikesKeep    = time.Hour
)

// Strike notes that a transaction of each of these failed on the chain.
func (l *Ledger) Strike(ctx context.Context, who ...string) error {
	if _, err := l.db.Exec(ctx, `DELETE FROM strike WHERE last_at + $1 < {now}`, strikesKeep.Milliseconds()); err != nil {
		return err
	}
	for _, w := range who {
		_, err := l.db.Exec(ctx, `
			INSERT INTO strike (who, strikes, last_at) VALUES ($1, 1, {now})
			ON CONFLICT (who) DO UPDATE SET strikes = strike.strikes + 1, last_at = excluded.last_at`, l.salted(w))
		if err != nil {
			return err
		}
	}
	return nil
}

// Struck is how long each of these has to wait before another transaction of
// theirs is taken: zero mostly.
func (l *Ledger) Struck(ctx context.Context, who ...string) (wait time.Duration, err error) {
	for _, w := range who {
		var left int64
		err := l.db.Row(ctx, `
			SELECT last_at + $2 - {now} FROM strike WHERE who = $1 AND strikes >= $3`,
			l.salted(w), strikesKeep.Milliseconds(), strikesAllowed).Scan(&left)
		if errors.Is(err, sql.ErrNoRows) {
			continue
		}
		if err != nil {
			return 0, err
		}
		wait = max(wait, time.Duration(left)*time.Millisecond)
	}
	return wait, nil
}

func (l *Ledger) salted(who string) []byte {
	sum := Sum(l.db.Salt(), []byte("strike"), []byte(who))
	return sum[:]
}
