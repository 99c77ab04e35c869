package bridge

import "testing"

// The two calls of a page give together what the whole one gives.
func TestGlanceAndAssess(t *testing.T) {
	for _, tt := range []struct{ name, baseline, current string }{
		{"changed", before, after},
		{"unchanged", before, before},
		{"no tools", before, `{"tools":[]}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			in := [][]byte{[]byte(tt.baseline), []byte(tt.current), []byte(asOf)}
			whole := Call("compare", in)
			first, second := Call("glance", append(in, nil)), Call("assess", append(in, nil))
			if string(first[0]) != string(whole[0]) || answer(t, second)["state"] != answer(t, whole)["state"] {
				t.Errorf("heads %s, %s, %s", whole[0], first[0], second[0])
			}
			if string(second[1]) != string(whole[1]) {
				t.Errorf("report\n%s\nand\n%s", whole[1], second[1])
			}
			if none := tt.name == "no tools"; none != (len(second[2]) == 0) {
				t.Errorf("assessment %s", second[2])
			}
		})
	}
	for _, method := range []string{"glance", "insides", "assess"} {
		if out := Call(method, [][]byte{[]byte(before), []byte("{"), []byte(asOf), nil}); answer(t, out)["ok"] != false {
			t.Errorf("%s takes a broken document: %s", method, out[0])
		}
		if out := Call(method, [][]byte{[]byte(before), []byte(after), []byte(asOf), []byte("x")}); answer(t, out)["ok"] != false {
			t.Errorf("%s takes broken keys: %s", method, out[0])
		}
	}
}
