package drift

import (
	"bytes"
	"slices"

	"github.com/manifestseal/manifestseal/engine/digest"
	"github.com/manifestseal/manifestseal/engine/jsonvalue"
	"github.com/manifestseal/manifestseal/engine/manifest"
)

// The entries of changed_fields, beside the names of the digest fields (R32, R33).
const (
	Name         = "name"
	Entry        = "entry"
	Undetermined = "undetermined"
)

// Change is a place with its two sides; a side may be Absent.
type Change struct{ Old, New jsonvalue.Value }

// Diff is what differs in one CHANGED tool. A part that does not differ is nil.
// Where OldAvailable is false, every Old is Absent because it is not held.
type Diff struct {
	Fields       []string // changed_fields, in the criteria's order
	OldAvailable bool
	Name         *Change
	Description  *Change
	InputSchema  *SchemaDiff
	Annotations  *AnnotationsDiff
	Entry        *Change
}

// PropertyChange is a property that both schemas have with different values.
type PropertyChange struct {
	Property string
	Change
}

// SchemaDiff is the difference of two input schemas (R34). All lists are
// ordered by UTF-16 code units.
type SchemaDiff struct {
	Change
	Added, Removed []string
	Changed        []PropertyChange
	Outside        bool     // the schemas differ outside their properties
	Properties     []string // the current schema's property names, for a comparison against digests
}

// KeyChange is one annotation that differs.
type KeyChange struct {
	Key string
	Change
}

// AnnotationsDiff is the difference of two annotations members (R35a). Whole is
// true where a side is absent or no object: then the two sides stand as such.
type AnnotationsDiff struct {
	Change
	Changed []KeyChange
	Whole   bool
}

// Diff returns what differs in a CHANGED tool of the comparison.
func (c *Comparison) Diff(t Tool) *Diff {
	old, new := &c.Baseline.Block.Tools[t.Old], &c.Current.Block.Tools[t.New]
	entry := c.Current.Manifest.Entries[t.New]
	if c.Baseline.Manifest == nil {
		return signedDiff(old, new, entry)
	}
	before := c.Baseline.Manifest.Entries[t.Old]
	d := &Diff{OldAvailable: true}
	if !before.IsObject() || !entry.IsObject() {
		d.Fields = []string{Entry}
		d.Entry = &Change{before.Value, entry.Value}
		return d
	}
	if c := sides(before, entry, Name); !Equal(c.Old, c.New) {
		d.Fields = append(d.Fields, Name)
		d.Name = &c
	}
	for f, name := range digest.FieldNames {
		if old.Fields[f] != new.Fields[f] {
			d.field(f, name, sides(before, entry, name))
		}
	}
	return d
}

func sides(before, after manifest.Entry, member string) Change {
	return Change{before.Value.Get(member), after.Value.Get(member)}
}

func (d *Diff) field(f int, name string, c Change) {
	d.Fields = append(d.Fields, name)
	switch f {
	case digest.Description:
		d.Description = &c
	case digest.InputSchema:
		d.InputSchema = diffSchemas(c)
	case digest.Annotations:
		d.Annotations = diffAnnotations(c)
	}
}

// signedDiff names what differs against digests alone, and shows the new values
// (R33). Nothing guesses an old value from a digest.
func signedDiff(old, new *digest.Tool, entry manifest.Entry) *Diff {
	d := &Diff{}
	wasObject := old.Fields != [len(digest.FieldNames)]digest.Field{}
	if !entry.IsObject() && wasObject {
		d.Fields = []string{Entry}
		d.Entry = &Change{New: entry.Value}
		return d
	}
	for f, name := range digest.FieldNames {
		if old.Fields[f] != new.Fields[f] {
			d.signedField(f, name, entry.Value.Get(name))
		}
	}
	if len(d.Fields) > 0 {
		return d
	}
	if entry.IsObject() && wasObject {
		d.Fields = []string{Name}
		d.Name = &Change{New: entry.Value.Get(Name)}
		return d
	}
	d.Fields = []string{Undetermined}
	return d
}

func (d *Diff) signedField(f int, name string, v jsonvalue.Value) {
	d.Fields = append(d.Fields, name)
	c := Change{New: v}
	switch f {
	case digest.Description:
		d.Description = &c
	case digest.InputSchema:
		d.InputSchema = &SchemaDiff{Change: c, Properties: names(propertiesOf(v))}
	case digest.Annotations:
		d.Annotations = &AnnotationsDiff{Change: c, Whole: true}
	}
}

// Equal reports whether two values have one canonical form; absent equals
// absent alone.
func Equal(a, b jsonvalue.Value) bool { return a.Exists() == b.Exists() && sameText(a, b) }

func sameText(a, b jsonvalue.Value) bool {
	return bytes.Equal(a.AppendCanonical(nil), b.AppendCanonical(nil))
}

// propertiesOf is a schema's properties object; Absent counts as an empty one.
func propertiesOf(schema jsonvalue.Value) jsonvalue.Value {
	if p := schema.Get("properties"); p.Kind() == jsonvalue.Object {
		return p
	}
	return jsonvalue.Value{}
}

func names(object jsonvalue.Value) []string {
	list := make([]string, 0, object.Len())
	for name := range object.Members() {
		list = append(list, name)
	}
	return list
}

func diffSchemas(c Change) *SchemaDiff {
	d := &SchemaDiff{Change: c}
	for p := range union(propertiesOf(c.Old), propertiesOf(c.New)) {
		switch {
		case !p.Old.Exists():
			d.Added = append(d.Added, p.Key)
		case !p.New.Exists():
			d.Removed = append(d.Removed, p.Key)
		case !Equal(p.Old, p.New):
			d.Changed = append(d.Changed, PropertyChange{p.Key, p.Change})
		}
	}
	d.Outside = differOutsideProperties(c)
	return d
}

func differOutsideProperties(c Change) bool {
	if c.Old.Kind() != jsonvalue.Object || c.New.Kind() != jsonvalue.Object {
		return true
	}
	old, new := c.Old.Get("properties"), c.New.Get("properties")
	if old.Exists() != new.Exists() && old.Len() == 0 && new.Len() == 0 {
		return true
	}
	for _, p := range []jsonvalue.Value{old, new} {
		if p.Exists() && p.Kind() != jsonvalue.Object {
			return true
		}
	}
	for m := range union(c.Old, c.New) {
		if m.Key != "properties" && !Equal(m.Old, m.New) {
			return true
		}
	}
	return false
}

func diffAnnotations(c Change) *AnnotationsDiff {
	d := &AnnotationsDiff{Change: c}
	d.Whole = c.Old.Kind() != jsonvalue.Object || c.New.Kind() != jsonvalue.Object
	for k := range union(c.Old, c.New) {
		if !Equal(k.Old, k.New) {
			d.Changed = append(d.Changed, k)
		}
	}
	return d
}

// union yields the members of two objects by name, ordered by UTF-16 code
// units; what is no object has none.
func union(old, new jsonvalue.Value) func(yield func(KeyChange) bool) {
	keys := append(names(old), names(new)...)
	slices.SortFunc(keys, jsonvalue.CompareUTF16)
	return func(yield func(KeyChange) bool) {
		for _, k := range slices.Compact(keys) {
			if !yield(KeyChange{k, Change{old.Get(k), new.Get(k)}}) {
				return
			}
		}
	}
}
