package pin

import (
	"strconv"

	"github.com/manifestseal/manifestseal/engine/digest"
	"github.com/manifestseal/manifestseal/engine/jsonvalue"
	"github.com/manifestseal/manifestseal/engine/manifest"
)

// maxDepth is a manifest's own depth, and the lockfile's members around it.
const maxDepth = jsonvalue.MaxDepth + 100

// Error says why a lockfile can't be relied on, and where.
type Error struct {
	Pointer string
	Message string
}

func (e *Error) Error() string { return "the lockfile: " + e.Pointer + ": " + e.Message }

var memberNames = [...]string{"scheme", "created_at", "updated_at", "covered", "digest_block", "tools", "snapshot", "history"}

// Read reads a lockfile and recomputes all that it says of its own snapshot:
// one that was edited by hand is refused, with the place. The error is a
// *jsonvalue.Error where the text is no JSON, else an *Error.
func Read(data []byte) (*Lock, error) {
	doc, err := jsonvalue.ParsePart(string(data), 0, len(data), maxDepth)
	if err != nil {
		return nil, err
	}
	r := reader{}
	l := r.lock(doc.Root(), doc)
	if r.err != nil {
		return nil, r.err
	}
	return l, nil
}

type reader struct{ err *Error }

func (r *reader) fail(pointer, message string) {
	if r.err == nil {
		r.err = &Error{pointer, message}
	}
}

func (r *reader) text(v jsonvalue.Value, pointer string) string {
	if v.Kind() != jsonvalue.String {
		r.fail(pointer, "must be a string")
	}
	return v.Text()
}

func (r *reader) lock(root jsonvalue.Value, doc *jsonvalue.Doc) *Lock {
	if root.Kind() != jsonvalue.Object {
		r.fail("", "must be an object")
		return nil
	}
	if scheme := root.Get("scheme").Text(); scheme != Scheme {
		r.fail("/scheme", "is "+scheme+"; this version reads "+Scheme)
		return nil
	}
	if doc.Noted(jsonvalue.DuplicateMember) {
		r.fail(doc.Notes()[0].Pointer, "stands twice")
		return nil
	}
	for _, name := range memberNames {
		if !root.Get(name).Exists() {
			r.fail("/"+name, "is missing")
			return nil
		}
	}
	if root.Len() != len(memberNames) {
		r.fail("", "has members that a lockfile does not have")
	}
	var covered jsonvalue.Builder
	if writeCovered(&covered); string(root.Get("covered").AppendCanonical(nil)) != string(covered.Bytes) {
		r.fail("/covered", "must be "+string(covered.Bytes))
	}
	l := &Lock{CreatedAt: r.text(root.Get("created_at"), "/created_at"), UpdatedAt: r.text(root.Get("updated_at"), "/updated_at")}
	if l.Manifest = r.snapshot(root.Get("snapshot")); r.err != nil {
		return nil
	}
	r.block(root.Get("digest_block"), l)
	l.Tools = toolsOf(l.Manifest)
	r.tools(root.Get("tools"), l.Tools)
	for i, v := range root.Get("history").Elems() {
		l.History = append(l.History, r.event(v, "/history/"+strconv.Itoa(i)))
	}
	return l
}

func (r *reader) snapshot(v jsonvalue.Value) *manifest.Manifest {
	if v.Kind() != jsonvalue.Array {
		r.fail("/snapshot", "must be an array of tools")
		return nil
	}
	entries := make([]manifest.Entry, 0, v.Len())
	for _, tool := range v.Elems() {
		entries = append(entries, manifest.Entry{Value: tool})
	}
	m, err := snapshotOf(entries)
	if err != nil {
		r.fail("/snapshot", err.Error())
		return nil
	}
	return m
}

func (r *reader) block(v jsonvalue.Value, l *Lock) {
	b, err := digest.Read(v)
	if err != nil {
		r.fail("/digest_block", err.Error())
		return
	}
	if got := l.Block().Aggregate; got != b.Aggregate {
		r.fail("/digest_block/aggregate_digest", "is "+b.Aggregate.Hex()+", but the snapshot gives "+got.Hex()+": the lockfile was edited, or merged by hand; pin again")
	}
}

// tools checks that the list is the snapshot's, and takes the times from it.
func (r *reader) tools(v jsonvalue.Value, tools []Tool) {
	if v.Kind() != jsonvalue.Array || v.Len() != len(tools) {
		r.fail("/tools", "must have "+strconv.Itoa(len(tools))+" tools, as the snapshot has")
		return
	}
	for i, t := range v.Elems() {
		pointer := "/tools/" + strconv.Itoa(i)
		name := t.Get("name")
		if name.Text() != tools[i].Name || (name.Kind() == jsonvalue.String) != tools[i].Named || int(t.Get("occurrence").Float()) != tools[i].Occurrence {
			r.fail(pointer+"/name", "is not that of the snapshot's tool in this place")
		}
		if got := t.Get("whole_digest").Text(); got != tools[i].Whole.Hex() {
			r.fail(pointer+"/whole_digest", "is "+got+", but the snapshot's tool gives "+tools[i].Whole.Hex()+": the lockfile was edited, or merged by hand; pin again")
		}
		tools[i].FirstSeen = r.text(t.Get("first_seen"), pointer+"/first_seen")
		tools[i].LastChanged = r.text(t.Get("last_changed"), pointer+"/last_changed")
	}
}

func (r *reader) event(v jsonvalue.Value, pointer string) Event {
	e := Event{AsOf: r.text(v.Get("as_of"), pointer+"/as_of"), Action: r.text(v.Get("action"), pointer+"/action")}
	e.Tool, e.From, e.To = v.Get("tool").Text(), v.Get("from").Text(), v.Get("to").Text()
	return e
}
