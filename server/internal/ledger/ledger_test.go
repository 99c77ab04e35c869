package ledger_test

import (
	"errors"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/manifestseal/manifestseal/server/internal/ledger"
	"github.com/manifestseal/manifestseal/server/internal/payment"
	"github.com/manifestseal/manifestseal/server/internal/store"
	"github.com/manifestseal/manifestseal/server/internal/store/storetest"
)

const payer = "4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T"

func hash(text string) ledger.Hash { return ledger.Sum([]byte(text)) }

func ptr(h ledger.Hash) *ledger.Hash { return &h }

func claimOf(name string) ledger.Claim {
	return ledger.Claim{
		Message: hash("message " + name), Order: ptr(hash("order " + name)), Identifier: ptr(hash("identifier " + name)),
		Request: hash("request " + name), Payer: payer, Route: "/drift",
		Network: "solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1", Mint: "4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU", Amount: 50_000, LastValid: 1150,
	}
}

func signatureOf(name string) ledger.Signature {
	return ledger.Signature{
		Transaction: []byte("transaction " + name), Signature: "signature " + name, AsOf: time.UnixMilli(1_790_000_000_123).UTC(),
		Counts: payment.Counts{Tools: 9, Added: 1, Removed: 2, Changed: 3, Unchanged: 5}, Document: ptr(hash("document " + name)),
	}
}

// bench is one database and two servers on it.
type bench struct {
	*testing.T
	db     *store.DB
	a, b   *ledger.Ledger
	books  *ledger.Books
	serial int
}

func each(t *testing.T, test func(*bench)) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, dsn string) {
		db := storetest.Open(t, dsn)
		test(&bench{
			T: t, db: db, books: ledger.NewBooks(db),
			a: ledger.New(db, "a", time.Minute), b: ledger.New(storetest.Open(t, dsn), "b", time.Minute),
		})
	})
}

func (b *bench) must(err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}

func (b *bench) is(got bool, err error) func(want bool) {
	return func(want bool) {
		b.Helper()
		if err != nil || got != want {
			b.Fatalf("got %v, %v; want %v", got, err, want)
		}
	}
}

func (b *bench) lost(err error) {
	b.Helper()
	if !errors.Is(err, ledger.ErrLost) {
		b.Fatalf("got %v, want ErrLost", err)
	}
}

// exec does to the database what no method does.
func (b *bench) exec(statement string, args ...any) error {
	_, err := b.db.Exec(b.Context(), statement, args...)
	return err
}

// in brings a new payment to a state, and returns its message.
func (b *bench) in(state ledger.State) ledger.Hash {
	b.Helper()
	b.serial++
	name := strconv.Itoa(b.serial)
	c := claimOf(name)
	b.is(b.a.Claim(b.Context(), c))(true)
	if state == ledger.Claimed {
		return c.Message
	}
	b.must(b.a.Sign(b.Context(), c.Message, signatureOf(name)))
	switch state {
	case ledger.Settled:
		b.must(b.a.Settle(b.Context(), c.Message))
	case ledger.Failed:
		b.must(b.a.Fail(b.Context(), c.Message))
	case ledger.Expired:
		b.is(b.a.Absent(b.Context(), c.Message, 0))(false)
		b.is(b.a.Absent(b.Context(), c.Message, 0))(true)
	}
	return c.Message
}

func (b *bench) row(message ledger.Hash) *ledger.Row {
	b.Helper()
	row, err := b.a.Find(b.Context(), ledger.Keys{Message: message})
	b.must(err)
	if row == nil {
		b.Fatal("no such payment")
	}
	return row
}

