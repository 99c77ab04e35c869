package screen

// Eight units at a time: the classes of eight units stand in the lanes of a uint64, and a test of all of them gives the
// top bit of each lane in which it holds. The byte loops that this replaces were half of the time on ordinary text.
const (
	lanes = 8
	ones  = 0x0101010101010101
	tops  = 0x80 * ones
)

// load reads eight lanes; the compiler makes it one instruction.
func load[T string | []byte](b T) uint64 {
	_ = b[7]
	return uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
		uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
}

// store is the reverse of load.
func store(b []byte, x uint64) {
	_ = b[7]
	b[0], b[1], b[2], b[3] = byte(x), byte(x>>8), byte(x>>16), byte(x>>24)
	b[4], b[5], b[6], b[7] = byte(x>>32), byte(x>>40), byte(x>>48), byte(x>>56)
}

// between tells the lanes from low to high. Every lane must be less than 0x80.
func between(x uint64, low, high uint64) uint64 {
	return (x + (0x80-low)*ones) &^ (x + (0x7f-high)*ones) & tops
}

// lower folds the capital letters.
func lower(x uint64) uint64 { return x | between(x, 'A', 'Z')>>2 }

// wordLanes tells the units of words among classes, in which no letter is a capital.
func wordLanes(x uint64) uint64 {
	return between(x, 'a', 'z') | between(x, '0', '9') | between(x, '_', '_')
}

// foldLanes tells the units that the leetspeak table may hold: digits, @ and $, and % beside them.
func foldLanes(x uint64) uint64 {
	return between(x, '0', '9') | between(x, '@', '@') | between(x, '$', '%')
}

// symbolLanes tells the classes that can be symbols of a rulebook: the printable ones that are no unit of a word, LF, and
// the invisible ones.
func symbolLanes(x, words uint64) uint64 {
	return between(x, 0x21, 0x7e)&^words | between(x, '\n', '\n') | between(x, classFEFF, classUnseen)
}

// gather brings the top bits of eight lanes together.
func gather(x uint64) uint64 { return x >> 7 * 0x0102040810204080 >> 56 }
