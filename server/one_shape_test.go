package server

import (
	"net/http"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/manifestseal/manifestseal/engine"
	"github.com/manifestseal/manifestseal/engine/digest"
	"github.com/manifestseal/manifestseal/engine/jsonvalue"
	"github.com/manifestseal/manifestseal/engine/seal"
)

// serverOnly are what the server adds to a report of page and command. The
// summary names the report's digest and so differs with them.
var serverOnly = []string{"issuer", "manifest_digest_signature", "summary", "summary_signature", "signature", "attestations"}

// without is a report's canonical form less some members.
func without(report jsonvalue.Value, names []string) string {
	var w jsonvalue.Builder
	w.Begin('{')
	for name, v := range report.Members() {
		if !slices.Contains(names, name) {
			w.Name(name)
			w.Value(v)
		}
	}
	w.End('}')
	return string(w.Bytes)
}

// Whoever makes a report, it says the same.
func TestServerSaysWhatPageAndCommandSay(t *testing.T) {
	s := develop(t, Config{})
	o := engine.Options{AsOf: issueTime.Format(timeFormat)}
	audit, err := engine.Audit([]byte(other), o)
	if err != nil {
		t.Fatal(err)
	}
	drift, err := engine.Compare([]byte(tools), []byte(other), o)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		path, body string
		want       []byte
	}{
		{"/audit", `{"manifest":` + other + `}`, audit.JSON()},
		{"/drift", `{"baseline_manifest":` + tools + `,"manifest":` + other + `}`, drift.Report},
	} {
		got := issued(t, s, post(s, c.path, c.body), http.StatusOK)
		want, err := seal.ReadReport(string(c.want))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(without(want.Root, serverOnly), without(got.Root, serverOnly)); diff != "" {
			t.Errorf("%s (-engine +server):\n%s", c.path, diff)
		}
		if sum := digest.SumOf(seal.SummarisedBytes(want.Root)).Hex(); want.Root.Get("summary").Get("report_sha256").Text() != sum {
			t.Errorf("%s: the unsigned report's summary names another", c.path)
		}
	}
}
