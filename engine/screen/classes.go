package screen

// The class map holds one byte for each UTF-16 code unit of a text, so that an index into it is a JavaScript string
// index. No pattern of a rulebook can tell apart two units of one class under the flag i without u (R40): ASCII letters
// fold to lower case, no unit from beyond ASCII folds into it (so U+212A is no k, U+017F no s), and beyond ASCII the
// patterns ask for white space, line ends and the invisible characters of OB-1 only. The compiler refuses a pattern
// that asks for more.
const (
	classFEFF   = 0x01 // U+FEFF: white space, and invisible
	classUnseen = 0x02 // the other invisible characters of OB-1
	classOther  = 0x03 // everything else beyond ASCII, each half of a surrogate pair, and the controls whose bytes are taken
	classLine   = 0x04 // U+2028 and U+2029: white space that ends a line
	classSpace  = 0x0b // VT, which stands for every other white space beyond ASCII
	classEnd    = 0x80 // after the last unit, tail times; a member of no set of a pattern
)

// trait says of a text which views it can have; it may say too much, never too little.
type trait uint8

const (
	traitFolds   trait = 1 << iota // it may hold a unit of the leetspeak table
	traitPercent                   // it may hold a percent sign
)

// tail is how many classEnd follow the classes of a text, so that a reader may look ahead by a block.
const tail = 64

// classify makes the class map of a text in the memory of dst, and returns the text's traits.
func classify[T string | []byte](dst []byte, text T) ([]byte, trait) {
	dst = grow(dst, len(text)+tail)
	var folds uint64
	n, i := 0, 0
	for i < len(text) {
		if i+lanes <= len(text) {
			x := load(text[i:])
			if x&tops == 0 && between(x, classFEFF, classLine) == 0 {
				folds |= foldLanes(x)
				store(dst[n:], lower(x))
				n += lanes
				i += lanes
				continue
			}
		}
		// What is beyond ASCII, or takes a class that has a meaning of its own, and the last few units.
		end := min(i+lanes, len(text))
		for ; i < end; i++ {
			if b := text[i]; b >= 0x80 {
				n += classifyBeyond(dst[n:], text, i)
			} else {
				folds |= foldLanes(uint64(b))
				dst[n] = asciiClass[b]
				n++
			}
		}
	}
	dst = dst[:n+tail]
	for i := n; i < len(dst); i += lanes {
		store(dst[i:], tops)
	}
	if folds != 0 {
		return dst, traitFolds | traitPercent
	}
	return dst, 0
}

// classifyBeyond writes the classes of the character that begins at text[i], a byte beyond ASCII, and returns how many
// units it has: none where i is inside a character.
func classifyBeyond[T string | []byte](dst []byte, text T, i int) int {
	b := text[i]
	if b < 0xc0 {
		return 0
	}
	var b1, b2 byte
	if i+1 < len(text) {
		b1 = text[i+1]
	}
	if i+2 < len(text) {
		b2 = text[i+2]
	}
	dst[0] = classOfBytes(b, b1, b2)
	if b < 0xf0 || !continues(b1) {
		return 1
	}
	dst[1] = classOther
	return 2
}

// continues says whether a byte is one that only stands inside a character.
func continues(b byte) bool { return b&0xc0 == 0x80 }

// units counts the UTF-16 code units of a text as classify does.
func units(text string) int {
	n := 0
	for i := 0; i < len(text); i++ {
		b := text[i]
		if !continues(b) {
			n++
		}
		if b >= 0xf0 && i+1 < len(text) && continues(text[i+1]) {
			n++
		}
	}
	return n
}

// classOfBytes is the class of a character of two or three bytes. The white space is ECMAScript's (R20).
func classOfBytes(b0, b1, b2 byte) byte {
	switch b0 {
	case 0xc2:
		if b1 == 0xa0 { // U+00A0
			return classSpace
		}
	case 0xe1:
		if b1 == 0x9a && b2 == 0x80 { // U+1680
			return classSpace
		}
		if b1 == 0xa0 && b2 == 0x8e { // U+180E
			return classUnseen
		}
	case 0xe2:
		return classOfPunctuation(b1, b2)
	case 0xe3:
		if b1 == 0x80 && b2 == 0x80 { // U+3000
			return classSpace
		}
	case 0xef:
		if b1 == 0xbb && b2 == 0xbf {
			return classFEFF
		}
	}
	return classOther
}

// classOfPunctuation is the class of U+2000 to U+2FFF by its last two bytes.
func classOfPunctuation(b1, b2 byte) byte {
	switch {
	case b1 == 0x80 && b2 <= 0x8a: // U+2000 to U+200A
		return classSpace
	case b1 == 0x80 && b2 <= 0x8d: // U+200B to U+200D
		return classUnseen
	case b1 == 0x80 && (b2 == 0xa8 || b2 == 0xa9):
		return classLine
	case b1 == 0x80 && b2 == 0xaf, b1 == 0x81 && b2 == 0x9f: // U+202F, U+205F
		return classSpace
	case b1 == 0x81 && b2 == 0xa0: // U+2060
		return classUnseen
	}
	return classOther
}

// grow returns a slice of n bytes that reuses the memory of b.
func grow(b []byte, n int) []byte {
	if cap(b) < n {
		return make([]byte, n, n+n/4)
	}
	return b[:n]
}
