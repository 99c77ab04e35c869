package plain

import "github.com/manifestseal/manifestseal/engine/view"

// Screened is a tool and what the pattern screen matches in its description.
type Screened struct {
	Name       []view.Segment
	Occurrence int
	Scan       view.Scan
}

// ScreenLead says in one sentence what a screen found.
func ScreenLead(tools []Screened) string {
	matches, with, not := 0, 0, 0
	for i := range tools {
		matches += len(tools[i].Scan.Hits)
		if len(tools[i].Scan.Hits) > 0 {
			with++
		}
		if !tools[i].Scan.Scanned {
			not++
		}
	}
	text := "No pattern matches in " + Count(len(tools), "tool") + "."
	if matches > 0 {
		text = Count(matches, "match") + " in the descriptions of " + Number(with) + " of " + Count(len(tools), "tool") + ". A match is no verdict: read it."
	}
	if not > 0 {
		text += " " + Number(not) + " without a description to screen."
	}
	return text
}
