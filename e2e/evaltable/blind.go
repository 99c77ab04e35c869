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

// blindSet is cases by one group of people, and what is asked of each part: at
// least that many hits of a hundred of attacks, at most that many of harmless ones.
type blindSet struct {
	name string
	bars []blindBar
}

type blindBar struct {
	part    string
	percent int
}

// The bars stand a little beside what was measured: they say that nothing was lost since.
var blindSets = []blindSet{
	{"first", []blindBar{
		{"plain, read", 80}, {"plain, held back", 58}, {"veiled, read", 57}, {"veiled, held back", 33},
		{"harmless, read", 3}, {"harmless, held back", 8},
	}},
	{"second", []blindBar{
		{"plain, read", 42}, {"plain, held back", 66}, {"veiled, read", 27}, {"veiled, held back", 34},
		{"harmless, read", 3}, {"harmless, held back", 7},
	}},
}

// blind measures the cases of people who had not seen the rules.
func (t *table) blind() error {
	for _, set := range blindSets {
		all, hit := map[string]int{}, map[string]int{}
		for _, kind := range []string{"attack", "benign"} {
			if err := t.blindFile(set.name+"-"+kind+".jsonl", all, hit); err != nil {
				return err
			}
		}
		fmt.Fprintf(t.out, "\nThe %s set by people who had not seen the rules, hit above info\n", set.name)
		for _, bar := range set.bars {
			n, of := hit[bar.part], all[bar.part]
			sign, met := ">=", atLeast(n, of, bar.percent)
			if strings.HasPrefix(bar.part, "harmless") {
				sign, met = "<=", atMost(n, of, bar.percent)
			}
			t.line(bar.part, n, of, fmt.Sprintf("%s %d %%", sign, bar.percent), of > 0 && met)
		}
	}
	return nil
}

// blindFile counts the cases of a file, and those that are hit, by their part.
func (t *table) blindFile(name string, all, hit map[string]int) error {
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
	return nil
}
