package seal

import (
	"strings"

	"github.com/manifestseal/manifestseal/engine/digest"
	"github.com/manifestseal/manifestseal/engine/jsonvalue"
	"github.com/manifestseal/manifestseal/engine/manifest"
)

// Kind is which signed document one is.
type Kind string

const (
	DriftReport     Kind = "drift_report"
	AuditReport     Kind = "audit_report"
	CouldNotCompare Kind = "could_not_compare"
	CouldNotGrade   Kind = "could_not_grade"
	SummaryAlone    Kind = "summary"      // {summary, summary_signature}
	BlockAlone      Kind = "digest_block" // {manifest_digest, manifest_digest_signature}, or a bare block
)

// Step is one check of a verdict, by name.
type Step struct {
	Name  string // "form", or the member that was checked
	Check Check
	Note  string // what was found, as a sentence
	KeyID string // the key that a signature names, or that made a bare one
}

// Verdict is all that was checked of one document. What stands in the document
// may be shown, and relied on only as far as the headline goes.
type Verdict struct {
	Kind  Kind
	Root  jsonvalue.Value
	Steps []Step
	Key   Key    // that made the document's own signature; zero when it is not known
	KeyID string // the key that this signature names
	Block *digest.Block

	keys Keys
}

// Headline is the worst of the checks.
func (v *Verdict) Headline() Check {
	worst := Valid
	for _, s := range v.Steps {
		worst = min(worst, s.Check)
	}
	if len(v.Steps) == 0 {
		return Malformed
	}
	return worst
}

// Examine gives the verdict on a document: a report, a digest block with its
// signature, or a summary with its own. The error is a *jsonvalue.Error and says
// that the text is no JSON, or JSON that is none of these; a document of ours
// that can't be relied on is no error but a verdict.
func (k Keys) Examine(text string) (*Verdict, error) {
	doc, err := jsonvalue.ParsePart(text, 0, len(text), maxDepth)
	if err != nil {
		return nil, err
	}
	v := &Verdict{Root: doc.Root(), keys: k}
	if v.Kind = kindOf(v.Root); v.Kind == "" {
		return nil, &jsonvalue.Error{Class: jsonvalue.Shape, Code: "not_a_report", Message: "this is no report, summary or signed digest block of ManifestSeal", Advice: "Give it exactly as it was issued."}
	}
	if fault := readStrictly(doc, v.known()); fault != nil {
		v.step("form", Malformed, "It can't be relied on: "+strings.TrimPrefix(strings.TrimSuffix(fault.Error(), "."), "the report is malformed: ")+".")
		return v, nil
	}
	switch v.Kind {
	case SummaryAlone:
		v.examineSummary()
	case BlockAlone:
		v.examineBlock()
	default:
		v.examineReport()
	}
	return v, nil
}

func kindOf(root jsonvalue.Value) Kind {
	switch id := root.Get("criteria_id"); {
	case root.Kind() != jsonvalue.Object:
		return ""
	case id.Kind() == jsonvalue.String && root.Get("aggregate_digest").Exists():
		return BlockAlone
	case id.Text() == manifest.ClaimsCriteria && root.Get("reason").Exists():
		return CouldNotGrade
	case id.Text() == manifest.ClaimsCriteria:
		return AuditReport
	case id.Kind() == jsonvalue.String && root.Get("reason").Exists():
		return CouldNotCompare
	case id.Kind() == jsonvalue.String:
		return DriftReport
	case id.Exists():
		return ""
	case root.Get("manifest_digest").Kind() == jsonvalue.Object:
		return BlockAlone
	case root.Get("summary").Kind() == jsonvalue.Object:
		return SummaryAlone
	}
	return ""
}

// known are the members that a document of the verdict's kind may have; nil
// where another reading finds that out.
func (v *Verdict) known() []string {
	switch {
	case v.Kind == SummaryAlone:
		return []string{"summary", "summary_signature"}
	case v.Kind != BlockAlone && supported(v.Root):
		return members
	case v.Kind == BlockAlone && !v.Root.Get("aggregate_digest").Exists():
		return []string{"manifest_digest", "manifest_digest_signature"}
	}
	return nil
}

func (v *Verdict) step(name string, check Check, note string) {
	v.Steps = append(v.Steps, Step{Name: name, Check: check, Note: note})
}