func TestWhatIsWrittenIsRead(t *testing.T) {
	each(t, func(b *bench) {
		c, s := claimOf("x"), signatureOf("x")
		b.is(b.a.Claim(b.Context(), c))(true)
		if diff := cmp.Diff(&ledger.Row{Claim: c, State: ledger.Claimed}, b.row(c.Message)); diff != "" {
			b.Errorf("claimed (-want +got):\n%s", diff)
		}
		b.must(b.a.Sign(b.Context(), c.Message, s))
		if diff := cmp.Diff(&ledger.Row{Claim: c, Signature: s, State: ledger.Signed}, b.row(c.Message)); diff != "" {
			b.Errorf("signed (-want +got):\n%s", diff)
		}
		b.must(b.a.Settle(b.Context(), c.Message))
		got := b.row(c.Message)
		if time.Since(got.SettledAt).Abs() > time.Minute {
			b.Errorf("settled at %v", got.SettledAt)
		}
		if got.Age < 0 || got.Age > time.Minute {
			b.Errorf("settled %v ago", got.Age)
		}
		want := &ledger.Row{Claim: c, Signature: s, State: ledger.Settled, SettledAt: got.SettledAt, Age: got.Age}
		if diff := cmp.Diff(want, got); diff != "" {
			b.Errorf("settled (-want +got):\n%s", diff)
		}
		b.must(b.a.Finish(b.Context(), c.Message))
		if got := b.row(c.Message).Transaction; got != nil {
			b.Errorf("the transaction is kept after it is final: %q", got)
		}
	})
}

func TestFindByOrderAndIdentifier(t *testing.T) {
	each(t, func(b *bench) {
		c := claimOf("x")
		b.is(b.a.Claim(b.Context(), c))(true)
		other := hash("another message")
		for name, tc := range map[string]struct {
			keys ledger.Keys
			want bool
		}{
			"message":                    {ledger.Keys{Message: c.Message}, true},
			"order":                      {ledger.Keys{Message: other, Order: c.Order}, true},
			"identifier of the payer":    {ledger.Keys{Message: other, Payer: payer, Identifier: c.Identifier}, true},
			"identifier of another":      {ledger.Keys{Message: other, Payer: "9" + payer[1:], Identifier: c.Identifier}, false},
			"another order":              {ledger.Keys{Message: other, Order: ptr(hash("y")), Payer: payer}, false},
			"another order, identifier":  {ledger.Keys{Message: other, Order: ptr(hash("y")), Payer: payer, Identifier: c.Identifier}, true},
			"nothing that anybody knows": {ledger.Keys{Message: other}, false},
		} {
			row, err := b.b.Find(b.Context(), tc.keys)
			if err != nil || (row != nil) != tc.want {
				b.Errorf("%s: found %v, %v; want %v", name, row != nil, err, tc.want)
			}
		}
	})
}

// Every step from every state: only those of the design succeed, the others
// leave the row as it is.
func TestSteps(t *testing.T) {
	each(t, func(b *bench) {
		steps := map[string]struct {
			from []ledger.State
			do   func(ledger.Hash) error
		}{
			"sign": {[]ledger.State{ledger.Claimed}, func(m ledger.Hash) error {
				b.serial++
				return b.a.Sign(b.Context(), m, signatureOf("s"+strconv.Itoa(b.serial)))
			}},
			"settle":      {[]ledger.State{ledger.Signed}, func(m ledger.Hash) error { return b.a.Settle(b.Context(), m) }},
			"fail":        {[]ledger.State{ledger.Signed}, func(m ledger.Hash) error { return b.a.Fail(b.Context(), m) }},
			"settle late": {[]ledger.State{ledger.Expired}, func(m ledger.Hash) error { return b.a.SettleLate(b.Context(), m) }},
		}
		for name, step := range steps {
			for _, state := range []ledger.State{ledger.Claimed, ledger.Signed, ledger.Settled, ledger.Failed, ledger.Expired} {
				m := b.in(state)
				before := b.row(m)
				err := step.do(m)
				if len(step.from) == 1 && step.from[0] == state {
					if err != nil {
						b.Errorf("%s from %s: %v", name, state, err)
					}
					continue
				}
				if !errors.Is(err, ledger.ErrLost) {
					b.Errorf("%s from %s: got %v, want ErrLost", name, state, err)
				}
				after := b.row(m)
				after.Age = before.Age
				if diff := cmp.Diff(before, after); diff != "" {
					b.Errorf("%s from %s changed the row:\n%s", name, state, diff)
				}
			}
		}
	})
}

