package screen

import bits64 "math/bits"

// event is a place where a match of the rules in starts[id] can begin.
type event struct {
	at int32
	id uint16
}

// survey returns the clauses that the words and symbols of a text meet, and appends to events the places where matches
// can begin, those of one rule in text order. It works in blocks: first it finds without a branch where words and symbols
// begin, for the lengths of words cannot be predicted and a wrong guess costs more than the work; then it looks at those
// places.
func (t *table) survey(events []event, classes []byte) ([]event, bits) {
	events = append(events, event{0, t.begin.id})
	var met bits
	before := uint64(0)
	for from := 0; from < len(classes)-tail; from += 64 {
		block := classes[from : from+64]
		var words, symbols uint64
		for i := 0; i < 64; i += lanes {
			x := load(block[i:])
			x &^= x & tops >> 7 * 0xff // classEnd is none of either
			w := wordLanes(x)
			words |= gather(w) << i
			symbols |= gather(symbolLanes(x, w)) << i
		}
		places := words&^(words<<1|before) | symbols
		before = words >> 63
		for ; places != 0; places &= places - 1 {
			events = t.visit(events, classes, from+bits64.TrailingZeros64(places), &met)
		}
	}
	return events, met
}

// visit looks at the word or symbol that begins at a place.
func (t *table) visit(events []event, classes []byte, at int, met *bits) []event {
	c := classes[at]
	if wordUnit[c] == 0 {
		if s := t.symbol[c]; s != 0 {
			met.add(&t.symbols[s].grants)
			for _, tr := range t.symbols[s].triggers {
				if start := at - int(tr.back); start >= 0 && t.follows(&tr, classes[start+1]) {
					events = append(events, event{int32(start), tr.id})
				}
			}
		}
		return events
	}
	h := hashHead(c, classes[at+1], classes[at+2])
	if t.heads[h>>6]>>(h&63)&1 == 0 {
		return events
	}
	end := at + 1
	for wordUnit[classes[end]] != 0 {
		end++
	}
	if w := t.lookup(classes[at:end]); w >= 0 {
		met.add(&t.grants[w])
		if !t.starts[w].empty() {
			events = append(events, event{int32(at), uint16(w)})
		}
	}
	return events
}

// follows says whether a class can stand second in a match from a trigger, folded too: the events serve both views.
func (t *table) follows(tr *trigger, c byte) bool {
	second := &t.sets[tr.second]
	return second.has(c) || second.has(leetClass[c])
}

// surveyFolded does what survey does for the words that folding makes. With what survey found in the unfolded text that is
// all that the folded text can hold: a symbol that is left was there before, and a word that folding spoiled is refused
// when a match is tried.
func (t *table) surveyFolded(events []event, classes []byte) ([]event, bits) {
	var met bits
	next := 0
	for from := 0; from < len(classes)-tail; from += lanes {
		x := load(classes[from:])
		x &^= x & tops >> 7 * 0xff
		for folds := foldLanes(x); folds != 0; folds &= folds - 1 {
			at := from + bits64.TrailingZeros64(folds)/lanes
			if at >= next && leetClass[classes[at]] != classes[at] {
				events, next = t.visitFolded(events, classes, at, &met)
			}
		}
	}
	return events, met
}

// visitFolded looks at the word that holds a folded unit, and returns where it ends.
func (t *table) visitFolded(events []event, classes []byte, at int, met *bits) ([]event, int) {
	start, end := at, at+1
	for start > 0 && wordUnit[leetClass[classes[start-1]]] != 0 {
		start--
	}
	for wordUnit[leetClass[classes[end]]] != 0 {
		end++
	}
	var word [maxWord]byte
	if end-start > maxWord {
		return events, end
	}
	for i, c := range classes[start:end] {
		word[i] = leetClass[c]
	}
	if w := t.lookup(word[:end-start]); w >= 0 {
		met.add(&t.grants[w])
		events = append(events, event{int32(start), uint16(w)})
	}
	return events, end
}

// lookup returns the number of a word, or -1.
func (t *table) lookup(word []byte) int {
	n := len(word)
	if n < 2 || n > maxWord {
		return -1
	}
	h := hash(word[0], word[1], word[n-1], n)
	for w := int(t.buckets[h]); w < int(t.buckets[h+1]); w++ {
		if string(word) == t.words[t.wordAt[w]:t.wordAt[w+1]] {
			return w
		}
	}
	return -1
}

// survivors returns the rules whose clauses are all met.
func (t *table) survivors(met *bits) bits {
	var live bits
	for r := range t.needs {
		if met.covers(&t.needs[r]) {
			live.set(r)
		}
	}
	return live
}
