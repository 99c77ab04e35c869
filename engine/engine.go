// Package engine implements what ManifestSeal does with documents: values in,
// values out. It is the façade over its subpackages and holds the few verbs
// that the browser, the command and the server call, so that all of them give
// the same answers to the byte.
//
// It never knows the network, files, the clock or randomness: times come in as
// text, documents as bytes.
package engine

import (
	"errors"
	"unsafe"

	"github.com/manifestseal/manifestseal/engine/digest"
	"github.com/manifestseal/manifestseal/engine/jsonvalue"
	"github.com/manifestseal/manifestseal/engine/manifest"
	"github.com/manifestseal/manifestseal/engine/report"
	"github.com/manifestseal/manifestseal/engine/screen"
	"github.com/manifestseal/manifestseal/engine/seal"
	"github.com/manifestseal/manifestseal/engine/view"
)

// Options are what a caller knows and a document does not say.
type Options struct {
	AsOf   string        // RFC 3339, UTC, milliseconds, Z
	Issuer string        // URL of the service that issues the report; else empty
	Keys   seal.Keys     // the keys whose signatures anchor a baseline
	Mode   manifest.Mode // who handed the documents in
}

// Audit returns the audit report on a manifest, ready to be written.
func Audit(document []byte, o Options) (*report.Audit, error) {
	m, err := manifest.Read(document, o.Mode)
	if err != nil {
		return nil, err
	}
	return report.AuditOf(report.Head{Issuer: o.Issuer, AsOf: o.AsOf}, report.Source{}, m), nil
}

// Comparison is a finished drift report.
type Comparison struct {
	Report  []byte // compact JSON in table order, one LF at the end; nil after Glance
	Drift   *report.Drift
	Outside bool // tool members or numbers outside the digest differ

	root              jsonvalue.Value // the report, or its outline after Glance
	glance            bool
	current, baseline *manifest.Manifest
}

// Compare compares a baseline with a current manifest. The baseline may be what
// ReadBaseline reads. An error is an *InputError; zero tools are no error but
// the could-not-compare shape.
func Compare(baseline, current []byte, o Options) (*Comparison, error) {
	c, err := compare(baseline, current, o)
	if err != nil {
		return nil, err
	}
	c.Report = c.Drift.JSON()
	c.root = c.Drift.Root()
	return c, nil
}

// Glance is Compare without the report and the assessment in it, and with the
// insides of the first tools alone, in a fifth of the time: for a page that shows
// what differs before it has all there is to read about it.
func Glance(baseline, current []byte, o Options) (*Comparison, error) {
	c, err := compare(baseline, current, o)
	if err != nil {
		return nil, err
	}
	c.root, c.glance = c.Drift.Outline(view.AtOnce), true
	return c, nil
}

// Insides returns the insides of the tools that a Glance leaves out, as JSON:
// {"tools": [{"id", "parts"}]}.
func Insides(baseline, current []byte, o Options) ([]byte, error) {
	c, err := compare(baseline, current, o)
	if err != nil {
		return nil, err
	}
	if c.Drift.Comparison == nil {
		return []byte(`{"tools":[]}`), nil
	}
	return view.Of(c.Drift.Outline(len(c.Drift.Comparison.Tools)), c.baseline, c.current).Insides(), nil
}

func compare(baseline, current []byte, o Options) (*Comparison, error) {
	b, err := ReadBaseline(baseline, o)
	if err != nil {
		return nil, sideError("baseline", err)
	}
	m, err := manifest.Read(current, o.Mode)
	if err != nil {
		return nil, sideError("current", err)
	}
	d := report.Compare(report.Head{Issuer: o.Issuer, AsOf: o.AsOf}, b, m)
	return &Comparison{Drift: d, Outside: d.Outside.Any(), baseline: b.Manifest, current: m}, nil
}

// State is the view's state of the comparison: view.Unchanged, view.Changed or
// view.NotCompared.
func (c *Comparison) State() string {
	switch {
	case c.Drift.Comparison == nil:
		return view.NotCompared
	case c.Drift.Comparison.Counts.Differing() > 0:
		return view.Changed
	}
	return view.Unchanged
}

// View returns what a person sees of the comparison.
func (c *Comparison) View() *view.View {
	if c.glance {
		return view.Glance(c.root, c.baseline, c.current)
	}
	return view.Of(c.root, c.baseline, c.current)
}

