package templates

import "github.com/manifestseal/manifestseal/engine/view"

// Inspect is the page that looks at one manifest in the browser.
type Inspect struct {
	Page          Page
	Worker        Asset
	ServiceWorker string // its path, or "" where the site has none
	Engine        Asset
	Example       Asset
	ServiceCap    int // bytes that the paid service takes
}

func blankInspection() view.Inspection {
	return view.Inspection{
		State: blank, Verdict: blank, Grade: blank, Lead: blank, Outcome: blank, Gate: blank, Digest: blank, Size: blank, ToolCount: 1,
		Severity: []view.Count{{}}, Tiers: []view.Count{{}}, Notices: []view.Notice{{}}, Screens: []view.Screened{{}}, List: []view.Failing{{}},
		Fixes: []view.FixLine{{}}, Scores: []view.Bar{{}}, ScoresOf: blank, Hits: []view.Bar{{}}, Tools: []view.Inspected{{}}, Notes: []view.Note{{}},
	}
}

func blankScreened() view.Screened {
	return view.Screened{Rulebook: blank, Ref: blank, Text: blank, Hit: true}
}

func blankFix() view.FixLine {
	return view.FixLine{Rule: blank, Ref: blank, Severity: blank, Text: blank, Gain: blank, Of: blank}
}

func blankBar() view.Bar {
	return view.Bar{ID: blank, Ref: blank, Note: blank, Value: blank, Kind: blank}
}

func blankInspected() view.Inspected {
	return view.Inspected{
		ID: blank, PlainName: blank, Line: blank, OccurrenceNote: blank, Status: blank, Tier: blank, TierLabel: blank, Glyph: blank, Score: blank,
		Digest: blank, Size: blank, Summary: blank, Open: true, Evidence: []view.TierSign{{}}, Screen: blank, Hits: []view.ScreenHit{{}}, Texts: []view.HitText{{}},
		Findings: []view.Failing{{}}, More: blank,
	}
}

func blankSign() view.TierSign { return view.TierSign{Axis: blank, Tier: blank, Pointer: blank} }

func blankScreenHit() view.ScreenHit {
	return view.ScreenHit{
		Rulebook: blank, Rule: blank, Ref: blank, Severity: blank, Label: blank, Note: blank, Fails: true, View: blank, Pointer: blank,
	}
}

func blankHitText() view.HitText { return view.HitText{Pointer: blank} }

func blankFailing() view.Failing {
	return view.Failing{
		Rule: blank, Ref: blank, Severity: blank, Message: blank, Fix: blank, Fails: true, Pointer: blank,
		ShownPointer: []view.Segment{{}}, Evidence: []view.Segment{{}}, Tool: []view.Segment{{}},
	}
}

// notInspected is what stands when no answer came, and why.
func notInspected(lead, reason string) view.Inspection {
	v := view.Inspection{State: view.NotGraded, Verdict: "COULD NOT INSPECT", Grade: "–", Lead: lead}
	if reason != "" {
		v.Notices = []view.Notice{{Kind: "reason", Text: reason}}
	}
	return v
}

const inspectionStopped = "The inspection stopped before it had an answer. This says nothing about the manifest."

func stoppedInspection() view.Inspection {
	return notInspected(inspectionStopped, "engine_stopped: the engine ended or ran too long in this browser. Change the document to try again, or reload the page. The command manifestseal looks at the same file without a browser.")
}

func spentInspection() view.Inspection {
	return notInspected(inspectionStopped, "engine_stopped: the engine ended or ran too long a second time, and a sealed page can't start it again. Reload the page to go on. The command manifestseal looks at the same file without a browser.")
}

func unreadableInspection() view.Inspection {
	return notInspected("The document can't be read as a manifest. What is wrong with it stands under it.", "")
}
