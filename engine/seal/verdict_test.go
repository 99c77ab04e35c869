package seal_test

import (
	"errors"
	"go/parser"
	"go/token"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/manifestseal/manifestseal/engine"
	"github.com/manifestseal/manifestseal/engine/enginetest/sign"
	"github.com/manifestseal/manifestseal/engine/jsonvalue"
	"github.com/manifestseal/manifestseal/engine/report"
	"github.com/manifestseal/manifestseal/engine/seal"
)

const (
	before = `{"tools":[{"name":"a","description":"one"},{"name":"b","inputSchema":{"type":"object"}}]}`
	after  = `{"tools":[{"name":"a","description":"two"},{"name":"c"}]}`
	asOf   = "2026-05-01T12:00:00.000Z"
)

// drift is an unsigned drift report.
func drift(t testing.TB, baseline, current string) []byte {
	t.Helper()
	c, err := engine.Compare([]byte(baseline), []byte(current), engine.Options{AsOf: asOf})
	if err != nil {
		t.Fatal(err)
	}
	return []byte(strings.TrimSpace(string(c.Report)))
}

// audit is an unsigned audit report with the members that the verdict looks at.
func audit(t testing.TB) []byte {
	t.Helper()
	block, err := engine.Digest([]byte(after), engine.Options{AsOf: asOf})
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonvalue.Parse(string(block))
	if err != nil {
		t.Fatal(err)
	}
	aggregate := doc.Root().Get("aggregate_digest").Source()
	return []byte(`{"criteria_id":"mcp-manifest-claims/v1","service":"` + report.Service + `","version":"` + report.Version + `","as_of":"` + asOf +
		`","current":{"source":"manifest","tool_count":2,"aggregate_digest":` + aggregate + `},"grade":{"score":87,"grade":"B","counts":{"pass":3}},"manifest_digest":` + string(block) +
		`,"summary":{"criteria_id":"mcp-manifest-claims/v1","as_of":"` + asOf + `","score":87,"grade":"B","counts":{"pass":3},"current_aggregate":` + aggregate + `,"report_sha256":"x"}}`)
}