// The tables refuse what no method does, should a method ever do it.
func TestTablesRefuse(t *testing.T) {
	each(t, func(b *bench) {
		claimed, signed, settled, failed, expired := b.in(ledger.Claimed), b.in(ledger.Signed), b.in(ledger.Settled), b.in(ledger.Failed), b.in(ledger.Expired)
		update := func(set string) string { return `UPDATE payment SET ` + set + ` WHERE message = $1` }
		remove := `DELETE FROM payment WHERE message = $1`
		for name, tc := range map[string]struct {
			statement string
			message   ledger.Hash
		}{
			"settled without a signature":  {update(`state = 'settled', settled_at = 1`), claimed},
			"failed without a signature":   {update(`state = 'failed', ended_at = 1`), claimed},
			"expired without a signature":  {update(`state = 'expired', ended_at = 1`), claimed},
			"signed without a transaction": {update(`state = 'signed'`), claimed},
			"claimed again":                {update(`state = 'claimed', signature = NULL, txn = NULL, as_of = NULL`), signed},
			"settled without a time":       {update(`state = 'settled'`), signed},
			"settled at once as late":      {update(`state = 'settled', late = 1, settled_at = 1`), signed},
			"unknown state":                {update(`state = 'paid'`), signed},
			"transaction forgotten":        {update(`txn = NULL`), signed},
			"signature changed":            {update(`signature = 'other'`), signed},
			"time of the report changed":   {update(`as_of = 1`), signed},
			"counts changed":               {update(`changed = 0`), settled},
			"document changed":             {update(`document = NULL`), settled},
			"unsettled":                    {update(`state = 'signed', settled_at = NULL`), settled},
			"failed after all":             {update(`state = 'failed', ended_at = 1, settled_at = NULL`), settled},
			"settled at another time":      {update(`settled_at = 1`), settled},
			"re-issues forgotten":          {update(`reissued = -1`), settled},
			"late after all":               {update(`late = 1, state = 'signed'`), settled},
			"transaction put back":         {update(`txn = message`), failed},
			"failed, then settled":         {update(`state = 'settled', settled_at = 1, ended_at = NULL`), failed},
			"failed, then expired":         {update(`state = 'expired'`), failed},
			"expired, then settled":        {update(`state = 'settled', settled_at = 1, ended_at = NULL`), expired},
			"expired, then signed":         {update(`state = 'signed', txn = message, ended_at = NULL`), expired},
			"payer changed":                {update(`payer = '11111111111111111111111111111111'`), claimed},
			"amount changed":               {update(`amount = 1`), signed},
			"amount of nothing":            {update(`amount = 0`), claimed},
			"order changed":                {update(`ordered = message`), claimed},
			"request changed":              {update(`request = message`), claimed},
			"message changed":              {update(`message = request`), claimed},
			"removed signed":               {remove, signed},
			"removed settled":              {remove, settled},
			"removed failed":               {remove, failed},
			"removed expired":              {remove, expired},
			"sold what was not paid":       {`INSERT INTO ledger SELECT payer, claimed_at, amount, 1, 0, 0, 0, 0 FROM payment WHERE message = $1`, signed},
			"a sale changed":               {`UPDATE ledger SET amount = 1 WHERE payer IN (SELECT payer FROM payment WHERE message = $1)`, settled},
			"a sale removed":               {`DELETE FROM ledger WHERE payer IN (SELECT payer FROM payment WHERE message = $1)`, settled},
			"begun as signed": {`INSERT INTO payment (message, request, payer, route, network, mint, amount, last_valid, claimed_at, state, signature, txn, as_of, tools, added, removed, changed, unchanged, signed_at)
				SELECT request, request, payer, route, network, mint, amount, last_valid, claimed_at, state, 'new', txn, as_of, tools, added, removed, changed, unchanged, signed_at FROM payment WHERE message = $1`, signed},
		} {
			if err := b.exec(tc.statement, tc.message[:]); err == nil || !store.IsRefused(err) {
				b.Errorf("%s: got %v, want a refusal", name, err)
			}
		}
		twice := signatureOf("2") // that of the second payment
		if err := b.a.Sign(b.Context(), claimed, twice); !store.IsDuplicate(err) {
			b.Errorf("one transaction for two payments: got %v, want a duplicate", err)
		}
	})
}

