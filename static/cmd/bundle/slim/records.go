package slim

import (
	"encoding/binary"
	"fmt"
)

// What a record's tables are for, by their number (internal/abi/symtab.go).
const (
	stackMapNumber = 1 // of the tables of values: which stack map holds where
	inlineNumber   = 2 // which inlined call a counter is in

	argumentMaps = 0 // of the objects
	localMaps    = 1
	stackObjects = 2
	inlineTree   = 3
	openDefers   = 4
	objectKinds  = 8

	noObject = 1<<32 - 1
)

// Kinds of functions (internal/abi.FuncID).
const (
	gopanic = 10
	wrapper = 23
)

// record is runtime._func without what only a traceback reads.
type record struct {
	name, args, deferReturn uint32
	kind, flags             byte
	frame                   []run // sizes of the frame
	stackMaps, inlined      []run
	objects                 [objectKinds]uint32
}

func (m memory) records(l *layout) ([]record, error) {
	list := make([]record, l.functions)
	for i := range list {
		index := l.records.from + 8*uint64(i)
		at := l.records.from + uint64(m.u32(index+4))
		number := firstFunction + uint32(i)
		if at+recordSize > l.records.to || m.u32(index) != number || m.u32(at) != number {
			return nil, fmt.Errorf("function %d has no record at %#x", i, at)
		}
		var err error
		if list[i], err = m.record(l, at); err != nil {
			return nil, fmt.Errorf("the record of function %d at %#x: %w", i, at, err)
		}
	}
	return list, nil
}

func (m memory) record(l *layout, at uint64) (record, error) {
	values, objects := uint64(m.u32(at+28)), uint64(m[at+43])
	if values > 5 || objects > objectKinds || at+recordSize+4*(values+objects) > l.records.to {
		return record{}, fmt.Errorf("it has %d tables of values and %d objects", values, objects)
	}
	tables := at + recordSize
	d := &decoder{values: m[l.values.from:l.values.to]}
	r := record{
		name: m.u32(at + 4), args: m.u32(at + 8), deferReturn: m.u32(at + 12), kind: m[at+40], flags: m[at+41],
		frame: d.table(m.u32(at + 16)),
	}
	if values > stackMapNumber {
		r.stackMaps = d.table(m.u32(tables + 4*stackMapNumber))
	}
	// The calls inlined into a wrapper are all that gorecover can meet: a function
	// that calls recover is never inlined, so it stands for itself, and behind it
	// one more function that is no wrapper ends the search, whatever is inlined there.
	if values > inlineNumber && r.kind == wrapper {
		r.inlined = d.table(m.u32(tables + 4*inlineNumber))
	}
	for kind := range r.objects {
		r.objects[kind] = noObject
		if uint64(kind) < objects {
			r.objects[kind] = m.u32(tables + 4*values + 4*uint64(kind))
		}
	}
	return r, d.err
}

// table writes the index and the records, and collects their tables of values.
func (t *valueTables) table(list []record) []byte {
	var index, records []byte
	start := uint32(8*len(list)+4+7) &^ 7
	for i := range list {
		index = binary.LittleEndian.AppendUint32(index, firstFunction+uint32(i))
		index = binary.LittleEndian.AppendUint32(index, start+uint32(len(records)))
		records = t.appendRecord(records, firstFunction+uint32(i), &list[i])
	}
	index = binary.LittleEndian.AppendUint32(index, firstFunction+uint32(len(list)))
	index = append(index, make([]byte, int(start)-len(index))...)
	return append(index, records...)
}

// appendRecord gives most records one length, which repeats better.
func (t *valueTables) appendRecord(b []byte, number uint32, r *record) []byte {
	frame := t.add(r.frame)
	values := []uint32{0, t.add(r.stackMaps)}
	if r.inlined != nil {
		values = append(values, t.add(r.inlined))
	}
	objects := r.objects[:]
	for len(objects) > stackObjects+1 && objects[len(objects)-1] == noObject {
		objects = objects[:len(objects)-1]
	}
	for _, v := range []uint32{number, r.name, r.args, r.deferReturn, frame, 0, 0, uint32(len(values)), 0, 0} {
		b = binary.LittleEndian.AppendUint32(b, v)
	}
	b = append(b, r.kind, r.flags, 0, byte(len(objects)))
	for _, v := range append(values, objects...) {
		b = binary.LittleEndian.AppendUint32(b, v)
	}
	return b
}
