// Package pin implements the lockfile: what a team has reviewed of a server's
// manifest, to be committed and compared against. It holds the digest block of
// mcp-manifest-drift/v1, a digest of every whole tool (so that a changed title
// or outputSchema is no silent pass), the reviewed tools themselves, and when
// each was first seen and last changed.
//
// It never knows files or clocks, and never moves a baseline that nobody
// accepted.
package pin

import (
	"github.com/manifestseal/manifestseal/engine/digest"
	"github.com/manifestseal/manifestseal/engine/jsonvalue"
	"github.com/manifestseal/manifestseal/engine/manifest"
)

// Scheme names the form of the lockfile that this package writes and reads.
const Scheme = manifest.LockfileScheme + "v1"

// Covered says what each of a lockfile's digests covers.
const (
	coveredByBlock = "name, description, inputSchema, annotations"
	coveredWhole   = "every member of the tool"
)

// Tool is one reviewed occurrence.
type Tool struct {
	Name        string
	Named       bool
	Occurrence  int
	Whole       digest.Sum
	FirstSeen   string // RFC 3339
	LastChanged string
}

// Event is a step of the history.
type Event struct {
	AsOf   string
	Action string // "pinned", "accepted", "added", "removed"
	Tool   string // "" for the whole manifest, and for a tool whose pairing name is null
	// The whole tool's digest before and after; empty where there was or is none.
	From, To string
}

// Lock is a lockfile.
type Lock struct {
	CreatedAt string
	UpdatedAt string
	Manifest  *manifest.Manifest // the snapshot, as a manifest of its own
	Tools     []Tool             // snapshot order
	History   []Event            // oldest first
}

// New pins a whole manifest for the first time.
func New(m *manifest.Manifest, asOf string) (*Lock, error) {
	snapshot, err := snapshotOf(m.Entries)
	if err != nil {
		return nil, err
	}
	l := &Lock{CreatedAt: asOf, UpdatedAt: asOf, Manifest: snapshot, History: []Event{{AsOf: asOf, Action: "pinned"}}}
	l.Tools = toolsOf(snapshot)
	for i := range l.Tools {
		l.Tools[i].FirstSeen, l.Tools[i].LastChanged = asOf, asOf
	}
	return l, nil
}

// snapshotOf makes a manifest of its own of some entries.
func snapshotOf(entries []manifest.Entry) (*manifest.Manifest, error) {
	var w jsonvalue.Builder
	w.Begin('{')
	w.Name("tools")
	w.Begin('[')
	for _, e := range entries {
		w.Value(e.Value)
	}
	w.End(']')
	w.End('}')
	return manifest.Read(w.Bytes, manifest.Wire)
}

func toolsOf(m *manifest.Manifest) []Tool {
	tools := make([]Tool, len(m.Entries))
	for i, e := range m.Entries {
		tools[i] = Tool{Name: e.Name, Named: e.Named, Occurrence: e.Occurrence, Whole: digest.Whole(e)}
	}
	return tools
}

// Block returns the digest block of the snapshot, as of its last change.
func (l *Lock) Block() *digest.Block { return digest.Of(l.Manifest, l.UpdatedAt) }

// find returns the index of an occurrence in a list, or -1.
func find(tools []Tool, t Tool) int {
	for i := range tools {
		if tools[i].Name == t.Name && tools[i].Named == t.Named && tools[i].Occurrence == t.Occurrence {
			return i
		}
	}
	return -1
}
