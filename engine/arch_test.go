package engine_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// The import table of the module. It is checked by reading the sources, because
// a test that runs `go list` is cached and lies.

const module = "github.com/manifestseal/manifestseal"

// mayImport says which folders of ours a folder may import; its own is always
// allowed. The longest folder that fits a package counts.
var mayImport = map[string][]string{
	"engine":                  {"engine"},
	"engine/jsonvalue":        {},
	"engine/manifest":         {"engine/jsonvalue"},
	"engine/digest":           {"engine/jsonvalue", "engine/manifest"},
	"engine/drift":            {"engine/jsonvalue", "engine/manifest", "engine/digest"},
	"engine/screen":           {},
	"engine/criteria":         {"engine/jsonvalue", "engine/claims", "engine/poison", "engine/screen"},
	"engine/report":           {"engine/jsonvalue", "engine/manifest", "engine/digest", "engine/drift", "engine/screen", "engine/claims", "engine/capability", "engine/poison"},
	"engine/view":             {"engine/jsonvalue", "engine/manifest", "engine/digest", "engine/drift", "engine/screen", "engine/claims", "engine/capability", "engine/poison", "engine/gate", "engine/seal"},
	"engine/pin":              {"engine/jsonvalue", "engine/manifest", "engine/digest"},
	"engine/claims":           {"engine/jsonvalue", "engine/manifest"},
	"engine/claims/fold":      {},
	"engine/capability":       {"engine/jsonvalue", "engine/manifest"},
	"engine/gate":             {"engine/jsonvalue", "engine/manifest", "engine/digest", "engine/claims", "engine/screen", "engine/capability", "engine/poison"},
	"engine/poison/intent":    {},
	"engine/poison":           {"engine/jsonvalue", "engine/manifest", "engine/digest", "engine/screen", "engine/claims/fold"},
	"engine/seal":             {"engine/jsonvalue", "engine/digest", "engine/manifest"},
	"engine/enginetest":       {"engine/jsonvalue"},
	"engine/enginetest/sign":  {"engine/jsonvalue", "engine/seal"},
	"wasm":                    {"engine", "wasm/bridge"},
	"templates":               {"engine"},
	"static":                  {},
	"server":                  {"engine", "server", "static", "templates"},
	"server/cmd/manifestseal": {"server/internal/cli"},
	"e2e":                     {"engine", "server", "static", "templates", "wasm/bridge"},
}

// inTests are what test files may import on top.
var inTests = []string{"engine", "engine/enginetest", "wasm/bridge", "e2e/devnet"}

// bannedInEngine are packages that the engine must not name: what it needs of
// the world is passed in, and some cost the bundle 100 KB and more.
var bannedInEngine = map[string]string{
	"fmt":           "reflection in the bundle; write text by hand",
	"encoding/json": "wrong on lone surrogates, overflow and order; jsonvalue reads",
	"encoding/hex":  "brings fmt",
	"regexp":        "another language of patterns, and 150 KB",
	"reflect":       "weight",
	"time":          "the clock is passed in as text",
	"os":            "no files, no environment",
	"net":           "no network",
	"net/http":      "no network",
	"net/url":       "no network",
	"math/rand":     "the same answer every time",
	"math/rand/v2":  "the same answer every time",
	"crypto/rand":   "the same answer every time",
	"database/sql":  "no storage",
	"log":           "nothing submitted is logged",
	"log/slog":      "nothing submitted is logged",
	"io/fs":         "no files",
	"path/filepath": "no files",
}

func TestImports(t *testing.T) {
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	packages := 0
	err = filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name := d.Name(); name != "." && strings.HasPrefix(name, ".") || name == "node_modules" || name == "testdata" || name == "dist" {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(file, ".go") {
			return nil
		}
		packages++
		checkFile(t, root, file)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if packages < 50 {
		t.Errorf("only %d files were looked at", packages)
	}
}

func checkFile(t *testing.T, root, file string) {
	t.Helper()
	source, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := parser.ParseFile(token.NewFileSet(), file, source, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	rel, err := filepath.Rel(root, file)
	if err != nil {
		t.Fatal(err)
	}
	folder := path.Dir(filepath.ToSlash(rel))
	isTest := strings.HasSuffix(file, "_test.go")
	for _, spec := range parsed.Imports {
		name, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		checkImport(t, rel, folder, name, isTest)
	}
}

func checkImport(t *testing.T, file, folder, name string, isTest bool) {
	t.Helper()
	inEngine := (folder == "engine" || strings.HasPrefix(folder, "engine/")) && !within(folder, "engine/enginetest")
	ours, isOurs := strings.CutPrefix(name, module+"/")
	if !isOurs {
		if why := bannedInEngine[name]; why != "" && inEngine && !isTest {
			t.Errorf("%s imports %s: %s", file, name, why)
		}
		if strings.Contains(name, ".") && inEngine && !isTest && name != "filippo.io/edwards25519" {
			t.Errorf("%s imports %s: a third-party package must earn its place in the bundle", file, name)
		}
		return
	}
	if within(ours, folder) || isTest && slices.ContainsFunc(inTests, func(f string) bool { return within(ours, f) }) {
		return
	}
	table := folder
	for mayImport[table] == nil {
		if table == "." || table == "/" {
			t.Errorf("%s: the folder %s stands in no line of the import table", file, folder)
			return
		}
		table = path.Dir(table)
	}
	if within(ours, table) {
		return
	}
	if !slices.ContainsFunc(mayImport[table], func(f string) bool { return within(ours, f) }) {
		t.Errorf("%s imports %s, which %s may not", file, ours, table)
	}
}

func within(pkg, folder string) bool { return pkg == folder || strings.HasPrefix(pkg, folder+"/") }
