package screen

// table is a rulebook in the form that the matcher runs. It is static data, written by TestTables from the patterns.
//
// The first half answers, in one pass over a text, which rules can match at all. Each pattern yields clauses, "every
// text that matches holds one of these words", and a rule is tried when all its clauses are met. The second half holds
// the words and symbols with which a match can begin, and a program for each rule that is run from such a place.
type table struct {
	heads   [64]uint64 // a bit for each hash of the first three classes of a word
	words   string     // the words, one after the other, those of one hash together
	wordAt  []uint16   // word i is words[wordAt[i]:wordAt[i+1]]
	buckets []uint16   // the words of hash h are buckets[h] up to buckets[h+1]
	grants  []bits     // the clauses that a word meets
	needs   []bits     // the clauses that a rule asks for
	symbol  [256]byte  // the place of a class in symbols; 0 is one that means nothing
	symbols []symbol
	starts  []bits  // the rules that can begin at a word, then those of the triggers
	begin   trigger // the start of the text as a place where a match can begin

	program  []inst
	branches []branch
	literals string
	lists    string // of literals, each with its length before it
	sets     []set
	entries  []uint16 // a rule's first instruction
	seconds  []uint16 // the set of the classes that can follow the first of a rule's match
	direct   []bits   // the rules whose match from a word has nothing to ask of the word itself
	after    []uint16 // what such a rule asks after the word
	loops    int      // the number of loops of all rules
	merging  bits     // the rules whose adjacent matches become one span (R41)
	anchored bits     // the rules with an anchor
}

// maxWord is the length of the longest word that a table may hold; a longer run of word units is not looked up.
const maxWord = 24

// symbol is what a class that is no word unit means to a rulebook.
type symbol struct {
	grants   bits
	triggers []trigger
}

// trigger is a place where a match can begin: back units before the symbol. id counts on from the words, and second is
// the set of the classes that can follow the first of such a match.
type trigger struct {
	id, back, second uint16
}

// maxRules is how many rules or clauses a rulebook may have.
const maxRules = 128

// bits is a set of rules or clauses of one rulebook.
type bits [maxRules / 64]uint64

func (b *bits) add(o *bits)         { b[0] |= o[0]; b[1] |= o[1] }
func (b *bits) has(i int) bool      { return b[i>>6]>>(i&63)&1 != 0 }
func (b *bits) set(i int)           { b[i>>6] |= 1 << (i & 63) }
func (b *bits) covers(o *bits) bool { return o[0]&^b[0]|o[1]&^b[1] == 0 }
func (b *bits) empty() bool         { return b[0]|b[1] == 0 }

// set is a set of classes.
type set [4]uint64

func (s *set) has(c byte) bool { return s[c>>6]>>(c&63)&1 != 0 }

type opcode uint8

const (
	opMatch    opcode = iota // the rule has matched
	opLiteral                // literals[x:y]
	opSpelling               // one of the list lists[x:y], in its order; several may lead to a match
	opOneOf                  // the same, but no two of them fit one place
	opWord                   // the same, but no two of them fit one place and end at a boundary, which must follow
	opSet                    // one class of sets[x]
	opBoundary               // \b
	opBegin                  // ^, the start of the text
	opEnd                    // $, the end of the text
	opMark                   // the place becomes marks[x], the start or the end of the anchor
	opEither                 // branches[x:y], the first that leads to a match
	opGreedy                 // min to max classes of sets[x], as many as possible first
	opLazy                   // the same, as few as possible first
)

// inst is one instruction; next is where the rest of the pattern begins. A loop asks two things before it tries its rest
// at a place: first holds the classes with which the rest can begin, and where boundary is set the rest begins with a \b
// that the loop has looked at for it. second holds the classes that can stand after the first one of the rest.
type inst struct {
	op       opcode
	boundary bool
	next     uint16
	x, y     uint16
	min, max uint16 // of a loop; unlimited is no limit
	first    uint16
	second   uint16
	loop     uint16 // a loop's number
}

// mayBeEmpty is the max of an opSpelling whose last spelling, and no other, is empty: first holds the initials of the others.
const mayBeEmpty = 1

// unlimited is the max of a loop that has none.
const unlimited = 1<<16 - 1

// branch is one alternative: the classes with which it can begin, those that can stand second, whether it begins with ^,
// and its first instruction.
type branch struct {
	first, second uint16
	begin         bool
	entry         uint16
}

// hashHead gives the first three classes of a word one of 1 << 12 numbers.
func hashHead(first, second, third byte) uint32 {
	return (uint32(first) | uint32(second)<<8 | uint32(third)<<16) * 0x9e3779b1 >> 20
}

// hash spreads words over 1 << hashBits buckets by four cheap features of a word of two units or more.
const hashBits = 10

func hash(first, second, last byte, length int) uint32 {
	return (uint32(first)*33 + uint32(second)*161 + uint32(last)*593 + uint32(length)*77) & (1<<hashBits - 1)
}
