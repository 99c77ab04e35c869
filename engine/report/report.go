// Package report implements the reports: the drift report of
// mcp-manifest-drift/v1 and the could-not-compare shape. Members stand in the
// order of the published table, for people who read them; whoever makes a
// report, page, command or server, gets the same bytes for the same time.
//
// It never knows keys, clocks or how a report travels: the time is passed in as
// text, and a signature is put over what it returns.
package report

import (
	"github.com/manifestseal/manifestseal/engine/digest"
	"github.com/manifestseal/manifestseal/engine/drift"
	"github.com/manifestseal/manifestseal/engine/jsonvalue"
	"github.com/manifestseal/manifestseal/engine/manifest"
)

// Origin says whose word a baseline is.
type Origin string

const (
	SignedReport     Origin = "signed_report"
	CustomerAsserted Origin = "customer_asserted"
)

// BaselineMode says what was handed in as the baseline.
type BaselineMode string

const (
	ManifestMode BaselineMode = "manifest"
	ReportMode   BaselineMode = "report"
	DigestsMode  BaselineMode = "digests"
)

// Baseline is the baseline side of a report.
type Baseline struct {
	drift.Side
	Origin Origin
	Mode   BaselineMode
	KeyID  string // the key that anchors it, when one does
	AsOf   string // when a manifest was pinned; a block says so itself
	Notes  []jsonvalue.Note
}

// Note is the criteria's sentence for the baseline's origin, or ours for a
// block that nothing anchors.
func (b *Baseline) Note() string {
	switch {
	case b.Origin == SignedReport:
		return signedBaselineNote
	case b.Mode == ManifestMode:
		return assertedBaselineNote
	}
	return bareBlockNote
}

// Head is what a report says of itself.
type Head struct {
	Issuer string // URL; empty when no server issues the report
	AsOf   string // RFC 3339, UTC, milliseconds, Z
}

// Drift is a report ready to be written.
type Drift struct {
	Head       Head
	Baseline   Baseline
	Current    drift.Side // with its manifest, but for one that could not be had
	Comparison *drift.Comparison
	Outside    *drift.Outside // nil against digests
	Source     Source         // where the current manifest came from
	Refusal    Refusal        // why nothing was compared; then Comparison is nil

	assessed *Assessment
	parsed   *jsonvalue.Doc // the report as far as the summary names it, once it was written
}

// Compare makes the report on two sides. Zero tools on a side give the
// could-not-compare shape, never an empty comparison (R36).
func Compare(head Head, baseline Baseline, current *manifest.Manifest) *Drift {
	d := &Drift{Head: head, Baseline: baseline, Current: drift.Side{Block: digest.Beside(current, head.AsOf, baseline.Manifest, baseline.Block), Manifest: current}}
	none, left := len(d.Current.Block.Tools) == 0, len(baseline.Block.Tools) == 0
	switch {
	case none && left:
		d.Refusal.Reason = ZeroToolsBoth
	case left:
		d.Refusal.Reason = ZeroToolsBaseline
	case none:
		d.Refusal.Reason = ZeroToolsCurrent
	default:
		d.Comparison = drift.Compare(baseline.Side, d.Current)
		d.Outside = d.Comparison.Outside()
	}
	return d
}

// Verdict is the report's verdict, in the criteria's words.
func (d *Drift) Verdict() string {
	if d.Comparison == nil {
		return couldNotCompare
	}
	return d.Comparison.Counts.Verdict()
}

// JSON returns the report without signatures: compact, in table order, with one
// LF at its end.
func (d *Drift) JSON() []byte { return d.Sealed(nil) }

// Sealed returns the report with the signatures that s makes.
func (d *Drift) Sealed(s *Signing) []byte {
	w := jsonvalue.Builder{Bytes: make([]byte, 0, d.sizeHint())}
	w.Begin('{')
	d.writeFront(&w)
	if d.Comparison == nil {
		d.Refusal.write(&w)
		d.parsed = s.refused(&w)
		return append(w.Bytes, '\n')
	}
	d.writeComparison(&w, len(d.Comparison.Tools))
	d.writeScan(&w)
	d.writePoison(&w)
	d.writeOutside(&w)
	w.Name("regrade")
	d.Assess().Regrade.Write(&w)
	w.Name("manifest_digest")
	from := len(w.Bytes)
	d.Current.Block.Write(&w)
	s.block(&w, w.Bytes[from:])
	d.writeNotes(&w)
	d.parsed = s.finish(&w, d.writeSummary)
	return append(w.Bytes, '\n')
}

