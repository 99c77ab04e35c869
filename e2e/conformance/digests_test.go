// Package conformance implements the comparison of the engine with programs
// that are not ours: Node runs the JavaScript reference over real and hostile
// documents, and the engine must say the same.
package conformance

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/manifestseal/manifestseal/engine/enginetest"
	"github.com/manifestseal/manifestseal/wasm/bridge"
)

const (
	digestCorpus = "../../../shared/corpus"
	digestClock  = "2026-01-02T03:04:05.678Z"
)

// digestLine is a line of digests.mjs: a vector, its documents inside it or in
// the files.
type digestLine struct {
	Group  string          `json:"group"`
	Files  []string        `json:"files"`
	Vector json.RawMessage `json:"vector"`
}

// digestCounts is what was compared.
type digestCounts struct {
	groups   map[string]int
	statuses map[string]int
	tools    int
	matches  int
}

// Every vector holds for the engine as the bridge shows it.
func TestDigestVectors(t *testing.T) {
	vectors, err := enginetest.Load()
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range vectors {
		t.Run(v.ID, func(t *testing.T) {
			if err := enginetest.Check(v, bridge.Call); err != nil {
				t.Errorf("%s (%s)\n%v", v.About, v.Ruling, err)
			}
		})
	}
	t.Logf("%d vectors", len(vectors))
}

// The checked-in answers of JavaScript are what Node gives now.
func TestDigestVectorsAreNodes(t *testing.T) {
	out, err := exec.Command(digestNode(t), "../../engine/enginetest/generate.mjs", "--check").CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// Real and hostile documents: digests, pairings, statuses, diffs and matches are
// JavaScript's. Without the corpus the vectors' own documents are used.
func TestDigestReference(t *testing.T) {
	args := []string{"--corpus", digestCorpus}
	if _, err := os.Stat(digestCorpus); err != nil {
		t.Log("the corpus is not here: real manifests are skipped, the vectors' own documents are compared")
		args = []string{"--vectors"}
	}
	counts := digestAgree(t, args)
	if args[0] == "--corpus" {
		if want := digestManifests(t); counts.groups["manifest"] != want {
			t.Errorf("got %d manifests, the corpus holds %d", counts.groups["manifest"], want)
		}
	}
	if counts.tools == 0 || counts.statuses["CHANGED"] == 0 || counts.matches == 0 {
		t.Errorf("nothing was compared: %+v", counts)
	}
}

// Small awkward manifests, as many as MANIFESTSEAL_PAIRS says.
func TestDigestRandomPairs(t *testing.T) {
	pairs := os.Getenv("MANIFESTSEAL_PAIRS")
	if pairs == "" {
		pairs = "2000"
	}
	counts := digestAgree(t, []string{"--random", pairs})
	if counts.statuses["CHANGED"] == 0 || counts.matches == 0 {
		t.Errorf("nothing was compared: %+v", counts)
	}
}

// digestAgree holds the engine to every line of digests.mjs and counts.
func digestAgree(t *testing.T, args []string) digestCounts {
	t.Helper()
	counts := digestCounts{groups: map[string]int{}, statuses: map[string]int{}}
	call := func(method string, in [][]byte) [][]byte {
		out := bridge.Call(method, in)
		counts.add(out)
		return out
	}
	digestEach(t, args, func(line digestLine, v enginetest.Vector, documents [][]byte) {
		counts.groups[line.Group]++
		if line.Group == "odd" {
			return // TestDigestOdd has a table for them
		}
		if v.Outcome != enginetest.OK && line.Group == "odd pair" {
			v.Outcome = enginetest.Refused
		}
		if err := enginetest.CheckDocuments(v, documents, call); err != nil {
			t.Errorf("%s %s\n%v", line.Group, v.ID, err)
		}
	})
	t.Logf("compared %v; %d tools digested; statuses %v; %d matches in changed descriptions", counts.groups, counts.tools, counts.statuses, counts.matches)
	return counts
}

// add counts what an answer of digest or compare holds.
func (c *digestCounts) add(out [][]byte) {
	if len(out) < 2 {
		return
	}
	var report struct {
		ToolCount int `json:"tool_count"`
		Tools     []struct {
			Status string `json:"status"`
		} `json:"tools"`
		Scan struct {
			Tools []struct {
				Matches []json.RawMessage `json:"matches"`
			} `json:"tools"`
		} `json:"changed_description_scan"`
	}
	if json.Unmarshal(out[1], &report) != nil {
		return
	}
	c.tools += report.ToolCount
	for _, tool := range report.Tools {
		if tool.Status != "" {
			c.statuses[tool.Status]++
		}
	}
	for _, tool := range report.Scan.Tools {
		c.matches += len(tool.Matches)
	}
}

// digestEach runs digests.mjs and hands its lines over one by one.
func digestEach(t *testing.T, args []string, yield func(digestLine, enginetest.Vector, [][]byte)) {
	t.Helper()
	cmd := exec.Command(digestNode(t), append([]string{"digests.mjs"}, args...)...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReaderSize(stdout, 1<<20)
	for {
		data, err := lines.ReadBytes('\n')
		if errors.Is(err, io.EOF) && len(data) == 0 {
			break
		}
		if err != nil {
			t.Fatalf("reading from node: %v\n%s", err, stderr.Bytes())
		}
		var line digestLine
		if err := json.Unmarshal(data, &line); err != nil {
			t.Fatal(err)
		}
		v, err := enginetest.Decode(line.Vector)
		if err != nil {
			t.Fatal(err)
		}
		yield(line, v, digestDocuments(t, line, v))
	}
	if err := cmd.Wait(); err != nil {
		t.Fatalf("node digests.mjs: %v\n%s", err, stderr.Bytes())
	}
}

// digestDocuments reads a line's documents, without the clock.
func digestDocuments(t *testing.T, line digestLine, v enginetest.Vector) [][]byte {
	t.Helper()
	if len(line.Files) == 0 {
		return v.Inputs()[:len(v.Input)]
	}
	documents := make([][]byte, 0, len(line.Files)+1)
	for _, file := range line.Files {
		documents = append(documents, digestRead(t, file))
	}
	return documents
}

// digestRead reads a file of the corpus; a packed manifest is unpacked, an odd
// document that is packed is read as it stands.
func digestRead(t *testing.T, file string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(digestCorpus, filepath.FromSlash(file)))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(file, "manifests/") || !strings.HasSuffix(file, ".gz") {
		return data
	}
	zr, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if data, err = io.ReadAll(zr); err != nil {
		t.Fatal(err)
	}
	return data
}

// digestFiles lists the files under a folder of the corpus, with slashes.
func digestFiles(t *testing.T, folder string) []string {
	t.Helper()
	var names []string
	err := filepath.WalkDir(filepath.Join(digestCorpus, folder), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Name() == "INDEX.json" {
			return err
		}
		rel, err := filepath.Rel(digestCorpus, path)
		names = append(names, filepath.ToSlash(rel))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func digestManifests(t *testing.T) int {
	t.Helper()
	return len(slices.DeleteFunc(digestFiles(t, "manifests"), func(name string) bool {
		return !strings.HasSuffix(name, ".json") && !strings.HasSuffix(name, ".json.gz")
	}))
}

// digestNode finds Node. It is the oracle: a run without it would prove nothing.
func digestNode(t *testing.T) string {
	t.Helper()
	path, err := exec.LookPath("node")
	if err != nil {
		t.Fatal("node is not on the path: install Node 20 or newer")
	}
	return path
}
