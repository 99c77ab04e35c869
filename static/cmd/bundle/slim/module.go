package slim

import (
	"bytes"
	"encoding/binary"
	"fmt"
)

const (
	customSection = 0
	dataSection   = 11
)

// holes of fewer zeros than this stay inside a segment: they cost the compressed
// file next to nothing, and every segment costs the browser time.
const minHole = 1024

// section is one section of a WebAssembly module.
type section struct {
	id   byte
	body []byte
}

// module is a WebAssembly module with its data laid out as the program finds it
// in memory.
type module struct {
	sections []section
	memory   memory
}

// memory is what the data section fills, by address; what lies beyond is zero.
type memory []byte

func (m memory) u32(at uint64) uint32 { return binary.LittleEndian.Uint32(m[at:]) }
func (m memory) u64(at uint64) uint64 { return binary.LittleEndian.Uint64(m[at:]) }

func parse(file []byte) (*module, error) {
	if !bytes.HasPrefix(file, []byte("\x00asm\x01\x00\x00\x00")) {
		return nil, fmt.Errorf("this is no WebAssembly module of version 1")
	}
	m := &module{}
	for r := (&reader{data: file, at: 8}); r.at < len(file); {
		s := section{id: r.byte()}
		s.body = r.take(r.uint())
		if r.err != nil {
			return nil, r.err
		}
		m.sections = append(m.sections, s)
		if s.id == dataSection {
			if err := m.load(s.body); err != nil {
				return nil, fmt.Errorf("the data section: %w", err)
			}
		}
	}
	if m.memory == nil {
		return nil, fmt.Errorf("the module has no data section")
	}
	return m, nil
}

func (m *module) load(body []byte) error {
	r := &reader{data: body}
	for n := r.uint(); n > 0 && r.err == nil; n-- {
		if r.byte() != 0 || r.byte() != 0x41 {
			return fmt.Errorf("byte %d: not an active segment at a constant address", r.at)
		}
		address := r.int()
		if r.byte() != 0x0b || address < 0 || address > 1<<30 {
			return fmt.Errorf("byte %d: not a plain address", r.at)
		}
		data := r.take(r.uint())
		if end := int(address) + len(data); end > len(m.memory) {
			m.memory = append(m.memory, make([]byte, end-len(m.memory))...)
		}
		copy(m.memory[address:], data)
	}
	if r.err == nil && r.at != len(body) {
		return fmt.Errorf("%d bytes are left over", len(body)-r.at)
	}
	return r.err
}

// format writes the module with its memory as it is now.
func (m *module) format() []byte {
	file := []byte("\x00asm\x01\x00\x00\x00")
	for _, s := range m.sections {
		if s.id == dataSection {
			s.body = m.memory.segments()
		}
		file = append(file, s.id)
		file = binary.AppendUvarint(file, uint64(len(s.body)))
		file = append(file, s.body...)
	}
	return file
}

func (m memory) segments() []byte {
	var body []byte
	count := 0
	hole := make([]byte, minHole)
	for at := 0; ; count++ {
		for at < len(m) && m[at] == 0 {
			at++
		}
		if at == len(m) {
			break
		}
		n := bytes.Index(m[at:], hole)
		if n < 0 {
			n = len(bytes.TrimRight(m[at:], "\x00"))
		}
		body = append(body, 0, 0x41)
		body = appendInt(body, int64(at))
		body = append(body, 0x0b)
		body = binary.AppendUvarint(body, uint64(n))
		body = append(body, m[at:at+n]...)
		at += n
	}
	return append(binary.AppendUvarint(nil, uint64(count)), body...)
}

// appendInt appends a signed LEB128.
func appendInt(b []byte, v int64) []byte {
	for v > 63 || v < -64 {
		b = append(b, byte(v)|0x80)
		v >>= 7
	}
	return append(b, byte(v)&0x7f)
}

// reader reads the numbers of WebAssembly; after an error it reads zeros.
type reader struct {
	data []byte
	at   int
	err  error
}

func (r *reader) byte() byte {
	b := r.take(1)
	if b == nil {
		return 0
	}
	return b[0]
}

func (r *reader) take(n uint64) []byte {
	if n > uint64(len(r.data)-r.at) {
		r.fail("the file ends too soon")
	}
	if r.err != nil {
		return nil
	}
	r.at += int(n)
	return r.data[r.at-int(n) : r.at]
}

func (r *reader) fail(what string) {
	if r.err == nil {
		r.err = fmt.Errorf("byte %d: %s", r.at, what)
	}
}

func (r *reader) uint() uint64 {
	v, n := binary.Uvarint(r.data[r.at:])
	if n <= 0 {
		r.fail("no number")
		return 0
	}
	r.at += n
	return v
}

// int reads a signed LEB128.
func (r *reader) int() int64 {
	var v int64
	for shift := 0; shift < 64; shift += 7 {
		b := r.byte()
		v |= int64(b&0x7f) << shift
		if b&0x80 == 0 {
			if b&0x40 != 0 && shift < 57 {
				v |= -1 << (shift + 7)
			}
			break
		}
	}
	return v
}
