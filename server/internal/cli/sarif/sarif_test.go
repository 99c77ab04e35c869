package sarif

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// validate holds a log to the schema, and its references to itself.
func validate(t *testing.T, log []byte) map[string]any {
	t.Helper()
	schema, err := os.Open("testdata/sarif-2.1.0.subset.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	defer schema.Close()
	text, err := jsonschema.UnmarshalJSON(schema)
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	if err := compiler.AddResource("sarif.json", text); err != nil {
		t.Fatal(err)
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(log))
	if err != nil {
		t.Fatal(err)
	}
	if err := compiler.MustCompile("sarif.json").Validate(value); err != nil {
		t.Errorf("not valid: %v\n%s", err, log)
	}
	var out struct {
		Runs []struct {
			Tool struct {
				Driver struct{ Rules []struct{ ID string } }
			}
			Results []struct {
				RuleID    string `json:"ruleId"`
				RuleIndex int    `json:"ruleIndex"`
			}
		}
	}
	if err := json.Unmarshal(log, &out); err != nil {
		t.Fatal(err)
	}
	for _, r := range out.Runs[0].Results {
		if rules := out.Runs[0].Tool.Driver.Rules; r.RuleIndex >= len(rules) || rules[r.RuleIndex].ID != r.RuleID {
			t.Errorf("the rule of %s is not number %d", r.RuleID, r.RuleIndex)
		}
	}
	return value.(map[string]any)
}

func TestLog(t *testing.T) {
	a := Rule{ID: "b/v1/A", Text: "A fails.", Fix: "Mend it.", Level: Error, Security: "8.0"}
	b := Rule{ID: "b/v1/B", Text: "B fails.", Level: Note}
	log := Log{Version: "v1", Dir: "/work", Results: []Result{
		{Rule: b, Level: Note, Message: "m", File: "a.json", Fingerprint: "f1"},
		{Rule: a, Level: Error, Message: "m", File: "a.json", Line: 3, Column: 4, Tool: "x", Pointer: "/tools/0", Fingerprint: "f2"},
		{Rule: a, Level: Warning, Message: "m", File: "-", Tool: "x", Fingerprint: "f2"},
	}}
	value := validate(t, log.JSON())
	run := value["runs"].([]any)[0].(map[string]any)
	var prints []string
	for _, r := range run["results"].([]any) {
		prints = append(prints, r.(map[string]any)["partialFingerprints"].(map[string]any)["primaryLocationLineHash"].(string))
	}
	if diff := cmp.Diff([]string{"f1:1", "f2:1", "f2:2"}, prints); diff != "" {
		t.Errorf("fingerprints (-want +got):\n%s", diff)
	}
	validate(t, (&Log{Version: "v1"}).JSON())
}

// TestFailed: a log that says nothing of what was not checked would pass for
// clean.
func TestFailed(t *testing.T) {
	value := validate(t, (&Log{Version: "v1", Dir: "/work", Failed: []Notification{{"a b.json", "no [tools]"}, {"", "x"}}}).JSON())
	invocation := value["runs"].([]any)[0].(map[string]any)["invocations"].([]any)[0].(map[string]any)
	if invocation["executionSuccessful"] != false || len(invocation["toolExecutionNotifications"].([]any)) != 2 {
		t.Errorf("got %v", invocation)
	}
}

func TestURI(t *testing.T) {
	tests := []struct{ file, want string }{
		{"a.json", "a.json"},
		{"./a/../b.json", "b.json"},
		{"a b/ü%.json", "a%20b/%C3%BC%25.json"},
		{"/work/main/a.json", "main/a.json"},
		{"/other/a b.json", "file:///other/a%20b.json"},
		{"../a.json", "../a.json"},
		{"javascript:alert(1)", "javascript%3Aalert%281%29"},
		{"a?b#c", "a%3Fb%23c"},
		{"a\x1b\xff", "a%1B%EF%BF%BD"},
		{"-", "stdin"},
	}
	for _, tt := range tests {
		if got := URI("/work", tt.file); got != tt.want {
			t.Errorf("%q: %s, want %s", tt.file, got, tt.want)
		}
	}
}

func TestHostileText(t *testing.T) {
	hostile := "a\x1b[31m [link](javascript:alert(1)) {0} <b>\u202e\u200b\xed\xa0\x80\n::error::x"
	log := Log{Version: "v1", Dir: "/work", Results: []Result{{Rule: Rule{ID: "R", Text: "T.", Level: Error}, Level: Error, Message: hostile, File: hostile, Tool: hostile, Pointer: hostile, Fingerprint: "f"}}}
	out := string(log.JSON())
	validate(t, []byte(out))
	for _, bad := range []string{`\u001b`, "\u202e", "\u200b", `\ud800`, `\n`, `[link](`} {
		at := strings.Index(out, bad)
		if bad == `[link](` { // escaped, or in a name, which is no message
			at = strings.Index(out, `"text":"`+bad)
		}
		if at >= 0 {
			t.Errorf("it holds %s: %s", bad, out)
		}
	}
	if got, want := Text("[a](b) {0} \\"), `\[a\](b) {{0}} \\`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
