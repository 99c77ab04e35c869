// Package view implements what a person sees of a report: plain rows and text
// segments, made once and painted twice (by templ on the host, by cloned
// fragments in the browser). It follows browser.md's rules 3 to 5 of the
// design: summary first, old beside new, hidden characters as labelled chips.
//
// It never knows markup, colours or the language of a painter's elements, and
// it holds no verdict of its own: state and verdict are the report's.
package view

// The three states. They are set from explicit results only; a painter that
// meets any other value paints NotCompared.
const (
	Unchanged   = "unchanged"
	Changed     = "changed"
	NotCompared = "not_compared"
)

// View is a whole report for reading.
type View struct {
	State      string // Unchanged, Changed or NotCompared
	Verdict    string // the criteria's sentence, byte for byte
	Lead       string // one plain sentence: what changed, counted
	AsOf       string
	Baseline   Side
	Current    Side
	Counts     []Count     // changed, added, removed, unchanged, in this order; empty when not compared
	Notices    []Notice    // what qualifies the verdict, most important first
	Tools      []Tool      // changed, added, removed, then unchanged; report order within a status
	List       []Part      // members of the list itself that differ (nextCursor, _meta): advisory
	Notes      []Note      // reading notes of both sides
	Assessment *Assessment // nil where the report has none
	Quiet      string      // "47 tools in which nothing differs", or empty when there is none
}

// Side is one of the two documents.
type Side struct {
	Label     string // "Baseline" or "Current"
	ToolCount int
	Digest    string // aggregate digest, 64 hex digits
	Origin    string // one sentence: whose word this document is; empty for Current
}

// Count is the number of tool occurrences in one status.
type Count struct {
	Status string // "changed", "added", "removed", "unchanged"
	N      int
	Label  string // "2 changed"
}

// Notice is a sentence that stands beside the verdict.
type Notice struct {
	Kind  string // "screen", "outside", "partial", "list", "order", "reason"
	Text  string
	Tools []Mention // the tools that it is about, the first few of them
	More  string    // "and 12 more", or empty
}

// Mention names a tool of the view by its anchor.
type Mention struct {
	ID   string
	Name []Segment
}

// Tool is one tool occurrence of the comparison.
type Tool struct {
	ID             string    // "tool-1", "tool-2", …: an anchor, never made from manifest text
	Name           []Segment // the pairing name, cut when it is long, or the words "(no name)"
	PlainName      string    // for copying: the name as it is, "" when there is none
	Line           string    // "~ name, changed", for places that take plain text alone: cut, hidden characters as labels
	Occurrence     int
	OccurrenceNote string // "2nd of this name", or empty
	Status         string // CHANGED, ADDED, REMOVED, UNCHANGED
	StatusLabel    string // "Changed"
	Glyph          string // "~", "+", "−", "="
	Summary        string // "description, inputSchema changed; 1 pattern match in the new description"
	OldDigest      string // empty when there is none
	NewDigest      string
	Alarm          string // "POISON ALARM: secret-read", or empty
	Open           bool   // whether the tool is worth opening at once
	Later          bool   // its parts are not here yet: Insides has them
	Parts          []Part
	Scan           *Scan // nil when the report screens nothing of this tool

	place   place
	outside bool // something outside the digest differs
}

// Part is one place of a tool with its old and new side.
type Part struct {
	Title   string // "description", "inputSchema › properties › q"
	Pointer string // RFC 6901, into the current document (the baseline's for what is gone)
	// The same two for showing: names of members are manifest text.
	ShownTitle   []Segment
	ShownPointer []Segment

	Kind    string // "text" for prose, "json" for values
	Change  string // "changed", "added", "removed"
	Outside bool   // true when the digest does not cover it
	Note    string // a sentence when something is not shown as usual; or empty
	Rows    []Row
}

// Row is one line beside its counterpart. A fold stands for a run of equal
// lines that are not shown one by one; its lines are in Hidden.
type Row struct {
	Kind    string // "equal", "changed", "added", "removed", "fold"
	Glyph   string // "", "~", "+", "−", "⋯"
	OldLine string // line number as text, "" when the side has none
	NewLine string
	Old     []Segment
	New     []Segment
	Label   string // for a fold: "12 unchanged lines"
	Hidden  []Row  // for a fold
}

// Segment is a run of text in one state. Text of kind "chip" is the label of
// one hidden character ("U+200B"), never the character. A fold is the middle of
// a long run.
type Segment struct {
	Kind  string // "equal", "ins", "del", "chip", "fold"
	Text  string
	Title string // for a chip its name ("ZERO WIDTH SPACE"); for a hit the rule ids; for a fold its label
	Hit   bool   // a screen match covers this run
}

// Scan is the pattern screen of a changed tool's new description.
type Scan struct {
	Scanned bool
	Label   string // "1 match under prompt-injection-rules/v1", "no match", "not scanned: …"
	Hits    []Hit

	count int // of all matches, listed or not
}

// Hit is one match of the screen.
type Hit struct {
	Rule     string // "IO-1"
	Category string
	Span     string // "12–40", UTF-16 indices into the new description
	View     string // "leetspeak", … or empty
	Excerpt  []Segment
}

// Note is a reading note of one side.
type Note struct {
	Side    string // "Baseline" or "Current"
	Code    string
	Pointer string
	Place   string // "line 3, column 14", or empty
	Message string

	ShownPointer []Segment
}
