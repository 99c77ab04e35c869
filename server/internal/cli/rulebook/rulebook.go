// Package rulebook implements rules that a user brings: ECMAScript patterns in a
// JSON file, run by regexp2 on the host over every text of a tool that an agent
// can read. The form is {"id", "rules": [{"id", "severity", "description",
// "pattern", "flags"?}]}.
//
// A rule that can't be run, or that runs out of its time, is a gate.Failure and
// never a clean result. The package knows no manifest's verdict and no output.
package rulebook

import (
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/dlclark/regexp2/v2"

	"github.com/manifestseal/manifestseal/engine/gate"
	"github.com/manifestseal/manifestseal/engine/jsonvalue"
)

// What a rulebook and its rules may take. Patterns of others backtrack: the
// clock alone can bound that, and one pattern must not eat another's time.
const (
	MaxBytes    = 1 << 20
	maxRules    = 1000
	maxPattern  = 4096                   // bytes of a pattern
	maxStack    = 1 << 20                // entries of the matcher's stack
	perText     = 250 * time.Millisecond // one rule on one text
	perDocument = 5 * time.Second        // one rule on all texts of a document
	maxMatches  = 20                     // of one rule in one text
)

// Rulebook is a user's rules, compiled.
type Rulebook struct {
	ID    string
	Rules []Rule

	perText, perDocument time.Duration
}

// Rule is one of them.
type Rule struct {
	ID, Description string
	Severity        gate.Severity

	pattern *regexp2.Regexp
}

// Error says why a file is no rulebook, and where.
type Error struct {
	Pointer string // into the file
	Rule    string // the rule's id, when it is one rule that is at fault
	Message string
}

func (e *Error) Error() string {
	where := e.Pointer
	if e.Rule != "" {
		where = "rule " + e.Rule + " (" + e.Pointer + ")"
	}
	if where == "" {
		return "the rulebook " + e.Message
	}
	return where + " " + e.Message
}

// Read reads and compiles a rulebook. The error is a *jsonvalue.Error where the
// text is no JSON, else an *Error; a book with one bad rule is no book, for what
// it does not look for would pass as clean.
func Read(data []byte) (*Rulebook, error) {
	if len(data) > MaxBytes {
		return nil, &Error{Message: "is larger than " + strconv.Itoa(MaxBytes) + " bytes"}
	}
	doc, err := jsonvalue.Parse(string(data))
	if err != nil {
		return nil, err
	}
	if doc.Noted(jsonvalue.DuplicateMember) {
		return nil, &Error{Pointer: doc.Notes()[0].Pointer, Message: "stands twice"}
	}
	b := &Rulebook{perText: perText, perDocument: perDocument}
	root := doc.Root()
	if err := members(root, "", []string{"id", "rules"}, nil); err != nil {
		return nil, err
	}
	if b.ID = root.Get("id").Text(); !identifier(b.ID, "/") {
		return nil, &Error{Pointer: "/id", Message: "must be 1 to 64 characters of A-Z a-z 0-9 . _ - /"}
	}
	rules := root.Get("rules")
	if rules.Kind() != jsonvalue.Array || rules.Len() == 0 || rules.Len() > maxRules {
		return nil, &Error{Pointer: "/rules", Message: "must be an array of 1 to " + strconv.Itoa(maxRules) + " rules"}
	}
	seen := map[string]bool{}
	for i, v := range rules.Elems() {
		rule, err := readRule(v, "/rules/"+strconv.Itoa(i))
		if err != nil {
			return nil, err
		}
		if seen[rule.ID] {
			return nil, &Error{Pointer: "/rules/" + strconv.Itoa(i) + "/id", Rule: rule.ID, Message: "has the id of an earlier rule"}
		}
		seen[rule.ID] = true
		b.Rules = append(b.Rules, rule)
	}
	return b, nil
}

// members holds an object to its members: an unknown one may be a misspelt rule.
func members(v jsonvalue.Value, pointer string, needed, allowed []string) error {
	if v.Kind() != jsonvalue.Object {
		return &Error{Pointer: pointer, Message: "must be an object"}
	}
	for _, name := range needed {
		if !v.Get(name).Exists() {
			return &Error{Pointer: pointer + "/" + name, Message: "is missing"}
		}
	}
next:
	for name := range v.Members() {
		for _, known := range append(needed, allowed...) {
			if name == known {
				continue next
			}
		}
		return &Error{Pointer: jsonvalue.PointerToken(pointer, name), Message: "is no member of it: it has " + strings.Join(append(needed, allowed...), ", ")}
	}
	return nil
}

