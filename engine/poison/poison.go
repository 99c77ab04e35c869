// Package poison implements mcp-poison-rules/v1: texts of a tool that work on the agent which reads them. It runs the
// rulebook of engine/screen over every string of a tool, finds hidden characters and lookalike names, tells an order
// from a quotation, and compares what was hit before and after.
//
// It never knows what a tool does when it is called, and decides nothing: a hit is a finding to be read.
package poison

import (
	"strconv"

	"github.com/manifestseal/manifestseal/engine/jsonvalue"
	"github.com/manifestseal/manifestseal/engine/manifest"
	"github.com/manifestseal/manifestseal/engine/poison/intent"
	"github.com/manifestseal/manifestseal/engine/screen"
)

// The severities, gravest first. A hit is Info when it is a mention.
const (
	Critical = "critical"
	High     = "high"
	Medium   = "medium"
	Info     = "info"
)

// The views of a text beyond those of screen.
const (
	AsSubmitted = "as_submitted"
	Escaped     = "escaped"   // after \uXXXX, \u{X} and \xXX were read
	Lookalike   = "lookalike" // with letters that pose as ASCII as what they pose as
)

// Hit is one thing that was found. Its identity is rule and anchor: a rewording keeps it, a changed payload does not.
type Hit struct {
	Rule     string
	Family   string
	Severity string
	Anchor   string // what was hit, in lower case
	Match    string // at most 80 characters of the text, to be shown; it decides nothing
	Pointer  string // JSON Pointer (RFC 6901) to the string, or to the member of a name
	Mention  bool   // a quotation, a denial or a description, not an order
	View     string // the reading of the text that was hit

	Text       string // what was read: the string, the name, or where View says so what it stands for
	Start, End int    // the match in Text, in UTF-16 units
}

// maxHits is how many hits of one tool are kept; a tool that has more is no less poisoned.
const maxHits = 1000

// maxPointers bounds the bytes of all pointers of a manifest's hits: a place can lie as deep as a document is long, and
// a thousand hits there would be a thousand times the document.
const maxPointers = 1 << 20

// Scanner scans the tools of a manifest and remembers texts that it saw: most strings of a large manifest stand in it
// many times. It is not for concurrent use.
type Scanner struct {
	screen  *screen.Scanner
	intents intent.Finder
	seen    map[string][]finding
	clean   map[string]struct{} // spellings of small values that hold nothing at all
	hits    []Hit
	known   map[string]bool
	left    int             // bytes that pointers may still have
	tool    string          // the name of the tool at hand
	params  map[string]bool // and of its parameters, all in lower case
	job     job
}

// NewScanner returns a scanner.
func NewScanner() *Scanner {
	return &Scanner{screen: screen.NewScanner(screen.Poison()), seen: map[string][]finding{}, clean: map[string]struct{}{}, left: maxPointers}
}

// Scan returns the hits in all strings that an agent can read of a tool: names, titles, descriptions and every other
// string and member name, at any depth. The order is that of the canonical form, then that of the rules. pointer is the
// tool's own JSON Pointer and stands before those of the hits; it is all that a hit has once the pointers of a manifest
// take more than 1 MiB.
func (s *Scanner) Scan(e manifest.Entry, pointer string) []Hit {
	s.hits, s.known, s.tool, s.params = nil, map[string]bool{}, lower(e.Name), map[string]bool{}
	s.job = jobOf(e.Name, e.Value.Get("description").Text())
	properties := e.Value.Get("inputSchema").Get("properties")
	for i := range properties.Len() {
		if properties.Kind() == jsonvalue.Object {
			name, _ := properties.Member(i)
			s.params[lower(name)] = true
		}
	}
	w := walker{scanner: s, base: pointer}
	w.value(e.Value, false)
	return s.hits
}

// Manifest returns the hits of every tool, lookalike names included, in document order.
func Manifest(m *manifest.Manifest) [][]Hit { return NewScanner().manifest(m, nil) }

// Pair returns the hits of a manifest and of one that comes after it. A name of the later one may also pose as one of
// the earlier. Texts that stand in both are looked at once.
func Pair(old, current *manifest.Manifest) (before, after [][]Hit) {
	s := NewScanner()
	before = s.manifest(old, nil)
	var names []string
	for _, e := range old.Entries {
		if e.Named {
			names = append(names, e.Name)
		}
	}
	return before, s.manifest(current, names)
}

