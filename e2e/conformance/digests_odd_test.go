package conformance

import (
	"bytes"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/manifestseal/manifestseal/engine/enginetest"
	"github.com/manifestseal/manifestseal/wasm/bridge"
)

// The outcomes of an odd document that are no error class.
const (
	digestAsJavaScript = "javascript" // its digest block is JavaScript's
	digestUnwrapped    = "unwrapped"  // a tools/list result is taken out, and a note says so
)

// digestOdd is what must become of each awkward document, by hand from the
// rulings. A document that is not named here gets JavaScript's answer, or where
// JavaScript has none, any refusal or a result taken out of a wrapper.
var digestOdd = map[string]string{
	"deep-12000-arrays.json":            "depth", // R9: JavaScript reads deeper than we do
	"deep-5000-arrays.json":             "depth",
	"deep-5000-properties.json":         "depth",
	"deep-500-properties.json":          digestAsJavaScript,
	"enc-crlf.json":                     digestAsJavaScript,
	"enc-gzip.json.gz":                  "encoding",
	"enc-utf16be-bom.json":              digestAsJavaScript,
	"enc-utf16le-bom.json":              digestAsJavaScript,
	"enc-utf32le-bom.json":              "encoding",
	"enc-utf8-bom.json":                 digestAsJavaScript,
	"fmt-concatenated.json":             "syntax",
	"fmt-json-seq.jsonseq":              "syntax",
	"fmt-json5.json5":                   "syntax",
	"fmt-jsonc-comments.json":           "syntax",
	"fmt-markdown-fence.md":             digestUnwrapped,
	"fmt-python-repr.txt":               "syntax",
	"fmt-trailing-commas.json":          "syntax",
	"fmt-trailing-garbage.json":         "syntax",
	"fmt-whitespace.json":               "empty",
	"fmt-yaml.yaml":                     "syntax",
	"obj-duplicate-keys.json":           digestAsJavaScript,
	"obj-duplicate-tools-key.json":      digestAsJavaScript,
	"rpc-batch.json":                    digestAsJavaScript, // R10: a bare array, though it looks like a batch
	"rpc-envelope-real.json":            digestAsJavaScript,
	"rpc-envelope.json":                 digestAsJavaScript,
	"rpc-error.json":                    "shape",
	"rpc-initialize-result.json":        "shape",
	"shape-result-wrapper.json":         digestAsJavaScript,
	"shape-tools-missing.json":          "shape",
	"shape-tools-null.json":             "shape",
	"shape-tools-string.json":           "shape",
	"shape-top-empty-array.json":        digestAsJavaScript,
	"shape-top-number.json":             "shape",
	"shape-top-true.json":               "shape",
	"sse-notification-then-result.txt":  digestUnwrapped,
	"sse-one-event.txt":                 digestUnwrapped,
	"sse-real-everything.txt":           digestUnwrapped,
	"sse-real-initialize.txt":           "wrapper",
	"str-invalid-utf8.json":             "encoding", // JavaScript would put U+FFFD in its place
	"tool-nonobject-entries.json":       digestAsJavaScript,
	"wrong-anthropic-tools.json":        digestAsJavaScript,
	"wrong-gemini.json":                 digestAsJavaScript,
	"wrong-mcpServers-real.json":        "shape",
	"wrong-mcpb-manifest.json":          digestAsJavaScript,
	"wrong-nested-twice.json":           "shape",
	"wrong-openai-responses-tools.json": digestAsJavaScript,
	"wrong-openai-tools.json":           digestAsJavaScript,
	"wrong-openapi.json":                "shape",
	"wrong-package.json":                "shape",
	"wrong-servers-wrapper.json":        "shape",
	"wrong-vscode-mcp.json":             "shape",
}

