package screen

import (
	"fmt"
	"iter"
	"slices"
	"strings"
)

// compile makes the table of a rulebook's patterns. The rules in merging are those whose adjacent matches are one.
func compile(rules []Rule, merging ...string) *table {
	c := &compiler{table: &table{}, slots: map[string]int{}, places: map[inst]uint16{}, firsts: map[uint16]set{}, seconds: map[uint16]set{}}
	c.set(set{^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0)})
	if len(rules) > maxRules {
		panic("more rules than bits")
	}
	features := newFeatures()
	for i, r := range rules {
		if r.Flags != "i" {
			panic("flags " + r.Flags)
		}
		n := parse(r.Pattern)
		match := c.emit(inst{op: opMatch})
		entry := c.node(n, match)
		c.table.entries = append(c.table.entries, entry)
		c.table.seconds = append(c.table.seconds, c.set(c.second(entry)))
		c.table.loops = c.loop
		features.add(i, n)
		if slices.Contains(merging, r.ID) {
			c.table.merging.set(i)
		}
		if anchors(n) == 1 {
			c.table.anchored.set(i)
		}
	}
	features.fill(c)
	return c.table
}

type compiler struct {
	table  *table
	slots  map[string]int // lists of spellings by content
	places map[inst]uint16
	loop   int

	firsts, seconds map[uint16]set // what first and second found out: optional parts in a row have many ways
}

// emit returns the place of an instruction. Patterns share their ends: one that stands already, with the same rest, is
// taken again, and so is what its loop has learned.
func (c *compiler) emit(in inst) uint16 {
	loop := in.op == opGreedy || in.op == opLazy
	if at, known := c.places[in]; known {
		return at
	}
	at := uint16(len(c.table.program))
	c.places[in] = at
	if loop {
		in.loop = uint16(c.loop)
		c.loop++
	}
	c.table.program = append(c.table.program, in)
	return at
}

func (c *compiler) set(s set) uint16 {
	if i := slices.Index(c.table.sets, s); i >= 0 {
		return uint16(i)
	}
	c.table.sets = append(c.table.sets, s)
	return uint16(len(c.table.sets) - 1)
}

func (c *compiler) literal(s string) (from, to uint16) {
	i := strings.Index(c.table.literals, s)
	if i < 0 {
		i = len(c.table.literals)
		c.table.literals += s
	}
	return uint16(i), uint16(i + len(s))
}

// node compiles a node whose rest begins at next.
func (c *compiler) node(n node, next uint16) uint16 {
	switch n := n.(type) {
	case nodeSet:
		if one := n.set.members(); len(one) == 1 {
			x, y := c.literal(string(one))
			return c.emit(inst{op: opLiteral, x: x, y: y, next: next})
		}
		return c.emit(inst{op: opSet, x: c.set(n.set), next: next})
	case nodeSeq:
		return c.sequence(n, next)
	case nodeAlt:
		if all := spellings(n); all != nil {
			return c.spell(all, next)
		}
		return c.either(n, next)
	case nodeBoundary:
		return c.emit(inst{op: opBoundary, next: next})
	case nodeBegin:
		return c.emit(inst{op: opBegin, next: next})
	case nodeEnd:
		return c.emit(inst{op: opEnd, next: next})
	case nodeAnchor:
		next = c.emit(inst{op: opMark, x: 1, next: next})
		return c.emit(inst{op: opMark, next: c.node(n.body, next)})
	case nodeRepeat:
		return c.repeat(n, next)
	}
	panic(fmt.Sprintf("node %T", n))
}

// sequence compiles from the end, and takes the parts that can be spelled out together as one.
func (c *compiler) sequence(seq nodeSeq, next uint16) uint16 {
	seq = simpler(seq)
	for i := len(seq); i > 0; {
		spelled := []string{""}
		for ; i > 0; i-- {
			heads := spellings(seq[i-1])
			if heads == nil || spelled[0] != "" && len(heads)*len(spelled) > 40 {
				break
			}
			spelled = product(heads, spelled)
		}
		if len(spelled) > 1 || spelled[0] != "" {
			next = c.spell(spelled, next)
		}
		if i > 0 && spellings(seq[i-1]) == nil {
			i--
			next = c.node(seq[i], next)
		}
	}
	return next
}

// spellings are the literals that a node stands for in the order in which they are tried, or nil if it has others.
func spellings(n node) []string {
	switch n := n.(type) {
	case nodeSet:
		if one := n.set.members(); len(one) == 1 {
			return []string{string(one)}
		}
	case nodeSeq:
		out := []string{""}
		for _, part := range n {
			tails := spellings(part)
			if tails == nil {
				return nil
			}
			out = product(out, tails)
		}
		return out
	case nodeAlt:
		var out []string
		for _, alt := range n {
			some := spellings(alt)
			if some == nil {
				return nil
			}
			out = append(out, some...)
		}
		return out
	case nodeRepeat:
		if some := spellings(n.body); some != nil && n.min == 0 && n.max == 1 && !n.lazy {
			return append(some, "")
		}
	}
	return nil
}

