package screen

// matcher runs the programs of a table over one class map, in the order in which a backtracking RegExp tries things, so
// that the first way that leads to a match is the one that V8 takes. Two memories keep it linear on hostile text.
// Whether the rest of a pattern matches from a place does not depend on how the place was reached, so each loop
// remembers an interval of places from which its rest is known to fail; starts and windows move along the text, and
// the interval moves with them. And each loop remembers how far a run of its set reaches, so that a long run of white
// space is walked once and not once for each place in it.
type matcher struct {
	table   *table
	classes []byte
	loops   []loopMemory
}

// loopMemory is what a loop learned in this text: [deadFrom, deadTo) are places from which the rest of the pattern
// fails, and [runFrom, runTo) holds members of the loop's set only.
type loopMemory struct {
	deadFrom, deadTo, runFrom, runTo int
}

// reset begins a class map and forgets what was learned of the one before.
func (m *matcher) reset(classes []byte) {
	m.classes = classes
	clear(m.loops)
}

// run returns the end of the match of the program from an instruction on, or -1.
func (m *matcher) run(entry uint16, at int) int {
	t := m.table
	for {
		in := &t.program[entry]
		switch in.op {
		case opMatch:
			return at
		case opLiteral:
			if !m.reads(t.literals[in.x:in.y], at) {
				return -1
			}
			at += int(in.y - in.x)
		case opOneOf, opWord:
			n := m.oneOf(in, at)
			if n < 0 {
				return -1
			}
			at += n
		case opSpelling:
			return m.spelled(in, at)
		case opSet:
			if !t.sets[in.x].has(m.classes[at]) {
				return -1
			}
			at++
		case opBoundary:
			if !m.boundary(at) {
				return -1
			}
		case opBegin:
			if at != 0 {
				return -1
			}
		case opEither:
			return m.either(t.branches[in.x:in.y], at)
		default:
			c := m.classes[at]
			if in.min > 0 || t.sets[in.x].has(c) {
				return m.loop(in, at)
			}
			// A loop that cannot turn once: its rest stands here or nowhere.
			if !t.sets[in.first].has(c) || !t.sets[in.second].has(m.classes[at+1]) || in.boundary && !m.boundary(at) {
				return -1
			}
		}
		entry = in.next
	}
}

// reads says whether a literal stands at a place.
func (m *matcher) reads(literal string, at int) bool {
	return len(m.classes)-at >= len(literal) && string(m.classes[at:at+len(literal)]) == literal
}

// oneOf returns the length of the one spelling that fits, or -1.
func (m *matcher) oneOf(in *inst, at int) int {
	t := m.table
	c := m.classes[at]
	for _, s := range t.spellings[in.x:in.y] {
		if s.initial != c || !m.reads(t.literals[s.from:s.to], at) {
			continue
		}
		n := int(s.to - s.from)
		if in.op == opOneOf || m.boundary(at+n) {
			return n
		}
	}
	return -1
}

// spelled tries the rest after each spelling that fits.
func (m *matcher) spelled(in *inst, at int) int {
	t := m.table
	c := m.classes[at]
	for _, s := range t.spellings[in.x:in.y] {
		if s.initial != anyClass && (s.initial != c || !m.reads(t.literals[s.from:s.to], at)) {
			continue
		}
		if end := m.run(in.next, at+int(s.to-s.from)); end >= 0 {
			return end
		}
	}
	return -1
}

// boundary is \b.
func (m *matcher) boundary(at int) bool {
	before := at > 0 && wordUnit[m.classes[at-1]] != 0
	return before != (wordUnit[m.classes[at]] != 0)
}

func (m *matcher) either(branches []branch, at int) int {
	c := m.classes[at]
	for _, b := range branches {
		if !m.table.sets[b.first].has(c) {
			continue
		}
		if end := m.run(b.entry, at); end >= 0 {
			return end
		}
	}
	return -1
}

// loop tries the rest of the pattern after each number of turns that the loop may take.
func (m *matcher) loop(in *inst, at int) int {
	last := m.reach(in, at)
	first := at + int(in.min)
	if first > last {
		return -1
	}
	memory := &m.loops[in.loop]
	// What is dead is left out: the window falls into what is below it and what is above it.
	if first >= memory.deadFrom && last < memory.deadTo {
		return -1
	}
	below, above := min(last, memory.deadFrom-1), max(first, memory.deadTo)
	if memory.deadTo <= first || memory.deadFrom > last {
		below, above = first-1, first
	}
	end := -1
	if in.op == opGreedy {
		if end = m.descend(in, above, last); end < 0 {
			end = m.descend(in, first, below)
		}
	} else {
		if end = m.ascend(in, first, below); end < 0 {
			end = m.ascend(in, above, last)
		}
	}
	if end < 0 {
		memory.bury(first, last+1)
	}
	return end
}

// descend tries the rest from last down to first. Most places are refused by what the rest can begin with.
func (m *matcher) descend(in *inst, first, last int) int {
	can, then := &m.table.sets[in.first], &m.table.sets[in.second]
	for at := last; at >= first; at-- {
		if !can.has(m.classes[at]) || !then.has(m.classes[at+1]) || in.boundary && !m.boundary(at) {
			continue
		}
		if end := m.run(in.next, at); end >= 0 {
			return end
		}
	}
	return -1
}

func (m *matcher) ascend(in *inst, first, last int) int {
	can, then := &m.table.sets[in.first], &m.table.sets[in.second]
	for at := first; at <= last; at++ {
		if !can.has(m.classes[at]) || !then.has(m.classes[at+1]) || in.boundary && !m.boundary(at) {
			continue
		}
		if end := m.run(in.next, at); end >= 0 {
			return end
		}
	}
	return -1
}

// reach returns the end of the longest run of the loop's set that begins at a place and keeps to the loop's max.
func (m *matcher) reach(in *inst, at int) int {
	limit := len(m.classes) - tail
	if in.max != unlimited && limit-at > int(in.max) {
		limit = at + int(in.max)
	}
	s := &m.table.sets[in.x]
	memory := &m.loops[in.loop]
	from, end := at, at
	if at >= memory.runFrom && at <= memory.runTo {
		from, end = memory.runFrom, memory.runTo
	}
	for end < limit && s.has(m.classes[end]) {
		end++
		if end == memory.runFrom {
			end = memory.runTo
		}
	}
	memory.runFrom, memory.runTo = from, end
	return min(end, limit)
}

// bury adds [from, to) to the places that fail. Of two intervals that do not touch only the new one is kept: the
// windows of a loop move along the text, so the old one is behind them.
func (memory *loopMemory) bury(from, to int) {
	if from <= memory.deadTo && to >= memory.deadFrom {
		from, to = min(from, memory.deadFrom), max(to, memory.deadTo)
	}
	memory.deadFrom, memory.deadTo = from, to
}
