// Package bridge implements the boundary between the engine and whoever calls
// it across a language: a method's name and byte strings in, byte strings out.
// The browser's worker calls it through package main beside it; tests call it
// natively, with the same vectors.
//
// The first output is always JSON: {"ok":true,…}, or {"ok":false,"error":{…}}
// with the error's stable class and code, its place, and what to do.
package bridge

import (
	"errors"

	"github.com/manifestseal/manifestseal/engine"
	"github.com/manifestseal/manifestseal/engine/digest"
	"github.com/manifestseal/manifestseal/engine/jsonvalue"
	"github.com/manifestseal/manifestseal/engine/manifest"
	"github.com/manifestseal/manifestseal/engine/report"
	"github.com/manifestseal/manifestseal/engine/view"
)

// method answers one call. The options hold as_of where the method takes it.
type method struct {
	name string
	in   int // how many inputs it takes
	call func(in [][]byte) ([][]byte, error)
}

// methods lists what can be called; the inputs and outputs stand beside each.
var methods = [...]method{
	{"read", 1, read},                  // document → facts of a manifest
	{"read_baseline", 1, readBaseline}, // document → the same of what may stand as a baseline
	{"canonical", 1, canonical},        // document → notes, canonical form
	{"digest", 2, digestOf},            // document, as_of → digest block
	{"compare", 3, compare},            // baseline, current, as_of → state and both sides' facts, report, view
	{"glance", 4, glance},              // baseline, current, as_of, keys or nothing → state and both sides' facts, view without an assessment and some insides
	{"insides", 4, insides},            // the same → ok, the insides that the view lacks
	{"assess", 4, assess},              // the same → state, report, assessment or nothing
	// The same two with keys, for a baseline that is signed.
	{"read_signed_baseline", 2, readSignedBaseline}, // document, keys → the same, and what anchors it
	{"compare_signed", 4, compareSigned},            // baseline, current, as_of, keys → the same
	{"verify", 3, verify},                           // document, manifest or nothing, keys → check, certificate, verdict, view
	{"export", 3, export},                           // document, form, keys → the document in that form
	{"inspect", 1, inspect},                         // document → facts of a manifest, view
	{"grade", 1, whole(engine.Grade)},               // document → the grade, as the command prints it
	{"scan", 1, whole(engine.Scan)},                 // document → a gate's decision at its defaults, as the command prints it
	{"screen", 1, screen},                           // document → JSON lines, one per tool
	{"screen_text", 1, screenOne},                   // JSON string → matches
	{"view", 1, viewOf},                             // report → state, view
	{"version", 0, version},                         // → version
}

// Call runs a method. It never panics on any input, and the same inputs give
// the same outputs everywhere.
func Call(name string, in [][]byte) [][]byte {
	for _, m := range methods {
		if m.name != name {
			continue
		}
		if len(in) != m.in {
			return failure(&jsonvalue.Error{Class: "usage", Code: "inputs", Message: "the method takes another number of inputs"})
		}
		out, err := m.call(in)
		if err != nil {
			return failure(err)
		}
		return out
	}
	return failure(&jsonvalue.Error{Class: "usage", Code: "method", Message: "there is no such method"})
}

// Warm hashes a little of nothing, so that a browser makes fast code of the one
// function that a first comparison spends most of its time in: slow code takes
// twenty times as long, and fast code has to wait for its turn.
func Warm() { digest.SumOf(make([]byte, 32<<10)) }

func options(asOf string) engine.Options {
	return engine.Options{AsOf: asOf, Mode: manifest.Lenient}
}

// success begins an answer; more adds members to it.
func success(more func(*jsonvalue.Builder), rest ...[]byte) [][]byte {
	var w jsonvalue.Builder
	w.Begin('{')
	w.Name("ok")
	w.Bool(true)
	if more != nil {
		more(&w)
	}
	w.End('}')
	return append([][]byte{w.Bytes}, rest...)
}

func failure(err error) [][]byte {
	var w jsonvalue.Builder
	w.Begin('{')
	w.Name("ok")
	w.Bool(false)
	w.Name("error")
	w.Begin('{')
	e := &jsonvalue.Error{Class: "internal", Message: err.Error()}
	errors.As(err, &e)
	w.Member("class", string(e.Class))
	w.Member("code", e.Code)
	var input *engine.InputError
	if errors.As(err, &input) {
		w.Member("side", input.Side)
	}
	w.Member("message", view.Labelled(e.Message))
	w.Member("advice", e.Advice)
	if e.Line > 0 {
		writePlace(&w, e)
	}
	w.End('}')
	w.End('}')
	return [][]byte{w.Bytes}
}

func writePlace(w *jsonvalue.Builder, e *jsonvalue.Error) {
	for _, m := range []struct {
		name string
		n    int
	}{{"offset", e.Offset}, {"line", e.Line}, {"column", e.Column}} {
		w.Name(m.name)
		w.Int(m.n)
	}
	// The text around the place may be no UTF-8: that may be the error.
	excerpt := jsonvalue.ToValid(e.Excerpt)
	w.Member("excerpt", excerpt)
	w.Name("excerpt_at")
	w.Int(e.ExcerptAt)
	view.WriteSegments(w, "shown_excerpt", view.Excerpt(excerpt, e.ExcerptAt))
}

func read(in [][]byte) ([][]byte, error) {
	m, err := manifest.Read(in[0], manifest.Lenient)
	if err != nil {
		return nil, err
	}
	return success(func(w *jsonvalue.Builder) { writeFacts(w, string(m.Shape), "", digest.Of(m, ""), m.Notes) }), nil
}

func readBaseline(in [][]byte) ([][]byte, error) { return readBaselineWith(in[0], options("")) }