// Assessment returns the part of the view that Glance leaves out; nil where
// nothing was compared.
func (c *Comparison) Assessment() *view.Assessment {
	return view.AssessmentOf(c.root, c.baseline, c.current)
}

// ReportView returns what a person sees of a report that somebody sent: read as
// strictly as one that is to be verified, and believed in nothing. Against the
// reader's own word the view's states still need a verdict and counts that agree.
func ReportView(document []byte) (*view.View, error) {
	text, _, err := manifest.Decode(document, manifest.Wire)
	if err != nil {
		return nil, err
	}
	r, err := seal.ReadReport(text)
	var malformed *seal.ReadError
	if errors.As(err, &malformed) {
		return nil, &jsonvalue.Error{Class: jsonvalue.Shape, Code: "malformed_report", Message: err.Error(), Advice: "Ask for the report again, exactly as it was made."}
	}
	if err != nil {
		return nil, err
	}
	if r.Root.Get("criteria_id").Text() != manifest.DriftCriteria {
		return nil, &jsonvalue.Error{Class: jsonvalue.Shape, Code: "not_a_drift_report", Message: "this is no drift report", Advice: "A drift report has the criteria_id " + manifest.DriftCriteria + "."}
	}
	return view.Of(r.Root, nil, nil), nil
}

// Digest returns a manifest's digest block as one JSON object. The document must
// not change meanwhile.
func Digest(document []byte, o Options) ([]byte, error) {
	// Nothing of the document outlives this call, so that it needs no copy; fresh
	// memory costs more than hashing as much.
	m, err := manifest.ReadText(unsafe.String(unsafe.SliceData(document), len(document)), o.Mode)
	if err != nil {
		return nil, err
	}
	block := digest.Of(m, o.AsOf)
	w := jsonvalue.Builder{Bytes: make([]byte, 0, block.SizeHint())}
	block.Write(&w)
	return w.Bytes, nil
}

// Canonical returns the canonical form of any JSON document, and its reading
// notes.
func Canonical(document []byte, o Options) ([]byte, []jsonvalue.Note, error) {
	text, note, err := manifest.Decode(document, o.Mode)
	if err != nil {
		return nil, nil, err
	}
	doc, err := jsonvalue.Parse(text)
	if err != nil {
		return nil, nil, err
	}
	notes := doc.Notes()
	if note.Code != "" {
		notes = append([]jsonvalue.Note{note}, notes...)
	}
	return doc.Root().AppendCanonical(nil), notes, nil
}

// Screen screens the description of every tool of a manifest and returns one
// JSON object a line.
func Screen(document []byte, o Options) ([]byte, error) {
	m, err := manifest.Read(document, o.Mode)
	if err != nil {
		return nil, err
	}
	rulebook := screen.Injection()
	scanner := screen.NewScanner(rulebook)
	var out []byte
	for _, e := range m.Entries {
		description := e.Value.Get("description")
		w := jsonvalue.Builder{Bytes: out}
		w.Begin('{')
		w.Name("name")
		w.Nullable(e.Name, e.Named)
		w.Name("occurrence")
		w.Int(e.Occurrence)
		w.Name(rulebook.ID)
		w.Begin('{')
		w.Name("scanned")
		w.Bool(description.Kind() == jsonvalue.String)
		w.Name("matches")
		report.WriteMatches(&w, scanner.Scan(description.Text()))
		w.End('}')
		w.End('}')
		out = append(w.Bytes, '\n')
	}
	return out, nil
}

// ScreenText screens one text, given as a JSON string, and returns
// {"matches": […]}.
func ScreenText(document []byte) ([]byte, error) {
	doc, err := jsonvalue.Parse(string(document))
	if err != nil {
		return nil, err
	}
	if doc.Root().Kind() != jsonvalue.String {
		return nil, &jsonvalue.Error{Class: jsonvalue.Shape, Code: "not_a_string", Message: "this is no JSON string", Advice: "Write each text as a JSON string on a line of its own."}
	}
	var w jsonvalue.Builder
	w.Begin('{')
	w.Name("matches")
	report.WriteMatches(&w, screen.Injection().Scan(doc.Root().Text()))
	w.End('}')
	return w.Bytes, nil
}

// InputError says which of two documents could not be used.
type InputError struct {
	Side string // "baseline" or "current"
	Err  error
}

func (e *InputError) Error() string { return e.Side + ": " + e.Err.Error() }
func (e *InputError) Unwrap() error { return e.Err }

func sideError(side string, err error) error { return &InputError{side, err} }
