package screen

import (
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"strings"
)

// generator makes texts that are near to matches: ways through the patterns, with gaps, odd units and small damage.
type generator struct {
	*rand.Rand
	book *Rulebook
}

func newGenerator(seed uint64, rb *Rulebook) generator {
	return generator{rand.New(rand.NewPCG(seed, 7)), rb}
}

func pick[T any](g generator, all []T) T { return all[g.IntN(len(all))] }

var oddUnits = []string{
	"\u017f", "\u212a", "\u0130", "\u0131", "\u2028", "\u2029", "\ufeff", "\v", "\u00a0", "\u1680", "\u180e", "\u200b", "\u200c",
	"\u200d", "\u2060", "\u3000", "\u205f", "\u2003", "\U0001f600", "\xed\xa0\x80", "\xed\xbf\xbf", "\xed\xbf\xbf\xed\xa0\x80", "é", "漢",
	"\x00", "\x01", "\x02", "\x03", "\x04", "\x05", "\x7f", "\u0080", "%", "%%", "%2", "%C3", "%C3%A9", "%F0%9F%98%80", "%EF%BB%BF", "%e2%80%8b", "=", "==",
}

var fillers = []string{
	" ", "  ", "\n", "\t", ".", ",", "-", "_", "'", `"`, "(", ")", "/", "|", "<", ">", "[", "]", ":", "?", "&", "a", "the ", "all ", "my", "your ",
	"any", "to ", "tool ", "user", "x1", "0", "@", "$", "https://", "=", "system", "word ", "use ", "send ", "\n\n", "\r\n", "   \n ",
}

// gapFillers are mostly what a gap may hold, and words that are stages of rules.
var gapFillers = []string{
	" ", " ", "a", "the ", "all ", "my ", "to ", "tool ", "before ", "any ", "-", "é", "\U0001f600", "  ", " system", " x", "1", ".", "\n",
}

// text is one generated text.
func (g generator) text() string {
	var b strings.Builder
	for range 1 + g.IntN(3) {
		b.WriteString(g.noise(g.IntN(4)))
		for range 1 + g.IntN(2) {
			b.WriteString(g.disguise(g.fragment()))
		}
	}
	b.WriteString(g.noise(g.IntN(3)))
	return b.String()
}

func (g generator) noise(n int) string {
	out := ""
	for range n {
		if g.IntN(3) == 0 {
			out += pick(g, oddUnits)
		} else {
			out += pick(g, fillers)
		}
	}
	return out
}

// fragment is a way through some rule's pattern, damaged now and then.
func (g generator) fragment() string {
	s := g.way(parse(pick(g, patterned(g.book)).Pattern))
	if len(s) > 0 && g.IntN(4) == 0 {
		i := g.IntN(len(s))
		switch g.IntN(3) {
		case 0:
			s = s[:i] + s[i+1:]
		case 1:
			s = s[:i] + pick(g, oddUnits) + s[i:]
		default:
			s = s[:i] + pick(g, fillers) + s[i:]
		}
	}
	if g.IntN(5) == 0 {
		s = strings.ToUpper(s)
	}
	return strings.ToValidUTF8(s, "")
}

// way writes a node out.
func (g generator) way(n node) string {
	switch n := n.(type) {
	case nodeSet:
		return g.unit(n.set)
	case nodeSeq:
		out := ""
		for _, part := range n {
			out += g.way(part)
		}
		return out
	case nodeAlt:
		return g.way(pick(g, n))
	case nodeAnchor:
		return g.way(n.body)
	case nodeRepeat:
		return g.turns(n)
	}
	return ""
}

func (g generator) unit(s set) string {
	if s == spaces {
		return pick(g, []string{" ", " ", " ", "\n", "\t", "\u00a0", "\ufeff", "\u2028", "\v"})
	}
	if s == classSet(unseenUnits) {
		return pick(g, []string{"\u200b", "\u200c", "\u200d", "\u2060", "\ufeff", "\u180e"})
	}
	c := pick(g, s.members())
	if c < 0x20 || c == 0x7f {
		return pick(g, []string{" ", "é", "\U0001f600"})
	}
	return string(rune(c))
}

func (g generator) turns(n nodeRepeat) string {
	count := n.min + g.IntN(4)
	if g.IntN(3) == 0 && n.max != unlimited {
		count = n.max - 2 + g.IntN(5)
	}
	if n.max > 20 && n.max != unlimited && n.min <= 1 && g.IntN(2) == 0 {
		return " " // or a rule with three gaps would hardly ever fire
	}
	out := ""
	for len(out) < count {
		if n.max > 20 && n.max != unlimited && g.IntN(8) != 0 {
			out += pick(g, gapFillers)
		} else {
			out += g.way(n.body)
		}
		if n.max == 1 {
			break
		}
	}
	return out
}

// disguise puts a fragment into the spelling of some view.
func (g generator) disguise(s string) string {
	switch g.IntN(6) {
	case 0:
		return g.leet(s)
	case 1:
		return g.percent(s)
	case 2:
		encoding := pick(g, []*base64.Encoding{base64.StdEncoding, base64.URLEncoding, base64.RawStdEncoding, base64.RawURLEncoding})
		return pick(g, []string{"", " ", "=", "é"}) + encoding.EncodeToString([]byte(s)) + pick(g, []string{"", " ", "=", "é", "A"})
	}
	return s
}

func (g generator) leet(s string) string {
	out := []byte(s)
	for i, c := range out {
		if at := strings.IndexByte("oieastas", c); at >= 0 && g.IntN(3) == 0 {
			out[i] = "013457@$"[at]
			if c == 'a' && g.IntN(2) == 0 {
				out[i] = '@'
			}
			if c == 's' && g.IntN(2) == 0 {
				out[i] = '$'
			}
		}
	}
	return string(out)
}

func (g generator) percent(s string) string {
	out := ""
	for _, c := range []byte(s) {
		if c >= 0x80 || g.IntN(3) == 0 {
			out += fmt.Sprintf(pick(g, []string{"%%%02x", "%%%02X"}), c)
		} else {
			out += string(rune(c))
		}
	}
	return out
}
