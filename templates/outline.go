package templates

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/manifestseal/manifestseal/engine/view"
)

// Entry is one member of a published document, in the document's own order.
type Entry struct {
	Key     string // member name, or "" inside a list
	Anchor  string // id of its place on the page: the member names, joined by dots
	Text    string // the value, when it is a string, number, boolean or null
	List    bool   // Entries are the elements of a list
	Entries []Entry
}

// Outline reads a JSON object for reading: order and wording are the
// document's. The error is the JSON decoder's.
func Outline(document []byte) ([]Entry, error) {
	dec := json.NewDecoder(bytes.NewReader(document))
	dec.UseNumber()
	root, err := readEntry(dec, "", "")
	if err != nil {
		return nil, err
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, errors.New("there is text after the document")
	}
	return root.Entries, nil
}

func readEntry(dec *json.Decoder, key, anchor string) (Entry, error) {
	entry := Entry{Key: key, Anchor: anchor}
	token, err := dec.Token()
	if err != nil {
		return entry, err
	}
	delim, nested := token.(json.Delim)
	if !nested {
		entry.Text = scalarText(token)
		return entry, nil
	}
	entry.List = delim == '['
	for n := 1; dec.More(); n++ {
		child, err := readChild(dec, entry, n)
		if err != nil {
			return entry, err
		}
		entry.Entries = append(entry.Entries, child)
	}
	_, err = dec.Token()
	return entry, err
}

func scalarText(token json.Token) string {
	if token == nil {
		return "null"
	}
	return fmt.Sprint(token)
}

func readChild(dec *json.Decoder, parent Entry, n int) (Entry, error) {
	if parent.List {
		return readEntry(dec, "", fmt.Sprintf("%s.%d", parent.Anchor, n))
	}
	key, err := dec.Token()
	if err != nil {
		return Entry{}, err
	}
	name := fmt.Sprint(key)
	return readEntry(dec, name, strings.TrimPrefix(parent.Anchor+"."+anchorText(name), "."))
}

// anchorText keeps letters, digits, hyphen and underscore.
func anchorText(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '-', r == '_':
			return r
		}
		return '-'
	}, name)
}

// Without leaves out the members that a page shows in its own way.
func Without(entries []Entry, keys ...string) []Entry {
	var kept []Entry
	for _, e := range entries {
		if !slices.Contains(keys, e.Key) {
			kept = append(kept, e)
		}
	}
	return kept
}

// Rulebook is a published rulebook for reading.
type Rulebook struct {
	ID      string
	Purpose string
	Prose   []Entry // what the rules rest on
	Groups  []Group
}

// Group is some rules with the text that describes them.
type Group struct {
	Anchor string // id of its place on the page, apart from those of the rules
	ID     string
	Text   string
	Rules  []Rule
}

// Rule is one published rule. Patterns, examples and the fix are there or not,
// as the rulebook has them.
type Rule struct {
	ID         string
	Severity   string
	Text       string
	Where      string // what it looks at
	Fix        string
	Patterns   []Pattern
	Conditions []string // of a rule by meaning
	Hits       []Example
	Misses     []Example
}

// Pattern is an ECMAScript pattern; Severity is set where it is not the rule's.
type Pattern struct{ Source, Flags, Severity string }

// Example is a text that may hold characters that nobody sees.
type Example []view.Segment

// Book is one line of the index.
type Book struct{ ID, Purpose string }