func readRule(v jsonvalue.Value, pointer string) (Rule, error) {
	r := Rule{}
	if err := members(v, pointer, []string{"id", "severity", "description", "pattern"}, []string{"flags"}); err != nil {
		return r, err
	}
	if r.ID = v.Get("id").Text(); !identifier(r.ID, "") {
		r.ID = ""
		return r, &Error{Pointer: pointer + "/id", Message: "must be 1 to 64 characters of A-Z a-z 0-9 . _ -"}
	}
	fail := func(member, message string) error { return &Error{pointer + "/" + member, r.ID, message} }
	var known bool
	if r.Severity, known = gate.ParseSeverity(v.Get("severity").Text()); !known {
		return r, fail("severity", "must be one of "+strings.Join(gate.Severities(), ", "))
	}
	if r.Description = v.Get("description").Text(); strings.TrimSpace(r.Description) == "" {
		return r, fail("description", "must be a sentence: what the rule finds")
	}
	if v.Get("pattern").Kind() != jsonvalue.String {
		return r, fail("pattern", "must be a string")
	}
	if flags := v.Get("flags"); flags.Exists() && flags.Kind() != jsonvalue.String {
		return r, fail("flags", "must be a string")
	}
	var member string
	var err error
	if r.pattern, member, err = compile(v.Get("pattern").Text(), v.Get("flags").Text()); err != nil {
		return r, fail(member, err.Error())
	}
	return r, nil
}

func identifier(id, also string) bool {
	for _, c := range id {
		if !(c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || strings.ContainsRune("._-"+also, c)) {
			return false
		}
	}
	return id != "" && len(id) <= 64
}

// compile makes a pattern ready, or says which member is at fault.
func compile(pattern, flags string) (*regexp2.Regexp, string, error) {
	if len(pattern) > maxPattern {
		return nil, "pattern", errors.New("is longer than " + strconv.Itoa(maxPattern) + " bytes")
	}
	options := regexp2.RegexOptions(regexp2.ECMAScript)
	for i, c := range flags {
		switch {
		case strings.ContainsRune(flags[:i], c):
			return nil, "flags", errors.New("has " + string(c) + " twice")
		case c == 'i':
			options |= regexp2.IgnoreCase
		case c == 'm':
			options |= regexp2.Multiline
		case c == 's':
			options |= regexp2.Singleline
		case c == 'g': // all matches are looked for anyway
		default:
			return nil, "flags", errors.New("may hold g, i, m and s: patterns run over UTF-16 units, without u, v and y")
		}
	}
	if at := extension(pattern); at != "" {
		return nil, "pattern", errors.New("is no ECMAScript pattern: there is no group " + at)
	}
	re, err := regexp2.Compile(units16(pattern), options, regexp2.OptionMaxBacktrackingStackSize(maxStack))
	if err != nil {
		return nil, "pattern", errors.New("is no ECMAScript pattern: " + err.Error())
	}
	return re, "", nil
}

// extension returns the beginning of the first group that ECMAScript does not
// have and regexp2 would take: (?>…), (?#…), (?i)…, (?(1)…) and their like.
func extension(pattern string) string {
	class := false
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case c == '\\':
			i++
		case class:
			class = c != ']'
		case c == '[':
			class = true
		case c == '(' && strings.HasPrefix(pattern[i:], "(?") && !group(pattern[i+2:]):
			return pattern[i:min(i+4, len(pattern))]
		}
	}
	return ""
}

// group says whether a text that stood behind "(?" begins as ECMAScript 2025 has
// it: lookaround, non-capturing, named, or with modifiers i, m and s.
func group(rest string) bool {
	for _, begin := range []string{":", "=", "!", "<=", "<!"} {
		if strings.HasPrefix(rest, begin) {
			return true
		}
	}
	if strings.HasPrefix(rest, "<") {
		return len(rest) > 1 && rest[1] != '-' && (rest[1] < '0' || rest[1] > '9') && !strings.Contains(strings.SplitN(rest, ">", 2)[0], "-")
	}
	modifiers, _, found := strings.Cut(rest, ":")
	seen, minus := "", false
	for _, c := range modifiers {
		switch {
		case c == '-' && !minus:
			minus = true
		case strings.ContainsRune("ims", c) && !strings.ContainsRune(seen, c):
			seen += string(c)
		default:
			return false
		}
	}
	return found && seen != ""
}
