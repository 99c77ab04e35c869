package seal

import (
	"slices"

	"github.com/manifestseal/manifestseal/engine/jsonvalue"
)

// maxDepth is how deep a report may nest: what a manifest may, and the report's
// own members around it.
const maxDepth = jsonvalue.MaxDepth + 100

// members are the top-level members that a report of any criteria may have, in
// their published order. Those that not every report has are absent from it,
// never null.
var members = []string{
	"criteria_id", "service", "version", "issuer", "as_of", "baseline", "current", "verdict", "reason", "cap_bytes", "counts", "grade",
	"tools", "order_changed", "changed_description_scan", "screens", "capability", "poison_delta", "outside_digest", "regrade",
	"manifest_digest", "manifest_digest_signature", "reading_notes", "summary", "summary_signature", "signature", "attestations",
}

// Report is a report as it was read, unverified.
type Report struct{ Root jsonvalue.Value }

// ReadError says why a document is no report that could be verified.
type ReadError struct {
	Pointer string
	Message string
}

func (e *ReadError) Error() string {
	if e.Pointer == "" {
		return "the report is malformed: " + e.Message
	}
	return "the report is malformed: " + e.Pointer + ": " + e.Message
}

// ReadReport reads a report strictly: repeated members, numbers beyond a
// double's range and unknown top-level members make it malformed, because two
// readers could understand them differently. The error is a *jsonvalue.Error
// where the text is no JSON, else a *ReadError.
func ReadReport(text string) (*Report, error) {
	doc, err := jsonvalue.ParsePart(text, 0, len(text), maxDepth)
	if err != nil {
		return nil, err
	}
	if fault := readStrictly(doc, members); fault != nil {
		return nil, fault
	}
	return &Report{doc.Root()}, nil
}

// readStrictly says why a document could be understood in two ways, or has
// members that are not known; known may be nil.
func readStrictly(doc *jsonvalue.Doc, known []string) *ReadError {
	for _, n := range doc.Notes() {
		if n.Code == jsonvalue.DuplicateMember || n.Code == jsonvalue.NumberOverflow {
			return &ReadError{n.Pointer, n.Message}
		}
	}
	// A note may stand beyond those that are listed.
	if doc.Noted(jsonvalue.DuplicateMember) || doc.Noted(jsonvalue.NumberOverflow) {
		return &ReadError{"", "it has repeated members or numbers beyond a double's range"}
	}
	root := doc.Root()
	if root.Kind() != jsonvalue.Object {
		return &ReadError{"", "it must be an object"}
	}
	for name := range root.Members() {
		if known != nil && !slices.Contains(known, name) {
			return &ReadError{jsonvalue.PointerToken("", name), "is no member of a report"}
		}
	}
	return nil
}
