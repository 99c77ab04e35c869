package enginetest

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/manifestseal/manifestseal/engine/jsonvalue"
)

// rulings is every ruling that has vectors.
var rulings = strings.Fields("R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R10a R11 R20 R21 R22 R23 R24 R30 R31 R32 R33 R34 R35 R35a R36 R37 R40 R41 R42 R43 R44")

func load(t *testing.T) []Vector {
	t.Helper()
	vectors, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	return vectors
}

func TestVectorsAreWellFormed(t *testing.T) {
	outcomes := []string{OK, Refused, "encoding", "syntax", "depth", "shape", "wrapper", "empty", "usage"}
	inputs := map[string]int{"canonical": 1, "digest": 1, "compare": 2, "read": 1, "screen": 1, "screen_text": 1}
	seen := map[string]bool{}
	for _, v := range load(t) {
		t.Run(v.ID, func(t *testing.T) {
			want := func(ok bool, what string) {
				if !ok {
					t.Error(what)
				}
			}
			want(!seen[v.ID], "the id is used twice")
			seen[v.ID] = true
			want(slices.Contains(rulings, v.Ruling), "unknown ruling "+v.Ruling)
			want(strings.HasPrefix(v.ID, idPrefix(v.Ruling)+"-"), "the id does not begin with the ruling")
			want(strings.HasSuffix(v.About, ".") && len(v.About) > 3, "about is no sentence")
			want(len(v.Input) == inputs[v.Method], "wrong number of inputs for "+v.Method)
			want((v.AsOf != "") == (v.Method == "digest" || v.Method == "compare"), "as_of belongs to digest and compare")
			want(slices.Contains(outcomes, v.Outcome), "unknown outcome "+v.Outcome)
			want((v.Outcome == OK) == (len(v.Value) > 0), "an answer has a value, a refusal has none")
			want(v.Outcome != OK || v.Code == "" && v.Side == "" && v.Line == 0 && v.Offset == nil, "an answer has no place and no code")
			want((v.Line == 0) == (v.Column == 0), "line and column go together")
			want(v.Source == "javascript" || v.Source == "ruling", "unknown source "+v.Source)
			want(v.Source == "ruling" || v.Outcome != Refused, "JavaScript's answers have a class")
			for _, in := range v.Input {
				want(wellFormedInput(&in), "an input is exactly one of text, base64 and repeat")
			}
		})
	}
}

// idPrefix is "r05" for R5 and "r10a" for R10a.
func idPrefix(ruling string) string {
	digits := strings.TrimRight(ruling[1:], "a")
	return "r" + strings.Repeat("0", 2-len(digits)) + ruling[1:]
}

func wellFormedInput(in *Input) bool {
	for ; in != nil; in = in.Then {
		n := 0
		for _, is := range []bool{in.Text != nil, in.Base64 != nil, in.Repeat != nil} {
			if is {
				n++
			}
		}
		if n != 1 || in.Repeat != nil && (in.Repeat.Text == "" || in.Repeat.Times < 1) {
			return false
		}
	}
	return true
}

func TestEveryRulingHasVectors(t *testing.T) {
	var got []string
	for _, v := range load(t) {
		if !slices.Contains(got, v.Ruling) {
			got = append(got, v.Ruling)
		}
	}
	want := slices.Sorted(slices.Values(rulings))
	if diff := cmp.Diff(want, slices.Sorted(slices.Values(got))); diff != "" {
		t.Errorf("rulings with vectors (-want +got):\n%s", diff)
	}
}

func TestMoreRefusalsThanAnswers(t *testing.T) {
	answers, refusals := 0, 0
	for _, v := range load(t) {
		if v.Outcome == OK {
			answers++
		} else {
			refusals++
		}
	}
	t.Logf("%d vectors: %d refusals, %d answers", answers+refusals, refusals, answers)
	if refusals <= answers {
		t.Errorf("got %d refusals for %d answers, want more refusals", refusals, answers)
	}
}

// What a vector file says is plain to see, and says the same to a reader whose
// strings can't hold lone surrogates.
func TestVectorFilesAreASCIIAndKeepTheirTexts(t *testing.T) {
	entries, err := files.ReadDir("vectors")
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		data, err := files.ReadFile("vectors/" + entry.Name())
		if err != nil {
			t.Fatal(err)
		}
		if i := strings.IndexFunc(string(data), func(r rune) bool { return r > '~' || r < ' ' && r != '\n' }); i >= 0 {
			t.Errorf("%s: byte %d is no plain ASCII", entry.Name(), i)
		}
		doc, err := parse(data)
		if err != nil {
			t.Errorf("%s: %v", entry.Name(), err)
			continue
		}
		for _, in := range doc.Get("inputs").Elems() {
			if text := in.Get("text"); text.Exists() && !survives(text) {
				t.Errorf("%s: an input's text holds a lone surrogate: write it as base64", entry.Name())
			}
		}
	}
}

func survives(text jsonvalue.Value) bool {
	var s string
	return json.Unmarshal([]byte(text.Source()), &s) == nil && s == text.Text()
}

func TestInputs(t *testing.T) {
	for _, tt := range []struct {
		name, vector string
		want         []string
	}{
		{"text", `{"method":"read","inputs":[{"text":"\u00e9"}]}`, []string{"é"}},
		{"base64", `{"method":"read","inputs":[{"base64":"/w=="}]}`, []string{"\xff"}},
		{"empty text", `{"method":"read","inputs":[{"text":""}]}`, []string{""}},
		{"repeat", `{"method":"read","inputs":[{"repeat":{"text":"ab","times":3}}]}`, []string{"ababab"}},
		{"then", `{"method":"read","inputs":[{"text":"x","then":{"repeat":{"text":"[","times":2},"then":{"base64":"AA=="}}}]}`, []string{"x[[\x00"}},
		{"clock", `{"method":"compare","inputs":[{"text":"a"},{"text":"b"}],"as_of":"T"}`, []string{"a", "b", "T"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			v, err := Decode([]byte(tt.vector))
			if err != nil {
				t.Fatal(err)
			}
			got := []string{}
			for _, in := range v.Inputs() {
				got = append(got, string(in))
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("inputs (-want +got):\n%s", diff)
			}
		})
	}
}

func TestDecodeRefusesUnknownMembers(t *testing.T) {
	if _, err := Decode([]byte(`{"id":"x","collumn":1}`)); err == nil {
		t.Error("got no error for an unknown member")
	}
}
