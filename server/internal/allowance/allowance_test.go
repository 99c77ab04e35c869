package allowance_test

import (
	"bytes"
	"context"
	"errors"
	"net/netip"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/manifestseal/manifestseal/server/internal/allowance"
	"github.com/manifestseal/manifestseal/server/internal/store"
	"github.com/manifestseal/manifestseal/server/internal/store/storetest"
)

const (
	wallet = "4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T"
	other  = "2wmVCSfPxGPjrnMMn7rchp4uaeoTqN39mXFC2zhPdri9"
)

// noInterval lets a test take as quickly as it can.
const noInterval = time.Nanosecond

func refused(t *testing.T, err error, want allowance.Reason) *allowance.Refused {
	t.Helper()
	var r *allowance.Refused
	if !errors.As(err, &r) {
		t.Fatalf("got %v, want a refusal", err)
	}
	if r.Reason != want || r.RetryAfter <= 0 {
		t.Fatalf("got reason %v and a wait of %v, want reason %v and some wait", r.Reason, r.RetryAfter, want)
	}
	return r
}

func take(t *testing.T, a *allowance.Allowance, wallet string, remaining int) *allowance.Taken {
	t.Helper()
	got, err := a.Take(t.Context(), wallet)
	if err != nil {
		t.Fatal(err)
	}
	if got.Remaining != remaining {
		t.Fatalf("%d remain, want %d", got.Remaining, remaining)
	}
	return got
}

// age makes rows older, as time would.
func age(t *testing.T, db *store.DB, statement string) {
	t.Helper()
	if n, err := db.Exec(t.Context(), statement); err != nil || n != 1 {
		t.Fatalf("%d rows, %v", n, err)
	}
}

func TestDay(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, dsn string) {
		db := storetest.Open(t, dsn)
		a := allowance.New(db, allowance.Limits{PerDay: 2, Interval: noInterval})
		first := take(t, a, wallet, 1)
		take(t, a, wallet, 0)
		_, err := a.Take(t.Context(), wallet)
		r := refused(t, err, allowance.DayUsed)
		if !r.ResetsAt.Equal(first.ResetsAt) || r.ResetsAt.Truncate(24*time.Hour) != r.ResetsAt || r.RetryAfter > 24*time.Hour {
			t.Errorf("it resets at %v in %v, and was said to at %v", r.ResetsAt, r.RetryAfter, first.ResetsAt)
		}
		take(t, a, other, 1)

		age(t, db, `UPDATE allowance SET day = day - 1 WHERE used = 2`)
		take(t, a, wallet, 1)
		age(t, db, `UPDATE allowance SET day = day - 2, taken_at = taken_at - 172800000 WHERE used = 1 AND previous > 0`)
		take(t, a, other, 0)
		var rows int
		if err := db.Row(t.Context(), `SELECT count(*) FROM allowance`).Scan(&rows); err != nil || rows != 1 {
			t.Errorf("%d rows, %v: those of past days are to be forgotten", rows, err)
		}
	})
}

func TestDefaultsAreTheCriterias(t *testing.T) {
	t.Parallel()
	a := allowance.New(storetest.Open(t, storetest.SQLite(t)), allowance.Limits{})
	take(t, a, wallet, 99)
	_, err := a.Take(t.Context(), wallet)
	refused(t, err, allowance.TooSoon)
}

func TestInterval(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, dsn string) {
		db := storetest.Open(t, dsn)
		a := allowance.New(db, allowance.Limits{Interval: time.Hour})
		take(t, a, wallet, 99)
		_, err := a.Take(t.Context(), wallet)
		if r := refused(t, err, allowance.TooSoon); r.RetryAfter > time.Hour || r.RetryAfter < time.Hour-time.Minute {
			t.Errorf("wait %v, want about an hour", r.RetryAfter)
		}
		age(t, db, `UPDATE allowance SET taken_at = taken_at - 3600000`)
		second := take(t, a, wallet, 98)
		if err := a.GiveBack(t.Context(), second); err != nil {
			t.Fatal(err)
		}
		take(t, a, wallet, 98) // the wait counts from the first, which is past
	})
}

func TestGivenBackCountsForNothing(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, dsn string) {
		db := storetest.Open(t, dsn)
		a := allowance.New(db, allowance.Limits{PerDay: 2, Interval: noInterval})
		for range 5 {
			if err := a.GiveBack(t.Context(), take(t, a, wallet, 1)); err != nil {
				t.Fatal(err)
			}
		}
		late := take(t, a, wallet, 1)
		age(t, db, `UPDATE allowance SET day = day + 1, used = 1`) // the next day has begun, and one of it is used
		if err := a.GiveBack(t.Context(), late); err != nil {
			t.Fatal(err)
		}
		var used int
		if err := db.Row(t.Context(), `SELECT used FROM allowance`).Scan(&used); err != nil || used != 1 {
			t.Errorf("%d used, %v: one of yesterday gives nothing back today", used, err)
		}
	})
}

