package cli

import (
	"github.com/manifestseal/manifestseal/engine"
	"github.com/manifestseal/manifestseal/engine/drift"
	"github.com/manifestseal/manifestseal/engine/view"
)

// direction is the way that a tool went; "" where it is as it was, or its old
// text is not held.
func direction(c *drift.Comparison, t drift.Tool) string {
	if t.Old < 0 || t.New < 0 || c.Baseline.Manifest == nil || c.Current.Manifest == nil {
		return ""
	}
	d := drift.DirectionOf(c.Baseline.Manifest.Entries[t.Old].Value, c.Current.Manifest.Entries[t.New].Value)
	if d == 0 {
		return ""
	}
	return d.String()
}

// directed is the view of a comparison in which each tool that differs says
// which way it went. That is no part of the report: it is said to people alone.
func directed(c *engine.Comparison) *view.View {
	v := c.View()
	if c.Drift.Comparison == nil {
		return v
	}
	ways := map[occurrence]string{}
	for _, t := range c.Drift.Comparison.Tools {
		ways[occurrence{t.Name, t.Named, t.Occurrence}] = direction(c.Drift.Comparison, t)
	}
	for i := range v.Tools {
		t := &v.Tools[i]
		named := t.PlainName != "" || len(t.Name) == 0 || t.Name[0].Text == ""
		key := occurrence{t.PlainName, named, t.Occurrence}
		say(t, ways[key])
	}
	return v
}

// say adds to what stands beside a tool's status.
func say(t *view.Tool, text string) {
	if text == "" {
		return
	}
	if t.Summary != "" {
		t.Summary += "; "
	}
	t.Summary += text
}

// occurrence tells the tools of one side apart.
type occurrence struct {
	name  string
	named bool
	n     int
}
