package screen

// event is a place where a match of the rules in starts[id] can begin.
type event struct {
	at int32
	id uint16
}

// survey returns the clauses that the words and symbols of a text meet, and appends to events the places where matches
// can begin, those of one rule in text order. It works in blocks: first it notes without a branch where words and
// symbols begin, for the lengths of words cannot be predicted and a wrong guess costs more than the work; then it looks
// at those places.
func (t *table) survey(events []event, classes []byte) ([]event, bits) {
	events = append(events, event{0, t.begin.id})
	var met bits
	var places [256]int32
	before := byte(0)
	for from := 0; from < len(classes); from += len(places) {
		block := classes[from:min(from+len(places), len(classes))]
		n := 0
		for i, c := range block {
			kind := placeKind[c]
			places[n&255] = int32(i)
			n += int(kind>>1 | kind&1&^before)
			before = kind & 1
		}
		for _, at := range places[:n] {
			events = t.visit(events, classes, from+int(at), &met)
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
				if tr.back <= uint16(min(at, maxWord)) {
					events = append(events, event{int32(at) - int32(tr.back), tr.id})
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

// surveyFolded does what survey does for the words that folding made. With what survey found in the unfolded text that is
// all that the folded text can hold: a symbol that is left was there before, and a word that folding spoiled is refused
// when a match is tried.
func (t *table) surveyFolded(events []event, classes, folded []byte) ([]event, bits) {
	var met bits
	for i := 0; i < len(classes); i++ {
		if classes[i] == folded[i] {
			continue
		}
		start, end := i, i+1
		for start > 0 && wordUnit[folded[start-1]] != 0 {
			start--
		}
		events = t.visit(events, folded, start, &met)
		for wordUnit[folded[end]] != 0 {
			end++
		}
		i = end
	}
	return events, met
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
