package console

import (
	"github.com/manifestseal/manifestseal/engine/pin"
	"github.com/manifestseal/manifestseal/server/internal/cli/plain"
)

// Pinned paints what was written into a lockfile.
func Pinned(path, lead string, events []pin.Event, o Options) string {
	p := &page{options: o}
	p.flow(nil, spaces(4), piece{plain.Text(path), bold}, piece{": " + lead, none})
	for _, e := range events {
		if e.Tool == "" {
			continue
		}
		p.flow([]piece{{"  " + e.Action + " ", inserted}}, spaces(6), piece{p.clip(e.Tool), bold}, piece{steps(e), faint})
	}
	return p.String()
}

// steps are the whole tool's digests before and after.
func steps(e pin.Event) string {
	switch {
	case e.From == "":
		return "  " + e.To
	case e.To == "":
		return "  was " + e.From
	}
	return "  " + e.From[:min(12, len(e.From))] + " to " + e.To[:min(12, len(e.To))]
}
