// Package storetest gives tests a database of their own, of each kind that the
// store knows. PostgreSQL is Debian's package, started here in a folder of its
// own, without a network socket, and ended with the test binary.
package storetest

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/manifestseal/manifestseal/server/internal/store"
)

// Each runs a test once for each kind of database, with the name of a new one.
func Each(t *testing.T, test func(t *testing.T, dsn string)) {
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		test(t, SQLite(t))
	})
	t.Run("postgres", func(t *testing.T) {
		t.Parallel()
		test(t, Postgres(t))
	})
}

// SQLite is the name of a new file.
func SQLite(t testing.TB) string { return filepath.Join(t.TempDir(), "manifestseal.db") }

// Open opens a database for the time of the test. Two that are opened on one
// name are two servers that share it.
func Open(t testing.TB, dsn string) *store.DB {
	t.Helper()
	db, err := store.Open(context.Background(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}
