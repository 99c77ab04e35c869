package templates

import "github.com/manifestseal/manifestseal/engine/view"

// The blank values have something in every place that a component leaves out
// when it is empty, so that a fragment holds every element; the binder takes
// out those that its value doesn't need. What a blank list holds is cleared
// before the list is filled.
const blank = "."

func blankSide() view.Side {
	return view.Side{Label: blank, Digest: blank, Origin: blank}
}

func blankResult() view.View {
	return view.View{
		State: blank, Verdict: blank, Lead: blank, AsOf: blank,
		Counts:  []view.Count{{}},
		Notices: []view.Notice{{}},
		Tools:   []view.Tool{{}},
		List:    []view.Part{{}},
		Notes:   []view.Note{{}},
		Quiet:   blank,

		Assessment: &view.Assessment{},
	}
}

func blankNotice() view.Notice {
	return view.Notice{Kind: blank, Text: blank, Tools: []view.Mention{{}}, More: blank}
}

func blankAssessment() view.Assessment {
	return view.Assessment{State: blank, Poison: blank, Hits: []view.NewHit{{}}, MoreHits: blank, Trend: blank, Grade: blank, Before: blank, After: blank,
		Tiers: blank, Rises: []view.Rise{{}}, MoreRises: blank}
}

func blankTool() view.Tool {
	return view.Tool{
		ID: blank, PlainName: blank, Status: blank, StatusLabel: blank, Glyph: blank, Open: true,
		OccurrenceNote: blank, Summary: blank, Alarm: blank, OldDigest: blank, NewDigest: blank,
		Scan: &view.Scan{Hits: []view.Hit{{}}},
	}
}

func blankPart() view.Part {
	return view.Part{
		Title: blank, Pointer: blank, Kind: blank, Change: blank, Outside: true, Note: blank,
		Rows: []view.Row{{Kind: "equal"}},
	}
}

func blankScan() view.Scan {
	return view.Scan{Scanned: true, Label: blank, Hits: []view.Hit{{}}}
}

func blankHit() view.Hit {
	return view.Hit{Rule: blank, Category: blank, Span: blank, View: blank}
}

func blankNote() view.Note {
	return view.Note{Side: blank, Code: blank, Pointer: blank, Place: blank, Message: blank}
}

func blankSegment(kind string, hit bool) view.Segment {
	return view.Segment{Kind: kind, Text: blank, Title: blank, Hit: hit}
}

func rowKinds() []string     { return []string{"equal", "changed", "added", "removed", "fold"} }
func segmentKinds() []string { return []string{"equal", "ins", "del", "chip"} }

// stopped is what stands when the engine gave no answer. It is a view of its
// own because no report exists then.
func stopped() view.View {
	return view.View{
		State:   view.NotCompared,
		Verdict: "COULD NOT COMPARE",
		Lead:    "The comparison stopped before it had an answer. This says nothing about the two manifests.",
		Notices: []view.Notice{{Kind: "reason", Text: "engine_stopped: the engine ended or ran too long in this browser. Change either document to try again, or reload the page. The command manifestseal compares the same files without a browser."}},
	}
}

// unreadable is what stands when a side holds a document that is no manifest.
func unreadable() view.View {
	return view.View{
		State:   view.NotCompared,
		Verdict: "COULD NOT COMPARE",
		Lead:    "A document can't be read as a manifest. What is wrong with it stands under its own pane.",
	}
}
