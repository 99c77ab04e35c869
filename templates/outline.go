package templates

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
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

// Rulebook is a published rulebook for reading.
type Rulebook struct {
	ID         string
	Scope      string
	Labelling  string
	Views      string
	Categories []Category
}

// Category is a group of rules with the text that describes it.
type Category struct {
	ID    string
	Text  string
	Rules []Rule
}

// Rule is one published pattern.
type Rule struct {
	ID          string
	Severity    string
	Description string
	Pattern     string
	Flags       string
}
