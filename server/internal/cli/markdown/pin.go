package markdown

import "github.com/manifestseal/manifestseal/engine/pin"

// Pinned adds what was written into a lockfile.
func (d *Document) Pinned(path, lead string, events []pin.Event) {
	text := "### Lockfile " + Code(path) + "\n\n" + Text(lead) + "\n\n"
	for _, e := range events {
		if e.Tool != "" {
			text += "- " + Text(e.Action) + " " + Code(e.Tool) + "\n"
		}
	}
	d.Add(text+"\n", "", 0)
}