// spell compiles a list of literals.
func (c *compiler) spell(all []string, next uint16) uint16 {
	if len(all) == 1 {
		x, y := c.literal(all[0])
		return c.emit(inst{op: opLiteral, x: x, y: y, next: next})
	}
	in := inst{op: c.spellOp(all, next), next: next}
	in.x, in.y = c.list(all)
	if in.op == opSpelling && slices.Index(all, "") == len(all)-1 {
		var initials set
		for _, s := range all[:len(all)-1] {
			initials.put(s[0])
		}
		in.max, in.first = mayBeEmpty, c.set(initials)
	}
	return c.emit(in)
}

// list puts a list of spellings into the table, once: each with its length before it.
func (c *compiler) list(all []string) (from, to uint16) {
	list := ""
	for _, s := range all {
		list += string([]byte{byte(len(s))}) + s
	}
	at, known := c.slots[list]
	if !known {
		at = len(c.table.lists)
		c.slots[list] = at
		c.table.lists += list
	}
	if len(c.table.lists) > 1<<16-1 {
		panic("more lists than an instruction can point to")
	}
	return uint16(at), uint16(at + len(list))
}

// spellings yields those of a list.
func (t *table) spellings(in inst) iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := int(in.x); i < int(in.y); {
			n := int(t.lists[i])
			if !yield(t.lists[i+1 : i+1+n]) {
				return
			}
			i += 1 + n
		}
	}
}

// spellOp finds out whether two of some literals can fit one place: then one is the beginning of the other. Where a
// boundary must follow both, the shorter is out if the longer goes on with a unit of the same kind.
func (c *compiler) spellOp(all []string, next uint16) opcode {
	op := opOneOf
	for i, short := range all {
		for j, long := range all {
			if i == j || !strings.HasPrefix(long, short) {
				continue
			}
			if short == "" || short == long || c.table.program[next].op != opBoundary ||
				wordUnit[short[len(short)-1]] != wordUnit[long[len(short)]] {
				return opSpelling
			}
			op = opWord
		}
	}
	return op
}

func (c *compiler) either(alts []node, next uint16) uint16 {
	var branches []branch
	for _, alt := range alts {
		entry := c.node(alt, next)
		branches = append(branches, c.branch(entry))
	}
	return c.emitEither(branches)
}

func (c *compiler) branch(entry uint16) branch {
	return branch{c.set(c.first(entry)), c.set(c.second(entry)), c.table.program[entry].op == opBegin, entry}
}

func (c *compiler) emitEither(branches []branch) uint16 {
	from := 0
	for from+len(branches) <= len(c.table.branches) && !slices.Equal(c.table.branches[from:from+len(branches)], branches) {
		from++
	}
	if from+len(branches) > len(c.table.branches) {
		from = len(c.table.branches)
		c.table.branches = append(c.table.branches, branches...)
	}
	return c.emit(inst{op: opEither, x: uint16(from), y: uint16(from + len(branches))})
}

func (c *compiler) repeat(n nodeRepeat, next uint16) uint16 {
	if s, ok := n.body.(nodeSet); ok && n.max != 1 {
		op := opGreedy
		if n.lazy {
			op = opLazy
		}
		in := inst{op: op, next: next, x: c.set(s.set), min: uint16(n.min), max: uint16(n.max)}
		in.first, in.second = c.set(c.first(next)), c.set(c.second(next))
		if c.table.program[next].op == opBoundary {
			in.boundary, in.next = true, c.table.program[next].next
		}
		return c.emit(in)
	}
	if n.max == unlimited || n.lazy {
		panic("a loop over more than one unit")
	}
	for turn := n.max; turn > 0; turn-- {
		taken := c.node(n.body, next)
		if turn > n.min {
			taken = c.emitEither([]branch{c.branch(taken), c.branch(next)})
		}
		next = taken
	}
	return next
}

// first is the set of classes with which the match of a rest can begin, all of them where it can be empty.
func (c *compiler) first(entry uint16) set {
	s, known := c.firsts[entry]
	if !known {
		s = c.findFirst(entry)
		c.firsts[entry] = s
	}
	return s
}

func (c *compiler) findFirst(entry uint16) set {
	in := c.table.program[entry]
	switch in.op {
	case opMatch:
		return c.table.sets[0]
	case opLiteral:
		var s set
		s.put(c.table.literals[in.x])
		return s
	case opSet:
		return c.table.sets[in.x]
	case opSpelling, opOneOf, opWord:
		var s set
		for sp := range c.table.spellings(in) {
			if sp == "" {
				s = s.union(c.first(in.next))
			} else {
				s.put(sp[0])
			}
		}
		return s
	case opEither:
		var s set
		for _, b := range c.table.branches[in.x:in.y] {
			s = s.union(c.table.sets[b.first])
		}
		return s
	case opGreedy, opLazy:
		s := c.table.sets[in.x]
		if in.min == 0 {
			s = s.union(c.first(in.next))
		}
		return s
	}
	return c.first(in.next)
}

