// Package enginetest implements the engine's test vectors: a file system of
// language-neutral documents with their expected answers, a loader, and a check
// that runs one of them over any function of the bridge's shape. README.md
// defines the files; reference.mjs is where the answers of JavaScript come from.
//
// It never knows how the engine works: it is for tests, natively, on js/wasm
// and behind the browser, and stands in no shipped binary.
package enginetest

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"path"
)

//go:embed vectors/*.json
var files embed.FS

// The outcomes of a vector that are no error class: OK for an answer, Refused
// for any failure, where the rulings do not say of which class.
const (
	OK      = "ok"
	Refused = "refused"
)

// Vector is one document, or two, with what the engine must say of them.
type Vector struct {
	ID     string  `json:"id"`     // also the file's name
	Ruling string  `json:"ruling"` // "R5": what the vector is a case of
	About  string  `json:"about"`  // one sentence
	Method string  `json:"method"` // of the bridge
	Input  []Input `json:"inputs"` // without as_of
	AsOf   string  `json:"as_of"`  // the last input of digest and compare

	Outcome string `json:"outcome"` // OK, Refused or an error class of the bridge
	Code    string `json:"code"`    // "" where no code is asked for
	Side    string `json:"side"`    // "baseline" or "current", of compare
	Line    int    `json:"line"`    // from 1; 0 where no place is asked for
	Column  int    `json:"column"`  // from 1, in code points
	Offset  *int   `json:"offset"`  // from 0, in bytes; nil where none is asked for

	// Value is kept as it stands in the file: a decoded Go string would lose
	// lone surrogates, and two different answers would look equal.
	Value  json.RawMessage `json:"value"`
	Absent []string        `json:"absent"` // JSON Pointers that the answer must not have
	Source string          `json:"source"` // "javascript" or "ruling"
}

// Input is the bytes of one document: exactly one of Text, Base64 and Repeat,
// and then those of Then.
type Input struct {
	Text   *string `json:"text"`
	Base64 []byte  `json:"base64"`
	Repeat *Repeat `json:"repeat"`
	Then   *Input  `json:"then"`
}

// Repeat is a text that many times.
type Repeat struct {
	Text  string `json:"text"`
	Times int    `json:"times"`
}

// Load returns every vector, ordered by id. An error names the file.
func Load() ([]Vector, error) {
	entries, err := files.ReadDir("vectors")
	if err != nil {
		return nil, err
	}
	vectors := make([]Vector, 0, len(entries))
	for _, entry := range entries {
		data, err := files.ReadFile(path.Join("vectors", entry.Name()))
		if err != nil {
			return nil, err
		}
		v, err := Decode(data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", entry.Name(), err)
		}
		if v.ID+".json" != entry.Name() {
			return nil, fmt.Errorf("%s: the id is %q", entry.Name(), v.ID)
		}
		vectors = append(vectors, v)
	}
	return vectors, nil
}

// Decode reads one vector and refuses members that README.md does not define.
func Decode(data []byte) (Vector, error) {
	var v Vector
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	return v, d.Decode(&v)
}

// Inputs returns what the bridge is called with.
func (v Vector) Inputs() [][]byte {
	in := make([][]byte, 0, len(v.Input)+1)
	for i := range v.Input {
		in = append(in, v.Input[i].bytes())
	}
	return v.withClock(in)
}

// withClock adds the time that digest and compare are told.
func (v Vector) withClock(documents [][]byte) [][]byte {
	if v.Method == "digest" || v.Method == "compare" {
		return append(documents, []byte(v.AsOf))
	}
	return documents
}

func (in *Input) bytes() []byte {
	var out []byte
	for ; in != nil; in = in.Then {
		switch {
		case in.Repeat != nil:
			out = append(out, bytes.Repeat([]byte(in.Repeat.Text), in.Repeat.Times)...)
		case in.Text != nil:
			out = append(out, *in.Text...)
		default:
			out = append(out, in.Base64...)
		}
	}
	return out
}
