package jsonschema

import (
	"compress/gzip"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/manifestseal/manifestseal/engine/jsonvalue"
	oracle "github.com/santhosh-tekuri/jsonschema/v6"
)

// metaSchemas are the dialects' addresses, as the oracle knows them.
var metaSchemas = []struct {
	dialect Dialect
	url     string
}{
	{Draft4, "http://json-schema.org/draft-04/schema"},
	{Draft6, "http://json-schema.org/draft-06/schema"},
	{Draft7, "http://json-schema.org/draft-07/schema"},
	{Release2019, "https://json-schema.org/draft/2019-09/schema"},
	{Release2020, "https://json-schema.org/draft/2020-12/schema"},
}

func oracles(t testing.TB) map[Dialect]*oracle.Schema {
	t.Helper()
	all := map[Dialect]*oracle.Schema{}
	for _, m := range metaSchemas {
		c := oracle.NewCompiler()
		// The oracle asserts formats in the older drafts, and regular expressions in
		// Go's syntax, which lacks ECMAScript's look-ahead; here both are annotations.
		c.UseRegexpEngine(anyRegexp)
		for _, name := range []string{"uri", "uriref", "uri-reference"} {
			c.RegisterFormat(&oracle.Format{Name: name, Validate: func(any) error { return nil }})
		}
		s, err := c.Compile(m.url)
		if err != nil {
			t.Fatal(err)
		}
		all[m.dialect] = s
	}
	return all
}

// anyRegexp reads the meta-schemas' own patterns, and takes every other one.
func anyRegexp(pattern string) (oracle.Regexp, error) {
	if re, err := regexp.Compile(pattern); err == nil {
		return re, nil
	}
	return regexp.MustCompile(``), nil
}

func parse(t testing.TB, text string) jsonvalue.Value {
	t.Helper()
	doc, err := jsonvalue.Parse(text)
	if err != nil {
		t.Fatalf("%.200s: %v", text, err)
	}
	return doc.Root()
}

// wellRead is a checker that remembers what all tests before it looked at. What
// it says must be what one says that knows nothing.
var wellRead Checker

func check(t *testing.T, root jsonvalue.Value, d Dialect) *Problem {
	t.Helper()
	got, fresh := wellRead.Check(root, d), new(Checker).Check(root, d)
	if (got == nil) != (fresh == nil) || got != nil && (got.Pointer != fresh.Pointer || got.Message != fresh.Message) {
		t.Errorf("%.600s\na checker that has seen much says %+v, a new one %+v", root.Source(), got, fresh)
	}
	return got
}

// compare holds the checker against the oracle in every dialect, and returns
// how many of them call the schema valid.
func compare(t *testing.T, oracles map[Dialect]*oracle.Schema, text string) (valid int) {
	t.Helper()
	root := parse(t, text)
	instance, err := oracle.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range metaSchemas {
		want := oracles[m.dialect].Validate(instance)
		got := check(t, root, m.dialect)
		if (got == nil) != (want == nil) {
			t.Errorf("%s: %.600s\ngot %+v\nwant %v", m.url, text, got, want)
		}
		if want == nil {
			valid++
		}
	}
	return valid
}

func TestCheckAgreesWithTheOracle(t *testing.T) {
	all := oracles(t)
	values := []string{
		`null`, `true`, `false`, `0`, `1`, `-1`, `1.0`, `1.5`, `-0`, `1e3`, `""`, `"a"`, `"string"`, `"#"`, `"a#"`, `"#a"`, `"_a"`, `"a:b"`, `"a.b-c"`, `"1a"`,
		`[]`, `["a"]`, `["a","a"]`, `["string","null"]`, `["string","string"]`, `[1]`, `[1,1.0]`, `[{}]`, `[true]`, `[{},5]`, `[[]]`,
		`{}`, `{"a":{}}`, `{"a":true}`, `{"a":1}`, `{"a":["b"]}`, `{"a":["b","b"]}`, `{"a":[]}`, `{"a":[1]}`, `{"type":5}`, `{"a":{"type":5}}`, `{"a":{"properties":{"b":[]}}}`,
	}
	names := map[string]bool{}
	for _, k := range keywords {
		names[k.name] = true
	}
	names["unknown"], names["examples"], names["nullable"] = true, true, true
	n := 0
	for name := range names {
		for _, v := range values {
			compare(t, all, `{"`+name+`":`+v+`}`)
			compare(t, all, `{"properties":{"p":{"items":{"`+name+`":`+v+`}}}}`)
			n += 2
		}
	}
	for _, v := range values {
		compare(t, all, v)
	}
	for _, text := range []string{
		`{"exclusiveMaximum":true}`, `{"exclusiveMaximum":true,"maximum":1}`, `{"exclusiveMinimum":false}`, `{"minimum":1,"exclusiveMinimum":true}`,
		`{"$defs":{"a":5}}`, `{"definitions":{"a":5}}`, `{"dependencies":{"a":["b"],"c":{"type":"x"}}}`, `{"if":5}`, `{"enum":[{"a":[1]},{"a":[1.0]}]}`,
	} {
		compare(t, all, text)
	}
	t.Logf("%d schemas in %d dialects", n, len(metaSchemas))
}

