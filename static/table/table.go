// Package table implements the list of built assets: logical names on one
// side, content-hashed file names, integrity values and sizes on the other.
// The builder writes it, package static reads it. It never opens a file of
// the bundle itself.
package table

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// FileName is the table's own name beside the files it lists.
const FileName = "assets.json"

// Table is everything that one build produced.
type Table struct {
	// Build is the lowercase hex SHA-256 over all assets; it changes when any
	// served byte or name changes.
	Build string `json:"build"`
	// Sources is the Sources hash of the tree the build was made from.
	Sources string `json:"sources"`
	// Assets is keyed by logical name, such as "compare.js".
	Assets map[string]Asset `json:"assets"`
}

// Asset is one built file.
type Asset struct {
	Path      string `json:"path"`       // file name with its content hash
	Integrity string `json:"integrity"`  // "sha256-" and base64, for SRI
	MediaType string `json:"media_type"` // as sent in Content-Type
	Size      int    `json:"size"`       // bytes as they are
	// Encodings holds the size of each precompressed twin: "br" in Path+".br",
	// "gzip" in Path+".gz". A twin that would save nothing is not there.
	Encodings map[string]int `json:"encodings,omitempty"`
}

// Suffix is the file name ending of a precompressed twin, or "" for an
// encoding that builds do not make.
func Suffix(encoding string) string {
	switch encoding {
	case "br":
		return ".br"
	case "gzip":
		return ".gz"
	}
	return ""
}

// Parse reads a table. Unknown members are errors: a table from another
// version of the builder must not be half understood.
func Parse(data []byte) (*Table, error) {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	t := new(Table)
	if err := dec.Decode(t); err != nil {
		return nil, fmt.Errorf("asset table: %w", err)
	}
	return t, nil
}

// Format gives the table's text: indented, keys sorted, one LF at the end.
func (t *Table) Format() ([]byte, error) {
	text, err := json.MarshalIndent(t, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("asset table: %w", err)
	}
	return append(text, '\n'), nil
}
