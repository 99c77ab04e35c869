package capability

import (
	"bufio"
	"bytes"
	_ "embed"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/manifestseal/manifestseal/engine/jsonvalue"
	"github.com/manifestseal/manifestseal/engine/manifest"
)

//go:embed testdata/cases.jsonl
var cases []byte

func read(t *testing.T, text string) *manifest.Manifest {
	t.Helper()
	m, err := manifest.Read([]byte(text), manifest.Wire)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestCases holds the tier and the axis of the project's own cases.
func TestCases(t *testing.T) {
	type verdict struct {
		Tier, Axis string
		Opaque     bool
	}
	lines := bufio.NewScanner(bytes.NewReader(cases))
	for lines.Scan() {
		var c struct {
			Tool json.RawMessage
			verdict
		}
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		m := read(t, "["+string(c.Tool)+"]")
		t.Run(m.Entries[0].Name, func(t *testing.T) {
			r := Of(m.Entries[0], 0, Options{})
			if diff := cmp.Diff(c.verdict, verdict{r.Tier.String(), r.Axis.String(), r.Opaque}); diff != "" {
				t.Errorf("%s\n%+v (-want +got):\n%s", c.Tool, r.Evidence, diff)
			}
		})
	}
}

// TestAblation holds that each axis decides a case, and that without it the case falls: no axis is idle.
func TestAblation(t *testing.T) {
	for _, tt := range []struct {
		axis Axis
		tool string
	}{
		{Name, `{"name":"delete_issue"}`},
		{Description, `{"name":"x","description":"Deletes x."}`},
		{Parameter, `{"name":"x","inputSchema":{"properties":{"command":{"type":"string"}}}}`},
		{Enum, `{"name":"x","inputSchema":{"properties":{"action":{"enum":["delete"]}}}}`},
		{Batch, `{"name":"x","inputSchema":{"properties":{"commands_json":{"type":"string"}}}}`},
		{Annotations, `{"name":"x","annotations":{"destructiveHint":true}}`},
	} {
		t.Run(tt.axis.String(), func(t *testing.T) {
			e := read(t, "["+tt.tool+"]").Entries[0]
			if r := Of(e, 0, Options{}); r.Tier != Destructive || r.Axis != tt.axis {
				t.Errorf("got %v by %v", r.Tier, r.Axis)
			}
			if r := Of(e, 0, Options{Without: tt.axis.Only()}); r.Tier != Unknown {
				t.Errorf("without the axis got %v", r.Tier)
			}
		})
	}
}

func TestPrefix(t *testing.T) {
	for _, tt := range []struct {
		names []string
		want  int
	}{
		{nil, 0},
		{[]string{"browser_click"}, 0},
		{[]string{"browser_click", "browser_type"}, 1},
		{[]string{"a_b_c", "a_b_d", "a_b"}, 1},
		{[]string{"a_b", "a_b_c"}, 1},
		{[]string{"get_a", "get_b"}, 0},
		{[]string{"x_get_a", "x_get_b"}, 1},
		{[]string{"acmeGet", "acme_list"}, 1},
		{[]string{"", ""}, 0},
		{[]string{"_", "a"}, 0},
	} {
		if got := Prefix(tt.names); got != tt.want {
			t.Errorf("%v: got %d, want %d", tt.names, got, tt.want)
		}
	}
}

func TestWords(t *testing.T) {
	for name, want := range map[string]string{
		"getDNSRecordsV1":  "get dns records v1",
		"createAContact":   "create a contact",
		"a__b-c.d e/f:g":   "a b c d e f g",
		"SQL":              "sql",
		"v2_list":          "v2 list",
		"Größe_löschen":    "größe löschen",
		"":                 "",
		"123":              "",
		"HTTPServerDelete": "http server delete",
	} {
		if got := strings.Join(splitName(name), " "); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}

// TestTable holds that the name table is sorted, that no word stands in it twice, and that each is found.
func TestTable(t *testing.T) {
	lines := strings.Split(strings.TrimSuffix(table, "\n"), "\n")
	last := ""
	for _, line := range lines {
		word, rest, _ := strings.Cut(line, " ")
		if last >= word {
			t.Errorf("%s stands before %s", last, word)
		}
		last = word
		if e := find(word); e.word != word || e.tier.String() != tierNames[rest[0]-'0'] || byte(e.kind) != rest[1] || e.runs != (len(rest) > 2) {
			t.Errorf("%s: got %+v", line, e)
		}
		if e := find(word + "zz"); e.word != "" {
			t.Errorf("%szz: got %+v", word, e)
		}
	}
	if find("").word != "" {
		t.Error("the empty word is known")
	}
}

func TestUnpack(t *testing.T) {
	for _, tt := range []struct {
		name, arguments string
		want            []Inner
		opaque          bool
	}{
		{"no batch", `{"a":1}`, nil, false},
		{"text of JSON", `{"commands_json":"[{\"command\":\"clipboard_clear\"},{\"command\":\"get\"}]"}`, []Inner{
			{"/commands_json/0", "clipboard_clear", Destructive}, {"/commands_json/1", "get", Read},
		}, false},
		{"list of objects", `{"steps":[{"tool":"delete_file"},{"action":"zorble"}]}`, []Inner{
			{"/steps/0", "delete_file", Destructive}, {"/steps/1", "zorble", Unknown},
		}, false},
		{"list of texts and lists", `{"batch":["list_files",["kill","-9"]]}`, []Inner{
			{"/batch/0", "list_files", Read}, {"/batch/1", "kill", Destructive},
		}, false},
		{"no name", `{"steps":[{"x":1},2]}`, nil, true},
		{"nothing", `{"steps":[]}`, nil, true},
		{"one object", `{"batch":{"op":"remove"}}`, []Inner{{"/batch", "remove", Destructive}}, false},
		{"JSON in JSON", `{"batch":"\"delete\""}`, nil, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			doc, err := jsonvalue.Parse(tt.arguments)
			if err != nil {
				t.Fatal(err)
			}
			got, opaque := Unpack(doc.Root())
			if diff := cmp.Diff(tt.want, got); diff != "" || opaque != tt.opaque {
				t.Errorf("opaque %v (-want +got):\n%s", opaque, diff)
			}
		})
	}
}

func TestWrite(t *testing.T) {
	m := read(t, `[{"name":"a_get"},{"name":"a_get","inputSchema":{"properties":{"steps_json":{}}}},7,{"name":""}]`)
	var w jsonvalue.Builder
	Manifest(m, Options{}).Write(&w)
	want := `{"tools":[{"name":"a_get","occurrence":1,"tier":"T0_read","axis":"name","evidence":[{"axis":"name","tier":"T0_read","pointer":"/name","text":"get"}]},` +
		`{"name":"a_get","occurrence":2,"tier":"T3_destructive_or_exec","axis":"batch","opaque":true,"evidence":[{"axis":"name","tier":"T0_read","pointer":"/name","text":"get"},` +
		`{"axis":"batch","tier":"T3_destructive_or_exec","pointer":"/inputSchema/properties/steps_json","text":"steps_json"}]},` +
		`{"name":null,"occurrence":1,"tier":"unknown","evidence":[]},{"name":null,"occurrence":2,"tier":"unknown","evidence":[]}],` +
		`"summary":{"T0_read":1,"T1_local":0,"T2_mutate":0,"T3_destructive_or_exec":1,"unknown":2,"opaque":1}}`
	if diff := cmp.Diff(want, string(w.Bytes)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// FuzzOf holds that no tool makes it panic, that a tier has the axis that gave it, and that less evidence never makes
// anything but the weighing of name and description give more.
func FuzzOf(f *testing.F) {
	for _, line := range bytes.Split(cases, []byte("\n")) {
		var c struct{ Tool json.RawMessage }
		if json.Unmarshal(line, &c) == nil {
			f.Add("[" + string(c.Tool) + "]")
		}
	}
	f.Add(`[{"name":"A","inputSchema":` + strings.Repeat(`{"items":`, 900) + `1` + strings.Repeat(`}`, 900) + `}]`)
	f.Fuzz(func(t *testing.T, text string) {
		m, err := manifest.Read([]byte(text), manifest.Lenient)
		if err != nil {
			return
		}
		report := Manifest(m, Options{})
		for i, e := range m.Entries {
			r := report.Results[i]
			if (r.Tier == Unknown) != (r.Axis == NoAxis) {
				t.Errorf("%v by %q", r.Tier, r.Axis)
			}
			if a := Of(e, 0, Options{Without: Annotations.Only()}); len(report.Results) == 1 && a.Tier > r.Tier {
				t.Errorf("annotations lower %v to %v", a.Tier, r.Tier)
			}
			Unpack(e.Value)
		}
		var w jsonvalue.Builder
		report.Write(&w)
		if _, err := jsonvalue.Parse(string(w.Bytes)); err != nil {
			t.Errorf("%v in %s", err, w.Bytes)
		}
	})
}
