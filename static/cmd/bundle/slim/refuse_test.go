package slim

import (
	"bytes"
	"encoding/binary"
	"testing"
)

// Anything that is not as the one version of Go lays it down is refused, never
// rewritten.
func TestRefusesFiles(t *testing.T) {
	t.Parallel()
	whole := built(t)
	start := []byte("\x00asm\x01\x00\x00\x00")
	tests := map[string][]byte{
		"empty":                  nil,
		"no module":              []byte("MZ"),
		"another version of it":  []byte("\x00asm\x02\x00\x00\x00"),
		"no sections":            start,
		"cut":                    whole[:len(whole)/2],
		"cut in a size":          append(bytes.Clone(start), 11, 0x80),
		"another compiler":       bytes.ReplaceAll(whole, []byte(goVersion), []byte("go1.99")),
		"a longer version":       bytes.ReplaceAll(whole, []byte(goVersion+"."), []byte(goVersion+"9")),
		"silent about compilers": bytes.ReplaceAll(whole, []byte("\tproducers"), []byte("\tproducer_")),
		"passive segment":        append(bytes.Clone(start), 11, 3, 1, 1, 0),
		"address from a global":  append(bytes.Clone(start), 11, 6, 1, 0, 0x23, 0, 0x0b, 0),
		"address below zero":     append(bytes.Clone(start), 11, 6, 1, 0, 0x41, 0x7f, 0x0b, 0),
		"segment too long":       append(bytes.Clone(start), 11, 6, 1, 0, 0x41, 0, 0x0b, 9),
		"bytes left over":        append(bytes.Clone(start), 11, 7, 1, 0, 0x41, 0, 0x0b, 0, 0),
	}
	for name, file := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, err := Of(file); err == nil {
				t.Error("it was accepted")
			}
		})
	}
}

// Each change is to one thing that the runtime would read.
func TestRefusesTables(t *testing.T) {
	t.Parallel()
	m, err := parse(built(t))
	if err != nil {
		t.Fatal(err)
	}
	l, err := m.memory.layout()
	if err != nil {
		t.Fatal(err)
	}
	header := l.names.from - headerSize
	firstRecord := l.records.from + uint64(m.memory.u32(l.records.from+4))
	tests := map[string]struct {
		at   uint64
		with []byte
	}{
		"no header":                   {header, []byte{0}},
		"another pointer size":        {header + 7, []byte{4}},
		"names elsewhere":             {header + 32, []byte{0xff}},
		"records elsewhere":           {header + 64, []byte{0xff}},
		"more functions":              {header + 8, []byte{0xff, 0xff}},
		"a function numbered twice":   {l.records.from + 8, m.memory[l.records.from : l.records.from+4]},
		"a record elsewhere":          {l.records.from + 4, []byte{0xff, 0xff, 0xff, 0}},
		"a record of another number":  {firstRecord, []byte{0xff}},
		"a name outside":              {firstRecord + 4, []byte{0xff, 0xff, 0xff, 0}},
		"a frame outside":             {firstRecord + 16, []byte{0xff, 0xff, 0xff, 0}},
		"too many tables of values":   {firstRecord + 28, []byte{6}},
		"too many objects":            {firstRecord + 43, []byte{9}},
		"a search that starts beyond": {l.find.from, []byte{1}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			changed := bytes.Clone(m.memory)
			copy(changed[test.at:], test.with)
			broken := module{sections: m.sections, memory: changed}
			if _, err := Of(broken.format()); err == nil {
				t.Error("it was accepted")
			}
		})
	}
	t.Run("tables twice", func(t *testing.T) {
		twice := append(bytes.Clone(m.memory), make([]byte, 16)...)
		twice = binary.LittleEndian.AppendUint64(twice, magic)
		twice = append(twice, make([]byte, headerSize)...)
		broken := module{sections: m.sections, memory: append(twice, 1)}
		if _, err := Of(broken.format()); err == nil {
			t.Error("they were accepted")
		}
	})
}

// A module that is only read and written again holds the same memory.
func TestModuleRoundTrip(t *testing.T) {
	t.Parallel()
	first, err := parse(built(t))
	if err != nil {
		t.Fatal(err)
	}
	second, err := parse(first.format())
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(bytes.TrimRight(first.memory, "\x00"), second.memory) {
		t.Error("the memory differs")
	}
	for i, s := range first.sections {
		if got := second.sections[i]; got.id != s.id || s.id != dataSection && !bytes.Equal(got.body, s.body) {
			t.Errorf("section %d differs", s.id)
		}
	}
}
