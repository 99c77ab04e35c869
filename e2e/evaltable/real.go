package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/manifestseal/manifestseal/engine/capability"
	"github.com/manifestseal/manifestseal/engine/jsonvalue"
	"github.com/manifestseal/manifestseal/engine/manifest"
	"github.com/manifestseal/manifestseal/engine/poison"
)

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// benign measures the harmless sets; each hit was read, or is one too many.
func (t *table) benign() error {
	files, err := filepath.Glob(filepath.Join(t.corpus, "benign", "*.jsonl"))
	if err != nil {
		return err
	}
	read, err := t.exceptions()
	if err != nil {
		return err
	}
	fmt.Println("\nBenign sets of the corpus, hit above info and not among the exceptions")
	var excepted []string
	for _, file := range files {
		rows, err := readRows(file)
		if err != nil {
			return err
		}
		hit, err := t.hit(rows, false)
		if err != nil {
			return err
		}
		left := 0
		for _, r := range hit {
			if reason, known := read[r.ID]; known {
				excepted = append(excepted, r.ID+": "+reason)
			} else {
				left++
			}
		}
		t.line(strings.TrimSuffix(filepath.Base(file), ".jsonl"), left, len(rows), "0", left == 0)
	}
	for _, e := range excepted {
		fmt.Println("    read: " + e)
	}
	return nil
}

// exceptions are the benign cases that a rule hits and somebody has read, with
// the reason.
func (t *table) exceptions() (map[string]string, error) {
	data, err := os.ReadFile(filepath.Join(t.root, "engine", "poison", "testdata", "exceptions.json"))
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var list []struct{ ID, Reason string }
	if err := json.Unmarshal(data, &list); err != nil {
		return nil, fmt.Errorf("exceptions.json: %w", err)
	}
	out := map[string]string{}
	for _, e := range list {
		out[e.ID] = e.Reason
	}
	return out, nil
}

// manifests measures whole real manifests: poison hits on every text, and how
// the tiers agree with the annotations, which are withheld.
func (t *table) manifests() error {
	files, err := filepath.Glob(filepath.Join(t.corpus, "manifests", "*", "*.json*"))
	if err != nil {
		return err
	}
	tools, hit := 0, map[string]map[string]bool{}
	var a agreement
	for _, file := range files {
		m, err := readManifest(file)
		if err != nil {
			continue // the corpus holds documents that are to be refused
		}
		server := filepath.Base(filepath.Dir(file))
		for i, hits := range poison.Manifest(m) {
			tools++
			for _, h := range hits {
				if h.Severity == poison.Info {
					continue
				}
				key := server + " " + m.Entries[i].Name
				if hit[key] == nil {
					hit[key] = map[string]bool{}
				}
				hit[key][h.Rule] = true
			}
		}
		for i, r := range capability.Manifest(m, capability.Options{Without: capability.Annotations.Only()}).Results {
			a.add(m.Entries[i].Value.Get("annotations"), r)
		}
	}
	fmt.Printf("\nReal manifests, every text: %d tools of all versions\n", tools)
	fmt.Printf("  %d different tools are hit above info\n", len(hit))
	for _, key := range sortedKeys(hit) {
		fmt.Printf("    %q: %s\n", key, strings.Join(sortedKeys(hit[key]), ", "))
	}
	fmt.Println("\nCapability tiers against annotations, which are withheld")
	t.line("readOnlyHint: true in T2 or T3", a.readersRaised, a.readers, "<= 2 %", atMost(a.readersRaised, a.readers, 2))
	t.line("destructiveHint: true in T2 or T3", a.destructiveCaught, a.destructive, ">= 90 %", atLeast(a.destructiveCaught, a.destructive, 90))
	t.line("unknown", a.unknown, a.tools, "<= 15 %", atMost(a.unknown, a.tools, 15))
	return nil
}

type agreement struct {
	tools, unknown, readers, readersRaised, destructive, destructiveCaught int
}

func (a *agreement) add(hints jsonvalue.Value, r capability.Result) {
	a.tools++
	if r.Tier == capability.Unknown {
		a.unknown++
	}
	switch {
	case hints.Get("readOnlyHint").Kind() == jsonvalue.True:
		a.readers++
		if r.Tier.Writes() {
			a.readersRaised++
		}
	case hints.Get("destructiveHint").Kind() == jsonvalue.True:
		a.destructive++
		if r.Tier.Writes() {
			a.destructiveCaught++
		}
	}
}

func readManifest(file string) (*manifest.Manifest, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	if strings.HasSuffix(file, ".gz") {
		r, err := gzip.NewReader(bytes.NewReader(data))
		if err != nil {
			return nil, err
		}
		if data, err = io.ReadAll(r); err != nil {
			return nil, err
		}
	}
	return manifest.Read(data, manifest.Lenient)
}
