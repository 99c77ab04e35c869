package screen

import (
	"fmt"
	"strings"
)

// The compiler of patterns. It stands in the tests because the tables are data: TestTables compiles the published
// patterns and holds the committed table equal to the result. It reads the part of ECMAScript's grammar that rulebooks
// use, under the flag i without u, over classes, and panics on everything else and on what classes cannot tell apart.

type node interface{}

type (
	nodeSet      struct{ set set } // one class
	nodeSeq      []node
	nodeAlt      []node
	nodeBoundary struct{}
	nodeBegin    struct{}
	nodeEnd      struct{}
	nodeAnchor   struct{ body node } // (?<anchor>…)
	nodeRepeat   struct {
		body     node
		min, max int // max unlimited: no limit
		lazy     bool
	}
)

// classSet is the set of the classes of some units. A unit whose class it shares with units outside is refused.
func classSet(all string) set {
	var s set
	for _, r := range all {
		c, _ := classify(nil, string(r))
		s.put(c[0])
	}
	return s
}

func (s *set) put(c byte) { s[c>>6] |= 1 << (c & 63) }

func (s set) not() set {
	for i := range s {
		s[i] = ^s[i]
	}
	s[2], s[3] = 0, 0 // classEnd is in no set
	return s
}

func (s set) union(o set) set {
	for i := range s {
		s[i] |= o[i]
	}
	return s
}

func (s set) members() []byte {
	var all []byte
	for c := range 256 {
		if s.has(byte(c)) {
			all = append(all, byte(c))
		}
	}
	return all
}

const (
	spaceUnits  = "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
	unseenUnits = "\u200b\u200c\u200d\u2060\ufeff\u180e"
)

type parser struct {
	src string
	at  int
}

// parse reads a pattern.
func parse(pattern string) node {
	p := &parser{src: pattern}
	n := p.alternatives()
	if p.at != len(p.src) {
		p.fail("end of pattern")
	}
	return n
}

func (p *parser) fail(want string) {
	panic(fmt.Sprintf("pattern %q: at %d: want %s", p.src, p.at, want))
}

func (p *parser) peek(s string) bool { return strings.HasPrefix(p.src[p.at:], s) }

func (p *parser) take(s string) bool {
	if !p.peek(s) {
		return false
	}
	p.at += len(s)
	return true
}

func (p *parser) alternatives() node {
	alts := nodeAlt{p.sequence()}
	for p.take("|") {
		alts = append(alts, p.sequence())
	}
	if len(alts) == 1 {
		return alts[0]
	}
	return alts
}

func (p *parser) sequence() node {
	seq := nodeSeq{}
	for p.at < len(p.src) && !p.peek("|") && !p.peek(")") {
		seq = append(seq, p.quantified())
	}
	return seq
}

func (p *parser) quantified() node {
	n := p.atom()
	lo, hi := -1, -1
	switch {
	case p.take("*"):
		lo, hi = 0, unlimited
	case p.take("+"):
		lo, hi = 1, unlimited
	case p.take("?"):
		lo, hi = 0, 1
	case p.take("{"):
		lo = p.number()
		hi = lo
		if p.take(",") {
			if hi = unlimited; !p.peek("}") {
				hi = p.number()
			}
		}
		if !p.take("}") {
			p.fail("}")
		}
	default:
		return n
	}
	return nodeRepeat{body: n, min: lo, max: hi, lazy: p.take("?")}
}

func (p *parser) number() int {
	n, start := 0, p.at
	for p.at < len(p.src) && '0' <= p.src[p.at] && p.src[p.at] <= '9' {
		n = 10*n + int(p.src[p.at]-'0')
		p.at++
	}
	if start == p.at {
		p.fail("a number")
	}
	return n
}

func (p *parser) atom() node {
	switch {
	case p.take("(?<anchor>"):
		n := p.alternatives()
		if !p.take(")") {
			p.fail(")")
		}
		return nodeAnchor{n}
	case p.peek("(?"):
		p.fail("a plain group")
	case p.take("("):
		n := p.alternatives()
		if !p.take(")") {
			p.fail(")")
		}
		return n
	case p.take("["):
		return nodeSet{p.class()}
	case p.take("^"):
		return nodeBegin{}
	case p.take("$"):
		return nodeEnd{}
	case p.take(`\b`):
		return nodeBoundary{}
	case p.take("."):
		return nodeSet{classSet("\n\r\u2028\u2029").not()}
	case strings.IndexByte("*+?{}]$", p.src[p.at]) >= 0:
		p.fail("an atom")
	}
	return nodeSet{p.member()}
}

// member reads one escape or one literal character.
func (p *parser) member() set {
	switch {
	case p.take(`\s`):
		return classSet(spaceUnits)
	case p.take(`\S`):
		return classSet(spaceUnits).not()
	case p.take(`\w`):
		return wordSet()
	case p.take(`\d`):
		return classSet("0123456789")
	case p.take(`\n`):
		return classSet("\n")
	case p.take(`\x60`): // so that a pattern can stand in a raw string of Go
		return classSet("`")
	case p.take(`\`):
		c := p.src[p.at]
		if c >= 0x80 || wordUnit[c] != 0 {
			p.fail("a known escape")
		}
	}
	return p.literal()
}

func (p *parser) literal() set {
	c := p.src[p.at]
	if c >= 0x80 || c < 0x20 {
		p.fail("a printable character of ASCII")
	}
	p.at++
	return classSet(string(rune(c)))
}

func wordSet() set {
	var s set
	for c := range 0x80 {
		if wordUnit[c] != 0 {
			s.put(byte(c))
		}
	}
	return s
}

// class reads a character class after its bracket.
func (p *parser) class() set {
	// The invisible characters are two classes together: no other set may ask for one of them.
	if p.take(`\u200B-\u200D\u2060\uFEFF\u180E]`) {
		return classSet(unseenUnits)
	}
	negated := p.take("^")
	var s set
	for !p.take("]") {
		from := p.member()
		if !p.peek("-]") && p.take("-") {
			from = span(from.members(), p.member().members())
		}
		s = s.union(from)
	}
	if negated {
		return s.not()
	}
	return s
}

// span is a range of letters of one case or of digits; the flag i makes both cases of it one.
func span(from, to []byte) set {
	if len(from) != 1 || len(to) != 1 || wordUnit[from[0]]&wordUnit[to[0]] == 0 || to[0] < from[0] {
		panic("a range of something else than letters or digits")
	}
	var s set
	for c := from[0]; c <= to[0]; c++ {
		s.put(c)
	}
	return s
}
