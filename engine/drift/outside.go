package drift

import (
	"slices"
	"strconv"
	"strings"

	"github.com/manifestseal/manifestseal/engine/digest"
	"github.com/manifestseal/manifestseal/engine/jsonvalue"
	"github.com/manifestseal/manifestseal/engine/manifest"
)

// NumberChange is a number whose mathematical value changed while its double,
// and so its digest, did not.
type NumberChange struct {
	Pointer          string // into the current document
	OldText, NewText string // as the documents spell them
}

// OutsideTool is what differs in one paired tool outside the digest.
type OutsideTool struct {
	Tool    Tool
	Members []KeyChange
	Numbers []NumberChange
}

// Outside is the advisory section of R37: differences that no digest sees. It
// never changes a verdict, a status or a count.
type Outside struct {
	Tools    []OutsideTool // report order, only those with a difference
	List     []KeyChange   // members of the list beside its tools
	Unlisted int           // numbers that differ beyond what is listed
}

// maxPointerBytes bounds the pointers of all listed numbers together: a hostile
// document could make each as long as itself.
const maxPointerBytes = 1 << 20

// Any reports whether a tool member or a number differs; list members alone are
// no drift.
func (o *Outside) Any() bool { return o != nil && len(o.Tools) > 0 }

// Outside compares what the digests do not cover. It is nil where the baseline
// is digests only: then nothing is known of it, which is not "unchanged".
func (c *Comparison) Outside() *Outside {
	old, new := c.Baseline.Manifest, c.Current.Manifest
	if old == nil {
		return nil
	}
	o := &Outside{}
	var walk *numberWalk
	if inexact(old) || inexact(new) {
		walk = &numberWalk{budget: maxPointerBytes}
	}
	for _, t := range c.Tools {
		if t.Old < 0 || t.New < 0 {
			continue
		}
		before, after := old.Entries[t.Old].Value, new.Entries[t.New].Value
		out := OutsideTool{Tool: t}
		if before.Kind() == jsonvalue.Object && after.Kind() == jsonvalue.Object {
			out.Members = differing(before, after, covered)
		}
		if walk != nil {
			walk.found, walk.path = nil, append(walk.path[:0], strings.TrimPrefix(new.Pointer+"/"+strconv.Itoa(t.New), "/"))
			walk.compare(before, after)
			out.Numbers = walk.found
		}
		if len(out.Members) > 0 || len(out.Numbers) > 0 {
			o.Tools = append(o.Tools, out)
		}
	}
	if walk != nil {
		o.Unlisted = walk.unlisted
	}
	o.List = differing(old.List, new.List, func(member string) bool { return member == "tools" })
	return o
}

func covered(member string) bool {
	return member == Name || slices.Contains(digest.FieldNames[:], member)
}

func differing(old, new jsonvalue.Value, skip func(string) bool) []KeyChange {
	var out []KeyChange
	for k := range union(old, new) {
		if !skip(k.Key) && !Equal(k.Old, k.New) {
			out = append(out, k)
		}
	}
	return out
}

// inexact reports whether a document has a number that its double does not
// hold: without one on either side, equal doubles mean equal numbers.
func inexact(m *manifest.Manifest) bool {
	return m.Doc.Noted(jsonvalue.NumberNotExact) || m.Doc.Noted(jsonvalue.NumberOverflow)
}

// numberWalk walks two values side by side as far as they have the same places.
type numberWalk struct {
	path     []string // reference tokens, the first already a pointer's inside
	found    []NumberChange
	budget   int
	unlisted int
}

func (w *numberWalk) compare(old, new jsonvalue.Value) {
	depth := len(w.path)
	switch {
	case old.Kind() == jsonvalue.Object && new.Kind() == jsonvalue.Object:
		for name, v := range new.Members() {
			if before := old.Get(name); before.Exists() {
				w.path = append(w.path[:depth], name)
				w.compare(before, v)
			}
		}
	case old.Kind() == jsonvalue.Array && new.Kind() == jsonvalue.Array:
		before := make([]jsonvalue.Value, 0, old.Len())
		for _, v := range old.Elems() {
			before = append(before, v)
		}
		for i, v := range new.Elems() {
			if i < len(before) {
				w.path = append(w.path[:depth], strconv.Itoa(i))
				w.compare(before[i], v)
			}
		}
	case hiddenChange(old, new):
		w.list(old, new)
	}
	w.path = w.path[:depth]
}

func (w *numberWalk) list(old, new jsonvalue.Value) {
	if w.budget <= 0 {
		w.unlisted++
		return
	}
	pointer := "/" + w.path[0]
	for _, token := range w.path[1:] {
		pointer = jsonvalue.PointerToken(pointer, token)
	}
	w.budget -= len(pointer) + len(old.Source()) + len(new.Source())
	w.found = append(w.found, NumberChange{pointer, old.Source(), new.Source()})
}

// hiddenChange: at least one is a number, they print alike, and yet they are
// not the same.
func hiddenChange(old, new jsonvalue.Value) bool {
	a, b := old.Kind() == jsonvalue.Number, new.Kind() == jsonvalue.Number
	if a && b {
		return sameText(old, new) && !jsonvalue.SameDecimal(old.Source(), new.Source())
	}
	return a != b && (old.Kind() == jsonvalue.Null || new.Kind() == jsonvalue.Null) && sameText(old, new)
}
