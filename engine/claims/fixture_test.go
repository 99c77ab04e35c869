package claims

import (
	"compress/gzip"
	"encoding/json"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/manifestseal/manifestseal/engine/jsonvalue"
	"github.com/manifestseal/manifestseal/engine/manifest"
)

// goodTool passes every rule that applies to it.
const goodTool = `{
	"name": "get_weather", "title": "Weather of a city", "description": "Returns today's weather of a city, in degrees Celsius.",
	"inputSchema": {"type": "object", "properties": {"city": {"type": "string", "description": "The city's name"}}, "required": ["city"]},
	"annotations": {"readOnlyHint": true, "openWorldHint": true}
}`

// with is the good tool with some members replaced; "-" removes one.
func with(t *testing.T, members string) string {
	t.Helper()
	var tool, change map[string]json.RawMessage
	for text, into := range map[string]*map[string]json.RawMessage{goodTool: &tool, members: &change} {
		if err := json.Unmarshal([]byte(text), into); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
	maps.Copy(tool, change)
	maps.DeleteFunc(tool, func(_ string, v json.RawMessage) bool { return string(v) == `"-"` })
	out := []string{}
	for _, name := range slices.Sorted(maps.Keys(tool)) {
		out = append(out, `"`+name+`":`+string(tool[name]))
	}
	return "{" + strings.Join(out, ",") + "}"
}

func list(tools ...string) string { return `{"tools":[` + strings.Join(tools, ",") + `]}` }

func read(t testing.TB, document string) *manifest.Manifest {
	t.Helper()
	m, err := manifest.Read([]byte(document), manifest.Lenient)
	if err != nil {
		t.Fatalf("%.200s: %v", document, err)
	}
	return m
}

func readManifest(t testing.TB, file corpusFile) *manifest.Manifest {
	t.Helper()
	m, err := manifest.Read(file.data, manifest.Lenient)
	if err != nil {
		t.Fatalf("%s %s: %v", file.server, file.version, err)
	}
	return m
}

func grade(t testing.TB, document string) *Output {
	t.Helper()
	return Grade(read(t, document))
}

func ruleOf(t testing.TB, id string) int {
	t.Helper()
	i := slices.IndexFunc(rules[:], func(r rule) bool { return r.ID == id })
	if i < 0 {
		t.Fatalf("there is no rule %s", id)
	}
	return i
}

func written(o *Output) string {
	var w jsonvalue.Builder
	o.Write(&w)
	return string(w.Bytes)
}

// corpusFile is one manifest of the corpus.
type corpusFile struct {
	server, version string
	data            []byte
}

// corpus returns every manifest of the corpus, and skips the test without one.
func corpus(t testing.TB) []corpusFile {
	t.Helper()
	folder, err := os.Getwd()
	for err == nil {
		if _, missing := os.Stat(filepath.Join(folder, "go.mod")); missing == nil {
			break
		}
		if folder == filepath.Dir(folder) {
			t.Fatal("no go.mod above the test")
		}
		folder = filepath.Dir(folder)
	}
	names, _ := filepath.Glob(filepath.Join(folder, "..", "shared", "corpus", "manifests", "*", "*.json*"))
	if len(names) == 0 {
		t.Skip("the corpus (../shared/corpus) is not here")
	}
	var all []corpusFile
	for _, name := range names {
		file, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		var r io.Reader = file
		version := strings.TrimSuffix(filepath.Base(name), ".json")
		if base, ok := strings.CutSuffix(version, ".json.gz"); ok {
			version = base
			if r, err = gzip.NewReader(file); err != nil {
				t.Fatal(err)
			}
		}
		data, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		file.Close()
		all = append(all, corpusFile{filepath.Base(filepath.Dir(name)), version, data})
	}
	return all
}
