package view

import (
	"strconv"

	"github.com/manifestseal/manifestseal/engine/jsonvalue"
	"github.com/manifestseal/manifestseal/engine/seal"
)

// Certificate is what a person sees of a signed document: the verdict on its
// signatures first, then what it says, then what it does not say. What it says is
// told as a claim wherever the signatures do not stand.
type Certificate struct {
	Check    string // the headline's name: "valid", "unknown_key", …
	Stands   bool   // whether a stranger may rely on what is signed
	Title    string
	Sentence string
	Found    string // "unchanged", "changed", "not_compared", "graded", "digests"
	SaysHead string // "What was found", or "What it claims; do not rely on it"
	Says     string // the verdict or the grade, in the document's words
	Facts    []Fact
	Limits   []string
	Checks   []CheckRow
	Match    *Matched

	// Of an audit report, which no comparison paints.
	Tools    []AuditTool
	Findings []Failing
	More     string // what is not listed, counted; or empty
}

// Fact is one thing that the document says of itself.
type Fact struct {
	Label string
	Value []Segment
	Exact string // for copying, where that is of use
	Note  string
}

// CheckRow is one check by name.
type CheckRow struct {
	Name  string // "signature"
	Label string // "Signature of the report"
	Check string
	Glyph string // "✓", "!", "✗"
	Note  string
	KeyID string
}

// CertificateOf returns the certificate of a verdict.
func CertificateOf(v *seal.Verdict, m *Match) *Certificate {
	headline := v.Headline()
	c := &Certificate{
		Check: headline.String(), Stands: headline.Vouches(), Title: headline.Title(), Sentence: headline.Sentence(),
		Found: found(v), Says: says(v), Limits: limits(v, headline), Match: m.shown(),
	}
	c.SaysHead = "What it claims; do not rely on it"
	if headline.Vouches() {
		c.SaysHead = "What the issuer signed"
		if v.Key.Source == seal.Told {
			c.Sentence += " The key is one that this server told: no build pins it."
		}
	}
	for _, s := range v.Steps {
		c.Checks = append(c.Checks, CheckRow{Name: s.Name, Label: checkLabel(s.Name), Check: s.Check.String(), Glyph: glyphOf(s.Check), Note: Labelled(s.Note), KeyID: Labelled(s.KeyID)})
	}
	if headline == seal.Malformed {
		// Nothing in it is known to mean what it seems to.
		c.Says, c.SaysHead, c.Found = "", "", NotCompared
		return c
	}
	c.Facts = facts(v)
	c.audit(v)
	return c
}

func glyphOf(c seal.Check) string {
	switch {
	case c.Vouches():
		return "✓"
	case c.Refused() || c == seal.Malformed:
		return "✗"
	}
	return "!"
}

func checkLabel(name string) string {
	switch name {
	case "form":
		return "Form"
	case "signature":
		return "Signature of the report"
	case "verdict":
		return "Verdict and counts"
	case "current":
		return "Current manifest"
	case "manifest_digest":
		return "Digest block"
	case "manifest_digest_signature":
		return "Signature of the digest block"
	case "summary":
		return "Summary"
	case "summary_signature":
		return "Signature of the summary"
	case "attestations":
		return "Attestations"
	case "attestations.dsse":
		return "DSSE signature"
	case "attestations.jws":
		return "JWS signature"
	}
	return ""
}

func kindLabel(kind seal.Kind) string {
	switch kind {
	case seal.DriftReport:
		return "Drift report: a baseline compared with a current manifest"
	case seal.AuditReport:
		return "Audit report: one manifest, graded"
	case seal.CouldNotCompare:
		return "A statement that nothing could be compared"
	case seal.CouldNotGrade:
		return "A statement that nothing could be graded"
	case seal.SummaryAlone:
		return "Summary of a report; the report itself is not here"
	case seal.BlockAlone:
		return "Digest block of one manifest"
	}
	return ""
}

// body is the part of a document that says when and what.
func body(v *seal.Verdict) jsonvalue.Value {
	switch {
	case v.Kind == seal.SummaryAlone:
		return v.Root.Get("summary")
	case v.Kind == seal.BlockAlone && v.Root.Get("manifest_digest").Exists():
		return v.Root.Get("manifest_digest")
	}
	return v.Root
}

func found(v *seal.Verdict) string {
	switch v.Kind {
	case seal.AuditReport:
		return "graded"
	case seal.BlockAlone:
		return "digests"
	case seal.CouldNotCompare, seal.CouldNotGrade:
		return NotCompared
	}
	switch b := body(v); {
	case b.Get("score").Exists():
		return "graded"
	case b.Get("verdict").Text() == "MANIFEST UNCHANGED":
		return Unchanged
	case b.Get("verdict").Exists():
		return Changed
	}
	return NotCompared
}

func grade(v *seal.Verdict) jsonvalue.Value {
	if v.Kind == seal.AuditReport {
		return v.Root.Get("grade")
	}
	return body(v)
}

func says(v *seal.Verdict) string {
	switch found(v) {
	case "graded":
		g := grade(v)
		return "GRADE " + Labelled(g.Get("grade").Text()) + ", " + strconv.Itoa(int(g.Get("score").Float())) + " OF 100"
	case "digests":
		return "THE DIGESTS OF ONE MANIFEST"
	}
	return Labelled(body(v).Get("verdict").Text())
}