func TestOneClaimForEachMessageOrderAndIdentifier(t *testing.T) {
	each(t, func(b *bench) {
		c := claimOf("x")
		b.is(b.a.Claim(b.Context(), c))(true)
		again := claimOf("y")
		for name, change := range map[string]func(*ledger.Claim){
			"message":    func(n *ledger.Claim) { n.Message = c.Message },
			"order":      func(n *ledger.Claim) { n.Order = c.Order },
			"identifier": func(n *ledger.Claim) { n.Identifier = c.Identifier },
		} {
			next := again
			change(&next)
			if got, err := b.b.Claim(b.Context(), next); got || err != nil {
				b.Errorf("the same %s twice: got %v, %v", name, got, err)
			}
		}
		anothers := again
		anothers.Payer, anothers.Identifier = "9"+payer[1:], c.Identifier
		b.is(b.b.Claim(b.Context(), anothers))(true)

		// What has expired or failed is in nobody's way.
		for n, state := range []ledger.State{ledger.Expired, ledger.Failed} {
			old := b.row(b.in(state)).Claim
			old.Message = hash("new message " + strconv.Itoa(n))
			b.is(b.b.Claim(b.Context(), old))(true)
		}
		// Neither is a payment found late, nor is its finding in the way of another.
		late := b.in(ledger.Expired)
		next := b.row(late).Claim
		next.Message = hash("paid again")
		b.is(b.b.Claim(b.Context(), next))(true)
		b.must(b.a.SettleLate(b.Context(), late))
		found, err := b.a.Find(b.Context(), ledger.Keys{Message: hash("?"), Order: next.Order})
		if err != nil || found == nil || found.Message != next.Message {
			b.Errorf("the order finds %+v, %v, want the one that is live", found, err)
		}
	})
}

func TestOfTwentyClaimsOneWins(t *testing.T) {
	each(t, func(b *bench) {
		var won atomic.Int64
		var wg sync.WaitGroup
		for i := range 20 {
			wg.Go(func() {
				server, c := b.a, claimOf("x")
				if i%2 == 1 {
					server = b.b
				}
				if i%3 == 1 { // the same order, paid by another transaction
					c.Message = hash("message " + strconv.Itoa(i))
				}
				got, err := server.Claim(b.Context(), c)
				if err != nil {
					b.Error(err)
				}
				if got {
					won.Add(1)
				}
			})
		}
		wg.Wait()
		if won.Load() != 1 {
			b.Errorf("%d claims won, want 1", won.Load())
		}
	})
}

func TestLease(t *testing.T) {
	each(t, func(b *bench) {
		for _, state := range []ledger.State{ledger.Claimed, ledger.Signed} {
			m := b.in(state)
			b.is(b.b.Take(b.Context(), m))(false)
			b.is(b.a.Take(b.Context(), m))(true)
			b.must(b.b.Leave(b.Context(), m)) // not its own: nothing happens
			b.is(b.b.Take(b.Context(), m))(false)
			b.must(b.exec(`UPDATE payment SET leased = leased - 61000 WHERE message = $1`, m[:]))
			if !b.row(m).Free {
				b.Error("a lease that is over is not told as free")
			}
			b.is(b.b.Take(b.Context(), m))(true)
			b.is(b.a.Take(b.Context(), m))(false)
			b.must(b.b.Leave(b.Context(), m))
			b.is(b.a.Take(b.Context(), m))(true)
		}
		for _, state := range []ledger.State{ledger.Settled, ledger.Failed, ledger.Expired} {
			b.is(b.a.Take(b.Context(), b.in(state)))(false)
		}
		m := b.in(ledger.Claimed)
		b.must(b.a.Leave(b.Context(), m))
		b.is(b.b.Take(b.Context(), m))(true)
		b.lost(b.a.Sign(b.Context(), m, signatureOf("late")))
		b.must(b.a.Drop(b.Context(), m)) // not its own any more
		b.must(b.b.Sign(b.Context(), m, signatureOf("taken over")))
	})
}

