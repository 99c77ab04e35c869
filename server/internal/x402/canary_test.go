package x402

import (
	"encoding/hex"
	"os"
	"strings"
	"testing"

	"github.com/manifestseal/manifestseal/e2e/devnet"
	"github.com/manifestseal/manifestseal/server/internal/ledger"
	"github.com/manifestseal/manifestseal/server/internal/solana"
	"github.com/manifestseal/manifestseal/server/internal/store/storetest"
)

// After purchases of every kind and end, the database holds nothing of what was
// submitted or reported, in any table: only the payer is there by its name.
func TestDatabaseHoldsNothingSubmitted(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, dsn string) {
		s := newShopByClock(t, dsn)
		const canary, id = "CANARY-of-the-submission", "CANARY-of-the-identifier"
		w := want(`{"url":"https://` + canary + `.example/tools.json","manifest":"` + canary + `"}`)
		w.url = true
		entry := s.ask(w).Accepts[0]
		header := paid(entry, pay(entry, s.buyer), id)
		report := s.bought(s.send(w, header))
		if !strings.Contains(string(report), canary) {
			t.Fatal("the report does not hold the canary, so that this test could not fail")
		}
		s.chain.suffers(devnet.Swallow, 0)
		expiring := want(canary)
		entry = s.ask(expiring).Accepts[0]
		s.pends(expiring, paid(entry, pay(entry, s.buyer), ""))
		s.eventually("an expired payment", s.inState(ledger.Expired))

		dump := s.dump()
		if !strings.Contains(dump, solana.Address(s.buyer)) {
			t.Fatalf("the dump does not hold the payer, so that this test could not fail:\n%.2000s", dump)
		}
		order := entry.Extra.Order
		for _, secret := range []string{canary, id, "CANARY", order, "192.0.2.7", "report on"} {
			if strings.Contains(dump, secret) || strings.Contains(dump, hex.EncodeToString([]byte(secret))) {
				t.Errorf("the database holds %q", secret)
			}
		}
	})
}

// dump is all that the database holds: the files of one, every row of the other.
func (s *shop) dump() string {
	s.Helper()
	var b strings.Builder
	if !strings.HasPrefix(s.dsn, "postgres:") {
		for _, file := range []string{s.dsn, s.dsn + "-wal"} {
			data, err := os.ReadFile(file)
			if err != nil {
				s.Fatal(err)
			}
			b.Write(data)
		}
		return b.String()
	}
	for _, table := range s.texts(`SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'`) {
		for _, row := range s.texts(`SELECT CAST(t AS TEXT) FROM "` + table + `" t`) {
			b.WriteString(table + " " + row + "\n")
		}
	}
	return b.String()
}

func (s *shop) texts(query string) (texts []string) {
	s.Helper()
	rows, err := s.db.Query(s.Context(), query)
	if err != nil {
		s.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			s.Fatal(err)
		}
		texts = append(texts, text)
	}
	if err := rows.Err(); err != nil {
		s.Fatal(err)
	}
	return texts
}
