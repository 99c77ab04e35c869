package screen

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

//go:embed testdata/prompt-injection-rules-v1.json
var published []byte

// orderedTexts reads a JSON object in document order.
func orderedTexts(t *testing.T, object json.RawMessage) []Category {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(object))
	var out []Category
	next := func() string {
		token, err := d.Token()
		if err != nil {
			t.Fatal(err)
		}
		s, _ := token.(string)
		return s
	}
	for next(); d.More(); {
		id := next()
		out = append(out, Category{id, next()})
	}
	return out
}

// TestInjectionIsPublished holds the rulebook equal to the published criteria, byte for byte and in their order.
func TestInjectionIsPublished(t *testing.T) {
	var doc struct {
		Rulebook   string          `json:"rulebook"`
		Categories json.RawMessage `json:"categories"`
		Rules      []Rule          `json:"rules"`
	}
	d := json.NewDecoder(bytes.NewReader(published))
	if err := d.Decode(&doc); err != nil {
		t.Fatal(err)
	}
	rb := Injection()
	if rb.ID != doc.Rulebook {
		t.Errorf("got id %q, want %q", rb.ID, doc.Rulebook)
	}
	if diff := cmp.Diff(orderedTexts(t, doc.Categories), rb.Categories); diff != "" {
		t.Errorf("categories (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(doc.Rules, rb.Rules); diff != "" {
		t.Errorf("rules (-want +got):\n%s", diff)
	}
	known := map[string]bool{}
	for _, c := range rb.Categories {
		known[c.ID] = true
	}
	for _, r := range rb.Rules {
		if !known[r.Category] {
			t.Errorf("%s: category %q is not published", r.ID, r.Category)
		}
	}
}