func TestSettlingWritesTheLedgerOnce(t *testing.T) {
	each(t, func(b *bench) {
		m := b.in(ledger.Signed)
		var settled atomic.Int64
		var wg sync.WaitGroup
		for i := range 10 {
			wg.Go(func() {
				err := []*ledger.Ledger{b.a, b.b}[i%2].Settle(b.Context(), m)
				switch {
				case err == nil:
					settled.Add(1)
				case !errors.Is(err, ledger.ErrLost):
					b.Error(err)
				}
			})
		}
		wg.Wait()
		totals, err := b.books.Totals(b.Context())
		b.must(err)
		if settled.Load() != 1 || totals.Sales != 1 || totals.Amount != 50_000 || totals.Payments[ledger.Settled] != 1 {
			b.Errorf("%d settled it, and the books say %+v", settled.Load(), totals)
		}
	})
}

func TestAbsenceMustBeToldTwice(t *testing.T) {
	each(t, func(b *bench) {
		m := b.in(ledger.Signed)
		b.is(b.a.Absent(b.Context(), m, time.Minute))(false)
		b.is(b.b.Absent(b.Context(), m, time.Minute))(false)
		b.must(b.a.Seen(b.Context(), m))
		if !b.row(m).AbsentAt.IsZero() {
			b.Error("an absence that was taken back still stands")
		}
		b.is(b.b.Absent(b.Context(), m, time.Minute))(false)
		first := b.row(m).AbsentAt
		b.must(b.exec(`UPDATE payment SET absent_at = absent_at - 60000 WHERE message = $1`, m[:]))
		b.is(b.b.Absent(b.Context(), m, time.Minute))(true)
		if first.IsZero() || b.row(m).State != ledger.Expired {
			b.Errorf("first told at %v, now %s", first, b.row(m).State)
		}
		b.is(b.a.Absent(b.Context(), b.in(ledger.Settled), 0))(false)
	})
}

func TestUndoneMustBeToldTwice(t *testing.T) {
	each(t, func(b *bench) {
		m := b.in(ledger.Settled)
		b.is(b.a.Undone(b.Context(), m, time.Hour))(false)
		b.is(b.a.Undone(b.Context(), m, time.Hour))(false)
		b.must(b.a.Seen(b.Context(), m))
		b.is(b.a.Undone(b.Context(), m, 0))(false) // the first again
		b.is(b.a.Undone(b.Context(), m, 0))(true)
		b.is(b.a.Undone(b.Context(), m, 0))(false)
		b.must(b.a.Finish(b.Context(), m)) // comes to nothing
		if row := b.row(m); row.State != ledger.Settled || row.Transaction != nil {
			b.Errorf("it is %s, with the transaction %q", row.State, row.Transaction)
		}
		if totals, err := b.books.Totals(b.Context()); err != nil || totals.Undone != 1 || totals.Sales != 1 {
			b.Errorf("the books say %+v, %v", totals, err)
		}
		if err := b.exec(`UPDATE payment SET undone_at = NULL`); err == nil {
			b.Error("what was undone can be taken back")
		}
		for _, state := range []ledger.State{ledger.Claimed, ledger.Signed, ledger.Failed, ledger.Expired} {
			other := b.in(state)
			for range 2 {
				b.is(b.a.Undone(b.Context(), other, 0))(false)
			}
			if err := b.exec(`UPDATE payment SET undone_at = 1 WHERE message = $1`, other[:]); err == nil {
				b.Errorf("a payment that is %s can be undone", state)
			}
		}
		final := b.in(ledger.Settled)
		b.must(b.a.Finish(b.Context(), final))
		for range 2 {
			b.is(b.a.Undone(b.Context(), final, 0))(false)
		}
	})
}

