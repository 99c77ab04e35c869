package plain

import (
	"github.com/manifestseal/manifestseal/engine/poison"
	"github.com/manifestseal/manifestseal/engine/view"
)

// Screened is a tool and what the pattern screen matches in its description.
type Screened struct {
	Name       []view.Segment
	Occurrence int
	Scan       view.Scan
	Poison     []poison.Hit
}

// Any reports whether anything was found in the tool.
func (s *Screened) Any() bool { return len(s.Scan.Hits) > 0 || len(s.Poison) > 0 }

// PoisonHit says what a hit of the poison rules is and where, without its text.
func PoisonHit(h *poison.Hit) string {
	text := Text(h.Severity)
	if h.Mention {
		text += ", a mention"
	}
	if h.View != poison.AsSubmitted {
		text += ", seen as " + Text(h.View)
	}
	return text
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
	hits, poisoned := 0, 0
	for i := range tools {
		hits += len(tools[i].Poison)
		if len(tools[i].Poison) > 0 {
			poisoned++
		}
	}
	if hits > 0 {
		text += " " + Count(hits, "hit") + " of the poison rules in " + Number(poisoned) + "."
	} else {
		text += " No poison rule hits."
	}
	if not > 0 {
		text += " " + Number(not) + " without a description to screen."
	}
	return text
}

// NoMatch says in one sentence that the screen of a comparison matched nothing,
// so that it need not be said of each tool; "" where it matched, or screened
// nothing.
func NoMatch(v *view.View) string {
	screened := 0
	for i := range v.Tools {
		scan := v.Tools[i].Scan
		if scan != nil && len(scan.Hits) > 0 {
			return ""
		}
		if scan != nil && scan.Scanned {
			screened++
		}
	}
	if screened == 0 {
		return ""
	}
	if screened == 1 {
		return "No pattern matches in the new description of the changed tool."
	}
	return "No pattern matches in the new descriptions of the " + Count(screened, "changed tool") + "."
}
