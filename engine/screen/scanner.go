package screen

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
	hits    []hit
	sorted  []hit
}

// hit is a match before it has its place in the report.
type hit struct {
	rule, start, end int32
}

// NewScanner returns a scanner for a rulebook.
func NewScanner(rb *Rulebook) *Scanner {
	return &Scanner{book: rb, matcher: matcher{table: rb.table, loops: make([]loopMemory, rb.table.loops)}}
}

// Scan does what Rulebook.Scan does.
func (s *Scanner) Scan(text string) []Match {
	var seen trait
	s.classes, seen = classify(s.classes, text)
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
				out = append(out, Match{Rule: &s.book.Rules[r], View: View(v), Start: int(h.start), End: int(h.end)})
			}
		}
	}
	return out
}

// find appends the hits of one class map, by rule and start, as matchAll gives them (R41). Adjacent hits of a merging
// rule are one.
func (s *Scanner) find(classes []byte, events []event, met *bits) {
	if len(events) == 0 {
		return
	}
	t := s.book.table
	s.matcher.classes = classes
	for r := range t.entries {
		if met.covers(&t.needs[r]) {
			s.findRule(r, classes, events)
		}
	}
}

func (s *Scanner) findRule(r int, classes []byte, events []event) {
	t := s.book.table
	s.matcher.reset()
	merging := t.merging.has(r)
	second := &t.sets[t.seconds[r]]
	word, bit := r>>6, uint64(1)<<(r&63)
	from := 0
	for _, e := range events {
		if t.starts[e.id][word]&bit == 0 || int(e.at) < from || !second.has(classes[e.at+1]) {
			continue
		}
		end := s.matcher.run(t.entries[r], int(e.at))
		if end < 0 {
			continue
		}
		if merging && from == int(e.at) && from > 0 {
			s.hits[len(s.hits)-1].end = int32(end)
		} else {
			s.hits = append(s.hits, hit{int32(r), e.at, int32(end)})
		}
		from = end
	}
}