func TestFoundLateIsARefundAndNoSale(t *testing.T) {
	each(t, func(b *bench) {
		m := b.in(ledger.Expired)
		b.must(b.a.SettleLate(b.Context(), m))
		b.lost(b.a.SettleLate(b.Context(), m))
		refunds, err := b.books.Refunds(b.Context())
		b.must(err)
		if len(refunds) != 1 || refunds[0].Amount != 50_000 || refunds[0].Payer != payer || refunds[0].FoundAt.IsZero() || !refunds[0].DoneAt.IsZero() {
			b.Fatalf("the refunds are %+v", refunds)
		}
		totals, err := b.books.Totals(b.Context())
		b.must(err)
		if totals.Refunds != 1 || totals.Sales != 0 {
			b.Errorf("the books say %+v", totals)
		}
		b.is(b.books.Done(b.Context(), refunds[0].Signature))(true)
		b.is(b.books.Done(b.Context(), refunds[0].Signature))(false)
		b.is(b.a.Reissue(b.Context(), m))(true) // the buyer did pay
	})
}

func TestReissues(t *testing.T) {
	each(t, func(b *bench) {
		ordered := b.in(ledger.Settled)
		for range ledger.MaxReissues {
			b.is(b.a.Reissue(b.Context(), ordered))(true)
		}
		b.is(b.b.Reissue(b.Context(), ordered))(false)

		// Time passes for a row by its triggers only once they are gone.
		for name, tc := range map[string]struct {
			order bool
			age   time.Duration
			want  bool
		}{
			"with an order, 23 hours":      {true, 23 * time.Hour, true},
			"with an order, 25 hours":      {true, 25 * time.Hour, false},
			"without an order, 14 minutes": {false, 14 * time.Minute, true},
			"without an order, 16 minutes": {false, 16 * time.Minute, false},
		} {
			c := claimOf(name)
			if !tc.order {
				c.Order = nil
			}
			b.is(b.a.Claim(b.Context(), c))(true)
			b.must(b.a.Sign(b.Context(), c.Message, signatureOf(name)))
			b.must(b.exec(`UPDATE payment SET state = 'settled', settled_at = {now} - $2 WHERE message = $1`, c.Message[:], tc.age.Milliseconds()))
			if got, err := b.a.Reissue(b.Context(), c.Message); got != tc.want || err != nil {
				b.Errorf("%s: got %v, %v; want %v", name, got, err, tc.want)
			}
		}
		for _, state := range []ledger.State{ledger.Claimed, ledger.Signed, ledger.Failed, ledger.Expired} {
			b.is(b.a.Reissue(b.Context(), b.in(state)))(false)
		}
	})
}

func TestSweeperFindsWhatIsDue(t *testing.T) {
	each(t, func(b *bench) {
		working, left, unfinal, final, expired := b.in(ledger.Signed), b.in(ledger.Signed), b.in(ledger.Settled), b.in(ledger.Settled), b.in(ledger.Expired)
		fresh, abandoned := b.in(ledger.Claimed), b.in(ledger.Claimed)
		b.in(ledger.Failed)
		b.must(b.a.Leave(b.Context(), left))
		b.must(b.a.Finish(b.Context(), final))
		b.must(b.exec(`UPDATE payment SET checked_at = {now} - 6000 WHERE message = $1`, unfinal[:]))
		b.must(b.exec(`UPDATE payment SET leased = {now} - 61000 WHERE message = $1`, abandoned[:]))
		due := func() map[ledger.Hash]bool {
			rows, err := b.b.Due(b.Context(), 10)
			b.must(err)
			got := map[ledger.Hash]bool{}
			for _, row := range rows {
				got[row.Message] = true
			}
			return got
		}
		if diff := cmp.Diff(map[ledger.Hash]bool{left: true, unfinal: true, expired: true}, due()); diff != "" {
			b.Errorf("due (-want +got):\n%s", diff)
		}
		b.must(b.b.Checked(b.Context(), expired))
		b.must(b.b.Checked(b.Context(), unfinal))
		b.is(b.b.Take(b.Context(), left))(true)
		if diff := cmp.Diff(map[ledger.Hash]bool{}, due()); diff != "" {
			b.Errorf("due after they were looked at (-want +got):\n%s", diff)
		}
		if n, err := b.b.DropAbandoned(b.Context()); n != 1 || err != nil {
			b.Errorf("%d abandoned claims, %v; want 1", n, err)
		}
		b.row(fresh)
		b.row(working)
	})
}