func facts(v *seal.Verdict) []Fact {
	b := body(v)
	out := []Fact{{Label: "Document", Value: Plain(kindLabel(v.Kind))}}
	add := func(label, text, note string) {
		if text != "" {
			out = append(out, Fact{Label: label, Value: cut(text, maxShown), Exact: text, Note: note})
		}
	}
	add("Issued by", b.Get("issuer").Text(), "as the document says; the key is what proves it")
	out = append(out, keyFact(v)...)
	add("Issued at", b.Get("as_of").Text(), "")
	add("Under", b.Get("criteria_id").Text(), "")
	for _, side := range []struct{ label, member, aggregate string }{{"Baseline", "baseline", "baseline_aggregate"}, {"Current manifest", "current", "current_aggregate"}} {
		add(side.label, b.Get(side.member).Get("aggregate_digest").Text()+b.Get(side.aggregate).Text(), sideNote(b.Get(side.member)))
	}
	add("Fetched from", b.Get("current").Get("url").Text(), "")
	if v.Kind == seal.BlockAlone && v.Block != nil {
		add("Manifest", v.Block.Aggregate.Hex(), plural(len(v.Block.Tools), "tool"))
	}
	add("Counts", countsText(v, b), "")
	add("Reason", reasonOf(b), "")
	add("Report", b.Get("report_sha256").Text()+b.Get("summary").Get("report_sha256").Text(), "SHA-256 by which the summary names the report")
	return out
}

func keyFact(v *seal.Verdict) []Fact {
	if v.KeyID == "" {
		return nil
	}
	note := "not known here"
	if v.Key.ID != "" {
		note = string(v.Key.State)
		if v.Key.RetiredAt != "" && v.Key.State == seal.StateRetired {
			note += " since " + v.Key.RetiredAt
		}
		if v.Key.Development {
			note = "development key, " + note
		}
		note += "; " + sourceWords(v.Key.Source)
	}
	return []Fact{{Label: "Signed with the key", Value: cut(v.KeyID, maxShown), Exact: v.KeyID, Note: Labelled(note)}}
}

func sourceWords(source seal.Source) string {
	switch source {
	case seal.Pinned:
		return "pinned in this build, with its history"
	case seal.Told:
		return "told by this server, not pinned: whoever runs the server can name any key"
	case seal.Given:
		return "from the key set that you gave"
	case "":
		return "from the key set"
	}
	return ""
}

func sideNote(side jsonvalue.Value) string {
	if !side.Get("tool_count").Exists() {
		return ""
	}
	note := plural(int(side.Get("tool_count").Float()), "tool")
	if origin := side.Get("note").Text(); origin != "" {
		note += ". " + Labelled(origin)
	}
	return note
}

func countsText(v *seal.Verdict, b jsonvalue.Value) string {
	counts, names := b.Get("counts"), []string{"changed", "added", "removed", "unchanged"}
	if found(v) == "graded" {
		counts, names = grade(v).Get("counts"), []string{"pass", "fail", "unknown"}
	}
	text := ""
	for _, name := range names {
		if n := counts.Get(name); n.Kind() == jsonvalue.Number {
			if text != "" {
				text += ", "
			}
			text += thousands(int(n.Float())) + " " + name
		}
	}
	return text
}

func reasonOf(b jsonvalue.Value) string {
	if code := b.Get("reason").Text(); code != "" {
		return reasonText(code)
	}
	return ""
}

// limits are what the document does not say, whatever its signatures are worth.
func limits(v *seal.Verdict, headline seal.Check) []string {
	var out []string
	switch found(v) {
	case Changed, Unchanged:
		out = append(out, "It says whether two documents differ by published digest rules. It does not say that a tool is safe, what a server does when it is called, or why anything changed.")
	case "graded":
		out = append(out, "It grades what one document claims, by published rules. It does not say that a tool is safe, or what a server does when it is called.")
	case NotCompared:
		out = append(out, "It says that nothing was compared or graded. It is no statement that a manifest is unchanged.")
	default:
		out = append(out, "It names the tools of one document by their digests. It says nothing about what they do.")
	}
	out = append(out, "It is about the documents of that time. What a server lists today can be another manifest: give that manifest too, to see.")
	if headline.Holds() {
		out = append(out, "A signature says who made this and that nothing was altered since. It does not make what is said true.")
	}
	return out
}

// WriteClaims writes what a document says of itself, for programs: members of
// the object that is open.
func WriteClaims(w *jsonvalue.Builder, v *seal.Verdict) {
	if v.Headline() == seal.Malformed {
		return
	}
	b := body(v)
	for _, name := range []string{"criteria_id", "issuer", "as_of", "verdict", "reason"} {
		w.Optional(name, b.Get(name))
	}
	if found(v) == "graded" {
		w.Optional("score", grade(v).Get("score"))
		w.Optional("grade", grade(v).Get("grade"))
	}
	w.Optional("counts", b.Get("counts"))
	w.Filled("key_id", v.KeyID)
}
