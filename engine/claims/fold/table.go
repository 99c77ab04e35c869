package fold

import "slices"

// mapping is a table from characters to sequences of them. The entries stand in
// blocks. A block is one run of numbers: how many entries it has, the step from
// each character to the next, the length of what each is mapped to, and that
// itself, as steps from the entry before. Like beside like is what compresses.
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
	d := m.open(i)
	for k := range d.entries {
		if d.at[k] == r {
			for range k + 1 {
				d.next()
			}
			return append(out, d.target[:d.n]...)
		}
	}
	return append(out, r)
}

// open reads the characters and the lengths of a block; what they are mapped to
// follows entry by entry.
func (m *mapping) open(i int) (d decoder) {
	d.data = m.data[m.blocks[i].offset:]
	d.entries = int(d.number())
	at := rune(m.blocks[i].first)
	for k := range d.entries {
		at += rune(d.number())
		d.at[k] = at
	}
	for k := range d.entries {
		d.length[k] = uint8(d.number())
	}
	return d
}

// longest is the most characters that an entry maps to (U+FDFA has 18).
const longest = 18

// decoder reads the entries of a block one after another.
type decoder struct {
	data    string
	i       int
	entries int
	at      [blockEntries]rune
	length  [blockEntries]uint8
	k       int // the next entry
	n       int // how many characters the last one has
	target  [longest]rune
}

// next reads what an entry is mapped to: for each character the step from the
// same place of the entry before.
func (d *decoder) next() {
	d.n = int(d.length[d.k])
	d.k++
	for k := range d.n {
		step := d.number()
		d.target[k] += rune(step>>1) ^ -rune(step&1)
	}
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
