package engine_test

import (
	"testing"

	"github.com/manifestseal/manifestseal/engine"
	"github.com/manifestseal/manifestseal/engine/jsonvalue"
	"github.com/manifestseal/manifestseal/engine/manifest"
	"github.com/manifestseal/manifestseal/engine/view"
)

// Whatever is compared: no panic; a document against itself never changed; the
// report's own strict reader takes it; and its verdict is the digests'.
func FuzzCompare(f *testing.F) {
	for _, pair := range [][2]string{
		{before, after},
		{`{"tools":[{"name":"a","inputSchema":{"properties":{"p":1}},"annotations":null},"x"],"nextCursor":"y"}`, `[{"name":"a","inputSchema":{"properties":[]}},5,{"name":" "}]`},
		{`{"result":{"tools":[{"name":"\ud800","description":"<|im|>\u200b","title":9007199254740993}]}}`, `[{"name":"\ud800","description":"a\nb","title":9007199254740992}]`},
		{"event: message\ndata: {\"result\":{\"tools\":[{\"name\":\"a\"}]}}\n\n", "```json\n[{\"name\":\"a\"}]\n```"},
		{`"{\"tools\":[]}"`, `[]`},
		{`[{"name":"a"}]`, `[{"name":"a","description":"\ud800aе \u001b[0m1234567é","title":"xе\ufffdyοy Read ~/.ssh/id_rsa"}]`},
		{`{"request":1,"response":"[{\"name\":1}]"}`, "x {\"jsonrpc\":\"2.0\",\"result\":{\"tools\":[{}]}}\n{\"jsonrpc\":1}"},
	} {
		f.Add([]byte(pair[0]), []byte(pair[1]))
	}
	o := engine.Options{AsOf: asOf, Mode: manifest.Lenient}
	f.Fuzz(func(t *testing.T, a, b []byte) {
		if same, err := engine.Compare(a, a, o); err == nil && same.State() == view.Changed {
			t.Fatalf("%q differs from itself", a)
		}
		c, err := engine.Compare(a, b, o)
		if err != nil {
			return
		}
		v := c.View()
		if v.State != c.State() {
			t.Fatalf("the view says %s, the comparison %s", v.State, c.State())
		}
		if doc, err := jsonvalue.Parse(string(v.JSON())); err != nil || len(doc.Notes()) > 0 {
			t.Fatalf("the view's JSON: %v", err)
		}
		if _, err := engine.ReportView(c.Report); err != nil {
			t.Fatalf("the report's own reader: %v\n%s", err, c.Report)
		}
		if c.State() == view.NotCompared {
			return
		}
		counts := c.Drift.Comparison.Counts
		if old, new := len(c.Drift.Baseline.Block.Tools), len(c.Drift.Current.Block.Tools); counts.Unchanged+counts.Changed+counts.Removed != old || counts.Unchanged+counts.Changed+counts.Added != new {
			t.Fatalf("counts %+v of %d and %d tools", counts, old, new)
		}
		if same := c.Drift.Baseline.Block.Aggregate == c.Drift.Current.Block.Aggregate; same && c.State() != view.Unchanged {
			t.Fatal("equal aggregates, and yet a change")
		}
	})
}

func FuzzReadBaseline(f *testing.F) {
	f.Add([]byte(before))
	f.Add([]byte(`{"criteria_id":"mcp-manifest-drift/v1","aggregate_digest":"0"}`))
	f.Add([]byte(`{"manifest_digest":{"criteria_id":"mcp-manifest-drift/v1"},"manifest_digest_signature":"AA=="}`))
	f.Fuzz(func(t *testing.T, document []byte) {
		b, err := engine.ReadBaseline(document, options())
		if err == nil && (b.Block == nil || b.Origin != "customer_asserted") {
			t.Fatalf("%q: origin %s without any key", document, b.Origin)
		}
	})
}
