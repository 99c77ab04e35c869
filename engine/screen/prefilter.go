package screen

// survey returns the clauses that the words and symbols of a text meet.
func (t *table) survey(classes []byte) bits {
	var met bits
	for i := 0; ; {
		c := classes[i]
		if wordUnit[c] == 0 {
			if c == classEnd {
				return met
			}
			if s := t.symbol[c]; s != 0 {
				met.add(&t.symbols[s].grants)
			}
			i++
			continue
		}
		start := i
		for wordUnit[classes[i]] != 0 {
			i++
		}
		if w := t.lookup(classes[start:i]); w >= 0 {
			met.add(&t.grants[w])
		}
	}
}

// surveyFolded returns the clauses met by the words that folding made. With those of the unfolded text they cover what
// the folded text can meet: a symbol that is left was there before.
func (t *table) surveyFolded(classes, folded []byte) bits {
	var met bits
	for i := 0; i < len(classes); i++ {
		if classes[i] == folded[i] {
			continue
		}
		start, end := i, i+1
		for start > 0 && wordUnit[folded[start-1]] != 0 {
			start--
		}
		for wordUnit[folded[end]] != 0 {
			end++
		}
		if w := t.lookup(folded[start:end]); w >= 0 {
			met.add(&t.grants[w])
		}
		i = end
	}
	return met
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

// event is a place where a match of the rules in starts[id] can begin.
type event struct {
	at int32
	id uint16
}

// events appends the places where a live rule can begin, in text order for each rule.
func (t *table) events(dst []event, classes []byte, live *bits) []event {
	if t.starts[t.begin.id].meets(live) {
		dst = append(dst, event{0, t.begin.id})
	}
	for i := 0; ; {
		c := classes[i]
		if wordUnit[c] == 0 {
			if c == classEnd {
				return dst
			}
			if s := t.symbol[c]; s != 0 {
				dst = t.symbolEvents(dst, i, &t.symbols[s], live)
			}
			i++
			continue
		}
		start := i
		for wordUnit[classes[i]] != 0 {
			i++
		}
		if w := t.lookup(classes[start:i]); w >= 0 && t.starts[w].meets(live) {
			dst = append(dst, event{int32(start), uint16(w)})
		}
	}
}

func (t *table) symbolEvents(dst []event, at int, s *symbol, live *bits) []event {
	for _, tr := range s.triggers {
		if from := at - int(tr.back); from >= 0 && t.starts[tr.id].meets(live) {
			dst = append(dst, event{int32(from), tr.id})
		}
	}
	return dst
}
