// Package capability implements the capability tiers: what a tool can do at most, by what its name, description, input
// schema and annotations say. It follows the guard's axes: a name table, dangerous parameters, enums of verbs, and
// batches whose commands are unpacked.
//
// It never knows what a tool does when it runs, and whether its text is honest: a tier is a reading, not a permission.
package capability

import (
	"slices"
	"strings"

	"github.com/manifestseal/manifestseal/engine/jsonvalue"
	"github.com/manifestseal/manifestseal/engine/manifest"
)

// Axes is a set of axes.
type Axes uint8

// Has says whether an axis is in the set.
func (s Axes) Has(a Axis) bool { return s>>a&1 != 0 }

// Only returns the set of one axis.
func (a Axis) Only() Axes { return 1 << a }

// Options say which evidence counts. The zero Options take every axis.
type Options struct {
	Without Axes
}

// Result is what a tool can do.
type Result struct {
	Tier     Tier
	Axis     Axis // the axis that decided; NoAxis for Unknown
	Opaque   bool // a batch whose commands are not known before the call
	Evidence []Evidence
}

// Of classifies one tool of a manifest whose names share a prefix of so many words.
func Of(e manifest.Entry, prefix int, o Options) Result {
	if !e.IsObject() {
		return Result{}
	}
	words := splitName(e.Name)
	words = words[min(prefix, len(words)):]
	text := e.Value.Get("description").Text()
	var name, description finding
	if !o.Without.Has(Name) {
		name = inName(words)
	}
	if !o.Without.Has(Description) {
		description = inDescription(text)
	}
	w := walker{without: o.Without, path: []string{"inputSchema"}}
	w.executes = name.tier == Destructive || description.tier == Destructive
	w.readsOnly = saysReadOnly(text)
	w.schema(e.Value.Get("inputSchema"))
	r := Result{}
	if !vague(name) || !w.hasEnum() {
		r.spoken(name, description, words)
	}
	for _, ev := range w.evidence {
		r.add(ev)
	}
	for _, b := range w.batches {
		r.batch(b)
	}
	if !o.Without.Has(Annotations) {
		r.annotations(e.Value.Get("annotations"))
	}
	return r
}

// vague says whether a verb leaves to a parameter what is done.
func vague(f finding) bool { return f.word == "manage" || f.word == "handle" }

func (r *Result) add(e Evidence) {
	r.Evidence = append(r.Evidence, e)
	if e.Tier > r.Tier {
		r.Tier, r.Axis = e.Tier, e.Axis
	}
}

// spoken weighs the name against the description. A verb that can be nothing else decides; what the description says
// first raises it when it destroys, or when the name has that word too (compute_disk_create, "Creates a disk").
func (r *Result) spoken(name, description finding, words []string) {
	if name.strength >= behind || name.strength == perhaps && description.strength != lead ||
		name.strength == hint && description.strength == absent {
		r.add(Evidence{Name, name.tier, "/name", name.word})
		raises := description.strength == lead && description.tier > name.tier && !description.runs &&
			(description.tier == Destructive || slices.Contains(words, description.word))
		if !raises {
			return
		}
	}
	if description.strength != absent {
		r.add(Evidence{Description, description.tier, "/description", description.word})
	}
}

// batch takes what a batch holds by default, or what its schema lists. Where that is nothing, the batch can do whatever
// the server's tools can.
func (r *Result) batch(b batch) {
	u := unpacker{}
	for _, key := range [...]string{"default", "const", "examples"} {
		if v := b.schema.Get(key); v.Kind() != jsonvalue.Absent && v.Kind() != jsonvalue.Null {
			u.payload(jsonvalue.PointerToken(b.pointer, key), v)
		}
	}
	for i, in := range u.inner {
		if in.Tier != Unknown && i < maxEvidence {
			r.add(Evidence{Batch, in.Tier, in.Pointer, in.Name})
		} else {
			u.opaque = u.opaque || in.Tier == Unknown
		}
	}
	listed := slices.ContainsFunc(r.Evidence, func(e Evidence) bool {
		return e.Axis == Enum && strings.HasPrefix(e.Pointer, b.pointer)
	})
	if u.opaque || len(u.inner) == 0 && !listed {
		r.Opaque = true
		r.add(Evidence{Batch, Destructive, b.pointer, b.name})
	}
}

// annotations only raise a tier: that a tool reads is its own claim, and what this package checks.
func (r *Result) annotations(a jsonvalue.Value) {
	if a.Get("readOnlyHint").Kind() == jsonvalue.True {
		return
	}
	switch {
	case a.Get("destructiveHint").Kind() == jsonvalue.True:
		r.add(Evidence{Annotations, Destructive, "/annotations/destructiveHint", "true"})
	case a.Get("readOnlyHint").Kind() == jsonvalue.False:
		r.add(Evidence{Annotations, Mutate, "/annotations/readOnlyHint", "false"})
	}
}
