package store

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
)

// Result codes of SQLite, https://sqlite.org/rescode.html.
const (
	sqliteBusy       = 5
	sqliteConstraint = 19
	sqlitePrimaryKey = sqliteConstraint | 6<<8
	sqliteUnique     = sqliteConstraint | 8<<8
)

//go:embed migrations
var migrations embed.FS

// dialect is in what the two databases differ.
type dialect struct {
	name  string // folder of the migrations
	goose goose.Dialect
	now   string
	open  func(dsn string) (*sql.DB, error)
}

func dialectOf(dsn string) (dialect, error) {
	scheme, _, hasScheme := strings.Cut(dsn, ":")
	switch {
	case dsn == "":
		return dialect{}, errors.New("database: no name given; write the path of a file, or postgres://user@host/name")
	case strings.HasPrefix(dsn, "postgres://"), strings.HasPrefix(dsn, "postgresql://"):
		return dialect{"postgres", goose.DialectPostgres, `CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)`, openPostgres}, nil
	case hasScheme && strings.Contains(dsn, "://"):
		return dialect{}, fmt.Errorf("database: %q is no kind of database known here; write the path of a file, or postgres://user@host/name", scheme)
	}
	return dialect{"sqlite", goose.DialectSQLite3, `CAST(unixepoch('subsec') * 1000 AS INTEGER)`, openSQLite}, nil
}

// openSQLite: a transaction takes the write lock at its start, since one that
// reads first and writes later fails when another wrote in between. synchronous
// is FULL because what is broadcast must not be forgotten in a power cut.
// Recursive triggers: else REPLACE deletes a row past the trigger that forbids it.
func openSQLite(dsn string) (*sql.DB, error) {
	path := strings.TrimPrefix(dsn, "sqlite:")
	if path == "" || strings.HasPrefix(path, ":memory:") || strings.Contains(path, "?") {
		return nil, errors.New("write the path of a file without parameters")
	}
	if err := create(path); err != nil {
		return nil, err
	}
	settings := "_pragma=busy_timeout(10000)&_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)&_pragma=foreign_keys(1)" +
		"&_pragma=recursive_triggers(1)&_pragma=trusted_schema(0)&_txlock=immediate"
	pool, err := sql.Open("sqlite", "file:"+(&url.URL{Path: path}).EscapedPath()+"?"+settings)
	if err != nil {
		return nil, err
	}
	pool.SetMaxOpenConns(4)
	pool.SetMaxIdleConns(4)
	return pool, nil
}

func openPostgres(dsn string) (*sql.DB, error) {
	config, err := pgx.ParseConfig(dsn)
	if err != nil {
		return nil, errors.New("the address of the PostgreSQL database can't be read; write postgres://user@host:port/name")
	}
	if config.ConnectTimeout == 0 {
		config.ConnectTimeout = 10 * time.Second
	}
	pool := stdlib.OpenDB(*config)
	pool.SetMaxOpenConns(16)
	pool.SetMaxIdleConns(8)
	pool.SetConnMaxIdleTime(5 * time.Minute)
	return pool, nil
}

// migrate brings the tables up to date. Servers that start at once all try: each
// migration is a transaction, so one wins, and the others see that when they try
// again. That needs no lock that a dead server could leave behind.
func migrate(ctx context.Context, kind dialect, pool *sql.DB) error {
	files, err := fs.Sub(migrations, "migrations/"+kind.name)
	if err != nil {
		return err
	}
	provider, err := goose.NewProvider(kind.goose, pool, files, goose.WithDisableGlobalRegistry(true), goose.WithLogger(goose.NopLogger()))
	if err != nil {
		return err
	}
	attempts := 10 + len(provider.ListSources())
	for n := 1; ; n++ {
		_, err := provider.Up(ctx)
		if err == nil {
			break
		}
		if n == attempts {
			return fmt.Errorf("its tables can't be brought up to date: %w", err)
		}
		if err := pause(ctx, 20*time.Millisecond); err != nil {
			return err
		}
	}
	return refuseNewer(ctx, provider)
}

// refuseNewer: this build must not write to tables of a later one.
func refuseNewer(ctx context.Context, provider *goose.Provider) error {
	have, want, err := provider.GetVersions(ctx)
	if err != nil {
		return err
	}
	if have > want {
		return fmt.Errorf("its tables are of a later version (%d) than this build knows (%d); run the newer build", have, want)
	}
	return nil
}