func TestNeverMoreThanThereAre(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, dsn string) {
		limits := allowance.Limits{PerDay: 7, Interval: noInterval}
		got := race(t, dsn, limits, func(ctx context.Context, a *allowance.Allowance) error {
			// One that waited for another's can have come before it.
			for {
				_, err := a.Take(ctx, wallet)
				var r *allowance.Refused
				if errors.As(err, &r) && r.Reason == allowance.TooSoon {
					continue
				}
				return err
			}
		})
		if got != 7 {
			t.Errorf("%d of 40 got one, want 7", got)
		}
	})
}

func TestBucketNeverHoldsMore(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, dsn string) {
		limits := allowance.Limits{Burst: 7, Refill: time.Hour}
		got := race(t, dsn, limits, func(ctx context.Context, a *allowance.Allowance) error {
			return a.Request(ctx, netip.MustParseAddr("192.0.2.1"))
		})
		if got != 7 {
			t.Errorf("%d of 40 went through, want 7", got)
		}
	})
}

// race lets 40 do it at once on two servers that share a database, and counts
// those that were not refused.
func race(t *testing.T, dsn string, limits allowance.Limits, do func(context.Context, *allowance.Allowance) error) int64 {
	t.Helper()
	servers := []*allowance.Allowance{
		allowance.New(storetest.Open(t, dsn), limits),
		allowance.New(storetest.Open(t, dsn), limits),
	}
	var got atomic.Int64
	var wg sync.WaitGroup
	for i := range 40 {
		wg.Go(func() {
			err := do(t.Context(), servers[i%2])
			var r *allowance.Refused
			switch {
			case err == nil:
				got.Add(1)
			case !errors.As(err, &r):
				t.Error(err)
			}
		})
	}
	wg.Wait()
	return got.Load()
}

func TestAddresses(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, dsn string) {
		db := storetest.Open(t, dsn)
		a := allowance.New(db, allowance.Limits{Burst: 2, Refill: time.Hour})
		request := func(from string) error { return a.Request(t.Context(), netip.MustParseAddr(from)) }
		for _, from := range []string{"2001:db8:0:1::1", "2001:db8:0:1:ffff::2%eth0", "192.0.2.1", "::ffff:192.0.2.1"} {
			if err := request(from); err != nil {
				t.Fatal(err)
			}
		}
		for name, from := range map[string]string{"same /64": "2001:db8:0:1::3", "same IPv4": "192.0.2.1"} {
			if r := refused(t, request(from), allowance.Address); r.RetryAfter > time.Hour || r.RetryAfter < 50*time.Minute {
				t.Errorf("%s: wait %v, want about an hour", name, r.RetryAfter)
			}
		}
		for name, from := range map[string]string{"next /64": "2001:db8:0:2::1", "next IPv4": "192.0.2.2"} {
			if err := request(from); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		if err := a.Request(t.Context(), netip.Addr{}); err == nil {
			t.Error("a request without an address went through")
		}

		if _, err := db.Exec(t.Context(), `UPDATE bucket SET empty_at = empty_at - 3600000`); err != nil {
			t.Fatal(err)
		}
		if err := request("192.0.2.1"); err != nil {
			t.Errorf("after an hour: %v", err)
		}
		refused(t, request("192.0.2.1"), allowance.Address)
		if _, err := db.Exec(t.Context(), `UPDATE bucket SET empty_at = empty_at - 86400000`); err != nil {
			t.Fatal(err)
		}
		if err := request("192.0.2.9"); err != nil {
			t.Fatal(err)
		}
		var rows int
		if err := db.Row(t.Context(), `SELECT count(*) FROM bucket`).Scan(&rows); err != nil || rows != 1 {
			t.Errorf("%d rows, %v: empty buckets are to be forgotten", rows, err)
		}
	})
}

func TestNothingSubmittedIsKept(t *testing.T) {
	t.Parallel()
	dsn := storetest.SQLite(t)
	db := storetest.Open(t, dsn)
	a := allowance.New(db, allowance.Limits{})
	take(t, a, wallet, 99)
	from := netip.MustParseAddr("203.0.113.77")
	if err := a.Request(t.Context(), from); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{dsn, dsn + "-wal"} {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, canary := range [][]byte{[]byte(wallet), from.AsSlice(), []byte(from.String())} {
			if bytes.Contains(data, canary) {
				t.Errorf("%s holds %q", file, canary)
			}
		}
	}
}