func (s *Scanner) manifest(m *manifest.Manifest, baseline []string) [][]Hit {
	s.left = maxPointers
	all := make([][]Hit, 0, len(m.Entries))
	for i, e := range m.Entries {
		all = append(all, s.Scan(e, m.Pointer+"/"+strconv.Itoa(i)))
	}
	for i, hits := range lookalikes(m, baseline) {
		all[i] = append(hits, all[i]...)
	}
	return all
}

// text scans one string. name says that it is the name of a parameter. It reports whether there is nothing in it, be
// it the name of a parameter or not.
func (s *Scanner) text(text string, name bool, w *walker) bool {
	if len(text) < 2 {
		return true
	}
	found, known := s.seen[text]
	if !known {
		found = s.find(text)
		s.seen[text] = found
	}
	pointer := ""
	for i := range found {
		f := &found[i]
		if f.family == familyName && !name || f.request && !w.describes() {
			continue
		}
		if pointer == "" {
			pointer = w.pointer()
		}
		s.add(f, pointer)
	}
	return len(found) == 0
}

func (s *Scanner) add(f *finding, pointer string) {
	key := f.rule + " " + f.anchor + "\x00" + pointer
	if len(s.hits) == maxHits || s.known[key] {
		return
	}
	s.known[key] = true
	h := Hit{f.rule, f.family, f.severity, f.anchor, f.match, pointer, f.mention, f.view, f.text, f.start, f.end}
	s.left -= len(pointer)
	if s.own(f) {
		h.Mention = true
	}
	if h.Mention {
		h.Severity = Info
	}
	s.hits = append(s.hits, h)
}

// own says whether an order is about the tool itself: how it is called, what its own parameters must be, what it is for, or
// what a tool that looks for attacks quotes.
func (s *Scanner) own(f *finding) bool {
	if f.quoted && s.job.finds() {
		return true
	}
	switch f.family {
	case familyOrder:
		return f.anchor == s.tool
	case familyArgument:
		return s.params[f.anchor]
	}
	return (f.meant || f.family == familyName) && s.job.own(f.family)
}

// walker goes through a tool and keeps where it is, so that a pointer is only written for a hit.
type walker struct {
	scanner *Scanner
	base    string
	path    []string
}

func (w *walker) pointer() string {
	size := len(w.base)
	for _, token := range w.path {
		size += len(token) + 1
	}
	if size > w.scanner.left {
		return w.base
	}
	p := make([]byte, 0, size)
	p = append(p, w.base...)
	for _, token := range w.path {
		p = append(p, jsonvalue.PointerToken("", token)...)
	}
	return string(p)
}

// mostRemembered is the size of a value up to which it is remembered to hold nothing. A large manifest has the same
// parameter a hundred times; what is larger differs, and to look it up would cost as much again at every level.
const mostRemembered = 512

// value walks a value; parameters says that it is the object whose members are parameters. The reader bounds the depth.
// It reports whether there is nothing in it, wherever it stands.
func (w *walker) value(v jsonvalue.Value, parameters bool) bool {
	switch v.Kind() {
	case jsonvalue.String:
		return w.scanner.text(v.Text(), false, w)
	case jsonvalue.Array, jsonvalue.Object:
	default:
		return true
	}
	source := v.Source()
	small := len(source) <= mostRemembered
	if small {
		if _, known := w.scanner.clean[source]; known {
			return true
		}
	}
	clean := w.members(v, parameters)
	if small && clean {
		w.scanner.clean[source] = struct{}{}
	}
	return clean
}

func (w *walker) members(v jsonvalue.Value, parameters bool) bool {
	clean := true
	if v.Kind() == jsonvalue.Array {
		e := v.First()
		for i := range v.Len() {
			if i > 0 {
				e = e.Next()
			}
			w.path = append(w.path, strconv.Itoa(i))
			clean = w.value(e, false) && clean
			w.path = w.path[:len(w.path)-1]
		}
		return clean
	}
	for i := range v.Len() {
		name, value := v.Member(i)
		w.path = append(w.path, name)
		clean = w.scanner.text(name, parameters, w) && clean
		clean = w.value(value, name == "properties" && !parameters && w.inInput()) && clean
		w.path = w.path[:len(w.path)-1]
	}
	return clean
}

// inInput says whether the place is in the input schema: a result may well have a member system_prompt.
func (w *walker) inInput() bool { return w.path[0] == "inputSchema" }

// describes says whether the place is the description of a parameter that does not say by its name that it takes a
// conversation: the name is judged then.
func (w *walker) describes() bool {
	n := len(w.path)
	return n > 1 && w.inInput() && w.path[n-1] == "description" && !hasAny(lower(w.path[n-2]), "conversation chat message history transcript dialogue prompt")
}
