package screen

import (
	"slices"
	"sync"
	"unicode/utf8"

	"github.com/dlclark/regexp2/v2"
)

// The naive twin: R40 to R42 read word for word over UTF-16 units, with regexp2 running the published patterns.

// oracle returns the published patterns of a rulebook, every rule, under regexp2 in ECMAScript mode.
func oracle(rb *Rulebook) []*regexp2.Regexp {
	if rb == Injection() {
		return injectionOracle()
	}
	return poisonOracle()
}

var (
	injectionOracle = sync.OnceValue(func() []*regexp2.Regexp { return compileOracle(Injection()) })
	poisonOracle    = sync.OnceValue(func() []*regexp2.Regexp { return compileOracle(Poison()) })
)

// patterned are the rules of a rulebook with their patterns.
func patterned(rb *Rulebook) []Rule {
	if rb != Poison() {
		return rb.Rules
	}
	rules := slices.Clone(rb.Rules)
	for i := range rules {
		rules[i].Pattern = PoisonPatterns()[i]
	}
	return rules
}

func compileOracle(rb *Rulebook) []*regexp2.Regexp {
	var all []*regexp2.Regexp
	for _, r := range patterned(rb) {
		all = append(all, regexp2.MustCompile(r.Pattern, regexp2.ECMAScript, regexp2.IgnoreCase))
	}
	return all
}

// found is a match and its anchor.
type found struct {
	Span, Anchor Span
}

// spans are all matches of a rule in some units, as matchAll gives them.
func spans(re *regexp2.Regexp, units []uint16) []found {
	runes := make([]rune, len(units))
	for i, u := range units {
		runes[i] = rune(u)
	}
	var all []found
	m, err := re.FindRunesMatch(runes)
	for ; m != nil; m, err = re.FindNextMatch(m) {
		f := found{Span: Span{m.RuneIndex, m.RuneIndex + m.RuneLength}}
		if g := m.GroupByName("anchor"); g != nil && len(g.Captures) > 0 {
			f.Anchor = Span{g.RuneIndex, g.RuneIndex + g.RuneLength}
		}
		all = append(all, f)
	}
	if err != nil {
		panic(err)
	}
	return all
}

// merged is spans, with the adjacent ones of OB-1 as one.
func merged(rb *Rulebook, rule int, units []uint16) []found {
	all := spans(oracle(rb)[rule], units)
	if rb.Rules[rule].ID != "OB-1" {
		return all
	}
	var out []found
	for _, s := range all {
		if n := len(out); n > 0 && out[n-1].Span.End == s.Span.Start {
			out[n-1].Span.End = s.Span.End
		} else {
			out = append(out, s)
		}
	}
	return out
}

func naiveScan(rb *Rulebook, text string) []Match {
	units := utf16(text)
	folded := naiveFold(units)
	decoded, from, to := naivePercent(units)
	tokens := naiveTokens(units)
	var out []Match
	for r := range rb.Rules {
		seen := map[Match]bool{}
		add := func(v View, span, anchor Span) {
			m := Match{&rb.Rules[r], v, span.Start, span.End, anchor}
			if !seen[m] {
				out = append(out, m)
			}
			seen[m] = true
		}
		for _, f := range merged(rb, r, units) {
			add(AsSubmitted, f.Span, f.Anchor)
		}
		for _, f := range merged(rb, r, folded) {
			if !slices.Equal(folded[f.Span.Start:f.Span.End], units[f.Span.Start:f.Span.End]) {
				add(Leetspeak, f.Span, f.Anchor)
			}
		}
		for _, f := range merged(rb, r, decoded) {
			for i := f.Span.Start; i < f.Span.End; i++ {
				if to[i]-from[i] >= 3 {
					anchor := Span{}
					if f.Anchor != anchor {
						anchor = Span{from[f.Anchor.Start], to[f.Anchor.End-1]}
					}
					add(PercentDecoded, Span{from[f.Span.Start], to[f.Span.End-1]}, anchor)
				}
			}
		}
		for _, t := range tokens {
			for _, f := range merged(rb, r, t.content) {
				token := Span{t.start, t.end}
				if f.Anchor == (Span{}) {
					add(Base64, token, Span{})
				} else {
					add(Base64, token, token)
				}
			}
		}
	}
	return out
}

func naiveFold(units []uint16) []uint16 {
	table := map[uint16]uint16{'0': 'o', '1': 'i', '3': 'e', '4': 'a', '5': 's', '7': 't', '@': 'a', '$': 's'}
	out := make([]uint16, len(units))
	for i, u := range units {
		if out[i] = u; table[u] != 0 {
			out[i] = table[u]
		}
	}
	return out
}

// naivePercent returns the decoded units, and for each the span of the submitted text that it stands for.
func naivePercent(units []uint16) (decoded []uint16, from, to []int) {
	hex := func(i int) int {
		if i < len(units) {
			switch u := int(units[i]); {
			case '0' <= u && u <= '9':
				return u - '0'
			case 'A' <= u && u <= 'F':
				return u - 'A' + 10
			case 'a' <= u && u <= 'f':
				return u - 'a' + 10
			}
		}
		return -1
	}
	for i := 0; i < len(units); {
		var run []byte
		for at := i; at < len(units) && units[at] == '%' && hex(at+1) >= 0 && hex(at+2) >= 0; at += 3 {
			run = append(run, byte(hex(at+1)*16+hex(at+2)))
		}
		if len(run) > 0 && utf8.Valid(run) {
			for len(run) > 0 {
				_, size := utf8.DecodeRune(run)
				for _, u := range utf16(string(run[:size])) {
					decoded, from, to = append(decoded, u), append(from, i), append(to, i+3*size)
				}
				run = run[size:]
				i += 3 * size
			}
			continue
		}
		for range max(1, 3*len(run)) {
			decoded, from, to = append(decoded, units[i]), append(from, i), append(to, i+1)
			i++
		}
	}
	return decoded, from, to
}

type naiveToken struct {
	start, end int
	content    []uint16
}

func naiveTokens(units []uint16) []naiveToken {
	const common = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	is := func(u uint16) bool {
		for _, c := range common + "+/-_" {
			if u == uint16(c) {
				return true
			}
		}
		return false
	}
	var out []naiveToken
	for i := 0; i < len(units); i++ {
		start := i
		for i < len(units) && is(units[i]) {
			i++
		}
		end := i
		for end < len(units) && end < i+2 && units[end] == '=' {
			end++
		}
		if i-start < 16 {
			continue
		}
		if content, ok := naiveBase64(wtf8(units[start:i])); ok {
			out = append(out, naiveToken{start, end, content})
		}
	}
	return out
}
