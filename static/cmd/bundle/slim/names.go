package slim

import (
	"fmt"
	"strings"
)

// shortNames cuts the names of functions down to their packages, and gives the
// records their new places.
func (m memory) shortNames(l *layout, list []record) ([]byte, error) {
	kept := []byte{0} // place 0 is that there is no name
	places := make(map[string]uint32)
	panics := 0
	for i := range list {
		r := &list[i]
		if uint64(r.name) >= l.names.size() {
			return nil, fmt.Errorf("the name of function %d is at %d of %d", i, r.name, l.names.size())
		}
		name, _, _ := strings.Cut(string(m[l.names.from+uint64(r.name):l.names.to]), "\x00")
		if name == "runtime.gopanic" && r.kind == gopanic {
			panics++
		}
		short := shortName(name, r.kind)
		place, known := places[short]
		if !known {
			place = uint32(len(kept))
			places[short] = place
			kept = append(append(kept, short...), 0)
		}
		r.name = place
	}
	if panics != 1 {
		return nil, fmt.Errorf("the kinds of functions are not those of %s", goVersion)
	}
	return kept, nil
}

// shortName keeps what the runtime compares or takes apart, and not only prints:
// `runtime.` makes a goroutine the system's, panicwrap makes its message of the
// name of a method's wrapper, and two functions of reflect are special to the
// garbage collector.
func shortName(name string, kind byte) string {
	switch {
	case name == "runtime.gopanic", name == "reflect.makeFuncStub", name == "reflect.methodValueCall":
		return name
	case kind == wrapper && strings.Contains(name, ".(*"):
		return name
	}
	plain, _, _ := strings.Cut(name, "[") // type arguments have paths of their own
	folder := strings.LastIndexByte(plain, '/') + 1
	if dot := strings.IndexByte(plain[folder:], '.'); dot >= 0 {
		return plain[:folder+dot+1]
	}
	return plain
}
