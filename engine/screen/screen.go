// Package screen implements the pattern screen: rulebooks of ECMAScript patterns, the four views of a text, and a
// matcher that gives the spans that RegExp and matchAll give on V8 (rulings R40 to R44).
//
// A rulebook is data: its published rules, and a table made from their patterns that the matcher runs. The table is
// written by a test of this package (go generate), which holds the compiler; nothing is compiled when a program starts.
// The package knows texts and spans. It never learns what a tool, a manifest or a report is.
package screen

//go:generate go test -run ^TestTables$ -update .

// Rule is one published rule. Every member is the wire value; Pattern is an ECMAScript pattern read with Flags and g.
type Rule struct {
	ID, Category, Severity, Description, Pattern, Flags string
}

// Category is one family of rules, with its published text.
type Category struct {
	ID, Text string
}

// Rulebook is a list of rules in published order, with the table that finds them.
type Rulebook struct {
	ID         string
	Categories []Category
	Rules      []Rule
	table      *table
}

// View says in which reading of a text a match was found (R42). The zero View is the text as it was submitted.
type View uint8

// The views, in the order of a report (R41).
const (
	AsSubmitted View = iota
	Leetspeak
	PercentDecoded
	Base64
)

// String returns the wire value of a view.
func (v View) String() string {
	switch v {
	case AsSubmitted:
		return "as_submitted"
	case Leetspeak:
		return "leetspeak"
	case PercentDecoded:
		return "percent_decoded"
	case Base64:
		return "base64"
	}
	return "unknown"
}

// Match is one span that a rule hit. Start and End count UTF-16 code units of the submitted text, whichever view found
// it: they are JavaScript string indices, End exclusive.
type Match struct {
	Rule       *Rule
	View       View
	Start, End int
	Anchor     Span // what the rule's group "anchor" hit; the zero Span where a rule has none
}

// Span is a piece of the submitted text in UTF-16 code units, End exclusive.
type Span struct {
	Start, End int
}

// Scan returns every match of every rule in every view, in report order: rules as in the rulebook, then view, start,
// end (R41). The text is WTF-8: UTF-8 in which a lone surrogate has its three-byte form; of any other text the spans are
// not specified. The time is linear in the text and the number of matches has no limit (R44). The result is nil when
// nothing matches.
func (rb *Rulebook) Scan(text string) []Match {
	return NewScanner(rb).Scan(text)
}
