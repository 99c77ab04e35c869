package slim

import "testing"

func TestSizesNamePackages(t *testing.T) {
	t.Parallel()
	sizes, err := Sizes(built(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"main", "runtime", "strings", "internal/bytealg", "type"} {
		if sizes[name] == 0 {
			t.Errorf("package %s has no size among %d", name, len(sizes))
		}
	}
	if sizes["runtime"] < sizes["main"] {
		t.Errorf("runtime has %d bytes, main %d", sizes["runtime"], sizes["main"])
	}
	if _, err := Sizes([]byte("\x00asm\x01\x00\x00\x00")); err == nil {
		t.Error("a module of nothing has sizes")
	}
}
