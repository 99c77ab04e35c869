package markdown

import (
	"strings"

	"github.com/manifestseal/manifestseal/engine/view"
)

// assessment is what is said of the texts themselves.
func assessment(a *view.Assessment) string {
	if a == nil {
		return ""
	}
	var b strings.Builder
	sign := map[string]string{view.Alarm: "🚨 ", view.Unknown: "❔ "}[a.State]
	b.WriteString("\n" + sign + strong(Text(a.Poison), a.State == view.Alarm) + "\n\n")
	for i, h := range a.Hits {
		if i == maxHits {
			break
		}
		b.WriteString("- " + Code(h.Rule) + " in " + nameSpan(h.Name) + ": " + nameSpan(h.Match) + " at " + Code(h.Pointer) + "\n")
	}
	if left := len(a.Hits) - maxHits; left > 0 || a.MoreHits != "" {
		b.WriteString("- and more; the JSON holds all\n")
	}
	b.WriteString("\n" + strong(Text(a.Grade), a.Trend == "fell") + " " + strong(Text(a.Tiers), len(a.Rises) > 0) + "\n\n")
	for i, r := range a.Rises {
		if i == maxHits {
			b.WriteString("- and more; the HTML format lists them\n")
			break
		}
		b.WriteString("- " + nameSpan(r.Name) + ": " + Text(r.Before) + " → **" + Text(r.After) + "**\n")
	}
	return b.String()
}

func strong(text string, yes bool) string {
	if yes {
		return "**" + text + "**"
	}
	return text
}
