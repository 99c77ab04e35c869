package screen

import (
	"fmt"
	"slices"
	"sort"
	"strings"
)

// features collects what the first pass over a text needs: clauses, and the places where a match can begin. Each
// pattern is written out as the finite list of its ways, in which a run of units that is not spelled out is one mark.
// A word counts when it is whole in every text that goes this way, so that cutting the text into words finds it.
type features struct {
	clauses map[string]int // a clause's sorted features → its number
	wanted  [][]string     // by rule: the clauses that it could have, the same way
	needs   []bits
	grants  map[string]*bits // by feature: a word, or a symbol of one unit
	starts  map[startAt]*bits
}

// startAt is a place where a match can begin: at a word, back units before a symbol, or (text "") where the text begins.
type startAt struct {
	text string
	back int
}

// Marks in a way, beyond the classes.
const (
	markOpen  = 0xf0 // any number of units that are not spelled out
	markSpace = 0xf1 // one or more white space
	markEdge  = 0xf2 // \b
	markBegin = 0xf3 // ^
)

func newFeatures() *features {
	return &features{clauses: map[string]int{}, grants: map[string]*bits{}, starts: map[startAt]*bits{}}
}

func (f *features) add(rule int, n node) {
	ways := expand(n)
	f.needs = append(f.needs, bits{})
	f.wanted = append(f.wanted, nil)
	var pieces [][]string
	longest := 0
	for _, w := range ways {
		cut := strings.Split(w, string([]byte{markOpen}))
		pieces = append(pieces, cut)
		longest = max(longest, len(cut))
	}
	for i := range longest {
		for _, pick := range []func(words, symbols []string) string{firstWord, lastWord, longestWord, firstSymbol} {
			f.clause(rule, pieces, i, pick)
		}
	}
	for _, w := range ways {
		at := start(w)
		if f.starts[at] == nil {
			f.starts[at] = &bits{}
		}
		f.starts[at].set(rule)
	}
}

// clause adds the clause "one of the features that pick finds in the i-th piece of a way", if every way has one.
func (f *features) clause(rule int, ways [][]string, i int, pick func(words, symbols []string) string) {
	var found []string
	for _, pieces := range ways {
		at := min(i, len(pieces)-1)
		feature := pick(contents(pieces[at]))
		if feature == "" {
			return
		}
		found = append(found, feature)
	}
	slices.Sort(found)
	found = slices.Compact(found)
	if slices.ContainsFunc(found, func(w string) bool { return slices.Contains(common, w) }) {
		return
	}
	f.wanted[rule] = append(f.wanted[rule], strings.Join(found, " "))
}

// number gives the clauses their numbers. Where there are more than bits, every rule keeps as many as every other, those
// of the fewest words first: a clause less makes a rule slower, not wrong.
func (f *features) number() {
	all := map[string]bool{}
	for _, names := range f.wanted {
		for _, name := range names {
			all[name] = true
		}
	}
	most := len(all)
	if len(all) > maxRules {
		most = 0
		for _, names := range f.wanted {
			slices.SortStableFunc(names, func(a, b string) int { return strings.Count(a, " ") - strings.Count(b, " ") })
		}
		for f.count(most+1) <= maxRules {
			most++
		}
	}
	for rule, names := range f.wanted {
		for _, name := range names[:min(most, len(names))] {
			f.grant(rule, name)
		}
	}
}

// count is how many clauses there are when each rule has no more than so many.
func (f *features) count(most int) int {
	all := map[string]bool{}
	for _, names := range f.wanted {
		for _, name := range names[:min(most, len(names))] {
			all[name] = true
		}
	}
	return len(all)
}

func (f *features) grant(rule int, name string) {
	number, known := f.clauses[name]
	if !known {
		number = len(f.clauses)
		f.clauses[name] = number
	}
	f.needs[rule].set(number)
	for _, feature := range strings.Split(name, " ") {
		if f.grants[feature] == nil {
			f.grants[feature] = &bits{}
		}
		f.grants[feature].set(number)
	}
}

