package report

import (
	"strconv"

	"github.com/manifestseal/manifestseal/engine/drift"
	"github.com/manifestseal/manifestseal/engine/jsonvalue"
	"github.com/manifestseal/manifestseal/engine/screen"
)

// writeComparison writes the diffs of so many changed tools; a report has all.
func (d *Drift) writeComparison(w *jsonvalue.Builder, diffs int) {
	d.writeCounts(w)
	w.Name("tools")
	w.Begin('[')
	for _, t := range d.Comparison.Tools {
		d.writeTool(w, t, diffs > 0)
		if t.Status == drift.Changed {
			diffs--
		}
	}
	w.End(']')
	w.Name("order_changed")
	w.Bool(d.Comparison.OrderChanged)
}

func writeName(w *jsonvalue.Builder, t drift.Tool) {
	w.Name("name")
	w.Nullable(t.Name, t.Named)
	w.Name("occurrence")
	w.Int(t.Occurrence)
}

func (d *Drift) writeTool(w *jsonvalue.Builder, t drift.Tool, whole bool) {
	w.Begin('{')
	writeName(w, t)
	w.Member("status", string(t.Status))
	if t.Old >= 0 {
		w.Name("baseline_digest")
		d.Baseline.Block.Tools[t.Old].Digest.Write(w)
	}
	if t.New >= 0 {
		w.Name("current_digest")
		d.Current.Block.Tools[t.New].Digest.Write(w)
	}
	if t.Status == drift.Changed {
		diff := d.Comparison.Diff(t)
		w.Name("changed_fields")
		w.Strings(diff.Fields)
		if whole {
			w.Name("diff")
			writeDiff(w, diff)
		}
		if !diff.OldAvailable {
			w.Name("old_available")
			w.Bool(false)
		}
	}
	w.End('}')
}

const undeterminedNote = "The tool digests differ and no field digest does: the difference is in the name or in an entry that is no object. The baseline is digests only, so it cannot be told which."

func writeDiff(w *jsonvalue.Builder, d *drift.Diff) {
	w.Begin('{')
	for _, c := range []struct {
		name   string
		change *drift.Change
	}{{drift.Name, d.Name}, {"description", d.Description}} {
		if c.change != nil {
			w.Name(c.name)
			writeChange(w, *c.change)
		}
	}
	if d.InputSchema != nil {
		w.Name("inputSchema")
		writeSchemaDiff(w, d.InputSchema, d.OldAvailable)
	}
	if d.Annotations != nil {
		w.Name("annotations")
		writeAnnotationsDiff(w, d.Annotations, d.OldAvailable)
	}
	if d.Entry != nil {
		w.Name(drift.Entry)
		writeChange(w, *d.Entry)
	}
	if len(d.Fields) == 1 && d.Fields[0] == drift.Undetermined {
		w.Name(drift.Undetermined)
		w.Begin('{')
		w.Member("note", undeterminedNote)
		w.End('}')
	}
	w.End('}')
}

func writeChange(w *jsonvalue.Builder, c drift.Change) {
	w.Begin('{')
	w.Optional("old", c.Old)
	w.Optional("new", c.New)
	w.End('}')
}

func writeSchemaDiff(w *jsonvalue.Builder, d *drift.SchemaDiff, oldAvailable bool) {
	w.Begin('{')
	if !oldAvailable {
		// A field that is gone is {}: there is no schema whose properties could be named.
		if d.New.Exists() {
			w.Optional("new", d.New)
			w.Name("properties")
			w.Strings(d.Properties)
		}
		w.End('}')
		return
	}
	w.Name("added_properties")
	w.Strings(d.Added)
	w.Name("removed_properties")
	w.Strings(d.Removed)
	w.Name("changed_properties")
	w.Begin('[')
	for _, p := range d.Changed {
		w.Begin('{')
		w.Member("property", p.Property)
		w.Optional("old", p.Old)
		w.Optional("new", p.New)
		w.End('}')
	}
	w.End(']')
	w.Name("changed_outside_properties")
	w.Bool(d.Outside)
	if d.Outside {
		w.Optional("old_schema", d.Old)
		w.Optional("new_schema", d.New)
	}
	w.End('}')
}

func writeAnnotationsDiff(w *jsonvalue.Builder, d *drift.AnnotationsDiff, oldAvailable bool) {
	if !oldAvailable {
		writeChange(w, d.Change)
		return
	}
	w.Begin('{')
	w.Name("changed")
	w.Begin('{')
	for _, k := range d.Changed {
		w.Name(k.Key)
		writeChange(w, k.Change)
	}
	w.End('}')
	if d.Whole {
		w.Optional("old", d.Old)
		w.Optional("new", d.New)
	}
	w.End('}')
}

