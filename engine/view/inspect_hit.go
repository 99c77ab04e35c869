package view

import (
	"cmp"
	"slices"

	"github.com/manifestseal/manifestseal/engine/claims"
	"github.com/manifestseal/manifestseal/engine/gate"
	"github.com/manifestseal/manifestseal/engine/jsonvalue"
	"github.com/manifestseal/manifestseal/engine/screen"
)

// maxPointer is the longest pointer that is handed on for copying.
const maxPointer = 2000

func exact(pointer string) string {
	if len(pointer) > maxPointer {
		return ""
	}
	return pointer
}

// refOf is where a rule's text stands on the site; a user's own rules have no
// such place.
func refOf(source, rule string) string {
	switch source {
	case claims.Criteria, screen.Injection().ID, screen.Poison().ID:
		return "/criteria/" + source + "#" + rule
	case gate.CapabilityTiers:
		return "/docs/inspect#capability"
	}
	return ""
}

func (i *inspector) failing(f *gate.Finding) Failing {
	out := Failing{
		Rule: Labelled(f.Rule), Ref: refOf(f.Source, f.Rule), Severity: f.Severity.String(), Message: Labelled(f.Message), Fails: f.Fails != "",
		Pointer: exact(f.Pointer), ShownPointer: cut(f.Pointer, maxShown), Evidence: oneLine(cut(f.Evidence, maxShown)),
	}
	if f.Source == claims.Criteria {
		out.Fix = i.fixes[f.Rule]
	}
	if f.Unsure {
		out.Severity = "unknown"
	}
	return out
}

func (i *inspector) screenHit(f *gate.Finding, texts *hitTexts) ScreenHit {
	h := ScreenHit{
		Rulebook: Labelled(f.Source), Rule: Labelled(f.Rule), Ref: refOf(f.Source, f.Rule), Severity: f.Severity.String(),
		Label: Labelled(f.Message), Fails: f.Fails != "", View: Labelled(f.View),
		Pointer: exact(f.Pointer), ShownPointer: cut(f.Pointer, maxShown),
	}
	switch {
	case f.Muted != "":
		h.Note = "Muted: " + Labelled(f.Muted)
	case f.Mention:
		h.Note = "A mention: quoted, denied or described, not ordered."
	}
	if f.Text == "" {
		h.Excerpt = oneLine(cut(f.Evidence, maxShown))
		return h
	}
	h.Excerpt = oneLine(texts.excerpt(f))
	return h
}

// texts are those of one tool in which something was hit.
type hitTexts struct {
	last *excerpter
	list []*hitText
	at   map[string]int // by pointer and reading
}

type hitText struct {
	pointer, text string
	spans         []span
}

// excerpt shows the hit with what stands beside it, and remembers the text.
func (t *hitTexts) excerpt(f *gate.Finding) []Segment {
	// A long text is hit many times in a row: its index is made once.
	if t.last == nil || t.last.text != f.Text {
		t.last = newExcerpter(f.Text)
	}
	if f.View != "escaped" && f.View != "lookalike" {
		t.remember(f)
	}
	return t.last.excerpt(f.Start, f.End, f.Rule)
}

// remember keeps the hits of the text as it was submitted: spans of another
// reading are not its own.
func (t *hitTexts) remember(f *gate.Finding) {
	k, known := t.at[f.Pointer]
	if !known {
		k = len(t.list)
		t.at[f.Pointer] = k
		t.list = append(t.list, &hitText{pointer: f.Pointer, text: f.Text})
	}
	if one := t.list[k]; one.text == f.Text {
		one.spans = append(one.spans, span{f.Start, f.End, f.Rule})
	}
}

// isOneHit says whether one hit covers the whole text, as that of a name does.
func (t *hitText) isOneHit() bool {
	return len(t.spans) == 1 && t.spans[0].start == 0 && t.spans[0].end == jsonvalue.UTF16Len(t.text)
}

// brokenLines shows line breaks by a sign and breaks the line: a whole text is
// read in its own lines.
func brokenLines(segments []Segment) []Segment {
	for i := range segments {
		if s := &segments[i]; s.Kind == chip && s.Text == "U+000A" {
			s.Kind, s.Text = equal, "↵\n"
			if !s.Hit {
				s.Title = ""
			}
		}
	}
	return segments
}

// maxToolTexts is how many texts of one tool are shown whole.
const maxToolTexts = 20

func (t *hitTexts) marked(left *int) []HitText {
	var out []HitText
	for _, one := range t.list {
		if len(out) == maxToolTexts || len(one.text) > *left {
			break
		}
		if one.isOneHit() {
			continue // the hit itself shows all of it
		}
		*left -= len(one.text)
		slices.SortStableFunc(one.spans, func(a, b span) int { return cmp.Compare(a.start, b.start) })
		text := brokenLines((&marker{spans: one.spans}).add(nil, one.text, equal))
		out = append(out, HitText{Pointer: exact(one.pointer), ShownPointer: cut(one.pointer, maxShown), Text: foldLong(text)})
	}
	return out
}
