package store_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/manifestseal/manifestseal/server/internal/store"
	"github.com/manifestseal/manifestseal/server/internal/store/storetest"
)

func TestServersThatStartAtOnceShareOneDatabase(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, dsn string) {
		const servers = 6
		salts := make([][]byte, servers)
		var wg sync.WaitGroup
		for i := range servers {
			wg.Go(func() {
				db, err := store.Open(t.Context(), dsn)
				if err != nil {
					t.Error(err)
					return
				}
				salts[i] = db.Salt()
				if err := db.Close(); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		for _, salt := range salts {
			if len(salt) != 32 || !bytes.Equal(salt, salts[0]) {
				t.Errorf("salt %x, and %x elsewhere", salt, salts[0])
			}
		}
	})
}

func TestClockIsInMilliseconds(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, dsn string) {
		var now int64
		if err := storetest.Open(t, dsn).Row(t.Context(), `SELECT {now}`).Scan(&now); err != nil {
			t.Fatal(err)
		}
		if off := time.Since(time.UnixMilli(now)).Abs(); off > time.Minute {
			t.Errorf("the database's clock is %v off", off)
		}
	})
}

func TestTransactionIsWholeOrNothing(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, dsn string) {
		db := storetest.Open(t, dsn)
		stop := errors.New("stop")
		err := db.InTx(t.Context(), func(tx *store.Tx) error {
			if _, err := tx.Exec(t.Context(), `INSERT INTO bucket (address, empty_at) VALUES ($1, {now})`, make([]byte, 32)); err != nil {
				return err
			}
			return stop
		})
		if !errors.Is(err, stop) {
			t.Errorf("got %v, want the error of the function", err)
		}
		var empty int64
		if err := db.Row(t.Context(), `SELECT empty_at FROM bucket`).Scan(&empty); !errors.Is(err, sql.ErrNoRows) {
			t.Errorf("a row of a transaction that failed: %v", err)
		}
	})
}

// Both read before they write: without the lock at its start, or a second try,
// one would fail or be lost.
func TestTransactionsInEachOthersWay(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, dsn string) {
		servers := []*store.DB{storetest.Open(t, dsn), storetest.Open(t, dsn)}
		if _, err := servers[0].Exec(t.Context(), `INSERT INTO bucket (address, empty_at) VALUES ($1, 0)`, make([]byte, 32)); err != nil {
			t.Fatal(err)
		}
		var wg sync.WaitGroup
		for i := range 20 {
			wg.Go(func() {
				err := servers[i%2].InTx(t.Context(), func(tx *store.Tx) error { return addOne(t.Context(), tx) })
				if err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		var sum int64
		if err := servers[0].Row(t.Context(), `SELECT empty_at FROM bucket`).Scan(&sum); err != nil || sum != 20 {
			t.Errorf("got %d, %v; want 20", sum, err)
		}
	})
}

func addOne(ctx context.Context, tx *store.Tx) error {
	if _, err := tx.Exec(ctx, `UPDATE bucket SET empty_at = empty_at`); err != nil {
		return err
	}
	var n int64
	if err := tx.Row(ctx, `SELECT empty_at FROM bucket`).Scan(&n); err != nil {
		return err
	}
	_, err := tx.Exec(ctx, `UPDATE bucket SET empty_at = $1`, n+1)
	return err
}

func TestRefusalsAreTold(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, dsn string) {
		db := storetest.Open(t, dsn)
		insert := func(key []byte) error {
			_, err := db.Exec(t.Context(), `INSERT INTO bucket (address, empty_at) VALUES ($1, 0)`, key)
			return err
		}
		if err := insert(make([]byte, 32)); err != nil {
			t.Fatal(err)
		}
		again, short := insert(make([]byte, 32)), insert([]byte("short"))
		if !store.IsDuplicate(again) || !store.IsRefused(again) {
			t.Errorf("a key twice gives %v, want a duplicate", again)
		}
		if store.IsDuplicate(short) || !store.IsRefused(short) {
			t.Errorf("a key of five bytes gives %v, want a refusal", short)
		}
		if _, err := db.Exec(t.Context(), `SELEKT`); err == nil || store.IsRefused(err) || store.IsDuplicate(err) {
			t.Errorf("a wrong statement gives %v, want an error that is no refusal", err)
		}
	})
}

func TestTablesOfALaterBuildAreRefused(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, dsn string) {
		db := storetest.Open(t, dsn)
		insert := `INSERT INTO goose_db_version (version_id, is_applied) VALUES (99999, $1)`
		if _, err := db.Exec(t.Context(), insert, true); err != nil {
			t.Fatal(err)
		}
		if db, err := store.Open(t.Context(), dsn); err == nil {
			t.Errorf("opened, want a refusal (closed with %v)", db.Close())
		}
	})
}

func TestNamesThatOpenNothing(t *testing.T) {
	t.Parallel()
	for name, dsn := range map[string]string{
		"empty":             "",
		"unknown kind":      "mysql://root:geheim@localhost/x",
		"memory":            ":memory:",
		"sqlite memory":     "sqlite::memory:",
		"parameters":        "file.db?_pragma=synchronous(OFF)",
		"folder missing":    filepath.Join(t.TempDir(), "missing", "x.db"),
		"a folder":          t.TempDir(),
		"malformed address": "postgres://user:geheim@[::1/x",
		"nobody listens":    "postgres://user:geheim@127.0.0.1:1/x?connect_timeout=5",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db, err := store.Open(t.Context(), dsn)
			if err == nil {
				t.Fatalf("opened, want a refusal (closed with %v)", db.Close())
			}
			if strings.Contains(err.Error(), "geheim") {
				t.Errorf("the error tells the password: %v", err)
			}
		})
	}
}

func TestNewFileIsItsOwnersAlone(t *testing.T) {
	t.Parallel()
	path := storetest.SQLite(t)
	storetest.Open(t, "sqlite:"+path)
	for _, name := range []string{path, path + "-wal"} {
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		if mode := info.Mode().Perm(); mode != 0o600 {
			t.Errorf("%s has mode %o", filepath.Base(name), mode)
		}
	}
}
