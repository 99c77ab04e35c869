package screen

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// hostilePoison are texts of n units in the shape of each rule of a rulebook: a way through its pattern without the end,
// over and over. In texts of full size all rules are switched on.
func hostilePoison(rb *Rulebook, n int) map[string]string {
	texts := map[string]string{}
	g := newGenerator(11, rb)
	on := ""
	for _, r := range patterned(rb)[:len(rb.Rules)*min(1, n/hostileSize)] {
		on += g.shape(parse(r.Pattern), 1) + "\n"
	}
	for i, r := range patterned(rb) {
		whole, turned := g.shape(parse(r.Pattern), 1), g.shape(parse(r.Pattern), 3)
		for name, unit := range map[string]string{
			"cut":   whole[:len(whole)*3/4] + " ",
			"start": whole[:len(whole)/4] + " ",
			"full":  turned[:min(len(turned), 1+len(whole)/2)] + " ",
			"ends":  whole[len(whole)/3:],
		} {
			unit = strings.ToValidUTF8(unit, "x") // cut inside a character
			body := strings.Repeat(unit, max(1, n/len(unit)))
			texts[rb.Rules[i].ID+"-"+string(rune('a'+i%26))+string(rune('a'+i/26))+"-"+name] = on + body
		}
	}
	return texts
}

// shape writes a node out with its first alternatives and loops of few turns.
func (g generator) shape(n node, turns int) string {
	switch n := n.(type) {
	case nodeSet:
		return g.unit(n.set)
	case nodeSeq:
		out := ""
		for _, part := range n {
			out += g.shape(part, turns)
		}
		return out
	case nodeAlt:
		return g.shape(pick(g, n), turns)
	case nodeAnchor:
		return g.shape(n.body, turns)
	case nodeRepeat:
		if n.max > 20 && n.max != unlimited && n.min < 2 {
			return strings.Repeat(" x", turns) + " "
		}
		return strings.Repeat(g.shape(n.body, turns), max(n.min, min(turns, n.max)))
	}
	return ""
}

// TestHostilePoison compares the hostile texts of every rule, small, with the naive twin.
func TestHostilePoison(t *testing.T) {
	for name, text := range hostilePoison(Poison(), 300) {
		if diff := cmp.Diff(naiveScan(Poison(), text), Poison().Scan(text)); diff != "" {
			t.Errorf("%s %q (-want +got):\n%s", name, text, diff)
		}
	}
}

func BenchmarkHostilePoison(b *testing.B) {
	for name, text := range hostilePoison(Poison(), hostileSize) {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				Poison().Scan(text)
			}
		})
	}
}
