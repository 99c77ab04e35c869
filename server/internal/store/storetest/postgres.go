package storetest

import (
	"bufio"
	"context"
	"database/sql"
	"errors"
	"io"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx"
)

// cluster starts PostgreSQL once for each test binary that asks.
var cluster = sync.OnceValues(start)

type running struct {
	folder string
	guard  io.Closer // its input; a pipe that nothing refers to is closed
}

var numbered struct {
	sync.Mutex
	last int
}

// Postgres is the name of a new database of the binary's own PostgreSQL.
func Postgres(t testing.TB) string {
	t.Helper()
	pg, err := cluster()
	if err != nil {
		t.Fatalf("no PostgreSQL: %v", err)
	}
	numbered.Lock()
	defer numbered.Unlock()
	numbered.last++
	name := "test" + strconv.Itoa(numbered.last)
	if err := query(pg.folder, "CREATE DATABASE "+name); err != nil {
		t.Fatal(err)
	}
	return dsn(pg.folder, name)
}

func dsn(folder, database string) string {
	values := url.Values{"host": {folder}, "user": {"tester"}, "sslmode": {"disable"}}
	return "postgres:///" + database + "?" + values.Encode()
}

func query(folder, text string) error {
	db, err := sql.Open("pgx", dsn(folder, "postgres"))
	if err != nil {
		return err
	}
	defer db.Close()
	_, err = db.ExecContext(context.Background(), text)
	return err
}

// guard says "ready" and keeps PostgreSQL running until its own input ends,
// which is when the test binary does, however it ends.
const guard = `
"$1/initdb" -D "$2/data" -U tester -A trust -E UTF8 --no-locale --no-sync >"$2/log" 2>&1 &&
"$1/pg_ctl" -D "$2/data" -l "$2/log" -w start >>"$2/log" 2>&1 -o "-k $2 -c listen_addresses= -c fsync=off -c synchronous_commit=off
	-c full_page_writes=off -c max_connections=300 -c shared_buffers=32MB" && echo ready || cat "$2/log"
cat >/dev/null
"$1/pg_ctl" -D "$2/data" -m immediate stop >/dev/null 2>&1
rm -rf "$2"`

func start() (running, error) {
	bin, err := binaries()
	if err != nil {
		return running{}, err
	}
	folder, err := os.MkdirTemp("", "ms-pg")
	if err != nil {
		return running{}, err
	}
	who, err := account(folder)
	if err != nil {
		return running{}, err
	}
	cmd := exec.Command("sh", "-c", guard, "guard", bin, folder)
	cmd.SysProcAttr, cmd.Dir = who, folder
	input, err := cmd.StdinPipe()
	if err != nil {
		return running{}, err
	}
	said, err := cmd.StdoutPipe()
	if err != nil {
		return running{}, err
	}
	if err := cmd.Start(); err != nil {
		return running{}, err
	}
	line, err := bufio.NewReader(said).ReadString('\n')
	if line != "ready\n" {
		return running{}, errors.Join(errors.New("it did not start: "+line), err)
	}
	return running{folder, input}, nil
}

// binaries: Debian keeps most of them out of the path.
func binaries() (string, error) {
	if found, err := filepath.Glob("/usr/lib/postgresql/*/bin/initdb"); err == nil && len(found) > 0 {
		return filepath.Dir(found[len(found)-1]), nil
	}
	found, err := exec.LookPath("initdb")
	if err != nil {
		return "", errors.New(`these tests need it, and it is not installed: run "make postgres", or sudo apt-get install postgresql`)
	}
	return filepath.Dir(found), nil
}

// account: PostgreSQL refuses to run as root, so there it runs as its own user,
// who is given the folder.
func account(folder string) (*syscall.SysProcAttr, error) {
	if os.Getuid() != 0 {
		return &syscall.SysProcAttr{Setpgid: true}, nil
	}
	u, err := user.Lookup("postgres")
	if err != nil {
		return nil, err
	}
	uid, err := strconv.ParseUint(u.Uid, 10, 32)
	if err != nil {
		return nil, err
	}
	gid, err := strconv.ParseUint(u.Gid, 10, 32)
	if err != nil {
		return nil, err
	}
	if err := os.Chown(folder, int(uid), int(gid)); err != nil {
		return nil, err
	}
	credential := &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	return &syscall.SysProcAttr{Setpgid: true, Credential: credential}, nil
}
