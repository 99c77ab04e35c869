package cli

import (
	"github.com/manifestseal/manifestseal/engine/jsonvalue"
	"github.com/manifestseal/manifestseal/engine/manifest"
	"github.com/manifestseal/manifestseal/engine/poison"
	"github.com/manifestseal/manifestseal/engine/screen"
)

// withPoison adds the hits of mcp-poison-rules/v1 to the engine's lines, one per
// tool: a second rulebook, apart from the first.
func withPoison(lines []byte, hits [][]poison.Hit) []byte {
	var out []byte
	i := 0
	for line := range splitLines(lines) {
		var w jsonvalue.Builder
		w.Begin('[')
		for k := range hits[i] {
			hits[i][k].Write(&w)
		}
		w.End(']')
		i++
		out = append(append(out, line[:len(line)-1]...), `,"`+screen.Poison().ID+`":{"hits":`...)
		out = append(append(out, w.Bytes...), '}', '}', '\n')
	}
	return out
}

func poisonHits(m *manifest.Manifest) [][]poison.Hit { return poison.Manifest(m) }