func TestStrikes(t *testing.T) {
	each(t, func(b *bench) {
		wait := func(who ...string) time.Duration {
			d, err := b.b.Struck(b.Context(), who...)
			b.must(err)
			return d
		}
		for range 3 {
			if d := wait("payer", "address"); d != 0 {
				b.Fatalf("waits %v before there were three", d)
			}
			b.must(b.a.Strike(b.Context(), "payer", "address"))
		}
		if d := wait("stranger", "address"); d < 59*time.Minute || d > time.Hour {
			b.Errorf("waits %v, want an hour", d)
		}
		if d := wait("stranger"); d != 0 {
			b.Errorf("a stranger waits %v", d)
		}
		b.must(b.exec(`UPDATE strike SET last_at = last_at - 3600001`))
		b.must(b.a.Strike(b.Context(), "payer"))
		if d := wait("payer", "address"); d != 0 {
			b.Errorf("after an hour it waits %v", d)
		}
	})
}

func TestBooksFindWhatWasChangedPastTheRules(t *testing.T) {
	each(t, func(b *bench) {
		b.in(ledger.Settled)
		b.in(ledger.Signed)
		differences, err := b.books.Differences(b.Context())
		if err != nil || len(differences) != 0 {
			b.Fatalf("got %+v, %v; want none", differences, err)
		}
		for _, trigger := range []string{"ledger_stays", "ledger_guard"} { // of the one and the other dialect
			_ = b.exec(`DROP TRIGGER ` + trigger)
			_ = b.exec(`DROP TRIGGER ` + trigger + ` ON ledger`)
		}
		b.must(b.exec(`DELETE FROM ledger`))
		differences, err = b.books.Differences(b.Context())
		if err != nil || len(differences) != 1 || differences[0].Payments != 1 || differences[0].Ledger != 0 || differences[0].Amount != 50_000 {
			b.Errorf("got %+v, %v; want the sale that is gone", differences, err)
		}
	})
}

func TestSent(t *testing.T) {
	each(t, func(b *bench) {
		b.in(ledger.Claimed)
		b.in(ledger.Failed)
		b.in(ledger.Expired)
		got := map[ledger.State]int{}
		b.must(b.books.Sent(b.Context(), func(s ledger.Sent) error { got[s.State]++; return nil }))
		if diff := cmp.Diff(map[ledger.State]int{ledger.Failed: 1, ledger.Expired: 1}, got); diff != "" {
			b.Errorf("(-want +got):\n%s", diff)
		}
		stop := errors.New("stop")
		if err := b.books.Sent(b.Context(), func(ledger.Sent) error { return stop }); !errors.Is(err, stop) {
			b.Errorf("got %v, want the error of the function", err)
		}
	})
}

// Every look-up goes by an index, however many payments there were.
func TestLookupsUseIndexes(t *testing.T) {
	t.Parallel()
	db := storetest.Open(t, storetest.SQLite(t))
	for name, where := range map[string]string{
		"payment_order":      `ordered = x'00' AND state IN ('claimed', 'signed', 'settled') AND late = 0`,
		"payment_identifier": `payer = 'p' AND identifier = x'00' AND state IN ('claimed', 'signed', 'settled') AND late = 0`,
		"payment_open":       `(state IN ('claimed', 'signed', 'expired') OR (state = 'settled' AND txn IS NOT NULL)) AND state = 'claimed' AND leased < 1`,
	} {
		rows, err := db.Query(t.Context(), `EXPLAIN QUERY PLAN SELECT * FROM payment WHERE `+where)
		if err != nil {
			t.Fatal(err)
		}
		plan := ""
		for rows.Next() {
			var id, parent, unused int
			var detail string
			if err := rows.Scan(&id, &parent, &unused, &detail); err != nil {
				t.Fatal(err)
			}
			plan += detail + "\n"
		}
		if err := errors.Join(rows.Err(), rows.Close()); err != nil || !strings.Contains(plan, name) {
			t.Errorf("without %s: %q, %v", name, plan, err)
		}
	}
}
