package capability

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/manifestseal/manifestseal/engine/jsonvalue"
	"github.com/manifestseal/manifestseal/engine/manifest"
)

// corpusManifests calls f for each manifest of the corpus.
func corpusManifests(t *testing.T, f func(file string, m *manifest.Manifest)) {
	files, err := filepath.Glob(filepath.Join(root(t), "../shared/corpus/manifests/*/*.json*"))
	if err != nil || len(files) == 0 {
		t.Skip("no corpus beside the project: ", err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(file, ".gz") {
			r, err := gzip.NewReader(bytes.NewReader(data))
			if err != nil {
				t.Fatal(err)
			}
			if data, err = io.ReadAll(r); err != nil {
				t.Fatal(err)
			}
		}
		m, err := manifest.Read(data, manifest.Lenient)
		if err != nil {
			t.Logf("%s: %v", file, err)
			continue
		}
		f(file, m)
	}
}

// root is the project's folder.
func root(t *testing.T) string {
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for dir != "/" {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		dir = filepath.Dir(dir)
	}
	t.Fatal("no go.mod above")
	return ""
}

// agreement counts how tiers agree with what tools say of themselves.
type agreement struct {
	tools, unknown                 int
	readers, readersRaised         int
	destructive, destructiveCaught int
}

func (a *agreement) add(e manifest.Entry, r Result) (wrong string) {
	a.tools++
	if r.Tier == Unknown {
		a.unknown++
		wrong = "unknown"
	}
	hints := e.Value.Get("annotations")
	switch {
	case hints.Get("readOnlyHint").Kind() == jsonvalue.True:
		a.readers++
		if r.Tier.Writes() {
			a.readersRaised++
			wrong = "reader raised"
		}
	case hints.Get("destructiveHint").Kind() == jsonvalue.True:
		a.destructive++
		if r.Tier.Writes() {
			a.destructiveCaught++
		} else {
			wrong = "destroyer missed"
		}
	}
	return wrong
}

// TestAgreement holds the bars of the guard's design on real tools, annotations withheld: every tool of every version,
// and each tool of a server once.
func TestAgreement(t *testing.T) {
	var all, once agreement
	seen := map[string]bool{}
	corpusManifests(t, func(file string, m *manifest.Manifest) {
		for i, r := range Manifest(m, Options{Without: Annotations.Only()}).Results {
			e := m.Entries[i]
			all.add(e, r)
			key := filepath.Base(filepath.Dir(file)) + "/" + e.Name
			if seen[key] {
				continue
			}
			seen[key] = true
			if wrong := once.add(e, r); wrong != "" && testing.Verbose() {
				d := strings.Join(strings.Fields(e.Value.Get("description").Text()), " ")
				t.Logf("%s: %s %v %v %v | %.120s", wrong, key, r.Tier, r.Axis, r.Evidence, d)
			}
		}
	})
	all.hold(t, "every version")
	once.hold(t, "each tool once")
}

func (a *agreement) hold(t *testing.T, what string) {
	t.Logf("%-15s readOnlyHint in T2 or T3 %d of %d (%.2f %%), destructiveHint in T2 or T3 %d of %d (%.2f %%), unknown %d of %d (%.2f %%)", what,
		a.readersRaised, a.readers, percent(a.readersRaised, a.readers), a.destructiveCaught, a.destructive, percent(a.destructiveCaught, a.destructive),
		a.unknown, a.tools, percent(a.unknown, a.tools))
	if percent(a.readersRaised, a.readers) > 2 || percent(a.destructiveCaught, a.destructive) < 90 || percent(a.unknown, a.tools) > 15 {
		t.Error("below the bars: 2 % of readers, 90 % of destroyers, 15 % unknown")
	}
}

func percent(n, of int) float64 { return 100 * float64(n) / float64(max(of, 1)) }