// common are words that most texts hold: a clause that one of them meets is not worth a look.
var common = []string{
	"the", "to", "you", "your", "all", "any", "my", "by", "on", "here", "now", "no", "do", "new", "user", "use",
}

func firstWord(words, symbols []string) string { return firstOf(words, symbols, 0) }

func lastWord(words, symbols []string) string { return firstOf(words, symbols, len(words)-1) }

func longestWord(words, symbols []string) string {
	at := 0
	for i := range words {
		if len(words[i]) > len(words[at]) {
			at = i
		}
	}
	return firstOf(words, symbols, at)
}

func firstOf(words, symbols []string, i int) string {
	if len(words) > 0 {
		return words[i]
	}
	return firstSymbol(nil, symbols)
}

func firstSymbol(_, symbols []string) string {
	if len(symbols) > 0 {
		return symbols[0]
	}
	return ""
}

// contents returns the whole words and the symbols of a piece of a way. Anything may stand before it and after it.
func contents(piece string) (words, symbols []string) {
	for i := 0; i < len(piece); {
		c := piece[i]
		if c >= 0x80 || wordUnit[c] == 0 {
			if c < 0x80 && strings.IndexByte(" \t\n\v\f\r", c) < 0 {
				symbols = append(symbols, string([]byte{c}))
			}
			i++
			continue
		}
		from := i
		for i < len(piece) && piece[i] < 0x80 && wordUnit[piece[i]] != 0 {
			i++
		}
		if from > 0 && i < len(piece) && i-from >= 2 && i-from <= maxWord {
			words = append(words, piece[from:i])
		}
	}
	return words, symbols
}

var spaces = classSet(spaceUnits)

// start is the place where a match that goes a way begins.
func start(way string) startAt {
	piece, _, _ := strings.Cut(way, string([]byte{markOpen}))
	switch {
	case piece[0] == markBegin:
		return startAt{"", 0}
	case piece[0] == markEdge:
		words, _ := contents(piece)
		if len(words) == 0 || !strings.HasPrefix(piece[1:], words[0]) {
			panic("no word to begin with: " + piece)
		}
		return startAt{words[0], 0}
	}
	for i := 0; i < len(piece) && piece[i] < 0x80; i++ {
		if wordUnit[piece[i]] == 0 {
			return startAt{piece[i : i+1], i}
		}
	}
	panic(fmt.Sprintf("no place to begin with: %q", piece))
}

// expand writes a node out as its ways.
func expand(n node) []string {
	switch n := n.(type) {
	case nodeSet:
		all := n.set.members()
		if len(all) > 4 {
			return []string{string([]byte{markOpen})}
		}
		var ways []string
		for _, c := range all {
			ways = append(ways, string([]byte{c}))
		}
		return ways
	case nodeSeq:
		ways := []string{""}
		for _, part := range n {
			tails := expand(part)
			if len(ways)*len(tails) > maxWays {
				ways = shorter(ways)
			}
			if len(ways)*len(tails) > maxWays {
				tails = []string{string([]byte{markOpen})}
			}
			ways = product(ways, tails)
		}
		return ways
	case nodeAlt:
		var ways []string
		for _, alt := range n {
			ways = append(ways, expand(alt)...)
		}
		return ways
	case nodeBoundary:
		return []string{string([]byte{markEdge})}
	case nodeBegin:
		return []string{string([]byte{markBegin})}
	case nodeEnd:
		return []string{string([]byte{markEdge})}
	case nodeAnchor:
		return expand(n.body)
	case nodeRepeat:
		return expandRepeat(n)
	}
	panic(fmt.Sprintf("node %T", n))
}

func expandRepeat(n nodeRepeat) []string {
	s, single := n.body.(nodeSet)
	switch {
	case n.max == 1:
		return append([]string{""}, expand(n.body)...)
	case single && s.set == spaces && n.max == unlimited && n.min == 0:
		return []string{"", string([]byte{markSpace})}
	case single && s.set == spaces && n.max == unlimited:
		return []string{string([]byte{markSpace})}
	}
	return []string{string([]byte{markOpen})}
}

