package slim

import (
	"encoding/binary"
	"fmt"
)

// run is a stretch of a function's program counters that have one value.
type run struct {
	value int32
	end   uint32 // the first counter beyond
}

// counters is how many a function has at most.
const counters = 1 << 16

// decoder reads tables from program counter to value, as runtime.step does.
// After an error it reads none.
type decoder struct {
	values []byte
	err    error
}

func (d *decoder) table(at uint32) []run {
	if at == 0 || d.err != nil {
		return nil
	}
	if int(at) >= len(d.values) {
		d.err = fmt.Errorf("a table of values is at %d of %d", at, len(d.values))
		return nil
	}
	r := &reader{data: d.values, at: int(at)}
	var runs []run
	last := run{value: -1}
	for {
		delta := r.uint()
		if delta == 0 && len(runs) > 0 {
			break
		}
		step := r.uint()
		last.value += int32(-(delta & 1) ^ delta>>1)
		last.end += uint32(step)
		if delta >= 1<<32 || step > counters || last.end > counters {
			r.fail("no table of values")
		}
		if r.err != nil {
			break
		}
		runs = append(runs, last)
	}
	d.err = r.err
	return runs
}

// encode writes a table. The last run is drawn out to one of three lengths: no
// counter lies beyond the function's end, and tables that differ in that end
// alone become one.
func encode(runs []run) []byte {
	var table []byte
	last := run{value: -1}
	for i, r := range runs {
		delta := r.value - last.value
		table = binary.AppendUvarint(table, uint64(uint32(delta<<1^delta>>31)))
		step := r.end - last.end
		if i == len(runs)-1 {
			step = min(drawnOut(step), counters-last.end)
		}
		table = binary.AppendUvarint(table, uint64(step))
		last = r
	}
	return append(table, 0)
}

func drawnOut(step uint32) uint32 {
	for _, n := range []uint32{1<<7 - 1, 1<<14 - 1} {
		if step <= n {
			return n
		}
	}
	return counters
}

// valueTables collects tables, each of them once.
type valueTables struct {
	bytes  []byte
	places map[string]uint32
}

func newValueTables() *valueTables {
	return &valueTables{bytes: []byte{0}, places: make(map[string]uint32)} // place 0 is that there is no table
}

func (t *valueTables) add(runs []run) uint32 {
	if runs == nil {
		return 0
	}
	table := encode(runs)
	place, known := t.places[string(table)]
	if !known {
		place = uint32(len(t.bytes))
		t.places[string(table)] = place
		t.bytes = append(t.bytes, table...)
	}
	return place
}
