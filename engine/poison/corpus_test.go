package poison

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/manifestseal/manifestseal/engine/manifest"
)

// row is a case as the corpus and the project's own cases write it.
type row struct {
	ID, Tool, Description, Label string
	InputSchema                  json.RawMessage `json:"inputSchema"`
	Rules                        []string
}

// entry makes a tool of a case.
func (r *row) entry(t testing.TB) manifest.Entry {
	t.Helper()
	tool := map[string]any{"name": r.Tool, "description": r.Description}
	if len(r.InputSchema) > 0 && string(r.InputSchema) != "null" {
		tool["inputSchema"] = r.InputSchema
	}
	data, err := json.Marshal([]any{tool})
	if err != nil {
		t.Fatal(err)
	}
	m, err := manifest.Read(data, manifest.Wire)
	if err != nil {
		t.Fatal(err)
	}
	return m.Entries[0]
}

// gravest are the hits above info.
func gravest(hits []Hit) []Hit {
	var out []Hit
	for _, h := range hits {
		if h.Severity != Info {
			out = append(out, h)
		}
	}
	return out
}

func readRows(t testing.TB, data []byte) []row {
	t.Helper()
	var rows []row
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, 1<<22)
	for lines.Scan() {
		var r row
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		rows = append(rows, r)
	}
	return rows
}

// corpus returns the files of the corpus beside the project, or skips.
func corpus(t testing.TB, pattern string) []string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for dir != "/" {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		dir = filepath.Dir(dir)
	}
	files, err := filepath.Glob(filepath.Join(dir, "../shared/corpus", pattern))
	if err != nil || len(files) == 0 {
		t.Skip("no corpus beside the project")
	}
	return files
}

func readFile(t testing.TB, file string) []byte {
	t.Helper()
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
	return data
}