// corpusSchemas are the input and output schemas of the corpus, each once.
func corpusSchemas(t *testing.T) []string {
	t.Helper()
	folder, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(folder, "go.mod")); err == nil {
			break
		}
		if folder == filepath.Dir(folder) {
			t.Fatal("no go.mod above the test")
		}
		folder = filepath.Dir(folder)
	}
	files, _ := filepath.Glob(filepath.Join(folder, "..", "shared", "corpus", "manifests", "*", "*.json*"))
	if len(files) == 0 {
		t.Skip("the corpus (../shared/corpus) is not here")
	}
	seen := map[string]bool{}
	var all []string
	for _, name := range files {
		file, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		var r io.Reader = file
		if strings.HasSuffix(name, ".gz") {
			if r, err = gzip.NewReader(file); err != nil {
				t.Fatal(err)
			}
		}
		data, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		file.Close()
		for _, tool := range parse(t, string(data)).Get("tools").Elems() {
			for _, member := range []string{"inputSchema", "outputSchema"} {
				v := tool.Get(member)
				if !v.Exists() {
					continue
				}
				if text := string(v.AppendCanonical(nil)); !seen[text] {
					seen[text] = true
					all = append(all, text)
				}
			}
		}
	}
	return all
}

func TestCorpusSchemasAgreeWithTheOracle(t *testing.T) {
	schemas := corpusSchemas(t)
	all := oracles(t)
	valid := 0
	for i, text := range schemas {
		// Everything in one dialect, and a share of it in the others.
		if i%8 == 0 {
			valid += compare(t, all, text)
			continue
		}
		instance, err := oracle.UnmarshalJSON(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		root := parse(t, text)
		d := DialectOf(root)
		if d == 0 {
			t.Errorf("unknown dialect: %s", root.Get("$schema").Source())
			continue
		}
		got, want := check(t, root, d), all[d].Validate(instance)
		if (got == nil) != (want == nil) {
			t.Errorf("%.600s\ngot %+v\nwant %v", text, got, want)
		}
		if want == nil {
			valid++
		}
	}
	t.Logf("%d schemas, %d verdicts valid", len(schemas), valid)
}

func TestMutatedSchemasAgreeWithTheOracle(t *testing.T) {
	schemas := corpusSchemas(t)
	all := oracles(t)
	rng := rand.New(rand.NewPCG(4, 12))
	valid, total := 0, 0
	for range 12000 {
		text := schemas[rng.IntN(len(schemas))]
		if len(text) > 20_000 {
			continue
		}
		for range 1 + rng.IntN(3) {
			text = mutate(rng, text)
		}
		if _, err := jsonvalue.Parse(text); err != nil {
			continue
		}
		total += len(metaSchemas)
		valid += compare(t, all, text)
	}
	t.Logf("%d verdicts on mutated schemas, %d valid", total, valid)
	if valid < total/5 || valid > total*4/5 {
		t.Errorf("%d of %d mutations are valid: too one-sided to say much", valid, total)
	}
}

// mutate replaces one JSON token of a text by another: a word by a keyword or a
// type, a value by a value of another kind.
func mutate(rng *rand.Rand, text string) string {
	names := []string{`"type"`, `"properties"`, `"required"`, `"items"`, `"enum"`, `"minLength"`, `"anyOf"`, `"$ref"`, `"additionalProperties"`, `"default"`, `"$defs"`, `"dependencies"`, `"not"`, `"exclusiveMinimum"`, `"x"`, `"examples"`, `"title"`, `"const"`}
	values := []string{`"string"`, `"objekt"`, `true`, `null`, `-1`, `2`, `[]`, `{}`, `["a"]`, `["a","a"]`, `[{}]`, `{"type":"null"}`}
	at := rng.IntN(len(text))
	for range len(text) {
		switch text[at] {
		case '"':
			end := strings.IndexByte(text[at+1:], '"')
			if end > 0 && !strings.Contains(text[at:at+end+2], `\`) {
				rest := text[at+end+2:]
				if strings.HasPrefix(rest, ":") {
					return text[:at] + names[rng.IntN(len(names))] + rest
				}
				return text[:at] + values[rng.IntN(len(values))] + rest
			}
		case 't', 'f', '0', '1':
			for _, word := range []string{"true", "false", "1", "0"} {
				if strings.HasPrefix(text[at:], word) && at > 0 && text[at-1] == ':' {
					return text[:at] + values[rng.IntN(len(values))] + text[at+len(word):]
				}
			}
		}
		at = (at + 1) % len(text)
	}
	return text
}

func TestDialectOf(t *testing.T) {
	for _, c := range []struct {
		schema string
		want   Dialect
	}{
		{`{}`, Release2020},
		{`{"$schema":7}`, Release2020},
		{`{"$schema":"http://json-schema.org/draft-07/schema#"}`, Draft7},
		{`{"$schema":"https://json-schema.org/draft-07/schema"}`, Draft7},
		{`{"$schema":"http://json-schema.org/draft-04/schema#"}`, Draft4},
		{`{"$schema":"https://json-schema.org/draft/2019-09/schema"}`, Release2019},
		{`{"$schema":"https://example.com/"}`, 0},
		{`{"$schema":""}`, 0},
	} {
		if got := DialectOf(parse(t, c.schema)); got != c.want {
			t.Errorf("%s: got %d, want %d", c.schema, got, c.want)
		}
	}
}

func TestPointers(t *testing.T) {
	root := parse(t, `{"properties":{"a/b":{"items":[{"not":{}}]}},"anyOf":[{},{"items":{"$defs":{"~":{}}}}]}`)
	nodes := Walk(nil, root)
	var got []string
	for i := range nodes {
		got = append(got, Pointer(nodes, i))
	}
	want := []string{"", "/anyOf/0", "/anyOf/1", "/properties/a~1b", "/anyOf/1/items", "/properties/a~1b/items/0", "/anyOf/1/items/$defs/~0", "/properties/a~1b/items/0/not"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	p := new(Checker).Check(parse(t, `{"properties":{"x":{"allOf":[{},{"type":"no"}]}}}`), Release2020)
	if p == nil || p.Pointer != "/properties/x/allOf/1/type" {
		t.Errorf("got %+v", p)
	}
}

func TestKeywordsAreOrdered(t *testing.T) {
	for i := 1; i < len(keywords); i++ {
		a, b := keywords[i-1], keywords[i]
		if a.name > b.name {
			t.Errorf("%s stands before %s", a.name, b.name)
		}
		if a.name == b.name && a.dialects&b.dialects != 0 {
			t.Errorf("%s has two rows for one dialect", a.name)
		}
	}
}

func FuzzCheck(f *testing.F) {
	f.Add(`{"type":"object","properties":{"a":{"$ref":"#/$defs/x"}},"$defs":{"x":{"type":["string","null"]}}}`)
	f.Add(`{"$schema":"http://json-schema.org/draft-04/schema#","id":"x","required":["a"],"enum":[1,1.0]}`)
	f.Add(`{"items":[true,{"$ref":"#/items/1/not/00"}],"$anchor":"a"}`)
	f.Fuzz(func(t *testing.T, text string) {
		doc, err := jsonvalue.Parse(text)
		if err != nil {
			return
		}
		nodes := Walk(nil, doc.Root())
		names := NamesOf(nodes)
		for i := range nodes {
			names.Resolve(i, nodes[i].Value.Get("$ref").Text())
			names.Local(nodes[i].Value.Get("$ref").Text())
		}
		for _, m := range metaSchemas {
			check(t, doc.Root(), m.dialect)
		}
	})
}
