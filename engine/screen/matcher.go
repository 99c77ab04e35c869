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

// reset forgets what was learned of another text or rule.
func (m *matcher) reset() { clear(m.loops) }

// run returns the end of the match of the program from an instruction on, or -1.
func (m *matcher) run(entry uint16, at int) int {
	t := m.table
	for {
		in := &t.program[entry]
		switch in.op {
		case opMatch:
			return at
		case opLiteral:
			lit := t.literals[in.x:in.y]
			if len(m.classes)-at < len(lit) || string(m.classes[at:at+len(lit)]) != lit {
				return -1
			}
			at += len(lit)
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
			return m.loop(in, at)
		}
		entry = in.next
	}
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
	end := -1
	if in.op == opGreedy {
		end = m.descend(in, memory, first, last)
	} else {
		end = m.ascend(in, memory, first, last)
	}
	if end < 0 {
		memory.bury(first, last+1)
	}
	return end
}

func (m *matcher) descend(in *inst, memory *loopMemory, first, last int) int {
	for at := last; at >= first; at-- {
		if at < memory.deadTo && at >= memory.deadFrom {
			at = memory.deadFrom
			continue
		}
		if end := m.rest(in, at); end >= 0 {
			return end
		}
	}
	return -1
}

func (m *matcher) ascend(in *inst, memory *loopMemory, first, last int) int {
	for at := first; at <= last; at++ {
		if at < memory.deadTo && at >= memory.deadFrom {
			at = memory.deadTo - 1
			continue
		}
		if end := m.rest(in, at); end >= 0 {
			return end
		}
	}
	return -1
}

// rest runs what follows a loop. Most places are refused here, by what the rest can begin with.
func (m *matcher) rest(in *inst, at int) int {
	if !m.table.sets[in.first].has(m.classes[at]) || in.boundary && !m.boundary(at) {
		return -1
	}
	return m.run(in.next, at)
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
