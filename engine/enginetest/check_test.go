package enginetest

import (
	"strings"
	"testing"
)

// TestCheck holds the check itself to both sides: what must pass passes, and
// what differs is named with its place.
func TestCheck(t *testing.T) {
	const refusal = `{"ok":false,"error":{"class":"syntax","code":"c","side":"current","line":2,"column":3,"offset":9}}`
	for _, tt := range []struct {
		name   string
		vector string
		out    []string
		want   string // in the error; "" for none
	}{
		{"text", `{"method":"canonical","outcome":"ok","value":"[1]"}`, []string{`{"ok":true}`, "[1]"}, ""},
		{"text with LF", `{"method":"digest","outcome":"ok","value":"{}"}`, []string{`{"ok":true}`, "{}\n"}, ""},
		{"text differs", `{"method":"canonical","outcome":"ok","value":"[1]"}`, []string{`{"ok":true}`, "[2]"}, "byte 1"},
		{"text is longer", `{"method":"canonical","outcome":"ok","value":"[1]"}`, []string{`{"ok":true}`, "[1] "}, "byte 3"},
		{"no text", `{"method":"canonical","outcome":"ok","value":"[1]"}`, []string{`{"ok":true}`}, "byte 0"},
		{"sha256", `{"method":"canonical","outcome":"ok","value":{"sha256":"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad","bytes":3}}`, []string{`{"ok":true}`, "abc"}, ""},
		{"sha256 differs", `{"method":"canonical","outcome":"ok","value":{"sha256":"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad","bytes":3}}`, []string{`{"ok":true}`, "abd"}, "sha256"},
		{"refused", `{"method":"read","outcome":"syntax","code":"c","side":"current","line":2,"column":3,"offset":9}`, []string{refusal}, ""},
		{"any refusal", `{"method":"read","outcome":"refused"}`, []string{refusal}, ""},
		{"another class", `{"method":"read","outcome":"shape"}`, []string{refusal}, "error.class"},
		{"another code", `{"method":"read","outcome":"syntax","code":"d"}`, []string{refusal}, "error.code"},
		{"another side", `{"method":"compare","outcome":"syntax","side":"baseline"}`, []string{refusal}, "error.side"},
		{"another line", `{"method":"read","outcome":"syntax","line":1,"column":3}`, []string{refusal}, "error.line"},
		{"another column", `{"method":"read","outcome":"syntax","line":2,"column":4}`, []string{refusal}, "error.column"},
		{"another offset", `{"method":"read","outcome":"syntax","offset":0}`, []string{refusal}, "error.offset"},
		{"answered for refused", `{"method":"read","outcome":"refused"}`, []string{`{"ok":true}`}, "want the refusal"},
		{"refused for answered", `{"method":"read","outcome":"ok","value":{}}`, []string{refusal}, "want an answer"},
		{"no output", `{"method":"read","outcome":"ok","value":{}}`, nil, "no output"},
		{"head is no JSON", `{"method":"read","outcome":"ok","value":{}}`, []string{"x"}, "out[0]"},
		{"members of the head", `{"method":"read","outcome":"ok","value":{"a":1,"/b/0/c":2,"/b/#":1}}`, []string{`{"ok":true,"a":1.0,"b":[{"c":2}],"z":0}`}, ""},
		{"a member differs deep", `{"method":"read","outcome":"ok","value":{"a":[{"b":1}]}}`, []string{`{"ok":true,"a":[{"b":2}]}`}, "/a/0/b: want 1, got 2"},
		{"a member is missing", `{"method":"read","outcome":"ok","value":{"a":null}}`, []string{`{"ok":true}`}, "a: want null"},
		{"a member too many", `{"method":"read","outcome":"ok","value":{"a":{}}}`, []string{`{"ok":true,"a":{"b":1}}`}, "/a/b: want it absent"},
		{"another length", `{"method":"read","outcome":"ok","value":{"/a/#":1}}`, []string{`{"ok":true,"a":[]}`}, "want 1 elements, got 0"},
		{"state and report", `{"method":"compare","outcome":"ok","value":{"state":"changed","verdict":"v"}}`, []string{`{"ok":true,"state":"changed"}`, `{"verdict":"v"}`}, ""},
		{"state differs", `{"method":"compare","outcome":"ok","value":{"state":"unchanged"}}`, []string{`{"ok":true,"state":"changed"}`, `{"state":"unchanged"}`}, "/state"},
		{"absent", `{"method":"compare","outcome":"ok","value":{},"absent":["/counts","/a/b"]}`, []string{`{"ok":true}`, `{"a":{}}`}, ""},
		{"not absent", `{"method":"compare","outcome":"ok","value":{},"absent":["/counts"]}`, []string{`{"ok":true}`, `{"counts":null}`}, "/counts: want it absent"},
		{"lone surrogates differ", `{"method":"screen_text","outcome":"ok","value":{"a":"\ud800"}}`, []string{`{"ok":true}`, `{"a":"\ud801"}`}, "/a"},
		{"lone surrogates are equal", `{"method":"screen_text","outcome":"ok","value":{"\ud800":"\udfff"}}`, []string{`{"ok":true}`, `{"\uD800":"\uDFFF"}`}, ""},
		{"lines", `{"method":"screen","outcome":"ok","value":[{"a":1},{"a":2}]}`, []string{`{"ok":true}`, "{\"a\":1,\"b\":0}\n{\"a\":2}\n"}, ""},
		{"no lines", `{"method":"screen","outcome":"ok","value":[]}`, []string{`{"ok":true}`, ""}, ""},
		{"a line differs", `{"method":"screen","outcome":"ok","value":[{"a":1},{"a":2}]}`, []string{`{"ok":true}`, "{\"a\":1}\n{\"a\":3}\n"}, "line 2"},
		{"a line is missing", `{"method":"screen","outcome":"ok","value":[{"a":1},{"a":2}]}`, []string{`{"ok":true}`, "{\"a\":1}\n"}, "want 2 lines"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			v, err := Decode([]byte(tt.vector))
			if err != nil {
				t.Fatal(err)
			}
			out := make([][]byte, len(tt.out))
			for i, o := range tt.out {
				out[i] = []byte(o)
			}
			err = Check(v, func(string, [][]byte) [][]byte { return out })
			switch {
			case tt.want == "" && err != nil:
				t.Errorf("got %v, want no error", err)
			case tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)):
				t.Errorf("got %v, want an error with %q", err, tt.want)
			}
		})
	}
}