func readBaselineWith(document []byte, o engine.Options) ([][]byte, error) {
	b, err := engine.ReadBaseline(document, o)
	if err != nil {
		return nil, err
	}
	return success(func(w *jsonvalue.Builder) { writeBaselineFacts(w, b, o) }), nil
}

func writeBaselineFacts(w *jsonvalue.Builder, b report.Baseline, o engine.Options) {
	shape := string(b.Mode)
	if b.Manifest != nil {
		shape = string(b.Manifest.Shape)
	}
	writeFacts(w, shape, anchor(b, o.Keys), b.Block, b.Notes)
}

func writeFacts(w *jsonvalue.Builder, shape, anchor string, block *digest.Block, notes []jsonvalue.Note) {
	w.Member("shape", shape)
	w.Filled("anchor", view.Labelled(anchor))
	w.Name("tool_count")
	w.Int(len(block.Tools))
	w.Member("aggregate_digest", block.Aggregate.Hex())
	w.Name("names")
	w.Begin('[')
	for _, t := range block.Tools {
		w.Nullable(t.Name, t.Named)
	}
	w.End(']')
	w.Name("reading_notes")
	report.WriteNotes(w, notes)
	view.WriteNotes(w, "shown_notes", view.Notes("", notes))
}

func canonical(in [][]byte) ([][]byte, error) {
	text, notes, err := engine.Canonical(in[0], options(""))
	if err != nil {
		return nil, err
	}
	return success(func(w *jsonvalue.Builder) {
		w.Name("reading_notes")
		report.WriteNotes(w, notes)
	}, text), nil
}

func digestOf(in [][]byte) ([][]byte, error) {
	block, err := engine.Digest(in[0], options(string(in[1])))
	if err != nil {
		return nil, err
	}
	return success(nil, block), nil
}

func compare(in [][]byte) ([][]byte, error) {
	return compareWith(in[0], in[1], options(string(in[2])))
}

func compareWith(baseline, current []byte, o engine.Options) ([][]byte, error) {
	c, err := engine.Compare(baseline, current, o)
	if err != nil {
		return nil, err
	}
	return success(factsOf(c, o), c.Report, c.View().JSON()), nil
}

// factsOf are the state, and the facts of both sides, so that nobody reads a
// document twice.
func factsOf(c *engine.Comparison, o engine.Options) func(*jsonvalue.Builder) {
	return func(w *jsonvalue.Builder) {
		w.Member("state", c.State())
		w.Name("baseline")
		w.Begin('{')
		writeBaselineFacts(w, c.Drift.Baseline, o)
		w.End('}')
		w.Name("current")
		w.Begin('{')
		current := c.Drift.Current
		writeFacts(w, string(current.Manifest.Shape), "", current.Block, current.Manifest.Notes)
		w.End('}')
	}
}

// glance shows what differs; assess takes the time to grade what is there, and
// makes the report.
func glance(in [][]byte) ([][]byte, error) {
	o, err := perhapsUnder(in[3], string(in[2]))
	if err != nil {
		return nil, err
	}
	c, err := engine.Glance(in[0], in[1], o)
	if err != nil {
		return nil, err
	}
	return success(factsOf(c, o), c.View().JSON()), nil
}

func insides(in [][]byte) ([][]byte, error) {
	o, err := perhapsUnder(in[3], string(in[2]))
	if err != nil {
		return nil, err
	}
	rest, err := engine.Insides(in[0], in[1], o)
	if err != nil {
		return nil, err
	}
	return success(nil, rest), nil
}

func assess(in [][]byte) ([][]byte, error) {
	o, err := perhapsUnder(in[3], string(in[2]))
	if err != nil {
		return nil, err
	}
	c, err := engine.Compare(in[0], in[1], o)
	if err != nil {
		return nil, err
	}
	var assessed []byte
	if a := c.Assessment(); a != nil {
		assessed = a.JSON()
	}
	return success(stateOf(c), c.Report, assessed), nil
}

// perhapsUnder are the options of a call that may be given no keys.
func perhapsUnder(keys []byte, asOf string) (engine.Options, error) {
	if len(keys) == 0 {
		return options(asOf), nil
	}
	return optionsUnder(keys, asOf)
}

func stateOf(c *engine.Comparison) func(*jsonvalue.Builder) {
	return func(w *jsonvalue.Builder) { w.Member("state", c.State()) }
}

func inspect(in [][]byte) ([][]byte, error) {
	i, err := engine.Inspect(in[0], options(""))
	if err != nil {
		return nil, err
	}
	return success(func(w *jsonvalue.Builder) { writeFacts(w, string(i.Manifest.Shape), "", i.Block, i.Manifest.Notes) }, i.View().JSON()), nil
}

// whole answers with one document that the engine makes of another.
func whole(of func([]byte, engine.Options) ([]byte, error)) func([][]byte) ([][]byte, error) {
	return func(in [][]byte) ([][]byte, error) {
		out, err := of(in[0], options(""))
		if err != nil {
			return nil, err
		}
		return success(nil, out), nil
	}
}

func screen(in [][]byte) ([][]byte, error) {
	lines, err := engine.Screen(in[0], options(""))
	if err != nil {
		return nil, err
	}
	return success(nil, lines), nil
}

func screenOne(in [][]byte) ([][]byte, error) {
	matches, err := engine.ScreenText(in[0])
	if err != nil {
		return nil, err
	}
	return success(nil, matches), nil
}

func viewOf(in [][]byte) ([][]byte, error) {
	v, err := engine.ReportView(in[0])
	if err != nil {
		return nil, err
	}
	return success(func(w *jsonvalue.Builder) { w.Member("state", v.State) }, v.JSON()), nil
}

func version([][]byte) ([][]byte, error) {
	return success(func(w *jsonvalue.Builder) { w.Member("version", report.Version) }), nil
}
