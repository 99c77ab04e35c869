package view

import (
	"strconv"

	"github.com/manifestseal/manifestseal/engine/drift"
	"github.com/manifestseal/manifestseal/engine/jsonvalue"
)

// How a manifest compares with what a signed document is about.
const (
	Matches         = "matches"
	MatchesBaseline = "matches_baseline"
	Differs         = "differs"
	MatchUnknown    = "unknown" // the document holds no digests
)

// Match is the answer to "is this the manifest?".
type Match struct {
	State      string
	Aggregate  string            // of the manifest that was given
	Comparison *drift.Comparison // tool by tool, where it differs and the document holds a block
	Relied     bool              // whether the document's signatures stand
}

// Matched is a match for showing.
type Matched struct {
	State    string
	Title    string
	Sentence string
	Digest   string
	Tools    []MatchedTool // those that differ, in report order
}

// MatchedTool is one tool that differs from what was signed.
type MatchedTool struct {
	Name   []Segment
	Status string // CHANGED, ADDED, REMOVED
	Label  string
	Glyph  string
	Fields string // "description, annotations", where that is known
}

func (m *Match) shown() *Matched {
	if m == nil {
		return nil
	}
	out := &Matched{State: m.State, Digest: m.Aggregate}
	switch m.State {
	case Matches:
		out.Title, out.Sentence = "THIS IS THE MANIFEST", "The manifest that you gave has the digests that stand here: the same tools, in the same order, equal in name, description, input schema and annotations."
	case MatchesBaseline:
		out.Title, out.Sentence = "THIS IS THE BASELINE", "The manifest that you gave is the one that the report compared against, not the one that it is about."
	case Differs:
		out.Title, out.Sentence = "THIS IS ANOTHER MANIFEST", m.difference()
	default:
		out.Title, out.Sentence = "CAN'T BE TOLD", "The document holds no digests of a manifest, so it can't be told whether this is the one."
	}
	if !m.Relied {
		out.Sentence += " But the signatures do not stand: this says nothing about what the issuer saw."
	}
	if m.Comparison != nil {
		for _, t := range m.Comparison.Tools {
			if t.Status != drift.Unchanged {
				out.Tools = append(out.Tools, m.tool(t))
			}
		}
	}
	if len(out.Tools) > 0 {
		out.Sentence += " Against what stands here, yours has:"
	}
	return out
}

func (m *Match) difference() string {
	if m.Comparison == nil {
		return "Its aggregate digest is another. Which tools differ can't be told here."
	}
	n := m.Comparison.Counts.Differing()
	if n == 0 {
		return "The tools are the same and stand in another order."
	}
	return plural(n, "tool") + " " + verb(n, "differs", "differ") + " from what stands here; " + strconv.Itoa(m.Comparison.Counts.Unchanged) + " " + verb(m.Comparison.Counts.Unchanged, "is", "are") + " the same."
}

func (m *Match) tool(t drift.Tool) MatchedTool {
	look := statusLook(string(t.Status))
	out := MatchedTool{Name: cut(t.Name, maxShown), Status: string(t.Status), Label: look.label, Glyph: look.glyph}
	if !t.Named {
		out.Name = []Segment{{Kind: equal, Text: "(no name)"}}
	}
	if t.Status == drift.Changed {
		for i, f := range m.Comparison.Diff(t).Fields {
			if i > 0 {
				out.Fields += ", "
			}
			out.Fields += f
		}
	}
	return out
}

// Write writes the match for programs.
func (m *Match) Write(w *jsonvalue.Builder) {
	w.Begin('{')
	w.Member("match", m.State)
	w.Member("aggregate_digest", m.Aggregate)
	if m.Comparison != nil {
		w.Name("order_changed")
		w.Bool(m.Comparison.OrderChanged)
		w.Name("tools")
		w.Begin('[')
		for _, t := range m.Comparison.Tools {
			if t.Status == drift.Unchanged {
				continue
			}
			w.Begin('{')
			w.Name("name")
			w.Nullable(t.Name, t.Named)
			w.Name("occurrence")
			w.Int(t.Occurrence)
			w.Member("status", string(t.Status))
			if t.Status == drift.Changed {
				w.Name("changed_fields")
				w.Strings(m.Comparison.Diff(t).Fields)
			}
			w.End('}')
		}
		w.End(']')
	}
	w.End('}')
}
