package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/manifestseal/manifestseal/engine/manifest"
	"github.com/manifestseal/manifestseal/engine/poison"
)

// blindCase is a tool that somebody wrote who had not seen the rules.
type blindCase struct {
	ID, Mechanism, Subtlety, Kind string
	Tool                          json.RawMessage
}

// part is the half and the kind of a case: the texts of the odd half were read
// when the rules were mended, those of the even half never were.
func (c *blindCase) part() string {
	half := "held back"
	if strings.ContainsRune("13579", rune(c.ID[len(c.ID)-1])) {
		half = "read"
	}
	if c.Subtlety == "" {
		return "harmless, " + half
	}
	return c.Subtlety + ", " + half
}

// blind measures the cases of people who had not seen the rules. The bars stand
// a little below what was measured: they say that nothing was lost since.
func (t *table) blind() error {
	all, hit := map[string]int{}, map[string]int{}
	for _, name := range []string{"attack.jsonl", "benign.jsonl"} {
		data, err := os.ReadFile(filepath.Join(t.root, "engine", "poison", "testdata", "blind", name))
		if err != nil {
			return err
		}
		lines := bufio.NewScanner(bytes.NewReader(data))
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			var c blindCase
			if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			m, err := manifest.Read([]byte("["+string(c.Tool)+"]"), manifest.Wire)
			if err != nil {
				return fmt.Errorf("%s: %s: %w", name, c.ID, err)
			}
			all[c.part()]++
			if len(gravest(poison.Manifest(m)[0])) > 0 {
				hit[c.part()]++
			}
		}
	}
	fmt.Fprintln(t.out, "\nCases of people who had not seen the rules, hit above info")
	for _, p := range []struct {
		name            string
		atLeast, atMost int
	}{
		{"plain, read", 80, 100}, {"plain, held back", 58, 100},
		{"veiled, read", 57, 100}, {"veiled, held back", 33, 100},
		{"harmless, read", 0, 3}, {"harmless, held back", 0, 8},
	} {
		bar := fmt.Sprintf(">= %d %%", p.atLeast)
		if p.atLeast == 0 {
			bar = fmt.Sprintf("<= %d %%", p.atMost)
		}
		t.line(p.name, hit[p.name], all[p.name], bar, all[p.name] > 0 && atLeast(hit[p.name], all[p.name], p.atLeast) && atMost(hit[p.name], all[p.name], p.atMost))
	}
	return nil
}
