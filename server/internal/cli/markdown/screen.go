package markdown

import (
	"strings"

	"github.com/manifestseal/manifestseal/engine/poison"
	"github.com/manifestseal/manifestseal/server/internal/cli/plain"
)

// Screen adds the tools whose descriptions match a pattern; name is the file's
// when there are several.
func Screen(d *Document, name string, tools []plain.Screened) {
	head := "### Pattern screen\n\n"
	if name != "" {
		head += Code(name) + "\n\n"
	}
	d.Add(head+Text(plain.ScreenLead(tools))+"\n", "", 0)
	for i := range tools {
		t := &tools[i]
		if !t.Any() {
			continue
		}
		title := "\n#### " + nameSpan(t.Name) + "\n"
		body := poisoned(t.Poison)
		if len(t.Scan.Hits) > 0 {
			body = scan(&t.Scan) + body
		}
		d.Add(title+body, title+"\nThe details had no room here.\n", 0)
	}
	d.Add("\n", "", 0)
}

// poisoned lists the hits of the poison rules in one tool.
func poisoned(hits []poison.Hit) string {
	var b strings.Builder
	for i := range hits {
		if i == 0 {
			b.WriteString("\nPoison rules:\n\n")
		}
		if i == maxHits {
			b.WriteString("- … " + plain.Count(len(hits)-i, "more hit") + "\n")
			break
		}
		h := &hits[i]
		b.WriteString("- **" + Text(h.Rule) + "** " + Text(plain.PoisonHit(h)) + " at " + Code(h.Pointer) + ": " + Code(h.Match) + "\n")
	}
	return b.String()
}
