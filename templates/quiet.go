package templates

import "github.com/manifestseal/manifestseal/engine/view"

// quiet tells whether nothing of a tool differs, neither inside the digest nor
// outside. An unchanged tool whose uncovered members differ is not quiet: a
// title can carry an order as well as a description can.
func quiet(t view.Tool) bool {
	return t.Status == "UNCHANGED" && len(t.Parts) == 0
}

// hasHits tells whether the screen met something in a tool's new description.
func hasHits(t view.Tool) bool { return t.Scan != nil && len(t.Scan.Hits) > 0 }

// rowWord is what a screen reader hears in the place of a row's glyph.
func rowWord(kind string) string {
	switch kind {
	case "changed":
		return "Changed line, before and after: "
	case "added":
		return "Added line: "
	case "removed":
		return "Removed line: "
	}
	return ""
}
