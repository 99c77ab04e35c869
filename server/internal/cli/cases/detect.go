package cases

import (
	"github.com/manifestseal/manifestseal/engine/gate"
	"github.com/manifestseal/manifestseal/engine/manifest"
)

// hit is one rule that hit.
type hit struct {
	rule, family string
	severity     gate.Severity
	mention      bool
}

// detect runs mcp-poison-rules/v1 over a tool.
func detect(*manifest.Manifest) []hit { return nil }

// families are the families of mcp-poison-rules/v1.
func families() []string { return nil }
