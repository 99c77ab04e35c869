package report

import (
	"github.com/manifestseal/manifestseal/engine/capability"
	"github.com/manifestseal/manifestseal/engine/claims"
	"github.com/manifestseal/manifestseal/engine/digest"
	"github.com/manifestseal/manifestseal/engine/jsonvalue"
	"github.com/manifestseal/manifestseal/engine/manifest"
	"github.com/manifestseal/manifestseal/engine/poison"
	"github.com/manifestseal/manifestseal/engine/screen"
)

// Audit is an audit report ready to be written: one manifest, graded, screened
// by both rulebooks, its tools' tiers, and its digest block.
type Audit struct {
	Head     Head
	Source   Source
	Manifest *manifest.Manifest // nil when none could be had
	Block    *digest.Block
	Grade    *claims.Output // nil when nothing was graded
	Refusal  Refusal        // why not

	poison [][]poison.Hit
	tiers  *capability.Report
}

// AuditOf makes the report on a manifest. Zero tools give the could-not-grade
// shape.
func AuditOf(head Head, source Source, m *manifest.Manifest) *Audit {
	a := &Audit{Head: head, Source: source, Manifest: m, Block: digest.Of(m, head.AsOf)}
	if len(m.Entries) == 0 {
		a.Refusal.Reason = ZeroToolsCurrent
		return a
	}
	a.Grade = claims.Grade(m)
	a.poison = poison.Manifest(m)
	a.tiers = capability.Manifest(m, capability.Options{})
	return a
}

// JSON returns the report without signatures: compact, in table order, with one
// LF at its end.
func (a *Audit) JSON() []byte { return a.Sealed(nil) }

// Sealed returns the report with the signatures that s makes.
func (a *Audit) Sealed(s *Signing) []byte {
	w := jsonvalue.Builder{}
	if a.Manifest != nil {
		w.Bytes = make([]byte, 0, 8<<10+2500*len(a.Manifest.Entries))
	}
	w.Begin('{')
	a.Head.write(&w, claims.Criteria)
	writeCurrent(&w, a.Source, a.Block)
	if a.Grade == nil {
		w.Member("verdict", claims.CouldNotGrade)
		a.Refusal.write(&w)
		s.refused(&w)
		return append(w.Bytes, '\n')
	}
	w.Name("grade")
	a.Grade.Write(&w)
	a.writeScreens(&w)
	w.Name("capability")
	a.tiers.Write(&w)
	w.Name("manifest_digest")
	from := len(w.Bytes)
	a.Block.Write(&w)
	s.block(&w, w.Bytes[from:])
	w.Name("reading_notes")
	w.Begin('{')
	w.Name("current")
	WriteNotes(&w, a.Manifest.Notes)
	w.End('}')
	s.finish(&w, a.writeSummary)
	return append(w.Bytes, '\n')
}

// writeScreens writes what both rulebooks find in each tool, as the command
// screen prints it.
func (a *Audit) writeScreens(w *jsonvalue.Builder) {
	rulebook := screen.Injection()
	scanner := screen.NewScanner(rulebook)
	w.Name("screens")
	w.Begin('[')
	for i, e := range a.Manifest.Entries {
		description := e.Value.Get("description")
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
		WriteMatches(w, scanner.Scan(description.Text()))
		w.End('}')
		w.Name(screen.Poison().ID)
		w.Begin('{')
		w.Name("hits")
		w.Begin('[')
		for k := range a.poison[i] {
			a.poison[i][k].Write(w)
		}
		w.End(']')
		w.End('}')
		w.End('}')
	}
	w.End(']')
}

func (a *Audit) writeSummary(w *jsonvalue.Builder) {
	w.Member("criteria_id", claims.Criteria)
	w.Filled("issuer", a.Head.Issuer)
	w.Member("as_of", a.Head.AsOf)
	w.Name("score")
	w.Int(a.Grade.Score)
	w.Member("grade", a.Grade.Grade)
	w.Name("counts")
	a.Grade.Counts.Write(w)
	w.Member("current_aggregate", a.Block.Aggregate.Hex())
}
