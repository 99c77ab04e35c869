// Package sarif implements the writing of a SARIF log (Static Analysis Results
// Interchange Format, OASIS, version 2.1.0) for code scanning. A result is told
// from others by its fingerprint, never by a line, and text from a manifest is
// made harmless: hidden characters as labelled chips, no links, no placeholders.
//
// It never decides what a result is, and never reads a file.
package sarif

import (
	"net/url"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/manifestseal/manifestseal/engine/jsonvalue"
	"github.com/manifestseal/manifestseal/server/internal/cli/plain"
)

const schema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

// Level is a result's level.
type Level string

// The levels.
const (
	Error   Level = "error"
	Warning Level = "warning"
	Note    Level = "note"
)

// Rule is what results of one kind have in common.
type Rule struct {
	ID       string // with its rulebook before it
	Text     string // one sentence of ours
	Fix      string // one sentence, or empty
	Level    Level  // of most of its results
	Security string // "0.0" to "10.0" for code scanning, or empty where it is no matter of security
}

// Result is one finding.
type Result struct {
	Rule         Rule
	Level        Level
	Message      string // one sentence; may quote a manifest
	File         string // as the user named it
	Line, Column int    // from 1, or 0 where there is no place
	Tool         string // its name, or empty for the list
	Pointer      string // JSON Pointer into the file, or empty
	Fingerprint  string
}

// Notification says what could not be checked.
type Notification struct{ File, Message string }

// Log is one run of the command.
type Log struct {
	Version string // of the command
	Dir     string // to which files are relative; absolute
	Results []Result
	Failed  []Notification
}

// JSON returns the log as one line.
func (l *Log) JSON() []byte {
	w := &writer{dir: l.Dir}
	rules := l.rules()
	w.Begin('{')
	w.Member("$schema", schema)
	w.Member("version", "2.1.0")
	w.open("runs", '[')
	w.Begin('{')
	w.open("tool", '{')
	w.open("driver", '{')
	w.Member("name", "ManifestSeal")
	w.Member("informationUri", "https://github.com/manifestseal/manifestseal")
	w.Member("version", l.Version)
	w.open("rules", '[')
	for _, r := range rules {
		w.rule(&r)
	}
	w.End(']')
	w.End('}')
	w.End('}')
	w.Member("columnKind", "unicodeCodePoints")
	w.invocation(l.Failed)
	w.open("results", '[')
	seen := map[string]int{}
	for i := range l.Results {
		r := &l.Results[i]
		seen[r.Fingerprint]++
		index, _ := slices.BinarySearchFunc(rules, r.Rule.ID, func(r Rule, id string) int { return strings.Compare(r.ID, id) })
		w.result(r, index, seen[r.Fingerprint])
	}
	w.End(']')
	w.End('}')
	w.End(']')
	w.End('}')
	return append(w.Bytes, '\n')
}

// rules are those of the results, in order of id.
func (l *Log) rules() []Rule {
	var rules []Rule
	for i := range l.Results {
		rules = append(rules, l.Results[i].Rule)
	}
	slices.SortStableFunc(rules, func(a, b Rule) int { return strings.Compare(a.ID, b.ID) })
	return slices.CompactFunc(rules, func(a, b Rule) bool { return a.ID == b.ID })
}

type writer struct {
	jsonvalue.Builder
	dir string
}

func (w *writer) open(name string, bracket byte) {
	w.Name(name)
	w.Begin(bracket)
}

func (w *writer) text(name, text string) {
	w.open(name, '{')
	w.Member("text", Text(text))
	w.End('}')
}

func (w *writer) rule(r *Rule) {
	w.Begin('{')
	w.Member("id", r.ID)
	w.text("shortDescription", r.Text)
	if r.Fix != "" {
		w.text("help", r.Fix)
	}
	w.open("defaultConfiguration", '{')
	w.Member("level", string(r.Level))
	w.End('}')
	w.open("properties", '{')
	w.open("tags", '[')
	if r.Security != "" {
		w.String("security")
	}
	w.String("mcp")
	w.End(']')
	w.Filled("security-severity", r.Security)
	w.End('}')
	w.End('}')
}