// second is the set of the classes that can stand after the first one of a rest. Nothing is said of a rest that can be
// one class long or less.
func (c *compiler) second(entry uint16) set {
	s, known := c.seconds[entry]
	if !known {
		s = c.findSecond(entry)
		c.seconds[entry] = s
	}
	return s
}

func (c *compiler) findSecond(entry uint16) set {
	in := c.table.program[entry]
	var s set
	switch in.op {
	case opMatch:
		return c.table.sets[0]
	case opLiteral:
		return c.secondOf(c.table.literals[in.x:in.y], in.next)
	case opSpelling, opOneOf, opWord:
		for sp := range c.table.spellings(in) {
			s = s.union(c.secondOf(sp, in.next))
		}
		return s
	case opSet:
		return c.first(in.next)
	case opEither:
		for _, b := range c.table.branches[in.x:in.y] {
			s = s.union(c.second(b.entry))
		}
		return s
	case opGreedy, opLazy:
		s = c.first(in.next)
		if in.max > 1 {
			s = s.union(c.table.sets[in.x])
		}
		if in.min == 0 {
			s = s.union(c.second(in.next))
		}
		return s
	}
	return c.second(in.next)
}

func (c *compiler) secondOf(literal string, next uint16) set {
	switch len(literal) {
	case 0:
		return c.second(next)
	case 1:
		return c.first(next)
	}
	var s set
	s.put(literal[1])
	return s
}

// fillDirect finds the rules that begin with \b, a list of spellings and \b, and the words that are such a spelling and
// the beginning of no other. Where the first pass found the word, only the second \b is left to ask: the word of the
// text may be longer in a view.
func (c *compiler) fillDirect() {
	t := c.table
	t.direct, t.after = make([]bits, len(t.wordAt)-1), make([]uint16, len(t.entries))
	for r, entry := range t.entries {
		list := t.program[t.program[entry].next]
		if t.program[entry].op != opBoundary || t.program[list.next].op != opBoundary {
			continue
		}
		t.after[r] = list.next
		for w := range t.direct {
			if word := t.words[t.wordAt[w]:t.wordAt[w+1]]; t.starts[w].has(r) && c.settles(list, word) && !folds(word) {
				t.direct[w].set(r)
			}
		}
	}
}

// folds says whether a word reads differently in the leetspeak view: rot13 of the text is no rot13 there.
func folds(word string) bool {
	return strings.ContainsFunc(word, func(r rune) bool { return leetClass[r] != byte(r) })
}

// settles says whether a whole word of the text can be one spelling of a list only.
func (c *compiler) settles(list inst, word string) bool {
	var fit []string
	switch list.op {
	case opLiteral:
		fit = append(fit, c.table.literals[list.x:list.y])
	case opOneOf, opWord, opSpelling:
		for s := range c.table.spellings(list) {
			fit = append(fit, s)
		}
	}
	fit = slices.DeleteFunc(fit, func(s string) bool {
		return !strings.HasPrefix(s, word) || len(s) > len(word) && wordUnit[s[len(word)]] != 0
	})
	return len(fit) == 1 && fit[0] == word
}

// simpler rewrites x*y?x* as x*(yx*)?, where x and y are units and y is no x: the same texts match in the same order, and
// a long run of x is cut in one way only.
func simpler(seq nodeSeq) nodeSeq {
	for i := 0; i+2 < len(seq); i++ {
		x, y, again := unitLoop(seq[i], unlimited), unitLoop(seq[i+1], 1), unitLoop(seq[i+2], unlimited)
		if x == nil || y == nil || again == nil || *x != *again {
			continue
		}
		if unit := y.members(); len(unit) != 1 || x.has(unit[0]) {
			continue
		}
		optional := nodeRepeat{body: nodeSeq{nodeSet{*y}, seq[i]}, max: 1}
		return simpler(append(append(seq[:i+1:i+1], optional), seq[i+3:]...))
	}
	return seq
}

// unitLoop is the set of a greedy loop of no turns up to max over single units, or nil.
func unitLoop(n node, max int) *set {
	loop, ok := n.(nodeRepeat)
	if !ok || loop.min != 0 || loop.max != max || loop.lazy {
		return nil
	}
	if body, ok := loop.body.(nodeSet); ok {
		return &body.set
	}
	return nil
}

// anchors counts the anchors of a pattern. One that a match can go around would keep the place of a way that failed, so
// it must stand in the pattern's own sequence.
func anchors(n node) int {
	seq, ok := n.(nodeSeq)
	if !ok {
		return 0
	}
	count := 0
	for _, part := range seq {
		if _, ok := part.(nodeAnchor); ok {
			count++
		}
	}
	return count
}