func (h Head) write(w *jsonvalue.Builder, criteria string) {
	w.Member("criteria_id", criteria)
	w.Member("service", Service)
	w.Member("version", Version)
	w.Filled("issuer", h.Issuer)
	w.Member("as_of", h.AsOf)
}

func (d *Drift) writeSides(w *jsonvalue.Builder) {
	b := &d.Baseline
	w.Name("baseline")
	w.Begin('{')
	w.Member("origin", string(b.Origin))
	w.Member("mode", string(b.Mode))
	w.Member("note", b.Note())
	if b.Mode != ManifestMode {
		w.Member("baseline_as_of", b.Block.AsOf)
	} else {
		w.Filled("baseline_as_of", b.AsOf)
	}
	if b.KeyID != "" {
		w.Member("key_id", b.KeyID)
	}
	writeBlockFacts(w, b.Block)
	w.End('}')
	writeCurrent(w, d.Source, d.Current.Block)
}

func writeBlockFacts(w *jsonvalue.Builder, b *digest.Block) {
	w.Name("tool_count")
	w.Int(len(b.Tools))
	w.Member("aggregate_digest", b.Aggregate.Hex())
}

func (d *Drift) writeCounts(w *jsonvalue.Builder) {
	c := d.Comparison.Counts
	w.Name("counts")
	w.Begin('{')
	for _, n := range []struct {
		name  string
		count int
	}{{"unchanged", c.Unchanged}, {"changed", c.Changed}, {"added", c.Added}, {"removed", c.Removed}} {
		w.Name(n.name)
		w.Int(n.count)
	}
	w.End('}')
}

// writeSummary writes the members of the part that fits a link: it holds no
// manifest text.
func (d *Drift) writeSummary(w *jsonvalue.Builder) {
	w.Member("criteria_id", manifest.DriftCriteria)
	w.Filled("issuer", d.Head.Issuer)
	w.Member("as_of", d.Head.AsOf)
	w.Member("verdict", d.Verdict())
	d.writeCounts(w)
	w.Member("baseline_aggregate", d.Baseline.Block.Aggregate.Hex())
	w.Member("current_aggregate", d.Current.Block.Aggregate.Hex())
}

// MaxDepth is how deep a report may nest: a manifest's own depth, and the
// report's members around it.
const MaxDepth = jsonvalue.MaxDepth + 100

func parse(json []byte) *jsonvalue.Doc {
	doc, err := jsonvalue.ParsePart(string(json), 0, len(json), MaxDepth)
	if err != nil {
		panic("report: our own report is no JSON: " + err.Error())
	}
	return doc
}

func (d *Drift) writeFront(w *jsonvalue.Builder) {
	d.Head.write(w, manifest.DriftCriteria)
	d.writeSides(w)
	w.Member("verdict", d.Verdict())
}

// Outline returns the report as a value, without its assessment and summary:
// what differs can be shown long before the texts are graded. Of the changed
// tools the first so many have their diffs. It is no report.
func (d *Drift) Outline(diffs int) jsonvalue.Value {
	w := jsonvalue.Builder{Bytes: make([]byte, 0, d.sizeHint())}
	w.Begin('{')
	d.writeFront(&w)
	if d.Comparison == nil {
		d.Refusal.write(&w)
	} else {
		d.writeComparison(&w, diffs)
		d.writeScan(&w)
		d.writeOutside(&w)
		d.writeNotes(&w)
	}
	w.End('}')
	return parse(w.Bytes).Root()
}

// Root is the report as a value, without its summary, once JSON has written it.
func (d *Drift) Root() jsonvalue.Value { return d.parsed.Root() }

// sizeHint guesses a report's size, so that a large one is not copied over and
// over as it grows: digests and checks for each tool, and both documents once.
func (d *Drift) sizeHint() int {
	const head, perTool = 8 << 10, 1300
	n := head
	for _, b := range []*digest.Block{d.Baseline.Block, d.Current.Block} {
		if b != nil {
			n += perTool * len(b.Tools)
		}
	}
	for _, m := range []*manifest.Manifest{d.Baseline.Manifest, d.Current.Manifest} {
		if m != nil {
			n += len(m.Doc.Root().Source())
		}
	}
	return n
}
