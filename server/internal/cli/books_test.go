package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/manifestseal/manifestseal/server/internal/ledger"
	"github.com/manifestseal/manifestseal/server/internal/payment"
	"github.com/manifestseal/manifestseal/server/internal/store"
	"github.com/manifestseal/manifestseal/server/internal/store/storetest"
)

const booksPayer = "4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T"

// recordOf is a database with one payment in each of these states.
func recordOf(t *testing.T, dsn string, states ...ledger.State) *store.DB {
	t.Helper()
	db := storetest.Open(t, dsn)
	l := ledger.New(db, "test", time.Minute)
	ctx := t.Context()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	for n, state := range states {
		m := ledger.Sum([]byte{byte(n)})
		_, err := l.Claim(ctx, ledger.Claim{Message: m, Request: m, Payer: booksPayer, Route: "/audit", Network: "n", Mint: "m", Amount: 50_000, LastValid: 1})
		must(err)
		if state == ledger.Claimed {
			continue
		}
		must(l.Sign(ctx, m, ledger.Signature{Transaction: []byte("t"), Signature: string(state) + "-signature", AsOf: time.UnixMilli(1), Counts: payment.Counts{Tools: 1}}))
		switch state {
		case ledger.Settled:
			must(l.Settle(ctx, m))
		case ledger.Failed:
			must(l.Fail(ctx, m))
		case ledger.Expired:
			for range 2 {
				_, err := l.Absent(ctx, m, 0)
				must(err)
			}
		}
	}
	return db
}

// command runs it and returns its status and outputs.
func command(t *testing.T, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	status = Run(context.Background(), args, strings.NewReader(""), &out, &errs, func(string) string { return "" })
	return status, out.String(), errs.String()
}

// nodeThatKnows answers with the status of each signature.
func nodeThatKnows(t *testing.T, known map[string]string) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var request struct{ Params []json.RawMessage }
		var names []string
		_ = json.NewDecoder(r.Body).Decode(&request)
		_ = json.Unmarshal(request.Params[0], &names)
		value := "null"
		if status := known[names[0]]; status != "" {
			value = `{"err":null,"confirmationStatus":"` + status + `"}`
		}
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":1,"result":{"value":[%s]}}`, value)
	}))
	t.Cleanup(s.Close)
	return s.URL
}

func TestLedgerCheck(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, dsn string) {
		db := recordOf(t, dsn, ledger.Claimed, ledger.Signed, ledger.Settled, ledger.Failed, ledger.Expired)
		check := func(want int, holds string, more ...string) {
			t.Helper()
			status, stdout, stderr := command(t, append([]string{"ledger", "check", "--database", dsn}, more...)...)
			if status != want || !strings.Contains(stdout, holds) {
				t.Errorf("%v: status %d, %q, %q; want %d and %q", more, status, stdout, stderr, want, holds)
			}
		}
		agrees := nodeThatKnows(t, map[string]string{"settled-signature": "finalized"})
		check(0, `"agree":true`)
		check(0, `"sales":1,"amount":"50000"`)
		check(0, `"chain_asked":4`, "--solana-rpc", agrees)
		check(0, "Sales: 1, 0.050000 USD", "--format", "text")
		check(0, "and the chain agree", "--format", "text", "--solana-rpc", agrees)
		check(1, `{"signature":"settled-signature","state":"settled","chain":"unknown"}`, "--solana-rpc", nodeThatKnows(t, nil))
		late := nodeThatKnows(t, map[string]string{"settled-signature": "finalized", "expired-signature": "confirmed"})
		check(1, `{"signature":"expired-signature","state":"expired","chain":"confirmed"}`, "--solana-rpc", late)
		check(1, "DIFFERENT: expired-signature", "--format", "text", "--solana-rpc", late)
		check(2, ``, "--solana-rpc", "http://127.0.0.1:1")

		undone := ledger.Sum([]byte{2})
		for range 2 {
			if _, err := ledger.New(db, "fork", time.Minute).Undone(t.Context(), undone, 0); err != nil {
				t.Fatal(err)
			}
		}
		check(0, `"undone":1`, "--solana-rpc", nodeThatKnows(t, nil))
		check(0, "a fork undid: 1", "--format", "text")
		check(1, `{"signature":"settled-signature","state":"undone","chain":"finalized"}`, "--solana-rpc", agrees)

		for _, trigger := range []string{"ledger_stays", "ledger_guard"} { // of either dialect
			for _, form := range []string{"DROP TRIGGER " + trigger, "DROP TRIGGER " + trigger + " ON ledger"} {
				_, _ = db.Exec(t.Context(), form)
			}
		}
		if n, err := db.Exec(t.Context(), `DELETE FROM ledger`); n != 1 || err != nil {
			t.Fatal(n, err)
		}
		check(1, `"payments":1,"ledger":0`)
		check(1, "DIFFERENT: "+booksPayer, "--format", "text")
	})
}

func TestLedgerRefunds(t *testing.T) {
	t.Parallel()
	dsn := storetest.SQLite(t)
	db := recordOf(t, dsn, ledger.Expired)
	if err := ledger.New(db, "late", time.Minute).SettleLate(t.Context(), ledger.Sum([]byte{0})); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		args   []string
		status int
		want   string
	}{
		{[]string{}, 0, `"signature":"expired-signature"`},
		{[]string{"--format", "text"}, 0, "due"},
		{[]string{"--done", "another"}, 2, ""},
		{[]string{"--done", "expired-signature"}, 0, `"done_at":`},
		{[]string{"--done", "expired-signature"}, 2, ""},
		{[]string{"--format", "text"}, 0, "done "},
	} {
		status, stdout, stderr := command(t, append([]string{"ledger", "refunds", "--database", dsn}, step.args...)...)
		if status != step.status || !strings.Contains(stdout, step.want) {
			t.Errorf("%v: status %d, %q, %q; want %d and %q", step.args, status, stdout, stderr, step.status, step.want)
		}
	}
}

// A database that is not there is not an empty one.
func TestLedgerOfNoDatabase(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "missing.db")
	for _, sub := range []string{"check", "refunds"} {
		for _, dsn := range []string{file, "sqlite:" + file, t.TempDir(), "mysql://x"} {
			if status, stdout, _ := command(t, "ledger", sub, "--database", dsn); status != 2 || strings.Contains(stdout, "agree") {
				t.Errorf("%s of %s: status %d, %q", sub, dsn, status, stdout)
			}
		}
	}
	if _, err := os.Stat(file); err == nil {
		t.Error("it was made")
	}
	if status, _, _ := command(t, "ledger"); status != 2 {
		t.Errorf("ledger alone: status %d", status)
	}
}
