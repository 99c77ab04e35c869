// Package allowance implements the limits of the free pre-check: so many a UTC
// day for each wallet and a least time between two (criteria mcp-manifest-drift/v1,
// prices.drift_precheck), and a bucket for each address. Servers that share a
// database share the limits; the day and all times are by the database's clock.
// Wallets and addresses are kept as salted hashes. It knows no request.
package allowance

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"net/netip"
	"time"

	"github.com/manifestseal/manifestseal/server/internal/store"
)

// Limits are what is allowed. A zero field takes the default.
type Limits struct {
	PerDay   int           // of a wallet, in a UTC day; 100
	Interval time.Duration // at least between two of a wallet; one second
	Burst    int           // requests of an address at once; 60
	Refill   time.Duration // until an address has one request more; one second
}

// Allowance counts what was taken.
type Allowance struct {
	db     *store.DB
	limits Limits
}

// New counts in db.
func New(db *store.DB, limits Limits) *Allowance {
	if limits.PerDay == 0 {
		limits.PerDay = 100
	}
	if limits.Interval == 0 {
		limits.Interval = time.Second
	}
	if limits.Burst == 0 {
		limits.Burst = 60
	}
	if limits.Refill == 0 {
		limits.Refill = time.Second
	}
	return &Allowance{db: db, limits: limits}
}

// Reason is which limit was met.
type Reason int

// The limits, in the order in which they are asked.
const (
	TooSoon Reason = iota // the least time since the last one has not passed
	DayUsed               // all of the day are taken
	Address               // the address's bucket is full
)

// Refused is the error of a limit that was met.
type Refused struct {
	Reason     Reason
	RetryAfter time.Duration // until it may be tried again, at least one millisecond
	ResetsAt   time.Time     // the end of the UTC day; zero for an address
}

func (r *Refused) Error() string {
	switch r.Reason {
	case TooSoon:
		return "allowance: too soon after the last one"
	case DayUsed:
		return "allowance: all of this day are used"
	}
	return "allowance: too many requests from this address"
}

// Taken is one that was taken, and can be given back.
type Taken struct {
	Remaining int       // of this UTC day
	ResetsAt  time.Time // when that ends

	key               []byte
	day, at, previous int64
}

const dayMillis = 86_400_000

// Take takes one of the wallet's, or returns a *Refused. Of several that come at
// once never more get one than there are.
func (a *Allowance) Take(ctx context.Context, wallet string) (*Taken, error) {
	t := &Taken{key: a.hash("wallet", []byte(wallet))}
	if err := a.purge(ctx); err != nil {
		return nil, err
	}
	var used int
	err := a.db.Row(ctx, `
		INSERT INTO allowance (wallet, day, used, taken_at, previous)
		VALUES ($1, {now} / 86400000, 1, {now}, 0)
		ON CONFLICT (wallet) DO UPDATE SET
			used     = CASE WHEN allowance.day = excluded.day THEN allowance.used + 1 ELSE 1 END,
			day      = excluded.day,
			previous = allowance.taken_at,
			taken_at = excluded.taken_at
		WHERE (allowance.day <> excluded.day OR allowance.used < $2) AND allowance.taken_at + $3 <= excluded.taken_at
		RETURNING used, day, taken_at, previous`,
		t.key, a.limits.PerDay, a.limits.Interval.Milliseconds()).Scan(&used, &t.day, &t.at, &t.previous)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, a.whyRefused(ctx, t.key)
	}
	if err != nil {
		return nil, err
	}
	t.Remaining, t.ResetsAt = a.limits.PerDay-used, endOf(t.day)
	return t, nil
}

// whyRefused reads the row again. It can have changed since, but what is said is
// true of some moment after the request.
func (a *Allowance) whyRefused(ctx context.Context, key []byte) error {
	var now, day, used, at int64
	err := a.db.Row(ctx, `SELECT {now}, day, used, taken_at FROM allowance WHERE wallet = $1`, key).Scan(&now, &day, &used, &at)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	ends := endOf(now / dayMillis)
	if day == now/dayMillis && used >= int64(a.limits.PerDay) {
		return &Refused{Reason: DayUsed, RetryAfter: time.Duration(ends.UnixMilli()-now) * time.Millisecond, ResetsAt: ends}
	}
	wait := time.Duration(max(at+a.limits.Interval.Milliseconds()-now, 1)) * time.Millisecond
	return &Refused{Reason: TooSoon, RetryAfter: wait, ResetsAt: ends}
}

// GiveBack undoes Take for a request that failed: it counts for nothing, and the
// least time runs from the one before.
func (a *Allowance) GiveBack(ctx context.Context, t *Taken) error {
	_, err := a.db.Exec(ctx, `
		UPDATE allowance SET
			used     = used - 1,
			taken_at = CASE WHEN taken_at = $3 THEN previous ELSE taken_at END
		WHERE wallet = $1 AND day = $2 AND used > 0`, t.key, t.day, t.at)
	return err
}

// purge forgets the wallets of past days. Yesterday's rows stay: the least time
// counts over midnight.
func (a *Allowance) purge(ctx context.Context) error {
	_, err := a.db.Exec(ctx, `DELETE FROM allowance WHERE day < {now} / 86400000 - 1`)
	return err
}

func endOf(day int64) time.Time { return time.UnixMilli((day + 1) * dayMillis).UTC() }

// Request counts one request of an address, or returns a *Refused. IPv6 counts by
// /64, which is what one customer has.
func (a *Allowance) Request(ctx context.Context, from netip.Addr) error {
	key, err := a.addressKey(from)
	if err != nil {
		return err
	}
	if _, err := a.db.Exec(ctx, `DELETE FROM bucket WHERE empty_at < {now}`); err != nil {
		return err
	}
	step := a.limits.Refill.Milliseconds()
	var emptyAt, now int64
	err = a.db.Row(ctx, `
		INSERT INTO bucket (address, empty_at) VALUES ($1, {now} + $2)
		ON CONFLICT (address) DO UPDATE SET
			empty_at = CASE WHEN bucket.empty_at + $2 > excluded.empty_at THEN bucket.empty_at + $2 ELSE excluded.empty_at END
		WHERE bucket.empty_at + 2 * $2 - excluded.empty_at <= $3
		RETURNING empty_at`, key, step, step*int64(a.limits.Burst)).Scan(&emptyAt)
	if !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	err = a.db.Row(ctx, `SELECT empty_at, {now} FROM bucket WHERE address = $1`, key).Scan(&emptyAt, &now)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	wait := max(emptyAt+step-step*int64(a.limits.Burst)-now, 1)
	return &Refused{Reason: Address, RetryAfter: time.Duration(wait) * time.Millisecond}
}

func (a *Allowance) addressKey(from netip.Addr) ([]byte, error) {
	from = from.Unmap().WithZone("")
	bits := 32
	if from.Is6() {
		bits = 64
	}
	prefix, err := from.Prefix(bits)
	if err != nil || !from.IsValid() {
		return nil, errors.New("allowance: a request without an address")
	}
	return a.hash("address", prefix.Addr().AsSlice()), nil
}

// hash keeps what stands in the database from being the wallet or address itself.
func (a *Allowance) hash(kind string, value []byte) []byte {
	h := sha256.New()
	h.Write(a.db.Salt())
	h.Write([]byte(kind))
	h.Write([]byte{0})
	h.Write(value)
	return h.Sum(nil)
}
