package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/manifestseal/manifestseal/engine/manifest"
	"github.com/manifestseal/manifestseal/engine/poison"
)

// row is a case, as the corpus and the project write it.
type row struct {
	ID          string          `json:"id"`
	Tool        string          `json:"tool"`
	Description string          `json:"description"`
	InputSchema json.RawMessage `json:"inputSchema"`
	Label       string          `json:"label"`
}

// hits are those of the row's tool above info.
func (r *row) hits() ([]poison.Hit, error) {
	tool := map[string]any{"name": r.Tool, "description": r.Description}
	if len(r.InputSchema) > 0 && string(r.InputSchema) != "null" {
		tool["inputSchema"] = r.InputSchema
	}
	text, err := json.Marshal([]any{tool})
	if err != nil {
		return nil, err
	}
	m, err := manifest.Read(text, manifest.Wire)
	if err != nil {
		return nil, err
	}
	var out []poison.Hit
	for _, hits := range poison.Manifest(m) {
		out = append(out, gravest(hits)...)
	}
	return out, nil
}

func gravest(hits []poison.Hit) []poison.Hit {
	return slices.DeleteFunc(slices.Clone(hits), func(h poison.Hit) bool { return h.Severity == poison.Info })
}

func readRows(file string) ([]row, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var rows []row
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, 1<<22)
	for lines.Scan() {
		if strings.TrimSpace(lines.Text()) == "" {
			continue
		}
		var r row
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		rows = append(rows, r)
	}
	return rows, lines.Err()
}

// hit returns the rows that are hit, and counts families where count is set.
func (t *table) hit(where string, rows []row, count bool) ([]row, error) {
	var out []row
	for i := range rows {
		hits, err := rows[i].hits()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", rows[i].ID, err)
		}
		families := map[string]bool{}
		for _, h := range hits {
			if !t.excepted(where, &h) {
				families[h.Family] = true
			}
		}
		if len(families) > 0 {
			out = append(out, rows[i])
		}
		for f := range families {
			if count {
				t.families[f]++
			}
		}
	}
	return out, nil
}

func (t *table) ownCases() error {
	rows, err := readRows(filepath.Join(t.root, "engine", "screen", "testdata", "cases", "poison.jsonl"))
	if err != nil {
		return err
	}
	parts := map[string][]row{}
	for _, r := range rows {
		kind := r.Label
		if strings.HasPrefix(r.ID, "hard-") {
			kind = "hard"
		}
		parts[kind] = append(parts[kind], r)
	}
	for _, p := range []struct {
		kind, name, bar string
		met             func(n, of int) bool
	}{
		{"poison", "poisoned, hit", ">= 95 %", func(n, of int) bool { return atLeast(n, of, 95) }},
		{"benign", "benign, hit", "0", func(n, _ int) bool { return n == 0 }},
		{"hard", "hard negatives, hit", "<= 5 %", func(n, of int) bool { return atMost(n, of, 5) }},
	} {
		hit, err := t.hit("own", parts[p.kind], false)
		if err != nil {
			return err
		}
		t.line(p.name, len(hit), len(parts[p.kind]), p.bar, p.met(len(hit), len(parts[p.kind])))
	}
	return nil
}

// poisoned measures the corpus' poisoned sets, and what its families hit.
func (t *table) poisoned() error {
	files, err := filepath.Glob(filepath.Join(t.corpus, "poisoned", "*.jsonl"))
	if err != nil {
		return err
	}
	fmt.Fprintln(t.out, "\nPoisoned sets of the corpus")
	t.families = map[string]int{}
	total, others, othersHit := 0, 0, 0
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".jsonl")
		rows, err := readRows(file)
		if err != nil {
			return err
		}
		overt := name == "cisco_overt" // names hostile tools plainly and instructs no agent
		hit, err := t.hit(name, rows, !overt)
		if err != nil {
			return err
		}
		switch {
		case strings.HasPrefix(name, "mcptox"):
			t.line(name, len(hit), len(rows), ">= 95 %", atLeast(len(hit), len(rows), 95))
			total += len(rows)
		case overt:
			t.line(name+" (apart)", len(hit), len(rows), "", true)
		default:
			t.line(name, len(hit), len(rows), "", true)
			others, othersHit, total = others+len(rows), othersHit+len(hit), total+len(rows)
		}
	}
	t.line("others together", othersHit, others, ">= 90 %", atLeast(othersHit, others, 90))
	fmt.Fprintln(t.out, "\nPoisoned cases that a family hits (cisco_overt apart)")
	for _, name := range sortedKeys(t.families) {
		t.line(name, t.families[name], total, "", true)
	}
	return nil
}
