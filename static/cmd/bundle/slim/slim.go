// Package slim implements the last step of the engine's build: it takes out of
// a WebAssembly module of Go what only a traceback reads. That is the names of
// files and functions, line numbers, and the layout of arguments and inlined
// calls; a trace then says `package.()` where it said the function, and no line.
// What the garbage collector, growing stacks, panics and recover read stays, at
// the addresses where it was.
//
// It follows the sources of one version of Go (see layout.go), refuses any other,
// and refuses a module in which anything is not where it was to be. The same
// module gives the same bytes.
package slim

import (
	"encoding/binary"
	"fmt"
)

// Of returns the module without what only tracebacks read. An error says what
// was not as in the one version of Go that it knows.
func Of(file []byte) ([]byte, error) {
	m, err := parse(file)
	if err != nil {
		return nil, err
	}
	if err := m.version(); err != nil {
		return nil, err
	}
	l, err := m.memory.layout()
	if err != nil {
		return nil, err
	}
	if err := m.memory.slim(l); err != nil {
		return nil, err
	}
	return m.format(), nil
}

func (m memory) slim(l *layout) error {
	if err := m.widen(l); err != nil {
		return err
	}
	list, err := m.records(l)
	if err != nil {
		return err
	}
	names, err := m.shortNames(l, list)
	if err != nil {
		return err
	}
	objects, err := m.objects(l, list)
	if err != nil {
		return err
	}
	values := newValueTables()
	records := values.table(list)
	for _, p := range []struct {
		area area
		with []byte
	}{{l.names, names}, {l.units, nil}, {l.files, nil}, {l.values, values.bytes}, {l.records, records}, {l.objects, objects}} {
		if uint64(len(p.with)) > p.area.size() {
			return fmt.Errorf("the table at %#x would grow from %d bytes to %d", p.area.from, p.area.size(), len(p.with))
		}
		clear(m[p.area.from+uint64(copy(m[p.area.from:], p.with)) : p.area.to])
	}
	return nil
}

// widen makes the search table coarse. It gives for each part of a function the
// number of a record to begin at, and the runtime looks upwards from there; with
// one number for sixteen functions it is a few long repetitions.
func (m memory) widen(l *layout) error {
	const stride = 16
	for i := uint64(0); l.find.from+(i+1)*bucketSize <= l.find.to; i++ {
		at := l.find.from + i*bucketSize
		function := uint32(i / buckets)
		if got := m.u32(at); got != function {
			return fmt.Errorf("part %d of function %d is found at record %d", i%buckets, function, got)
		}
		binary.LittleEndian.PutUint32(m[at:], function/stride*stride)
	}
	return nil
}
