package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// corpus is a folder of real and hostile documents that is not part of the
// project; where it is missing, the tests that read it say so.
func corpus(t *testing.T, folder string) string {
	t.Helper()
	path := filepath.Join("..", "..", "..", "..", "shared", "corpus", folder)
	if _, err := os.Stat(path); err != nil {
		t.Skip("there is no corpus beside the project")
	}
	return path
}

// TestRealPairs compares consecutive versions of real servers in every format
// for people: no status but 0 and 1, nothing that a terminal would obey, and a
// Markdown document that fits a comment.
func TestRealPairs(t *testing.T) {
	servers, err := os.ReadDir(corpus(t, "manifests"))
	if err != nil {
		t.Fatal(err)
	}
	for _, server := range servers {
		t.Run(server.Name(), func(t *testing.T) {
			versions, err := filepath.Glob(filepath.Join(corpus(t, "manifests"), server.Name(), "*.json"))
			if err != nil {
				t.Fatal(err)
			}
			for i := 1; i < len(versions); i++ {
				checkPair(t, versions[i-1], versions[i])
			}
		})
	}
}

func checkPair(t *testing.T, baseline, current string) {
	t.Helper()
	for _, format := range []string{"text", "markdown"} {
		got := run(t, "", "drift", "-b", baseline, "-c", current, "--format", format)
		if got.status != Unchanged && got.status != Drift {
			t.Errorf("%s: status %d, %s", current, got.status, got.stderr)
		}
		if c, bad := firstControl(got.stdout); bad {
			t.Errorf("%s: %s holds U+%04X", current, format, c)
		}
		if format == "markdown" && len(got.stdout) > 65_536 {
			t.Errorf("%s: %d bytes of Markdown", current, len(got.stdout))
		}
	}
}

// TestRugPulls holds the command to seeing every one that differs, and to
// naming the tool.
func TestRugPulls(t *testing.T) {
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
			got := run(t, "", "drift", "-b", baseline, "-c", strings.Replace(baseline, ".before.", ".after.", 1), "--format", "text")
			if got.status != want {
				t.Errorf("status %d, want %d", got.status, want)
			}
		})
	}
}

// TestOddDocuments gives every awkward document to every command: it is read, or
// refused with a reason, and never half of both.
func TestOddDocuments(t *testing.T) {
	documents, err := filepath.Glob(filepath.Join(corpus(t, "odd"), "*.*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, document := range documents {
		t.Run(filepath.Base(document), func(t *testing.T) {
			var statuses []int
			for _, command := range []string{"digest", "screen"} {
				for _, format := range []string{"text", "json", "markdown"} {
					got := run(t, "", command, "--format", format, document)
					statuses = append(statuses, got.status)
					if got.status == Unchecked && got.stderr == "" {
						t.Errorf("%s as %s: refused without a word", command, format)
					}
					if c, bad := firstControl(got.stderr); bad {
						t.Errorf("%s as %s: standard error holds U+%04X", command, format, c)
					}
				}
			}
			if statuses = slices.Compact(statuses); len(statuses) != 1 {
				t.Errorf("different statuses: %v", statuses)
			}
		})
	}
}
