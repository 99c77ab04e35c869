package drift

import (
	"strings"

	"github.com/manifestseal/manifestseal/engine/jsonvalue"
)

// Direction says which way a tool went, for the person who reviews it. It is a
// set: one change can loosen in one place and tighten in another. It is no part
// of the criteria and changes no status.
type Direction uint8

const (
	Notation  Direction = 1 << iota // only white space, or the order of a set
	Reworded                        // texts that a model reads say something else
	Tightened                       // it accepts less, or claims to do less
	Loosened                        // it accepts more, or no longer claims to do less
)

// String names the direction that matters most: a change that loosens anywhere
// is loosened.
func (d Direction) String() string {
	switch {
	case d&Loosened != 0:
		return "loosened"
	case d&Tightened != 0:
		return "tightened"
	case d&Reworded != 0:
		return "reworded"
	}
	return "notation only"
}

// DirectionOf compares two versions of a tool, every member of it. Where a side
// is no object, or a change is of a kind that is not known here, both ways are
// assumed: not known is not harmless.
func DirectionOf(old, new jsonvalue.Value) Direction {
	if old.Kind() != jsonvalue.Object || new.Kind() != jsonvalue.Object {
		if Equal(old, new) {
			return 0
		}
		return Loosened | Tightened
	}
	var d Direction
	for m := range union(old, new) {
		if Equal(m.Old, m.New) {
			continue
		}
		switch m.Key {
		case "inputSchema":
			d |= schemaDirection(m.Old, m.New)
		case "annotations":
			d |= annotationsDirection(m.Old, m.New)
		case Name, "description", "title":
			d |= textDirection(m.Old, m.New)
		default:
			d |= Reworded
		}
	}
	return d
}

func textDirection(old, new jsonvalue.Value) Direction {
	if old.Kind() == jsonvalue.String && new.Kind() == jsonvalue.String &&
		strings.Join(strings.Fields(old.Text()), " ") == strings.Join(strings.Fields(new.Text()), " ") {
		return Notation
	}
	return Reworded
}

// hints are the annotations that claim something: the value that claims less
// power, as the specification's defaults have it.
var hints = [...]struct {
	name string
	safe jsonvalue.Kind
}{
	{"readOnlyHint", jsonvalue.True}, {"destructiveHint", jsonvalue.False},
	{"idempotentHint", jsonvalue.True}, {"openWorldHint", jsonvalue.False},
}

func annotationsDirection(old, new jsonvalue.Value) Direction {
	var d Direction
	for _, h := range hints {
		was, is := old.Get(h.name).Kind() == h.safe, new.Get(h.name).Kind() == h.safe
		switch {
		case was && !is:
			d |= Loosened
		case is && !was:
			d |= Tightened
		}
	}
	if d == 0 {
		// A hint that now says what was its default, a title, or one that is unknown.
		return Reworded
	}
	return d
}

// words are the schema keywords that a model reads and no validator asks.
func isWords(keyword string) bool {
	switch keyword {
	case "description", "title", "examples", "$comment", "default", "$id", "$schema", "deprecated", "readOnly", "writeOnly":
		return true
	}
	return false
}

func schemaDirection(old, new jsonvalue.Value) Direction {
	if Equal(old, new) {
		return 0
	}
	// true and an absent schema accept everything, false nothing.
	if o, n := acceptsAll(old), acceptsAll(new); o != n {
		if n {
			return Loosened
		}
		return Tightened
	}
	if old.Kind() != jsonvalue.Object || new.Kind() != jsonvalue.Object {
		return Loosened | Tightened
	}
	var d Direction
	for k := range union(old, new) {
		if !Equal(k.Old, k.New) {
			d |= keywordDirection(k.Key, k.Old, k.New)
		}
	}
	return d
}

func acceptsAll(v jsonvalue.Value) bool {
	return !v.Exists() || v.Kind() == jsonvalue.True || v.Kind() == jsonvalue.Object && v.Len() == 0
}

func keywordDirection(keyword string, old, new jsonvalue.Value) Direction {
	switch keyword {
	case "properties", "patternProperties", "$defs", "definitions":
		return mapDirection(old, new)
	case "items", "additionalProperties", "additionalItems", "contains", "propertyNames", "unevaluatedProperties":
		return schemaDirection(old, new)
	case "required":
		return reverse(setDirection(old, new))
	case "type", "enum":
		return allowedDirection(old, new)
	case "maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties":
		return boundDirection(old, new, 1)
	case "minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties":
		return boundDirection(old, new, -1)
	}
	if isWords(keyword) {
		return textDirection(old, new)
	}
	switch {
	case !old.Exists():
		return Tightened // a condition more
	case !new.Exists():
		return Loosened
	}
	return Loosened | Tightened
}

// mapDirection: a parameter more is a way in more, whatever it accepts.
func mapDirection(old, new jsonvalue.Value) Direction {
	var d Direction
	for p := range union(old, new) {
		switch {
		case !p.Old.Exists():
			d |= Loosened
		case !p.New.Exists():
			d |= Tightened
		default:
			d |= schemaDirection(p.Old, p.New)
		}
	}
	return d
}

// allowedDirection is that of a keyword that lists what is allowed; without it
// everything is.
func allowedDirection(old, new jsonvalue.Value) Direction {
	switch {
	case !old.Exists():
		return Tightened
	case !new.Exists():
		return Loosened
	}
	return setDirection(old, new)
}

// setDirection compares two lists as sets; a single value is a list of one.
func setDirection(old, new jsonvalue.Value) Direction {
	before, after := members(old), members(new)
	var d Direction
	for v := range after {
		if !before[v] {
			d |= Loosened
		}
	}
	for v := range before {
		if !after[v] {
			d |= Tightened
		}
	}
	if d == 0 {
		return Notation
	}
	return d
}

func members(v jsonvalue.Value) map[string]bool {
	set := make(map[string]bool, v.Len()+1)
	if v.Kind() != jsonvalue.Array {
		if v.Exists() {
			set[string(v.AppendCanonical(nil))] = true
		}
		return set
	}
	for _, e := range v.Elems() {
		set[string(e.AppendCanonical(nil))] = true
	}
	return set
}

func reverse(d Direction) Direction {
	out := d &^ (Loosened | Tightened)
	if d&Loosened != 0 {
		out |= Tightened
	}
	if d&Tightened != 0 {
		out |= Loosened
	}
	return out
}

// boundDirection compares an upper bound (sign 1) or a lower one (-1).
func boundDirection(old, new jsonvalue.Value, sign float64) Direction {
	switch {
	case !old.Exists():
		return Tightened
	case !new.Exists():
		return Loosened
	case old.Kind() != jsonvalue.Number || new.Kind() != jsonvalue.Number:
		return Loosened | Tightened
	case sign*new.Float() > sign*old.Float():
		return Loosened
	}
	return Tightened
}
