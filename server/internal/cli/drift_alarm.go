package cli

import (
	"strings"

	"github.com/manifestseal/manifestseal/engine/drift"
	"github.com/manifestseal/manifestseal/engine/manifest"
	"github.com/manifestseal/manifestseal/engine/poison"
)

// alarms are what the poison rules hit in the current manifest and did not in the
// baseline, by tool; nil where the baseline's texts are not held: not known is
// not clean.
func alarms(c *drift.Comparison) map[occurrence]poison.Delta {
	if c == nil || c.Baseline.Manifest == nil || c.Current.Manifest == nil {
		return nil
	}
	before, after := poison.Manifest(c.Baseline.Manifest, nil), poison.Manifest(c.Current.Manifest, names(c.Baseline.Manifest))
	out := map[occurrence]poison.Delta{}
	for _, t := range c.Tools {
		var old, now []poison.Hit
		if t.Old >= 0 {
			old = before[t.Old]
		}
		if t.New >= 0 {
			now = after[t.New]
		}
		if d := poison.Compare(old, now); d.Alarm {
			out[occurrence{t.Name, t.Named, t.Occurrence}] = d
		}
	}
	return out
}

func names(m *manifest.Manifest) (out []string) {
	for _, e := range m.Entries {
		if e.Named {
			out = append(out, e.Name)
		}
	}
	return out
}

// alarmText says which rules hit what they did not hit before.
func alarmText(d *poison.Delta) string {
	var parts []string
	for _, c := range d.Changes {
		if c.Added {
			parts = append(parts, c.Hit.Rule)
		}
	}
	return "POISON ALARM: " + strings.Join(compact(parts), ", ")
}

// compact keeps the first of equal texts.
func compact(list []string) []string {
	seen := map[string]bool{}
	var out []string
	for _, s := range list {
		if !seen[s] {
			seen[s] = true
			out = append(out, s)
		}
	}
	return out
}