func examine(t testing.TB, keys seal.Keys, text string) *seal.Verdict {
	t.Helper()
	v, err := keys.Examine(text)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// documents are one of each kind, signed by a.
func documents(t testing.TB) map[seal.Kind]string {
	t.Helper()
	a := sign.New('a')
	whole := string(a.Sign(drift(t, before, after)))
	v := examine(t, nil, whole)
	block, ok := v.Export(seal.SignedBlock)
	summary, ok2 := v.Export(seal.SignedSummary)
	if !ok || !ok2 {
		t.Fatal("a report has no block or no summary")
	}
	could := `{"criteria_id":"mcp-manifest-claims/v1","service":"manifest-claim-audit","version":"1.1.0","as_of":"` + asOf + `","verdict":"COULD NOT GRADE — …","reason":"fetch_failed"}`
	return map[seal.Kind]string{
		seal.DriftReport: whole, seal.BlockAlone: string(block), seal.SummaryAlone: string(summary),
		seal.AuditReport: string(a.Sign(audit(t))), seal.CouldNotCompare: string(a.Sign(drift(t, before, `[]`))), seal.CouldNotGrade: string(a.Sign([]byte(could))),
	}
}

func set(state seal.State, retiredAt string, development bool) func(*seal.Key) {
	return func(k *seal.Key) { k.State, k.RetiredAt, k.Development = state, retiredAt, development }
}

// The clock matrix: every kind of document against every state of its key.
func TestVerdictByKeyAndClock(t *testing.T) {
	a, b := sign.New('a'), sign.New('b')
	for kind, text := range documents(t) {
		for _, c := range []struct {
			name string
			keys seal.Keys
			want seal.Check
		}{
			{"active", a.Keys(nil), seal.Valid},
			{"one of two active keys", append(b.Keys(nil), a.Key), seal.Valid},
			{"retired a millisecond later", a.Keys(set(seal.StateRetired, "2026-05-01T12:00:00.001Z", false)), seal.ByRetiredKey},
			{"retired years later, by another clock's zone", a.Keys(set(seal.StateRetired, "2030-01-01T01:00:00+05:30", false)), seal.ByRetiredKey},
			{"retired at that moment", a.Keys(set(seal.StateRetired, asOf, false)), seal.AfterRetirement},
			{"retired at that moment, in another zone", a.Keys(set(seal.StateRetired, "2026-05-01T14:00:00+02:00", false)), seal.AfterRetirement},
			{"retired before", a.Keys(set(seal.StateRetired, "2026-04-30T00:00:00Z", false)), seal.AfterRetirement},
			{"retired, and nobody says when", a.Keys(set(seal.StateRetired, "", false)), seal.AfterRetirement},
			{"compromised", a.Keys(set(seal.StateCompromised, "", false)), seal.Compromised},
			{"compromised after it was retired", a.Keys(set(seal.StateCompromised, "2030-01-01T00:00:00Z", false)), seal.Compromised},
			{"development", a.Keys(set(seal.StateActive, "", true)), seal.Development},
			{"development, retired later", a.Keys(set(seal.StateRetired, "2030-01-01T00:00:00Z", true)), seal.Development},
			{"development, retired before", a.Keys(set(seal.StateRetired, "2020-01-01T00:00:00Z", true)), seal.AfterRetirement},
			{"development, compromised", a.Keys(set(seal.StateCompromised, "", true)), seal.Compromised},
			{"a state that nobody knows", a.Keys(set("resting", "", false)), seal.Compromised},
			{"unknown", b.Keys(nil), seal.UnknownKey},
			{"no keys", nil, seal.UnknownKey},
		} {
			v := examine(t, c.keys, text)
			if v.Kind != kind || v.Headline() != c.want {
				t.Errorf("%s, %s: got %s of a %s, want %s: %v", kind, c.name, v.Headline(), v.Kind, c.want, v.Steps)
			}
			if (v.Headline() == seal.Valid) != (c.want == seal.Valid) || v.KeyID != a.Key.ID {
				t.Errorf("%s, %s: by %q", kind, c.name, v.KeyID)
			}
		}
	}
}

func TestStepsByName(t *testing.T) {
	keys := sign.New('a').Keys(nil)
	want := map[seal.Kind]string{
		seal.DriftReport:     "form signature manifest_digest manifest_digest_signature summary summary_signature attestations.dsse attestations.jws",
		seal.AuditReport:     "form signature manifest_digest manifest_digest_signature summary summary_signature attestations.dsse attestations.jws",
		seal.CouldNotCompare: "form signature attestations.dsse attestations.jws",
		seal.CouldNotGrade:   "form signature attestations.dsse attestations.jws",
		seal.SummaryAlone:    "form summary_signature",
		seal.BlockAlone:      "manifest_digest manifest_digest_signature",
	}
	got := make(map[seal.Kind]string)
	for kind, text := range documents(t) {
		var names []string
		for _, s := range examine(t, keys, text).Steps {
			names = append(names, s.Name)
		}
		got[kind] = strings.Join(names, " ")
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// Every leaf of every signed document, changed by itself, is refused.
func TestAnyChangeIsRefused(t *testing.T) {
	keys := sign.New('a').Keys(nil)
	for kind, text := range documents(t) {
		doc, err := jsonvalue.ParsePart(text, 0, len(text), jsonvalue.MaxDepth)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		leaves(doc.Root(), func(at int, source string) {
			// A verification takes milliseconds on js/wasm.
			if n++; runtime.GOOS == "js" && n > 10 && n%16 != 0 {
				return
			}
			changed := change(source)
			v, err := keys.Examine(text[:at] + changed + text[at+len(source):])
			if err == nil && v.Headline().Vouches() {
				t.Errorf("%s: %s at %d became %s, and it is %s", kind, source, at, changed, v.Headline())
			}
		})
		if n < 10 {
			t.Errorf("%s: only %d values were changed", kind, n)
		}
	}
}

func leaves(v jsonvalue.Value, visit func(at int, source string)) {
	switch v.Kind() {
	case jsonvalue.Object:
		for _, m := range v.Members() {
			leaves(m, visit)
		}
	case jsonvalue.Array:
		for _, e := range v.Elems() {
			leaves(e, visit)
		}
	default:
		visit(v.Position().Offset, v.Source())
	}
}

func change(source string) string {
	switch source {
	case "true":
		return "false"
	case "false", "null":
		return "true"
	}
	if source[0] != '"' {
		return source + "1"
	}
	at := len(source) / 2
	if len(source) < 4 {
		return `"x` + source[1:]
	}
	other := byte('5')
	if source[at] == other {
		other = '6'
	}
	if source[at-1] == '\\' || source[at] == '\\' || source[at] >= 0x80 {
		return `"` + string(other) + source[1:]
	}
	return source[:at] + string(other) + source[at+1:]
}

func TestVerdictOnAlteredParts(t *testing.T) {
	a, b := sign.New('a'), sign.New('b')
	keys := a.Keys(nil)
	bare := string(drift(t, before, after))
	whole := string(a.Sign([]byte(bare)))
	other := string(a.Sign(drift(t, after, before)))
	v := examine(t, keys, other)
	otherSummary, otherBlock := v.Root.Get("summary").Source(), v.Root.Get("manifest_digest").Source()
	root := examine(t, keys, whole).Root
	resign := func(report string) string { return string(a.Sign([]byte(report))) }
	replace := func(old, new string) string {
		t.Helper()
		if !strings.Contains(whole, old) {
			t.Fatalf("the report has no %s", old)
		}
		return strings.Replace(whole, old, new, 1)
	}
	for _, c := range []struct {
		name, text string
		want       seal.Check
		step       string
	}{
		{"another verdict in the summary", replace("MANIFEST CHANGED (3 tools)", "MANIFEST UNCHANGED"), seal.Invalid, "summary_signature"},
		{"another verdict everywhere", strings.ReplaceAll(whole, "MANIFEST CHANGED (3 tools)", "MANIFEST UNCHANGED"), seal.Invalid, "signature"},
		{"the issuer's own mistake: a verdict that its counts do not bear out", resign(strings.ReplaceAll(bare, "MANIFEST CHANGED (3 tools)", "MANIFEST UNCHANGED")), seal.Mismatch, "verdict"},
		{"another time", replace(`"as_of":"`+asOf+`"`, `"as_of":"2026-05-01T12:00:00.001Z"`), seal.Invalid, "signature"},
		{"another report's summary", replace(root.Get("summary").Source(), otherSummary), seal.Invalid, "summary_signature"},
		{"another report's block", replace(root.Get("manifest_digest").Source(), otherBlock), seal.Invalid, "manifest_digest_signature"},
		{"the issuer's own mistake: a summary of another report", resignWith(a, whole, "summary", otherSummary), seal.Invalid, "summary_signature"},
		{"no signature", bare, seal.Unsigned, "signature"},
		{"the signature taken out", without(t, whole, "signature"), seal.Unsigned, "signature"},
		{"all but the attestations taken out", without(t, without(t, without(t, whole, "signature"), "manifest_digest_signature"), "summary_signature"), seal.Invalid, "attestations.jws"},
		{"the block's signature taken out", without(t, whole, "manifest_digest_signature"), seal.Malformed, "manifest_digest_signature"},
		{"the attestations taken out", without(t, whole, "attestations"), seal.Valid, "form"},
		{"an attestation of another kind", replace(`"attestations":{`, `"attestations":{"x5c":[],`), seal.Malformed, "attestations"},
		{"a DSSE signature of a stranger beside", replace(`"signatures":[`, `"signatures":[{"keyid":"`+b.Key.ID+`","sig":"`+b.Value([]byte("x"))+`"},`), seal.UnknownKey, "attestations.dsse"},
		{"a DSSE signature of somebody else in the key's name", replace(`"signatures":[`, `"signatures":[{"keyid":"`+a.Key.ID+`","sig":"`+b.Value([]byte("x"))+`"},`), seal.Invalid, "attestations.dsse"},
		{"another payload type", replace(seal.PayloadType, "text/plain"), seal.Unsupported, "attestations.dsse"},
		{"a JWS header with alg none", replace(seal.JWSProtected(a.Key.ID), "eyJhbGciOiJub25lIn0"), seal.Unsupported, "attestations.jws"},
		{"a JWS header with a crit of its own", replace(seal.JWSProtected(a.Key.ID), encode(`{"alg":"EdDSA","kid":"`+a.Key.ID+`","typ":"manifestseal-report+jws","crit":["b64"]}`)), seal.Unsupported, "attestations.jws"},
		{"a JWS of another type", replace(seal.JWSProtected(a.Key.ID), encode(`{"alg":"EdDSA","kid":"`+a.Key.ID+`","typ":"JWT"}`)), seal.Unsupported, "attestations.jws"},
		{"another algorithm", replace(`"signature":{"algorithm":"ed25519"`, `"signature":{"algorithm":"rsa"`), seal.Unsupported, "signature"},
		{"the key inside is another's", strings.ReplaceAll(string(b.Sign([]byte(bare))), b.Key.ID, a.Key.ID), seal.Invalid, "signature"},
		{"a bare signature in a report", replace(root.Get("signature").Source(), root.Get("signature").Get("value").Source()), seal.Malformed, "signature"},
		{"another criteria", resign(strings.Replace(bare, "mcp-manifest-drift/v1", "mcp-manifest-drift/v2", 1)), seal.Unsupported, "form"},
		{"a newer version with new members", resign(strings.Replace(bare, `"version":"1.1.0"`, `"version":"2.0.0","new":1`, 1)), seal.Unsupported, "form"},
		{"an unknown member", replace(`{"as_of"`, `{"a_note":"trust me","as_of"`), seal.Malformed, "form"},
		{"a repeated member", replace(`{"as_of"`, `{"as_of":"x","as_of"`), seal.Malformed, "form"},
		{"a number that overflows", replace(`"added":1`, `"added":1e999`), seal.Malformed, "form"},
		{"no list of tools", resign(strings.Replace(bare, `"tools":[`, `"tools":{},"order_changed":[`, 1)), seal.Malformed, "form"},
		{"a time of another form", resign(strings.ReplaceAll(bare, asOf, "2026-05-01T12:00:00Z")), seal.Malformed, "form"},
		{"could-not-compare that has counts", string(a.Sign([]byte(strings.Replace(string(drift(t, before, `[]`)), `"reason":`, `"counts":{},"reason":`, 1)))), seal.Malformed, "form"},
		{"could-not-compare under another verdict", string(a.Sign([]byte(strings.Replace(string(drift(t, before, `[]`)), `"verdict":"COULD NOT COMPARE`, `"verdict":"MANIFEST UNCHANGED`, 1)))), seal.Malformed, "form"},
		{"a block whose count is wrong", strings.Replace(documents(t)[seal.BlockAlone], `"tool_count":2`, `"tool_count":3`, 1), seal.Malformed, "manifest_digest"},
		{"a bare block", root.Get("manifest_digest").Source(), seal.Unsigned, "manifest_digest_signature"},
		{"a block with a bare signature", `{"manifest_digest":` + root.Get("manifest_digest").Source() + `,"manifest_digest_signature":` + root.Get("manifest_digest_signature").Get("value").Source() + `}`, seal.Valid, "manifest_digest"},
		{"a block with more beside it", strings.Replace(documents(t)[seal.BlockAlone], `{`, `{"verdict":"MANIFEST UNCHANGED",`, 1), seal.Malformed, "form"},
		{"a summary with manifest text", `{"summary":` + strings.Replace(root.Get("summary").Source(), `{`, `{"note":"hello",`, 1) + `,"summary_signature":` + root.Get("summary_signature").Source() + `}`, seal.Malformed, "form"},
		{"a summary without a signature", `{"summary":` + root.Get("summary").Source() + `}`, seal.Unsigned, "summary_signature"},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := examine(t, keys, c.text)
			if v.Headline() != c.want {
				t.Errorf("got %s, want %s: %+v", v.Headline(), c.want, v.Steps)
			}
			for _, s := range v.Steps {
				if s.Name == c.step && s.Check == c.want {
					return
				}
			}
			t.Errorf("no step %s is %s: %+v", c.step, c.want, v.Steps)
		})
	}
}

// resignWith puts a member into a report and signs the whole again.
func resignWith(i *sign.Issuer, report, member, json string) string {
	doc, err := jsonvalue.Parse(report)
	if err != nil {
		panic(err)
	}
	r := strings.Replace(report, doc.Root().Get(member).Source(), json, 1)
	if doc, err = jsonvalue.Parse(r); err != nil {
		panic(err)
	}
	return strings.Replace(r, doc.Root().Get("signature").Source(), i.Signature(seal.ReportBytes(doc.Root())), 1)
}

func without(t *testing.T, report, member string) string {
	t.Helper()
	doc, err := jsonvalue.Parse(report)
	if err != nil {
		t.Fatal(err)
	}
	var w jsonvalue.Builder
	w.Begin('{')
	for name, v := range doc.Root().Members() {
		if name != member {
			w.Name(name)
			w.Value(v)
		}
	}
	w.End('}')
	return string(w.Bytes)
}

func TestNoReportAtAll(t *testing.T) {
	for name, text := range map[string]string{
		"a manifest": before, "an array": `[]`, "a text": `"x"`, "nothing of ours": `{"a":1}`, "criteria that are no text": `{"criteria_id":5}`,
		"a lockfile": `{"scheme":"manifestseal-lock/v1"}`, "no JSON": `{`, "empty": ``, "too deep": strings.Repeat("[", 2000),
	} {
		v, err := seal.Keys(nil).Examine(text)
		var e *jsonvalue.Error
		if !errors.As(err, &e) {
			t.Errorf("%s: %+v, %v", name, v, err)
		}
	}
}

func TestHeadlineIsTheWorst(t *testing.T) {
	if got := (&seal.Verdict{}).Headline(); got != seal.Malformed {
		t.Errorf("a verdict without a check is %s", got)
	}
	v := seal.Verdict{Steps: []seal.Step{{Check: seal.Valid}, {Check: seal.UnknownKey}, {Check: seal.Compromised}, {Check: seal.Valid}}}
	if got := v.Headline(); got != seal.Compromised {
		t.Errorf("got %s", got)
	}
}

// No check but two vouches, and each has its own words.
func TestWordsOfChecks(t *testing.T) {
	seen := make(map[string]bool)
	for c := seal.Malformed; c <= seal.Valid; c++ {
		if c.Vouches() != (c == seal.Valid || c == seal.ByRetiredKey) || c.Refused() && c.Holds() {
			t.Errorf("%s vouches: %v, refused: %v, holds: %v", c, c.Vouches(), c.Refused(), c.Holds())
		}
		for _, text := range []string{c.String(), c.Title(), c.Short(), c.Sentence()} {
			if text == "" || seen[text] {
				t.Errorf("%s: %q stands twice, or is empty", c, text)
			}
			seen[text] = true
		}
	}
	if got := seal.Check(200).String(); got != "malformed" {
		t.Errorf("a check that nobody knows is %s", got)
	}
}

// The verifier can't sign: of the signing packages the package names one
// function, and it is Verify.
func TestVerifierCanNotSign(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, spec := range f.Imports {
			if path := strings.Trim(spec.Path.Value, `"`); strings.HasPrefix(path, "crypto") && (file != "verify.go" || path != "crypto/ed25519") {
				t.Errorf("%s imports %s", file, path)
			}
		}
		for _, use := range f.Unresolved {
			if use.Name == "PrivateKey" {
				t.Errorf("%s names a private key", file)
			}
		}
	}
	source, err := parser.ParseFile(token.NewFileSet(), "verify.go", nil, 0)
	if err != nil || len(source.Decls) != 2 {
		t.Errorf("verify.go has more than its import and one function: %v", err)
	}
}
