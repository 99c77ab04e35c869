package screen

import bits64 "math/bits"

// Scanner scans texts with one rulebook and reuses its memory from text to text. It is not for concurrent use.
type Scanner struct {
	book    *Rulebook
	matcher matcher
	classes []byte // of the submitted text
	view    []byte // of another view
	decoded []byte // the bytes of a base64 token
	origin  []int32
	events  []event // of the submitted text
	others  []event // of another view
	folds   []event // the events that folding adds
	rules   []ruleState
	hits    []hit
	sorted  []hit
}

// hit is a match before it has its place in the report.
type hit struct {
	rule, start, end int32
	anchor           [2]int32
}

// NewScanner returns a scanner for a rulebook.
func NewScanner(rb *Rulebook) *Scanner {
	return &Scanner{
		book:    rb,
		matcher: matcher{table: rb.table, loops: make([]loopMemory, rb.table.loops)},
		rules:   make([]ruleState, len(rb.Rules)),
	}
}

// Scan does what Rulebook.Scan does.
func (s *Scanner) Scan(text string) []Match {
	var seen trait
	s.classes, seen = classify(s.classes, text)
	if s.events == nil {
		s.events = make([]event, 0, 16+len(text)/32) // more than prose has
	}
	var met bits
	s.events, met = s.book.table.survey(s.events[:0], s.classes)

	s.hits = s.hits[:0]
	var ends [Base64 + 1]int
	s.find(s.classes, s.events, &met)
	ends[AsSubmitted] = len(s.hits)
	if seen&traitFolds != 0 {
		s.scanLeetspeak(&met)
	}
	ends[Leetspeak] = len(s.hits)
	if seen&traitPercent != 0 {
		s.scanPercent()
	}
	ends[PercentDecoded] = len(s.hits)
	s.scanBase64(text)
	ends[Base64] = len(s.hits)
	return s.report(&ends)
}

// report puts the hits of the views into report order: each view has its hits by rule and start already.
func (s *Scanner) report(ends *[Base64 + 1]int) []Match {
	if len(s.hits) == 0 {
		return nil
	}
	out := make([]Match, 0, len(s.hits))
	at := [Base64 + 1]int{0, ends[0], ends[1], ends[2]}
	for r := range s.book.Rules {
		for v := range at {
			for ; at[v] < ends[v] && s.hits[at[v]].rule == int32(r); at[v]++ {
				h := &s.hits[at[v]]
				out = append(out, Match{Rule: &s.book.Rules[r], View: View(v), Start: int(h.start), End: int(h.end), Anchor: Span{int(h.anchor[0]), int(h.anchor[1])}})
			}
		}
	}
	return out
}

// find appends the hits of one class map, by rule and start, as matchAll gives them (R41). Adjacent hits of a merging
// rule are one. It goes through the places once, whatever the number of rules, and tries at each the rules that can begin
// there.
func (s *Scanner) find(classes []byte, events []event, met *bits) {
	t := s.book.table
	live := t.survivors(met)
	if live.empty() || len(events) == 0 {
		return
	}
	before := len(s.hits)
	s.matcher.reset(classes)
	clear(s.rules)
	for _, e := range events {
		starts := &t.starts[e.id]
		for word := range starts {
			for rest := starts[word] & live[word]; rest != 0; rest &= rest - 1 {
				s.try(word<<6|bits64.TrailingZeros64(rest), e)
			}
		}
	}
	s.sortByRule(before)
}

// ruleState is where a rule stands in a class map: the end of its last match, and one more than that match's hit.
type ruleState struct {
	from, hit int
}

// try appends the hit of a rule that begins at a place, if there is one.
func (s *Scanner) try(r int, e event) {
	t := s.book.table
	at := int(e.at)
	state := &s.rules[r]
	if at < state.from || !t.sets[t.seconds[r]].has(s.matcher.classes[at+1]) {
		return
	}
	entry, begin := t.entries[r], at
	if int(e.id) < len(t.direct) && t.direct[e.id].has(r) {
		if !s.matcher.boundary(at) {
			return // folding made the word longer
		}
		entry, begin = t.after[r], at+int(t.wordAt[e.id+1]-t.wordAt[e.id])
	}
	end := s.matcher.run(entry, begin)
	if end < 0 {
		return
	}
	if state.hit > 0 && state.from == at && t.merging.has(r) {
		s.hits[state.hit-1].end = int32(end)
		state.from = end
		return
	}
	h := hit{rule: int32(r), start: int32(at), end: int32(end)}
	if t.anchored.has(r) {
		h.anchor = [2]int32{int32(s.matcher.marks[0]), int32(s.matcher.marks[1])}
	}
	s.hits = append(s.hits, h)
	*state = ruleState{from: end, hit: len(s.hits)}
}

// sortByRule brings the hits from a place on from text order into the order of rules, and keeps text order within one.
func (s *Scanner) sortByRule(from int) {
	hits := s.hits[from:]
	if len(hits) < 2 {
		return
	}
	s.sorted = append(s.sorted[:0], hits...)
	var next [maxRules + 1]int
	for i := range s.sorted {
		next[s.sorted[i].rule+1]++
	}
	for r := 1; r < len(next); r++ {
		next[r] += next[r-1]
	}
	for i := range s.sorted {
		r := s.sorted[i].rule
		hits[next[r]] = s.sorted[i]
		next[r]++
	}
}
