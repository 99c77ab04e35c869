package digest

import (
	"errors"
	"strings"
	"testing"

	"github.com/manifestseal/manifestseal/engine/jsonvalue"
	"github.com/manifestseal/manifestseal/engine/manifest"
)

func blockOf(t *testing.T, document string) string {
	t.Helper()
	m, err := manifest.Read([]byte(document), manifest.Wire)
	if err != nil {
		t.Fatal(err)
	}
	var w jsonvalue.Builder
	Of(m, "2026-01-01T00:00:00.000Z").Write(&w)
	return string(w.Bytes)
}

const twoTools = `[{"name":"a","description":"x","annotations":null},{"name":" "},"entry"]`

func read(t *testing.T, text string) (*Block, error) {
	t.Helper()
	doc, err := jsonvalue.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return Read(doc.Root())
}

func TestBlockRoundTrip(t *testing.T) {
	text := blockOf(t, twoTools)
	b, err := read(t, text)
	if err != nil {
		t.Fatal(err)
	}
	var w jsonvalue.Builder
	b.Write(&w)
	if string(w.Bytes) != text {
		t.Errorf("got  %s\nwant %s", w.Bytes, text)
	}
}

// Every value of a block, altered, must be refused with its place.
func TestAlteredBlock(t *testing.T) {
	text := blockOf(t, twoTools)
	b, err := read(t, text)
	if err != nil {
		t.Fatal(err)
	}
	digest := b.Tools[0].Digest.Hex()
	for _, c := range []struct{ name, old, new, pointer string }{
		{"criteria", "mcp-manifest-drift/v1", "mcp-manifest-drift/v2", "/criteria_id"},
		{"algorithm", `"sha256"`, `"sha1"`, "/algorithm"},
		{"fields reordered", `"name","description"`, `"description","name"`, "/digest_fields"},
		{"count", `"tool_count":3`, `"tool_count":2`, "/tool_count"},
		{"count as text", `"tool_count":3`, `"tool_count":"3"`, "/tool_count"},
		{"time", `"as_of":"2026-01-01T00:00:00.000Z"`, `"as_of":5`, "/as_of"},
		{"tool digest", digest, strings.Repeat("0", 64), "/aggregate_digest"},
		{"upper case", digest, strings.ToUpper(digest), "/tools/0/digest"},
		{"short digest", digest, digest[:63], "/tools/0/digest"},
		{"name", `"name":"a"`, `"name":"b"`, "/aggregate_digest"},
		{"name of another type", `"name":"a"`, `"name":1`, "/tools/0/name"},
		{"unknown member", `{"criteria_id"`, `{"x":1,"criteria_id"`, ""},
		{"missing member", `"algorithm":"sha256",`, ``, "/algorithm"},
		{"unknown field digest", `"field_digests":{`, `"field_digests":{"title":null,`, "/tools/0/field_digests"},
		{"field digest of another type", `"inputSchema":null`, `"inputSchema":false`, "/tools/0/field_digests/inputSchema"},
		{"tools no array", `"tools":[`, `"tools":{"x":[`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			altered := strings.Replace(text, c.old, c.new, 1)
			if c.name == "tools no array" {
				altered = strings.Replace(altered, `],"aggregate`, `]},"aggregate`, 1)
				c.pointer = "/tools"
			}
			if altered == text {
				t.Fatal("nothing was altered")
			}
			_, err := read(t, altered)
			var e *BlockError
			if !errors.As(err, &e) || e.Pointer != c.pointer {
				t.Errorf("got %v, want a BlockError at %q", err, c.pointer)
			}
		})
	}
}

func TestReorderedToolsAreAnotherAggregate(t *testing.T) {
	a, b := blockOf(t, `[{"name":"a"},{"name":"b"}]`), blockOf(t, `[{"name":"b"},{"name":"a"}]`)
	if a[strings.Index(a, "aggregate_digest"):] == b[strings.Index(b, "aggregate_digest"):] {
		t.Error("a reorder must change the aggregate")
	}
}

func TestWholeSeesWhatTheDigestDoesNot(t *testing.T) {
	m, err := manifest.Read([]byte(`[{"name":"a"},{"title":"T","name":"a"},{"name":"a","title":"T"}]`), manifest.Wire)
	if err != nil {
		t.Fatal(err)
	}
	b := Of(m, "")
	if b.Tools[0].Digest != b.Tools[1].Digest {
		t.Error("the title is not part of the digest")
	}
	if Whole(m.Entries[0]) == Whole(m.Entries[1]) || Whole(m.Entries[1]) != Whole(m.Entries[2]) {
		t.Error("the whole tool's digest must see the title, and not the order")
	}
}
