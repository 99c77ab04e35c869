package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
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
	fmt.Fprintln(t.out, "\nBenign sets of the corpus, hit above info and not among the exceptions")
	for _, file := range files {
		rows, err := readRows(file)
		if err != nil {
			return err
		}
		name := strings.TrimSuffix(filepath.Base(file), ".jsonl")
		hit, err := t.hit(name, rows, false)
		if err != nil {
			return err
		}
		t.line(name, len(hit), len(rows), "0", len(hit) == 0)
		for _, r := range hit {
			fmt.Fprintf(t.out, "    %s\n", r.ID)
		}
	}
	return nil
}

// exception is a hit on a harmless text that somebody read and agrees with, or
// cannot help.
type exception struct{ Where, Rule, Anchor, Reason string }

func (t *table) readExceptions() error {
	data, err := os.ReadFile(filepath.Join(t.root, "engine", "poison", "testdata", "exceptions.json"))
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, &t.exceptions); err != nil {
		return fmt.Errorf("exceptions.json: %w", err)
	}
	for _, e := range t.exceptions {
		if e.Where == "" || e.Rule == "" || e.Anchor == "" || e.Reason == "" {
			return fmt.Errorf("exceptions.json: %+v lacks a member", e)
		}
	}
	return nil
}

func (t *table) excepted(where string, h *poison.Hit) bool {
	return slices.ContainsFunc(t.exceptions, func(e exception) bool { return e.Where == where && e.Rule == h.Rule && e.Anchor == h.Anchor })
}

// manifests measures whole real manifests: poison hits on every text, and how
// the tiers agree with the annotations, which are withheld.
func (t *table) manifests() error {
	files, err := filepath.Glob(filepath.Join(t.corpus, "manifests", "*", "*.json*"))
	if err != nil {
		return err
	}
	tools, unread, hit := 0, 0, map[string]map[string]bool{}
	var a agreement
	for _, file := range files {
		m, err := readManifest(file)
		if err != nil {
			continue // the corpus holds documents that are to be refused
		}
		server := filepath.Base(filepath.Dir(file))
		for i, hits := range poison.Manifest(m) {
			tools++
			for _, h := range gravest(hits) {
				if !t.excepted(server, &h) {
					unread++
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
	fmt.Fprintf(t.out, "\nReal manifests, every text: %d tools of all versions\n", tools)
	t.line("hits above info that are no exception", unread, tools, "0", unread == 0)
	fmt.Fprintf(t.out, "  %d different tools are hit above info\n", len(hit))
	for _, key := range sortedKeys(hit) {
		fmt.Fprintf(t.out, "    %q: %s\n", key, strings.Join(sortedKeys(hit[key]), ", "))
	}
	fmt.Fprintln(t.out, "\nCapability tiers against annotations, which are withheld")
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