func TestDigestOdd(t *testing.T) {
	if _, err := os.Stat(digestCorpus); err != nil {
		t.Skip("the corpus is not here: its odd documents are skipped; the vectors hold small ones of each kind")
	}
	seen := 0
	digestEach(t, []string{"--odd", digestCorpus}, func(line digestLine, v enginetest.Vector, documents [][]byte) {
		if line.Group != "odd" {
			return
		}
		seen++
		want, known := digestOdd[strings.TrimPrefix(v.ID, "odd/")]
		if !known {
			want = digestUnlisted(v, documents)
		}
		if err := digestCheckOdd(v, want, documents); err != nil {
			t.Errorf("%s: want %s\n%v", v.ID, want, err)
		}
	})
	t.Logf("%d odd documents, %d of them in the table", seen, len(digestOdd))
}

// digestUnlisted is the outcome for a document that the table does not name.
func digestUnlisted(v enginetest.Vector, documents [][]byte) string {
	switch {
	case v.Outcome == enginetest.OK:
		return digestAsJavaScript
	case digestAnswered(bridge.Call("read", documents)):
		return digestUnwrapped
	}
	return enginetest.Refused
}

func digestCheckOdd(v enginetest.Vector, want string, documents [][]byte) error {
	switch want {
	case digestAsJavaScript:
		v.Outcome = enginetest.OK
	case digestUnwrapped:
		v.Method, v.Outcome = "read", enginetest.OK
		v.Value = json.RawMessage(`{"/reading_notes/0/code":"unwrapped"}`)
	default:
		v.Outcome = want
	}
	return enginetest.CheckDocuments(v, documents, bridge.Call)
}

// No odd document is ever called unchanged against one with other tools, and
// none of them makes the engine panic.
func TestDigestOddNeverUnchanged(t *testing.T) {
	if _, err := os.Stat(digestCorpus); err != nil {
		t.Skip("the corpus is not here: its odd documents are skipped")
	}
	type document struct {
		name  string
		data  []byte
		tools []string // pairing names and digests, in any order
	}
	var documents []document
	for _, name := range digestFiles(t, "odd") {
		data := digestRead(t, name)
		documents = append(documents, document{name, data, digestTools(data)})
	}
	const large = 30 << 10 // large ones are compared with the first document only
	compared, unchanged := 0, 0
	for i, a := range documents {
		for j, b := range documents {
			if i > 0 && j > 0 && max(len(a.data), len(b.data)) > large {
				continue
			}
			compared++
			if !digestUnchanged(bridge.Call("compare", [][]byte{a.data, b.data, []byte(digestClock)})) {
				continue
			}
			unchanged++
			if len(a.tools) == 0 || !slices.Equal(a.tools, b.tools) {
				t.Errorf("%s against %s: got unchanged", a.name, b.name)
			}
		}
	}
	t.Logf("%d documents, %d comparisons, %d unchanged", len(documents), compared, unchanged)
}

func digestTools(data []byte) []string {
	var block struct {
		Tools []struct {
			Name   json.RawMessage `json:"name"`
			Digest string          `json:"digest"`
		} `json:"tools"`
	}
	out := bridge.Call("digest", [][]byte{data, []byte(digestClock)})
	if len(out) < 2 || json.Unmarshal(out[1], &block) != nil {
		return nil
	}
	tools := make([]string, 0, len(block.Tools))
	for _, tool := range block.Tools {
		tools = append(tools, string(tool.Name)+" "+tool.Digest)
	}
	slices.Sort(tools)
	return tools
}

func digestUnchanged(out [][]byte) bool {
	var head struct {
		State string `json:"state"`
	}
	return json.Unmarshal(out[0], &head) == nil && head.State == "unchanged" ||
		len(out) > 1 && bytes.Contains(out[1], []byte(`"verdict":"MANIFEST UNCHANGED"`))
}

func digestAnswered(out [][]byte) bool {
	var head struct {
		OK bool `json:"ok"`
	}
	return json.Unmarshal(out[0], &head) == nil && head.OK
}
