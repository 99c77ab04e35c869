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
	marks   [2]int // of the last way that was tried; every way of a pattern that has an anchor goes through both
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

// run returns the end of the match of the program from an instruction on, or -1. Of several ways to go on it calls itself
// for all but the last one; calls are dear in WASM.
func (m *matcher) run(entry uint16, at int) int {
	t := m.table
	for {
		in := &t.program[entry]
		entry = in.next
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
			last, i, y := -1, int(in.x), int(in.y)
			if in.max == mayBeEmpty && !t.sets[in.first].has(m.classes[at]) {
				i = y - 1 // the empty one is the last
			}
			for n := 0; i < y; i += 1 + n {
				n = int(t.lists[i])
				if n > 0 && (t.lists[i+1] != m.classes[at] || !m.reads(t.lists[i+1:i+1+n], at)) {
					continue
				}
				if last >= 0 {
					if end := m.run(entry, at+last); end >= 0 {
						return end
					}
				}
				last = n
			}
			if last < 0 {
				return -1
			}
			at += last
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
		case opEnd:
			if m.classes[at] != classEnd {
				return -1
			}
		case opMark:
			m.marks[in.x] = at
		case opEither:
			last := -1
			for i := in.x; i < in.y; i++ {
				b := &t.branches[i]
				if !m.begins(b.first, b.second, at) || b.begin && at > 0 {
					continue
				}
				if last >= 0 {
					if end := m.run(uint16(last), at); end >= 0 {
						return end
					}
				}
				last = int(b.entry)
			}
			if last < 0 {
				return -1
			}
			entry = uint16(last)
		default:
			if in.min > 0 || t.sets[in.x].has(m.classes[at]) {
				return m.loop(in, at)
			}
			// A loop that cannot turn once: its rest stands here or nowhere.
			if !m.begins(in.first, in.second, at) || in.boundary && !m.boundary(at) {
				return -1
			}
		}
	}
}

// begins says whether the two classes at a place can be the first two of a rest.
func (m *matcher) begins(first, second uint16, at int) bool {
	return m.table.sets[first].has(m.classes[at]) && m.table.sets[second].has(m.classes[at+1])
}

// reads says whether a literal stands at a place. Most differ at once, so it compares by itself.
func (m *matcher) reads(literal string, at int) bool {
	text := m.classes[at:]
	if len(text) < len(literal) {
		return false
	}
	for i := 0; i < len(literal); i++ {
		if text[i] != literal[i] {
			return false
		}
	}
	return true
}

// oneOf returns the length of the one spelling that fits, or -1.
func (m *matcher) oneOf(in *inst, at int) int {
	t := m.table
	c := m.classes[at]
	for i, n := int(in.x), 0; i < int(in.y); i += 1 + n {
		n = int(t.lists[i])
		if t.lists[i+1] != c || !m.reads(t.lists[i+1:i+1+n], at) {
			continue
		}
		if in.op == opOneOf || m.boundary(at+n) {
			return n
		}
	}
	return -1
}

// boundary is \b.
func (m *matcher) boundary(at int) bool {
	before := at > 0 && wordUnit[m.classes[at-1]] != 0
	return before != (wordUnit[m.classes[at]] != 0)
}

// loop tries the rest of the pattern after each number of turns that the loop may take, in the loop's order.
func (m *matcher) loop(in *inst, at int) int {
	memory := &m.loops[in.loop]
	first, last := at+int(in.min), m.reach(in, memory, at)
	if first > last || first >= memory.deadFrom && last < memory.deadTo {
		return -1
	}
	// What is dead is left out: the window falls into what is below it and what is above it.
	below, above := first-1, first
	if memory.deadTo > first && memory.deadFrom <= last {
		below, above = min(last, memory.deadFrom-1), max(first, memory.deadTo)
	}
	end := -1
	if in.op == opGreedy {
		if end = m.window(in, last, above-1, -1); end < 0 && below >= first {
			end = m.window(in, below, first-1, -1)
		}
	} else {
		if below >= first {
			end = m.window(in, first, below+1, 1)
		}
		if end < 0 {
			end = m.window(in, above, last+1, 1)
		}
	}
	if end < 0 {
		memory.bury(first, last+1)
	}
	return end
}

// window tries the rest of a loop at the places from one up to another, exclusive, in steps of 1 or -1. Most places are
// refused by what the rest can begin with.
func (m *matcher) window(in *inst, from, to, step int) int {
	classes := m.classes
	first, second := &m.table.sets[in.first], &m.table.sets[in.second]
	for at := from; (to-at)*step > 0; at += step {
		if !first.has(classes[at]) || !second.has(classes[at+1]) || in.boundary && !m.boundary(at) {
			continue
		}
		if end := m.run(in.next, at); end >= 0 {
			return end
		}
	}
	return -1
}

// reach returns the end of the longest run of the loop's set that begins at a place and keeps to the loop's max.
func (m *matcher) reach(in *inst, memory *loopMemory, at int) int {
	limit := len(m.classes) - tail
	if in.max != unlimited && limit-at > int(in.max) {
		limit = at + int(in.max)
	}
	from, end := at, at
	if at >= memory.runFrom && at <= memory.runTo {
		if from, end = memory.runFrom, memory.runTo; end >= limit {
			return limit
		}
	}
	s, classes := &m.table.sets[in.x], m.classes
	for end < limit && s.has(classes[end]) {
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
