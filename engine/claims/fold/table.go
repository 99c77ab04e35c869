package fold

import "slices"

// mapping is a table from characters to sequences of them. The entries stand in
// blocks; a block is one run of bytes, and each entry in it says how it differs
// from the one before.
type mapping struct {
	blocks []block
	data   string
}

// block is where a block begins, and the first and last characters that it maps.
type block struct{ first, last, offset uint32 }

// blockEntries is how many entries a block has at most.
const blockEntries = 64

// appendTo appends what a character is mapped to: itself where the table has no
// entry.
func (m *mapping) appendTo(out []rune, r rune) []rune {
	i, found := slices.BinarySearchFunc(m.blocks, uint32(r), func(b block, r uint32) int { return int(b.first) - int(r) })
	if !found {
		i--
	}
	if i < 0 || uint32(r) > m.blocks[i].last {
		return append(out, r)
	}
	end := uint32(len(m.data))
	if i+1 < len(m.blocks) {
		end = m.blocks[i+1].offset
	}
	d := decoder{data: m.data[m.blocks[i].offset:end], at: rune(m.blocks[i].first)}
	for d.next() && d.at <= r {
		if d.at == r {
			return append(out, d.target[:d.n]...)
		}
	}
	return append(out, r)
}

// longest is the most characters that an entry maps to (U+FDFA has 18).
const longest = 18

// decoder reads the entries of a block one after another.
type decoder struct {
	data   string
	i      int
	at     rune
	n      int
	target [longest]rune
}

// next reads an entry: the step from the character before, the number of
// characters, and for each the step from the same place of the entry before.
func (d *decoder) next() bool {
	if d.i == len(d.data) {
		return false
	}
	d.at += rune(d.number())
	d.n = int(d.number())
	for k := range d.n {
		step := d.number()
		d.target[k] += rune(step>>1) ^ -rune(step&1)
	}
	return true
}

// number reads an unsigned number, seven bits a byte, the lowest first.
func (d *decoder) number() uint32 {
	var v uint32
	for shift := 0; ; shift += 7 {
		c := d.data[d.i]
		d.i++
		v |= uint32(c&0x7F) << shift
		if c < 0x80 {
			return v
		}
	}
}
