package view

import (
	"strings"

	"github.com/manifestseal/manifestseal/engine/drift"
	"github.com/manifestseal/manifestseal/engine/jsonvalue"
)

// diffReader makes the parts of a CHANGED tool from its diff object.
type diffReader struct {
	diff                jsonvalue.Value
	old, new            jsonvalue.Value // the entries, where their manifests are at hand
	oldPointer, pointer string
	signed              bool // old values are not held
	spans               []span
	work                *work
}

const notHeld = "The old value is not held: the baseline is digests only."

func (d *diffReader) parts(fields jsonvalue.Value) []Part {
	var out []Part
	for _, f := range fields.Elems() {
		c := d.diff.Get(f.Text())
		switch name := f.Text(); {
		case name == drift.Undetermined:
			out = append(out, Part{Title: "undetermined", Kind: "text", Change: changed, Note: Labelled(c.Get("note").Text())})
		case d.signed:
			out = append(out, d.signedPart(name, c))
		case name == "inputSchema":
			out = append(out, d.schema(c)...)
		case name == "annotations":
			out = append(out, d.annotations(c)...)
		default:
			var spans []span
			if name == "description" {
				spans = d.spans
			}
			pointer := d.pointer
			if name != drift.Entry {
				pointer = at(d.pointer, name)
			}
			out = append(out, d.work.changePart(name, pointer, c.Get("old"), c.Get("new"), spans))
		}
	}
	return out
}

// signedPart shows the new value beside nothing: what it was is not known.
func (d *diffReader) signedPart(name string, c jsonvalue.Value) Part {
	p := Part{Title: name, Pointer: at(d.pointer, name), Kind: kindOf(c.Get("new")), Change: changed, Note: notHeld}
	if !c.Get("new").Exists() {
		p.Note = "The current tool has no " + name + ". " + notHeld
		return p
	}
	var spans []span
	if name == "description" {
		spans = d.spans
	}
	p.Rows = oneSided(textOf(c.Get("new")), changed, spans)
	return p
}

func (d *diffReader) schema(c jsonvalue.Value) []Part {
	var out []Part
	title := func(name string) string { return "inputSchema › properties › " + name }
	where := func(pointer, name string) string { return at(at(at(pointer, "inputSchema"), "properties"), name) }
	property := func(tool jsonvalue.Value, name string) jsonvalue.Value {
		return tool.Get("inputSchema").Get("properties").Get(name)
	}
	for _, p := range c.Get("changed_properties").Elems() {
		name := p.Get("property").Text()
		out = append(out, d.work.changePart(title(name), where(d.pointer, name), p.Get("old"), p.Get("new"), nil))
	}
	for _, p := range c.Get("added_properties").Elems() {
		out = append(out, d.oneSide(title(p.Text()), where(d.pointer, p.Text()), property(d.new, p.Text()), added))
	}
	for _, p := range c.Get("removed_properties").Elems() {
		out = append(out, d.oneSide(title(p.Text()), where(d.oldPointer, p.Text()), property(d.old, p.Text()), removed))
	}
	if c.Get("changed_outside_properties").Kind() == jsonvalue.True {
		out = append(out, d.outsideProperties(c.Get("old_schema"), c.Get("new_schema")))
	}
	return out
}

// oneSide is a property that only one side has. A report names it; its schema
// is shown where the manifest is at hand.
func (d *diffReader) oneSide(title, pointer string, v jsonvalue.Value, change string) Part {
	p := Part{Title: title, Pointer: pointer, Kind: "json", Change: change}
	if !v.Exists() {
		p.Note = "The report names this property and does not hold its schema."
		return p
	}
	p.Rows = oneSided(pretty(v, ""), change, nil)
	return p
}

func (d *diffReader) outsideProperties(old, new jsonvalue.Value) Part {
	if old.Kind() != jsonvalue.Object || new.Kind() != jsonvalue.Object {
		return d.work.changePart("inputSchema", at(d.pointer, "inputSchema"), old, new, nil)
	}
	p := Part{Title: "inputSchema outside its properties", Pointer: at(d.pointer, "inputSchema"), Kind: "json", Change: changed}
	before, after := pretty(old, "properties"), pretty(new, "properties")
	if before == after {
		p.Note = "One side has an empty properties object or one that is no object, the other has not."
		before, after = pretty(old, ""), pretty(new, "")
	}
	var note string
	p.Rows, note = d.work.valuesSideBySide(before, after)
	p.Note = strings.TrimSpace(p.Note + " " + note)
	return p
}

func (d *diffReader) annotations(c jsonvalue.Value) []Part {
	pointer := at(d.pointer, "annotations")
	// Where a side is absent or no object, the whole of both says more (R35a).
	if c.Get("old").Exists() || c.Get("new").Exists() {
		return []Part{d.work.changePart("annotations", pointer, c.Get("old"), c.Get("new"), nil)}
	}
	var out []Part
	for key, k := range c.Get("changed").Members() {
		out = append(out, d.work.changePart("annotations › "+key, at(pointer, key), k.Get("old"), k.Get("new"), nil))
	}
	return out
}

// changePart is a place with an old and a new value, either of which may be
// absent.
func (w *work) changePart(title, pointer string, old, new jsonvalue.Value, spans []span) Part {
	p := Part{Title: title, Pointer: pointer, Kind: kindOf(old), Change: changed}
	switch {
	case !old.Exists() && !new.Exists():
		p.Note = "Neither side is held."
	case !old.Exists():
		p.Kind, p.Change = kindOf(new), added
		p.Rows = oneSided(textOf(new), added, spans)
	case !new.Exists():
		p.Change = removed
		p.Rows = oneSided(textOf(old), removed, nil)
	case old.Kind() != new.Kind():
		// A text and its JSON spelling can look alike: both are shown as JSON.
		p.Kind = "json"
		p.Rows, p.Note = w.valuesSideBySide(pretty(old, ""), pretty(new, ""))
	case old.Kind() == jsonvalue.String:
		p.Rows, p.Note = w.sideBySide(old.Text(), new.Text(), spans)
	default:
		p.Rows, p.Note = w.valuesSideBySide(pretty(old, ""), pretty(new, ""))
	}
	return p
}

func kindOf(v jsonvalue.Value) string {
	if v.Kind() == jsonvalue.String {
		return "text"
	}
	return "json"
}

func textOf(v jsonvalue.Value) string {
	if v.Kind() == jsonvalue.String {
		return v.Text()
	}
	return pretty(v, "")
}

// wholeTool shows an added or removed tool: the fields that the digest covers,
// then its other members.
func wholeTool(tool jsonvalue.Value, pointer, change string) []Part {
	if !tool.Exists() {
		return []Part{{Title: "entry", Kind: "text", Change: change, Note: "The report names this tool and does not hold its content."}}
	}
	if tool.Kind() != jsonvalue.Object {
		return []Part{{Title: "entry", Pointer: pointer, Kind: "json", Change: change, Rows: oneSided(pretty(tool, ""), change, nil)}}
	}
	var out []Part
	add := func(name string, v jsonvalue.Value, outside bool) {
		out = append(out, Part{Title: name, Pointer: at(pointer, name), Kind: kindOf(v), Change: change, Outside: outside, Rows: oneSided(textOf(v), change, nil)})
	}
	covered := map[string]bool{"name": true}
	for _, name := range []string{"description", "inputSchema", "annotations"} {
		covered[name] = true
		if v := tool.Get(name); v.Exists() {
			add(name, v, false)
		}
	}
	for name, v := range tool.Members() {
		if !covered[name] {
			add(name, v, true)
		}
	}
	return out
}
