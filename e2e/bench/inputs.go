package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/manifestseal/manifestseal/engine/screen"
)

// inputs are what is measured.
type inputs struct {
	dir       string   // for the files that Node reads
	manifests []string // files
	texts     []string // ordinary descriptions
	textsFile string
	rulebook  string
	prose     float64 // ms that V8 takes for 512 Ki units of prose, all views
}

const corpus = "../shared/corpus"

func collect() (*inputs, error) {
	dir, err := os.MkdirTemp("", "manifestseal-bench-")
	if err != nil {
		return nil, err
	}
	in := &inputs{dir: dir, textsFile: filepath.Join(dir, "texts.json"), rulebook: filepath.Join(dir, "rulebook.json")}
	made := filepath.Join(dir, "made-512KiB.json")
	if err := os.WriteFile(made, manifestOf("Reads", 512<<10), 0o600); err != nil {
		return nil, err
	}
	in.manifests = append(in.manifests, made)
	for _, name := range []string{"azure__mcp/2.0.5.json", "hostinger-api-mcp/1.63.2.json", "argocd-mcp/0.9.0.json"} {
		file := filepath.Join(corpus, "manifests", name)
		if _, err := os.Stat(file); err == nil {
			in.manifests = append(in.manifests, file)
		}
	}
	if in.texts, err = descriptions(filepath.Join(corpus, "benign/real_descriptions.jsonl")); err != nil {
		in.texts = madeTexts()
	}
	if err := writeJSON(in.textsFile, in.texts); err != nil {
		return nil, err
	}
	type rule struct {
		ID      string `json:"id"`
		Pattern string `json:"pattern"`
		Flags   string `json:"flags"`
	}
	var rules []rule
	for _, r := range screen.Injection().Rules {
		rules = append(rules, rule{r.ID, r.Pattern, r.Flags})
	}
	return in, writeJSON(in.rulebook, map[string]any{"rules": rules})
}

func (in *inputs) close() { _ = os.RemoveAll(in.dir) }

func writeJSON(file string, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return os.WriteFile(file, data, 0o600)
}

func descriptions(file string) ([]string, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	var out []string
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var row struct{ Description string }
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			return nil, err
		}
		out = append(out, row.Description)
	}
	return out, lines.Err()
}

func madeTexts() []string {
	var out []string
	for i := range 1000 {
		out = append(out, strings.Repeat(fmt.Sprintf("Reads record %d of a list and tells what it holds, without a change to it. ", i), 1+i%16))
	}
	return out
}

// manifestOf makes a manifest of about so many bytes; two with different verbs
// differ in every tool.
func manifestOf(verb string, size int) []byte {
	var b strings.Builder
	b.WriteString(`{"tools":[`)
	for i := 0; b.Len() < size; i++ {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"name":"tool_%d","description":"%s record %d of the list.\n\n%s","inputSchema":{"type":"object","properties":{`,
			i, verb, i, strings.Repeat("It tells what the record holds, and since when. ", 12))
		for k := range 8 {
			if k > 0 {
				b.WriteByte(',')
			}
			fmt.Fprintf(&b, `"p%d":{"type":"string","description":"Parameter %d as the server names it.","maxLength":%d}`, k, k, i)
		}
		b.WriteString(`},"required":["p0"]},"annotations":{"readOnlyHint":true}}`)
	}
	b.WriteString("]}")
	return []byte(b.String())
}