// invocation says whether everything was checked: a log without results and
// without it would pass for clean.
func (w *writer) invocation(failed []Notification) {
	w.open("invocations", '[')
	w.Begin('{')
	w.Name("executionSuccessful")
	w.Bool(len(failed) == 0)
	w.open("toolExecutionNotifications", '[')
	for _, n := range failed {
		w.Begin('{')
		w.text("message", n.Message)
		w.Member("level", "error")
		if n.File != "" && n.File != "-" {
			w.open("locations", '[')
			w.Begin('{')
			w.open("physicalLocation", '{')
			w.artifact(n.File)
			w.End('}')
			w.End('}')
			w.End(']')
		}
		w.End('}')
	}
	w.End(']')
	w.End('}')
	w.End(']')
}

func (w *writer) result(r *Result, rule, occurrence int) {
	w.Begin('{')
	w.Member("ruleId", r.Rule.ID)
	w.Name("ruleIndex")
	w.Int(rule)
	w.Member("level", string(r.Level))
	w.text("message", r.Message)
	w.location(r)
	w.open("partialFingerprints", '{')
	// GitHub looks at this name alone; its form is hash:count.
	w.Member("primaryLocationLineHash", r.Fingerprint+":"+strconv.Itoa(occurrence))
	w.Member("manifestseal/v1", r.Fingerprint)
	w.End('}')
	w.End('}')
}

func (w *writer) location(r *Result) {
	w.open("locations", '[')
	w.Begin('{')
	w.open("physicalLocation", '{')
	w.artifact(r.File)
	if r.Line > 0 {
		w.open("region", '{')
		w.Name("startLine")
		w.Int(r.Line)
		w.Name("startColumn")
		w.Int(r.Column)
		w.End('}')
	}
	w.End('}')
	if r.Tool != "" || r.Pointer != "" {
		w.open("logicalLocations", '[')
		w.Begin('{')
		w.Filled("name", plain.Clip(plain.Text(r.Tool), maxName))
		w.Filled("fullyQualifiedName", plain.Clip(plain.Text(r.Pointer), maxName))
		w.Member("kind", "member")
		w.End('}')
		w.End(']')
	}
	w.End('}')
	w.End(']')
}

// maxName is how many characters of a name or a pointer are shown.
const maxName = 300

func (w *writer) artifact(file string) {
	w.open("artifactLocation", '{')
	w.Member("uri", URI(w.dir, file))
	w.End('}')
}

// URI is a file's path as a relative reference (RFC 3986), seen from dir where
// it is below that.
func URI(dir, file string) string {
	if file == "-" {
		return "stdin"
	}
	if filepath.IsAbs(file) {
		inside, err := filepath.Rel(dir, file)
		if err != nil || inside == ".." || strings.HasPrefix(inside, ".."+string(filepath.Separator)) {
			return (&url.URL{Scheme: "file", Path: path.Clean("/" + filepath.ToSlash(file))}).String()
		}
		file = inside
	}
	parts := strings.Split(path.Clean(filepath.ToSlash(file)), "/")
	for i := range parts {
		parts[i] = url.PathEscape(strings.ToValidUTF8(parts[i], "\uFFFD"))
	}
	// A colon in the first part would pass for a scheme.
	parts[0] = strings.ReplaceAll(parts[0], ":", "%3A")
	return strings.Join(parts, "/")
}

// Text is a text for a message: no character of it is obeyed, and it holds
// neither links (section 3.11.6) nor placeholders (3.11.5).
func Text(text string) string {
	return strings.NewReplacer(`\`, `\\`, `[`, `\[`, `]`, `\]`, `{`, `{{`, `}`, `}}`).Replace(plain.Text(text))
}