// maxWays is how many ways a pattern may have before what stands in its middle is no longer looked at.
const maxWays = 20000

// shorter leaves of some ways what stands before their first open mark, where matches begin.
func shorter(ways []string) []string {
	var out []string
	for _, w := range ways {
		head, _, _ := strings.Cut(w, string([]byte{markOpen}))
		out = append(out, head+string([]byte{markOpen}))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func product(heads, tails []string) []string {
	var ways []string
	for _, h := range heads {
		for _, t := range tails {
			ways = append(ways, h+t)
		}
	}
	return ways
}

// fill puts the features into a table.
func (f *features) fill(c *compiler) {
	f.number()
	t := c.table
	t.needs = f.needs
	words := f.words()
	sort.SliceStable(words, func(i, j int) bool { return hashOf(words[i]) < hashOf(words[j]) })
	t.wordAt = []uint16{0}
	for h, i := uint32(0), 0; h <= 1<<hashBits; h++ {
		for i < len(words) && hashOf(words[i]) < h {
			i++
		}
		t.buckets = append(t.buckets, uint16(i))
	}
	for _, w := range words {
		t.words += w
		t.head(w)
		t.wordAt = append(t.wordAt, uint16(len(t.words)))
		t.grants = append(t.grants, f.granted(w))
		t.starts = append(t.starts, f.started(startAt{w, 0}))
	}
	c.fillDirect()
	f.fillSymbols(c)
	t.begin = trigger{id: uint16(len(t.starts))}
	t.starts = append(t.starts, f.started(startAt{"", 0}))
}

// head marks the first three classes of a word; after a word of two units each class can follow that is none of a word.
func (t *table) head(w string) {
	mark := func(third byte) {
		h := hashHead(w[0], w[1], third)
		t.heads[h>>6] |= 1 << (h & 63)
	}
	if len(w) > 2 {
		mark(w[2])
		return
	}
	for c := range byte(classEnd + 1) {
		if wordUnit[c] == 0 {
			mark(c)
		}
	}
}

func (f *features) granted(feature string) bits {
	if b := f.grants[feature]; b != nil {
		return *b
	}
	return bits{}
}

func (f *features) started(at startAt) bits {
	if b := f.starts[at]; b != nil {
		return *b
	}
	return bits{}
}

func hashOf(w string) uint32 { return hash(w[0], w[1], w[len(w)-1], len(w)) }

func (f *features) words() []string {
	var words []string
	for w := range f.grants {
		words = append(words, w)
	}
	for at := range f.starts {
		words = append(words, at.text)
	}
	words = slices.DeleteFunc(words, func(w string) bool { return len(w) < 2 })
	slices.Sort(words)
	return slices.Compact(words)
}

func (f *features) fillSymbols(compiler *compiler) {
	t := compiler.table
	t.symbols = []symbol{{}}
	var places []startAt
	for at := range f.starts {
		places = append(places, at)
	}
	// Of one symbol the place farther back comes first, so that a rule's places are in text order.
	slices.SortFunc(places, func(a, b startAt) int {
		return 2*strings.Compare(a.text, b.text) + min(1, max(-1, b.back-a.back))
	})
	for c := range byte(0x80) {
		s := symbol{grants: f.granted(string([]byte{c}))}
		for _, at := range places {
			if at.text == string([]byte{c}) {
				tr := trigger{id: uint16(len(t.starts)), back: uint16(at.back)}
				tr.second = compiler.set(t.secondsOf(f.starts[at]))
				s.triggers = append(s.triggers, tr)
				t.starts = append(t.starts, *f.starts[at])
			}
		}
		if !s.grants.empty() || len(s.triggers) > 0 {
			t.symbol[c] = byte(len(t.symbols))
			t.symbols = append(t.symbols, s)
		}
	}
}

// secondsOf is the set of the classes that can follow the first one of a match of some rules.
func (t *table) secondsOf(rules *bits) set {
	var s set
	for r := range t.seconds {
		if rules.has(r) {
			s = s.union(t.sets[t.seconds[r]])
		}
	}
	return s
}
