package markdown

import (
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
		if len(t.Scan.Hits) == 0 {
			continue
		}
		title := "\n#### " + nameSpan(t.Name) + "\n"
		d.Add(title+scan(&t.Scan), title+"\nThe details had no room here.\n", 0)
	}
	d.Add("\n", "", 0)
}
