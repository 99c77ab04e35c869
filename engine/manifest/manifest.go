// Package manifest implements the reading of a tools/list document: which
// shapes are accepted, how a tool is called when tools are paired, and how
// documents that are something else are recognised and named. It follows the
// input contract of mcp-manifest-drift/v1 and rulings R1, R10, R10a, R11, R20
// and R22.
//
// It never knows digests, baselines or what a change means.
package manifest

import (
	"strings"

	"github.com/manifestseal/manifestseal/engine/jsonvalue"
)

// Mode says who hands a document in.
type Mode uint8

const (
	// Wire accepts the criteria's three shapes in UTF-8 and nothing else: it is
	// for the HTTP endpoints.
	Wire Mode = iota
	// Lenient also reads UTF-16 with a byte order mark (R1) and takes one
	// tools/list result out of a wrapper (R10a): it is for people's clipboards
	// and files, in the browser and on the command line.
	Lenient
)

// Shape is the accepted shape that a document has.
type Shape string

const (
	BareArray   Shape = "array"  // [...]
	ToolsObject Shape = "tools"  // {tools: [...]}
	ResultTools Shape = "result" // {result: {tools: [...]}}
)

// The codes of reading notes that only a manifest can have; jsonvalue has the others.
const (
	MorePages = "more_pages"
	LooksLike = "looks_like"
	Unwrapped = "unwrapped"
	UTF16     = "utf16"
)

// Manifest is a document that fits.
type Manifest struct {
	Doc     *jsonvalue.Doc
	Shape   Shape
	Pointer string          // JSON Pointer of the tools array: "", "/tools" or "/result/tools"
	List    jsonvalue.Value // the object that holds the tools array; Absent for a bare array
	Entries []Entry         // in document order
	Notes   []jsonvalue.Note
}

// Entry is one element of the tools array, object or not.
type Entry struct {
	Value      jsonvalue.Value
	Name       string // the pairing name, when Named
	Named      bool   // false where the pairing name is null (R20, R22)
	Occurrence int    // from 1, within the pairing name
}

// Read reads a document that must be a manifest. The error is a
// *jsonvalue.Error; of class Shape or Wrapper when the document is readable but
// no manifest, and then its Code names what it is.
func Read(data []byte, mode Mode) (*Manifest, error) { return ReadText(string(data), mode) }

// ReadText is Read of a document that is a Go string already: its bytes as they
// came, in whatever encoding.
func ReadText(document string, mode Mode) (*Manifest, error) {
	text, note, err := decode(document, mode)
	if err != nil {
		return nil, err
	}
	m, err := readText(text, mode)
	if err != nil {
		return nil, err
	}
	if note.Code != "" {
		m.Notes = append([]jsonvalue.Note{note}, m.Notes...)
	}
	return m, nil
}

func readText(text string, mode Mode) (*Manifest, error) {
	doc, err := jsonvalue.Parse(text)
	if err != nil {
		// A wrapper is text, too: where that is broken, no part of it is taken.
		if e, ok := err.(*jsonvalue.Error); mode == Wire || ok && e.Class == jsonvalue.Encoding {
			return nil, err
		}
		return unwrapText(text, err)
	}
	if m := fit(doc); m != nil {
		return m, nil
	}
	if mode == Lenient {
		if m, err := unwrapValue(doc.Root()); m != nil || err != nil {
			return m, err
		}
	}
	return nil, Neighbour(doc.Root())
}

// pairingName is a name as a map's key: null is one name like any other (R30).
type pairingName struct {
	name  string
	named bool
}

// fit returns the manifest that a document is, or nil.
func fit(doc *jsonvalue.Doc) *Manifest {
	root := doc.Root()
	if Own(root) != NotOurs {
		return nil
	}
	m := &Manifest{Doc: doc, Notes: doc.Notes()}
	tools := root
	if root.Kind() == jsonvalue.Object {
		m.Shape, m.Pointer, m.List = ToolsObject, "/tools", root
		tools = root.Get("tools")
		if tools.Kind() != jsonvalue.Array {
			m.Shape, m.Pointer, m.List = ResultTools, "/result/tools", root.Get("result")
			tools = m.List.Get("tools")
		}
	} else {
		m.Shape = BareArray
	}
	if tools.Kind() != jsonvalue.Array {
		return nil
	}
	m.Entries = make([]Entry, 0, tools.Len())
	seen := make(map[pairingName]int, tools.Len())
	for _, v := range tools.Elems() {
		e := entry(v)
		seen[pairingName{e.Name, e.Named}]++
		e.Occurrence = seen[pairingName{e.Name, e.Named}]
		m.Entries = append(m.Entries, e)
	}
	m.Notes = append(m.Notes, listNotes(m, root)...)
	return m
}

func entry(v jsonvalue.Value) Entry {
	name := v.Get("name")
	if name.Kind() != jsonvalue.String || trimmedEmpty(name.Text()) {
		return Entry{Value: v}
	}
	return Entry{Value: v, Name: name.Text(), Named: true}
}

// IsObject reports whether the entry is an object tool (R22).
func (e Entry) IsObject() bool { return e.Value.Kind() == jsonvalue.Object }

// trimmedEmpty reports whether ECMAScript's trim() leaves nothing of a text (R20).
func trimmedEmpty(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return !isSpace(r) }) < 0
}

// isSpace is ECMAScript's WhiteSpace and LineTerminator.
func isSpace(r rune) bool {
	switch r {
	case 0x20, 0xA0, 0x1680, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000, 0xFEFF:
		return true
	}
	return r >= 0x09 && r <= 0x0D || r >= 0x2000 && r <= 0x200A
}

func listNotes(m *Manifest, root jsonvalue.Value) []jsonvalue.Note {
	var notes []jsonvalue.Note
	if cursor := m.List.Get("nextCursor"); cursor.Exists() && cursor.Kind() != jsonvalue.Null {
		notes = append(notes, jsonvalue.Note{
			Code:     MorePages,
			Pointer:  strings.TrimSuffix(m.Pointer, "/tools") + "/nextCursor",
			Position: cursor.Position(),
			Message:  "nextCursor is set: this list is one page of several, so the manifest is incomplete.",
		})
	}
	if what := looksLike(m, root); what != "" {
		notes = append(notes, jsonvalue.Note{Code: LooksLike, Pointer: m.Pointer, Position: root.Position(), Message: what})
	}
	return notes
}
