package cli

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/manifestseal/manifestseal/engine/jsonvalue"
)

// unzipped is the path of a document as a file that the command reads.
func unzipped(t *testing.T, path string) string {
	t.Helper()
	if !strings.HasSuffix(path, ".gz") {
		return path
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	r, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), strings.TrimSuffix(filepath.Base(path), ".gz"))
	if err := os.WriteFile(out, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return out
}

// verdict is a report's verdict with its counts and what lies outside.
func verdict(t *testing.T, report string) string {
	t.Helper()
	doc, err := jsonvalue.Parse(report)
	if err != nil {
		t.Fatalf("%v: %.200s", err, report)
	}
	text := doc.Root().Get("verdict").Text()
	for _, name := range []string{"counts", "outside_digest"} {
		text += " " + string(doc.Root().Get(name).AppendCanonical(nil))
	}
	return text
}

// pinned pins a manifest and returns the lockfile.
func pinned(t *testing.T, manifest string) string {
	t.Helper()
	lock := filepath.Join(t.TempDir(), "lock.json")
	if got := run(t, "", "pin", manifest, "--out", lock, "--as-of", "2026-01-31T12:00:00Z"); got.status != Unchanged {
		t.Fatalf("pin %s: %s", manifest, got.stderr)
	}
	return lock
}

// TestPinnedPairs holds a lockfile to saying of every consecutive pair of real
// manifests what the manifest itself says that was pinned, and "unchanged" of
// that manifest.
func TestPinnedPairs(t *testing.T) {
	servers, err := os.ReadDir(corpus(t, "manifests"))
	if err != nil {
		t.Fatal(err)
	}
	for _, server := range servers {
		t.Run(server.Name(), func(t *testing.T) {
			t.Parallel()
			versions, err := filepath.Glob(filepath.Join(corpus(t, "manifests"), server.Name(), "*.json*"))
			if err != nil {
				t.Fatal(err)
			}
			var before string
			for i, version := range versions {
				now := unzipped(t, version)
				if i == 0 {
					before = now
					continue
				}
				lock := pinned(t, before)
				if got := run(t, "", "drift", "-b", lock, "-c", before); got.status != Unchanged {
					t.Errorf("%s against its own lockfile: status %d", before, got.status)
				}
				want, got := run(t, "", "drift", "-b", before, "-c", now), run(t, "", "drift", "-b", lock, "-c", now)
				if got.status != want.status {
					t.Errorf("%s: status %d by the lockfile, %d by the manifest", version, got.status, want.status)
				}
				if a, b := verdict(t, want.stdout), verdict(t, got.stdout); numbers(a) != numbers(b) {
					t.Errorf("%s:\n%s by the manifest\n%s by the lockfile", version, a, b)
				}
				before = now
			}
		})
	}
}

// numbers leaves out what a snapshot in canonical form can't have: the spelling
// of numbers, and members of the list beside its tools.
func numbers(verdict string) string {
	text, _, _ := strings.Cut(verdict, ` {"list"`)
	return text
}

// TestPinnedRugPulls: every rug-pull is seen against the lockfile of what stood
// there before, those outside the digests too; another order alone is none.
func TestPinnedRugPulls(t *testing.T) {
	before, err := filepath.Glob(filepath.Join(corpus(t, "poisoned"), "rugpull", "*.before.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, baseline := range before {
		name := strings.TrimSuffix(filepath.Base(baseline), ".before.json")
		t.Run(name, func(t *testing.T) {
			want := Drift
			if name == "syn-reorder" {
				want = Unchanged
			}
			lock, after := pinned(t, baseline), strings.Replace(baseline, ".before.", ".after.", 1)
			for _, format := range []string{"text", "json", "markdown", "html", "sarif"} {
				got := run(t, "", "drift", "-b", lock, "-c", after, "--format", format)
				if got.status != want {
					t.Errorf("as %s: status %d, want %d", format, got.status, want)
				}
				if format == "sarif" && strings.Contains(got.stdout, `"ruleId"`) != (want == Drift) {
					t.Errorf("as SARIF: %s", got.stdout)
				}
			}
		})
	}
}

// TestLockfileIsReplacedOrNot: where the lockfile can't be written, it stays as
// it is, and nothing lies beside it.
func TestLockfileIsReplacedOrNot(t *testing.T) {
	path := files(t, map[string]string{"old.json": `[{"name":"a","description":"x"}]`, "new.json": `[{"name":"a","description":"y"}]`})
	lock := pinned(t, path("old.json"))
	before, err := os.ReadFile(lock)
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Dir(lock)
	if os.Getuid() != 0 { // root may write anywhere
		if err := os.Chmod(dir, 0o500); err != nil {
			t.Fatal(err)
		}
		got := run(t, "", "pin", "--lock", lock, "--accept", "a", path("new.json"))
		if err := os.Chmod(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if got.status != Unchecked {
			t.Errorf("status %d in a folder that can't be written", got.status)
		}
		if after, _ := os.ReadFile(lock); !bytes.Equal(before, after) {
			t.Error("the lockfile changed")
		}
	}
	// A link stays a link, and what it leads to is replaced.
	link := filepath.Join(t.TempDir(), "link.json")
	if err := os.Symlink(lock, link); err != nil {
		t.Skip("no symbolic links here: ", err)
	}
	if err := os.Chmod(lock, 0o640); err != nil {
		t.Fatal(err)
	}
	if got := run(t, "", "pin", "--lock", link, "--accept", "a", path("new.json")); got.status != Unchanged {
		t.Fatalf("status %d: %s", got.status, got.stderr)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is %v, %v", info.Mode(), err)
	}
	if info, err := os.Stat(lock); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("permissions are %v, %v", info.Mode(), err)
	}
	if left, err := filepath.Glob(filepath.Join(dir, ".*")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
