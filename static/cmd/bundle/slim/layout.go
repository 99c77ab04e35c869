package slim

import (
	"bytes"
	"encoding/binary"
	"fmt"
)

// The layout of Go 1.26: runtime.pcHeader, runtime.moduledata and runtime._func
// (src/runtime/symtab.go, runtime2.go; src/internal/abi/symtab.go), as
// src/cmd/link/internal/ld/pcln.go writes them. For another version read these
// again, and who calls newInlineUnwinder and funcname; then raise goVersion.
const (
	goVersion  = "go1.26"
	magic      = 0xfffffff1 | 1<<48 | 8<<56 // and instructions of one byte, pointers of eight
	headerSize = 72
	moduleSize = 336 // of moduledata, as far as it is read
	recordSize = 44
	bucketSize = 20 // of the search table
	buckets    = 16 // of one function: 1<<16 program counters, 1<<12 a bucket
	// Functions are numbered from here; a program counter is the number and 16
	// bits for a place within the function.
	firstFunction = 1 << 12
)

// area is a part of memory.
type area struct{ from, to uint64 }

func (a area) size() uint64 { return a.to - a.from }

// layout says where the runtime's tables of functions are.
type layout struct {
	functions int
	names     area // zero-terminated names of functions
	units     area // files of compilation units
	files     area // names of files
	values    area // tables from program counter to value
	records   area // an index, then a record for each function
	objects   area // what records refer to: stack maps and the like
	find      area // from a program counter to a record
}

// version refuses a module of another compiler: its tables may be others.
func (m *module) version() error {
	for _, s := range m.sections {
		if s.id != customSection || !bytes.HasPrefix(s.body, []byte("\tproducers")) {
			continue
		}
		if bytes.HasSuffix(s.body, []byte(goVersion)) || bytes.Contains(s.body, []byte(goVersion+".")) {
			return nil
		}
		return fmt.Errorf("the compiler is not %s, and its tables may be others: %q", goVersion, s.body)
	}
	return fmt.Errorf("the module does not say which compiler made it")
}

// layout finds the tables by the two structures that describe them, which must
// be the only ones and agree with each other.
func (m memory) layout() (*layout, error) {
	mark := binary.LittleEndian.AppendUint64(nil, magic)
	header, err := m.only(mark, headerSize)
	if err != nil {
		return nil, fmt.Errorf("the header of the tables of functions: %w", err)
	}
	names := header + m.u64(header+32)
	mark = binary.LittleEndian.AppendUint64(nil, header)
	mark = binary.LittleEndian.AppendUint64(mark, names)
	data, err := m.only(mark, moduleSize)
	if err != nil {
		return nil, fmt.Errorf("the description of the module: %w", err)
	}
	return m.read(header, data)
}

// only finds the only place of a mark, with room for what begins there.
func (m memory) only(mark []byte, room int) (uint64, error) {
	at := bytes.Index(m, mark)
	if at < 0 || len(m)-at < room {
		return 0, fmt.Errorf("it is nowhere")
	}
	if next := bytes.Index(m[at+1:], mark); next >= 0 {
		return 0, fmt.Errorf("it is at %#x and at %#x", at, at+1+next)
	}
	return uint64(at), nil
}

// read reads moduledata, and checks it against the header.
func (m memory) read(header, data uint64) (*layout, error) {
	l := &layout{functions: int(m.u64(header + 8))}
	for i, a := range []*area{&l.names, &l.units, &l.files, &l.values, &l.records} {
		slice := data + 8 + 24*uint64(i)
		a.from = m.u64(slice)
		a.to = a.from + m.u64(slice+8)
		if start := header + m.u64(header+32+8*uint64(i)); a.from != start {
			return nil, fmt.Errorf("table %d is at %#x and at %#x", i, start, a.from)
		}
	}
	l.units.to = l.files.from
	index, entries := m.u64(data+128), m.u64(data+136)
	if index != l.records.from || entries != uint64(l.functions)+1 {
		return nil, fmt.Errorf("the index of functions at %#x has %d entries for %d functions", index, entries, l.functions)
	}
	l.find = area{m.u64(data + 152), m.u64(data + 328)}
	l.objects = area{m.u64(data + 320), l.find.from}
	l.records.to = l.objects.from
	last := header + headerSize
	for i, a := range []area{l.names, l.units, l.files, l.values, l.records, l.objects, l.find} {
		if a.from < last || a.to < a.from || a.to > uint64(len(m)) {
			return nil, fmt.Errorf("table %d, %#x to %#x, is not behind the one before it", i, a.from, a.to)
		}
		last = a.to
	}
	if l.records.size() < 8*uint64(l.functions)+4 {
		return nil, fmt.Errorf("%d functions have no room in %d bytes", l.functions, l.records.size())
	}
	return l, nil
}
