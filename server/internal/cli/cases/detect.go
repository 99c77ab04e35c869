package cases

import (
	"slices"

	"github.com/manifestseal/manifestseal/engine/gate"
	"github.com/manifestseal/manifestseal/engine/manifest"
	"github.com/manifestseal/manifestseal/engine/poison"
	"github.com/manifestseal/manifestseal/engine/screen"
)

// hit is one rule that hit.
type hit struct {
	rule, family string
	severity     gate.Severity
	mention      bool
}

// detect runs mcp-poison-rules/v1 over a tool.
func detect(m *manifest.Manifest) (out []hit) {
	for _, hits := range poison.Manifest(m) {
		for i := range hits {
			severity, _ := gate.ParseSeverity(hits[i].Severity)
			out = append(out, hit{hits[i].Rule, hits[i].Family, severity, hits[i].Mention})
		}
	}
	return out
}

// families are the families of mcp-poison-rules/v1: those of its patterns, and
// those that no pattern finds.
func families() (out []string) {
	for _, c := range screen.Poison().Categories {
		out = append(out, c.ID)
	}
	for _, name := range []string{"hidden-text", "lookalike-name"} {
		if !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}
