package templates

import "github.com/manifestseal/manifestseal/engine/view"

// sample is a view in which every component has something to paint, hostile
// text included.
func sample() view.View {
	hostile := `</template><script>alert(1)</script><img src=x onerror=alert(1)>`
	digest := "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
	return view.View{
		State: view.Changed, Verdict: "MANIFEST CHANGED (3 tools)", Lead: "One tool changed, one was added, one was removed.",
		AsOf:     "2026-01-02T03:04:05.678Z",
		Baseline: view.Side{Label: "Baseline", ToolCount: 0, Digest: digest, Origin: "Asserted by the customer."},
		Current:  view.Side{Label: "Current", ToolCount: 3, Digest: digest},
		Counts: []view.Count{
			{Status: "changed", N: 1, Label: "1 changed"}, {Status: "added", N: 1, Label: "1 added"},
			{Status: "removed", N: 1, Label: "1 removed"}, {Status: "unchanged", N: 1, Label: "1 unchanged"},
		},
		Notices: []view.Notice{
			{Kind: "screen", Text: "One new description matches a pattern.", Tools: []view.Mention{{ID: "tool-1", Name: plain(hostile)}}, More: "and 2 more"},
			{Kind: "order", Text: "Another order."},
		},
		Quiet: "1 tool in which nothing differs",
		Tools: []view.Tool{
			{
				ID: "tool-1", Name: plain(hostile), PlainName: hostile, Line: "~ " + hostile, Occurrence: 2, OccurrenceNote: "2nd of this name",
				Status: "CHANGED", StatusLabel: "Changed", Glyph: "~", Summary: "description changed", Alarm: "POISON ALARM: secret-read", OldDigest: digest, NewDigest: digest, Open: true,
				Parts: []view.Part{
					{Title: "description", Pointer: "/tools/0/description", Kind: "text", Change: "changed", Rows: sampleRows(hostile)},
					{Title: hostile, Pointer: "/tools/0/" + hostile, Kind: "json", Change: "added", Outside: true, Note: "Too long to be compared by words."},
				},
				Scan: &view.Scan{Scanned: true, Label: "1 match", Hits: []view.Hit{
					{Rule: "IO-1", Category: "instruction_override", Span: "12–40", View: "leetspeak", Excerpt: []view.Segment{{Kind: "equal", Text: hostile, Title: "IO-1", Hit: true}}},
				}},
			},
			{ID: "tool-2", Name: plain("b"), Status: "ADDED", StatusLabel: "Added", Glyph: "+", NewDigest: digest},
			{ID: "tool-3", Name: plain("c"), Status: "REMOVED", StatusLabel: "Removed", Glyph: "−", OldDigest: digest, Scan: &view.Scan{Label: "not scanned: no string"}},
			{ID: "tool-4", Name: plain("d"), Status: "UNCHANGED", StatusLabel: "Unchanged", Glyph: "=", OldDigest: digest, NewDigest: digest},
			{ID: "tool-5", Name: plain("e"), Status: "UNCHANGED", StatusLabel: "Unchanged", Glyph: "=", Parts: []view.Part{{Title: "title", Change: "changed", Outside: true}}},
		},
		Assessment: &view.Assessment{
			State: "alarm", Poison: "Poison alarm.", MoreHits: "and 2 more", Trend: "fell", Grade: "The grade fell.", Before: "B", After: "C", Tiers: "Two can do more.", MoreRises: "and 3 more",
			Hits:  []view.NewHit{{ID: "tool-1", Name: plain(hostile), Rule: "secret-read", Match: []view.Segment{{Kind: "chip", Text: "U+200B", Title: "ZERO WIDTH SPACE"}, {Kind: "equal", Text: hostile}}, Pointer: "/tools/0/description", ShownPointer: plain("/tools/0/description")}},
			Rises: []view.Rise{{ID: "tool-1", Name: plain(hostile), Before: "reads", After: "destroys or executes", Tier: "T3_destructive_or_exec"}},
		},
		List:  []view.Part{{Title: "nextCursor", Pointer: "/nextCursor", Kind: "json", Change: "added", Outside: true}},
		Notes: []view.Note{{Side: "Current", Code: "duplicate_member", Pointer: "/tools/0/name", Place: "line 3, column 14", Message: hostile}, {Side: "Baseline", Message: "m"}},
	}
}

func plain(text string) []view.Segment { return []view.Segment{{Kind: "equal", Text: text}} }

func sampleRows(hostile string) []view.Row {
	return []view.Row{
		{Kind: "fold", Glyph: "⋯", Label: "2 unchanged lines", Hidden: []view.Row{
			{Kind: "equal", OldLine: "1", NewLine: "1", Old: plain("x  y"), New: plain("x  y")},
			{Kind: "equal", OldLine: "2", NewLine: "2"},
		}},
		{Kind: "changed", Glyph: "~", OldLine: "3", NewLine: "3",
			Old: []view.Segment{{Kind: "equal", Text: " a "}, {Kind: "del", Text: "old"}, {Kind: "del", Text: "old", Title: "IO-1", Hit: true}},
			New: []view.Segment{
				{Kind: "ins", Text: hostile}, {Kind: "ins", Text: "ignore", Title: "IO-1", Hit: true},
				{Kind: "chip", Text: "U+200B", Title: "ZERO WIDTH SPACE"}, {Kind: "chip", Text: "U+202E", Title: "RIGHT-TO-LEFT OVERRIDE", Hit: true},
				{Kind: "equal", Text: "end", Title: "CC-1", Hit: true},
				{Kind: "fold", Text: hostile, Title: "9,000 more characters"},
			}},
		{Kind: "added", Glyph: "+", NewLine: "4", New: plain("n")},
		{Kind: "removed", Glyph: "−", OldLine: "4", Old: plain("o")},
	}
}
