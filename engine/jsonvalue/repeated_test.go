package jsonvalue

import "testing"

func TestRepeated(t *testing.T) {
	for _, c := range []struct {
		name, text, want string
		repeated         bool
	}{
		{"none", `{"a":{"x":1,"x":2},"b":[{"a":1}],"c":"a"}`, "", false},
		{"empty", `{}`, "", false},
		{"no object", `["a","a"]`, "", false},
		{"twice", `{"b":{},"a":[[1],{"c":2}],"b":null}`, "b", true},
		{"spelled otherwise", `{"url":1,"\u0075rl":2}`, "url", true},
		{"the first of two", `{"a":1,"b":1,"b":1,"a":1}`, "b", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			doc, err := Parse(c.text)
			if err != nil {
				t.Fatal(err)
			}
			if got, repeated := doc.Root().Repeated(); got != c.want || repeated != c.repeated {
				t.Errorf("got %q, %v", got, repeated)
			}
		})
	}
}
