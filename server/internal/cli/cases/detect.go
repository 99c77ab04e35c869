package cases

import (
	"github.com/manifestseal/manifestseal/engine/gate"
	"github.com/manifestseal/manifestseal/engine/manifest"
	"github.com/manifestseal/manifestseal/engine/poison"
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

// families are the families of mcp-poison-rules/v1.
func families() (out []string) {
	for _, f := range poison.Families() {
		out = append(out, f.ID)
	}
	return out
}
