package enginetest

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/manifestseal/manifestseal/engine/jsonvalue"
)

// Call is the shape of the bridge: method and inputs in, outputs out; the first
// output is the answer's head in JSON.
type Call func(method string, in [][]byte) (out [][]byte)

// Check runs a vector and says what differs: every difference on a line of its
// own, with the place, what was expected and what came.
//
// Answers are compared by the canonical text that jsonvalue makes of them. That
// is the engine's own reader; the vectors of method canonical hold it to exact
// bytes, so it can't hide here what it loses there.
func Check(v Vector, call Call) error {
	return v.check(call(v.Method, v.Inputs()))
}

// CheckDocuments is Check on documents that do not stand in the vector itself.
func CheckDocuments(v Vector, documents [][]byte, call Call) error {
	return v.check(call(v.Method, v.withClock(documents)))
}

func (v Vector) check(out [][]byte) error {
	if len(out) == 0 {
		return errors.New("no output")
	}
	head, err := parse(out[0])
	if err != nil {
		return fmt.Errorf("out[0]: %w", err)
	}
	if v.Outcome != OK {
		return v.checkRefusal(head)
	}
	if head.Get("ok").Kind() != jsonvalue.True {
		return fmt.Errorf("want an answer, got %s", short(head))
	}
	switch v.Method {
	case "canonical", "digest":
		return v.checkText(body(out))
	case "screen":
		return v.checkLines(body(out))
	}
	return v.checkMembers(head, body(out))
}

func (v Vector) checkRefusal(head jsonvalue.Value) error {
	if head.Get("ok").Kind() != jsonvalue.False {
		return fmt.Errorf("want the refusal %q, got %s", v.Outcome, short(head))
	}
	e := head.Get("error")
	var errs []error
	same := func(member, want, got string) {
		if want != got {
			errs = append(errs, fmt.Errorf("error.%s: want %q, got %q in %s", member, want, got, short(e)))
		}
	}
	if v.Outcome != Refused {
		same("class", v.Outcome, e.Get("class").Text())
	}
	if v.Code != "" {
		same("code", v.Code, e.Get("code").Text())
	}
	if v.Side != "" {
		same("side", v.Side, e.Get("side").Text())
	}
	if v.Line != 0 {
		same("line", strconv.Itoa(v.Line), canonical(e.Get("line")))
		same("column", strconv.Itoa(v.Column), canonical(e.Get("column")))
	}
	if v.Offset != nil {
		same("offset", strconv.Itoa(*v.Offset), canonical(e.Get("offset")))
	}
	return errors.Join(errs...)
}

// checkText compares exact bytes; one LF at the end is not part of the value.
func (v Vector) checkText(got string) error {
	got = strings.TrimSuffix(got, "\n")
	want, err := parse(v.Value)
	if err != nil {
		return fmt.Errorf("the vector's value: %w", err)
	}
	if want.Kind() == jsonvalue.String {
		return differingText(want.Text(), got)
	}
	sum := sha256.Sum256([]byte(got))
	if want.Get("sha256").Text() != hex.EncodeToString(sum[:]) {
		return fmt.Errorf("want %s bytes of sha256 %s, got %d of %x: %s", canonical(want.Get("bytes")), want.Get("sha256").Text(), len(got), sum, clip(got))
	}
	return nil
}

func differingText(want, got string) error {
	if want == got {
		return nil
	}
	i := 0
	for i < min(len(want), len(got)) && want[i] == got[i] {
		i++
	}
	from := max(0, i-40)
	return fmt.Errorf("byte %d: want %q, got %q", i, clip(want[from:]), clip(got[from:]))
}

// checkLines compares JSON lines with an array of values, each by its named members.
func (v Vector) checkLines(text string) error {
	want, err := parse(v.Value)
	if err != nil {
		return fmt.Errorf("the vector's value: %w", err)
	}
	var lines []string
	if text != "" {
		lines = strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	}
	if len(lines) != want.Len() {
		return fmt.Errorf("want %d lines, got %d", want.Len(), len(lines))
	}
	var errs []error
	for i, w := range want.Elems() {
		got, err := parse([]byte(lines[i]))
		if err != nil {
			errs = append(errs, fmt.Errorf("line %d: %w", i+1, err))
			continue
		}
		if err := members(w, func(string) jsonvalue.Value { return got }); err != nil {
			errs = append(errs, fmt.Errorf("line %d: %w", i+1, err))
		}
	}
	return errors.Join(errs...)
}

// checkMembers compares the named members of the answer: of its head for read
// and for the state of a comparison, otherwise of the document behind it.
func (v Vector) checkMembers(head jsonvalue.Value, text string) error {
	document := head
	if v.Method != "read" {
		var err error
		if document, err = parse([]byte(text)); err != nil {
			return fmt.Errorf("out[1]: %w", err)
		}
	}
	want, err := parse(v.Value)
	if err != nil {
		return fmt.Errorf("the vector's value: %w", err)
	}
	errs := []error{members(want, func(name string) jsonvalue.Value {
		if name == "state" {
			return head
		}
		return document
	})}
	for _, pointer := range v.Absent {
		if got, ok := resolve(document, pointer); ok && got.Kind() != jsonvalue.Absent {
			errs = append(errs, fmt.Errorf("%s: want it absent, got %s", pointer, short(got)))
		}
	}
	return errors.Join(errs...)
}

func body(out [][]byte) string {
	if len(out) < 2 {
		return ""
	}
	return string(out[1])
}

// parse reads an answer: a report nests somewhat deeper than the manifests in it.
func parse(data []byte) (jsonvalue.Value, error) {
	doc, err := jsonvalue.ParsePart(string(data), 0, len(data), jsonvalue.MaxDepth+100)
	if err != nil {
		return jsonvalue.Value{}, err
	}
	return doc.Root(), nil
}
