// Package store implements the database of a server: SQLite in a file for one
// node, PostgreSQL (or what speaks its protocol) for several that share it. The
// tables, their constraints and their triggers are the same in both. It knows no
// query of its own; they stand in the packages that own a table.
//
// Queries are written once for both: parameters are $1, $2, …; {now} is the
// database's own clock in milliseconds since 1970, which all servers share.
package store

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx"
	"modernc.org/sqlite"
)

// DB is an open database whose tables are those of this build.
type DB struct {
	conn
	sql  *sql.DB
	salt []byte
}

// Tx is one transaction on it.
type Tx struct{ conn }

// Open opens the database that dsn names, makes it when it is a new SQLite file,
// and brings its tables up to date. A dsn is postgres://… or the path of a file,
// which may have sqlite: before it. Errors never quote a dsn: it can hold a
// password.
func Open(ctx context.Context, dsn string) (*DB, error) {
	kind, err := dialectOf(dsn)
	if err != nil {
		return nil, err
	}
	pool, err := kind.open(dsn)
	if err != nil {
		return nil, fmt.Errorf("database: %w", err)
	}
	db := &DB{conn: conn{q: pool, now: kind.now}, sql: pool}
	if err := db.prepare(ctx, kind); err != nil {
		return nil, errors.Join(fmt.Errorf("database: %w", err), pool.Close())
	}
	return db, nil
}

func (db *DB) prepare(ctx context.Context, kind dialect) error {
	if err := again(ctx, func() error { return db.sql.PingContext(ctx) }); err != nil {
		return err
	}
	if err := migrate(ctx, kind, db.sql); err != nil {
		return err
	}
	salt := make([]byte, 32)
	rand.Read(salt)
	if _, err := db.Exec(ctx, `INSERT INTO salt (id, value) VALUES (1, $1) ON CONFLICT DO NOTHING`, salt); err != nil {
		return err
	}
	return db.Row(ctx, `SELECT value FROM salt WHERE id = 1`).Scan(&db.salt)
}

// Close closes it. A transaction that is open is rolled back.
func (db *DB) Close() error { return db.sql.Close() }

// Ping says whether it answers.
func (db *DB) Ping(ctx context.Context) error { return db.sql.PingContext(ctx) }

// Salt is 32 random bytes made once for each database. What must be recognised
// but not kept is stored as a hash with it.
func (db *DB) Salt() []byte { return db.salt }

// InTx runs do in a transaction, which is committed when do returns nil. It is
// run again from its start when the database says that another transaction was
// in its way, so do must not act on anything else.
func (db *DB) InTx(ctx context.Context, do func(*Tx) error) error {
	return again(ctx, func() error { return db.attempt(ctx, do) })
}

// again does what another transaction was in the way of a few times more.
func again(ctx context.Context, do func() error) error {
	const attempts = 6
	for n := 1; ; n++ {
		err := do()
		if err == nil || n == attempts || !wasInTheWay(err) {
			return err
		}
		if err := pause(ctx, time.Duration(n)*20*time.Millisecond); err != nil {
			return err
		}
	}
}

func (db *DB) attempt(ctx context.Context, do func(*Tx) error) error {
	tx, err := db.sql.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if err := do(&Tx{conn{q: tx, now: db.now}}); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}

func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// conn runs queries, in a transaction or not.
type conn struct {
	q interface {
		ExecContext(context.Context, string, ...any) (sql.Result, error)
		QueryContext(context.Context, string, ...any) (*sql.Rows, error)
		QueryRowContext(context.Context, string, ...any) *sql.Row
	}
	now string
}

// Exec runs a statement and says how many rows it affected.
func (c conn) Exec(ctx context.Context, query string, args ...any) (int64, error) {
	result, err := c.q.ExecContext(ctx, c.text(query), args...)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// Query runs a query of several rows.
func (c conn) Query(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	return c.q.QueryContext(ctx, c.text(query), args...)
}

// Row runs a query of one row, whose Scan returns sql.ErrNoRows for none.
func (c conn) Row(ctx context.Context, query string, args ...any) *sql.Row {
	return c.q.QueryRowContext(ctx, c.text(query), args...)
}

func (c conn) text(query string) string { return strings.ReplaceAll(query, "{now}", c.now) }

// IsDuplicate reports that a statement was refused since a row with that key is
// there already.
func IsDuplicate(err error) bool {
	var pg *pgconn.PgError
	var lite *sqlite.Error
	switch {
	case errors.As(err, &pg):
		return pg.Code == "23505"
	case errors.As(err, &lite):
		return lite.Code() == sqliteUnique || lite.Code() == sqlitePrimaryKey
	}
	return false
}

// IsRefused reports that a statement was refused by a constraint or a trigger of
// the tables: the program tried what must never be.
func IsRefused(err error) bool {
	var pg *pgconn.PgError
	var lite *sqlite.Error
	switch {
	case errors.As(err, &pg):
		return strings.HasPrefix(pg.Code, "23") || pg.Code == "P0001"
	case errors.As(err, &lite):
		return lite.Code()&0xff == sqliteConstraint
	}
	return false
}

func wasInTheWay(err error) bool {
	var pg *pgconn.PgError
	var lite *sqlite.Error
	switch {
	case errors.As(err, &pg):
		return pg.Code == "40001" || pg.Code == "40P01"
	case errors.As(err, &lite):
		return lite.Code()&0xff == sqliteBusy
	}
	return false
}

// create makes the file of a new database, readable by its owner alone. SQLite
// gives the files beside it the same mode.
func create(path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	return f.Close()
}