// signature checks one signature and says what came of it.
func (v *Verdict) signature(name string, value jsonvalue.Value, signed []byte, asOf string) (Key, Check) {
	key, check := Key{}, Malformed
	// Only a block that stands alone may come with the bare base64.
	if value.Kind() == jsonvalue.Object || v.Kind == BlockAlone {
		key, check = v.keys.verifyValue(value, signed, asOf)
	}
	id := value.Get("key_id").Text()
	if id == "" {
		id = key.ID
	}
	v.Steps = append(v.Steps, Step{name, check, "The signature " + check.Short() + ".", id})
	return key, check
}

// own checks the document's own signature, which says whose it is.
func (v *Verdict) own(name string, signed []byte, asOf string) {
	value := v.Root.Get(name)
	if !value.Exists() {
		v.step(name, Unsigned, "It bears no signature.")
		return
	}
	v.Key, _ = v.signature(name, value, signed, asOf)
	v.KeyID = v.Steps[len(v.Steps)-1].KeyID
}

func (v *Verdict) examineBlock() {
	block := v.Root.Get("manifest_digest")
	if !block.Exists() {
		block = v.Root
	}
	if !v.readBlock(block) {
		return
	}
	v.own("manifest_digest_signature", BlockBytes(block), v.Block.AsOf)
}

// readBlock checks that a digest block is consistent in itself.
func (v *Verdict) readBlock(block jsonvalue.Value) bool {
	b, err := digest.Read(block)
	if err == nil && !wellFormedTime(b.AsOf) {
		v.step("manifest_digest", Malformed, "The block's as_of is no time in the form of a report.")
		return false
	}
	if err != nil {
		v.step("manifest_digest", Malformed, "The digest block can't be relied on: "+err.Error()+".")
		return false
	}
	v.Block = b
	v.step("manifest_digest", Valid, "The digest block is consistent: its count and its aggregate follow from its tools.")
	return true
}

func (v *Verdict) examineSummary() {
	summary := v.Root.Get("summary")
	if !supportedCriteria(summary) {
		v.step("form", Unsupported, "It names criteria that are not known here.")
		return
	}
	if fault := summaryFault(summary); fault != "" {
		v.step("form", Malformed, fault)
		return
	}
	v.step("form", Valid, "It has the form of a summary.")
	v.own("summary_signature", SummaryBytes(summary), summary.Get("as_of").Text())
}

func (v *Verdict) examineReport() {
	if !supported(v.Root) {
		v.step("form", Unsupported, "It names criteria or a version that are not known here.")
		return
	}
	if fault := v.formFault(); fault != "" {
		v.step("form", Malformed, fault)
		return
	}
	v.step("form", Valid, "It has the form of a report, read strictly: no repeated, unknown or missing members.")
	asOf := v.Root.Get("as_of").Text()
	v.own("signature", ReportBytes(v.Root), asOf)
	if v.Kind == DriftReport {
		if fault := verdictFault(v.Root.Get("verdict").Text(), v.Root.Get("counts")); fault != "" {
			v.step("verdict", Mismatch, fault)
		}
	}
	if v.Root.Get("manifest_digest").Exists() {
		v.examineParts(asOf)
	}
	v.examineAttestations(asOf)
}

// examineParts checks what stands inside a report and can also stand alone.
func (v *Verdict) examineParts(asOf string) {
	block, summary := v.Root.Get("manifest_digest"), v.Root.Get("summary")
	if v.readBlock(block) {
		if fault := blockMismatch(v.Block, v.Root.Get("current")); fault != "" {
			v.step("current", Mismatch, fault)
		}
	}
	v.part("manifest_digest_signature", BlockBytes(block), block.Get("as_of").Text())
	if fault := summaryMismatch(v.Root); fault != "" {
		v.step("summary", Mismatch, fault)
	} else {
		v.step("summary", Valid, "The summary says what the report says, and its report_sha256 is this report's.")
	}
	v.part("summary_signature", SummaryBytes(summary), asOf)
}

// part checks the signature of a part. A report that is signed has all of them.
func (v *Verdict) part(name string, signed []byte, asOf string) {
	value := v.Root.Get(name)
	switch {
	case value.Exists():
		v.signature(name, value, signed, asOf)
	case v.Root.Get("signature").Exists():
		v.step(name, Malformed, "A signed report has to have it, and it is missing.")
	}
}
