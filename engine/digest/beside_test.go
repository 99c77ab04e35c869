package digest

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/manifestseal/manifestseal/engine/manifest"
)

func manifestOf(t *testing.T, document string) *manifest.Manifest {
	t.Helper()
	m, err := manifest.Read([]byte(document), manifest.Wire)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// A block made beside another is the block made alone, whatever the other is.
func TestBesideIsOf(t *testing.T) {
	documents := []string{
		twoTools, `[]`, `[null,1,"entry",[]]`, `[1,null,"entry","entry"]`,
		`[{"name":"a","description":"x"},{"name":"a","description":"y"},{"name":"b"}]`,
		`[{"name":"b"},{"name":"a","description":"y"},{"name":"a","description":"x"}]`,
		`[{"name":"a","description":null,"annotations":{"b":1,"a":2}}]`,
		`[ { "annotations": {"a":2, "b":1.0}, "name" : "\u0061" , "x":1} ]`,
		`[{"name":"a","inputSchema":{"x":1e400},"description":"\u00e9"},{"name":"","description":"x"}]`,
		`[{"name":"a","inputSchema":{"x":null},"description":"é"},{"description":"x"}]`,
		`{"tools":[{"name":"a","description":"x","description":"z"}]}`,
	}
	for _, earlier := range documents {
		for _, later := range documents {
			m, old := manifestOf(t, later), manifestOf(t, earlier)
			want := Of(m, "2026-01-01T00:00:00.000Z")
			got := Beside(m, "2026-01-01T00:00:00.000Z", old, Of(old, ""))
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s after %s (-alone +beside)\n%s", later, earlier, diff)
			}
		}
	}
}

// Only what is spelled alike in the same tool is taken from the other block.
func TestBesideTakesWhatIsAlike(t *testing.T) {
	old := manifestOf(t, `[{"name":"a","description":"x","inputSchema":{},"annotations":{"a":1}},{"name":"b"}]`)
	marked := Of(old, "")
	mark := SumOf([]byte("taken"))
	for i := range marked.Tools {
		marked.Tools[i].Digest = mark
		for k := range marked.Tools[i].Fields {
			marked.Tools[i].Fields[k].Sum = mark
		}
	}
	got := Beside(manifestOf(t, `[{"name":"b"},{"name":"a","description":"x","inputSchema":{ },"annotations":{"a":2}}]`), "", old, marked)
	taken := func(s Sum) bool { return s == mark }
	b, a := got.Tools[0], got.Tools[1]
	want := []bool{true, false, true, false, false}
	if diff := cmp.Diff(want, []bool{
		taken(b.Digest), taken(a.Digest), taken(a.Fields[Description].Sum), taken(a.Fields[InputSchema].Sum), taken(a.Fields[Annotations].Sum),
	}); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