// writeScan screens the new descriptions of CHANGED tools, and says of each
// whether there was a text to screen (R43).
func (d *Drift) writeScan(w *jsonvalue.Builder) {
	rulebook := screen.Injection()
	scanner := screen.NewScanner(rulebook)
	w.Name("changed_description_scan")
	w.Begin('{')
	w.Member("rulebook", rulebook.ID)
	w.Member("scope", scanScope)
	w.Member("labelling", scanLabelling)
	w.Name("tools")
	w.Begin('[')
	for _, t := range d.Comparison.Tools {
		if t.Status != drift.Changed {
			continue
		}
		description := d.Current.Manifest.Entries[t.New].Value.Get("description")
		w.Begin('{')
		writeName(w, t)
		w.Name("scanned")
		w.Bool(description.Kind() == jsonvalue.String)
		w.Name("matches")
		WriteMatches(w, scanner.Scan(description.Text()))
		w.End('}')
	}
	w.End(']')
	w.End('}')
}

// WriteMatches writes the matches of a screen as the criteria lay them out: the
// view stands only when a match came from one.
func WriteMatches(w *jsonvalue.Builder, matches []screen.Match) {
	w.Begin('[')
	for _, m := range matches {
		w.Begin('{')
		w.Member("id", m.Rule.ID)
		w.Member("category", m.Rule.Category)
		w.Name("start")
		w.Int(m.Start)
		w.Name("end")
		w.Int(m.End)
		if m.View != screen.AsSubmitted {
			w.Member("view", m.View.String())
		}
		w.End('}')
	}
	w.End(']')
}

const (
	outsideNote        = "Advisory, outside the criteria: differences that the digest rules do not cover. They change no verdict, status or count."
	outsideUnknownNote = "Not known: the baseline is digests only and holds nothing that the digest rules do not cover. Not known is not unchanged."
)

func (d *Drift) writeOutside(w *jsonvalue.Builder) {
	w.Name("outside_digest")
	w.Begin('{')
	if d.Outside == nil {
		w.Member("note", outsideUnknownNote)
		w.Name("tools")
		w.Null()
		w.Name("list")
		w.Null()
		w.End('}')
		return
	}
	note := outsideNote
	if d.Outside.Unlisted > 0 {
		note += " " + strconv.Itoa(d.Outside.Unlisted) + " more numbers differ and are not listed."
	}
	w.Member("note", note)
	w.Name("tools")
	w.Begin('[')
	for _, t := range d.Outside.Tools {
		w.Begin('{')
		writeName(w, t.Tool)
		w.Name("members")
		writeMembers(w, t.Members)
		w.Name("numbers")
		writeNumbers(w, t.Numbers)
		w.End('}')
	}
	w.End(']')
	w.Name("list")
	writeMembers(w, d.Outside.List)
	w.End('}')
}

func writeMembers(w *jsonvalue.Builder, members []drift.KeyChange) {
	w.Begin('[')
	for _, m := range members {
		w.Begin('{')
		w.Member("member", m.Key)
		w.Optional("old", m.Old)
		w.Optional("new", m.New)
		w.End('}')
	}
	w.End(']')
}

func writeNumbers(w *jsonvalue.Builder, numbers []drift.NumberChange) {
	w.Begin('[')
	for _, n := range numbers {
		w.Begin('{')
		w.Member("pointer", n.Pointer)
		w.Member("old_text", n.OldText)
		w.Member("new_text", n.NewText)
		w.End('}')
	}
	w.End(']')
}

func (d *Drift) writeNotes(w *jsonvalue.Builder) {
	w.Name("reading_notes")
	w.Begin('{')
	w.Name("baseline")
	WriteNotes(w, d.Baseline.Notes)
	w.Name("current")
	WriteNotes(w, d.Current.Manifest.Notes)
	w.End('}')
}

// WriteNotes writes reading notes.
func WriteNotes(w *jsonvalue.Builder, notes []jsonvalue.Note) {
	w.Begin('[')
	for _, n := range notes {
		w.Begin('{')
		w.Member("code", n.Code)
		w.Member("pointer", n.Pointer)
		w.Name("line")
		w.Int(n.Line)
		w.Name("column")
		w.Int(n.Column)
		w.Member("message", n.Message)
		w.End('}')
	}
	w.End(']')
}
