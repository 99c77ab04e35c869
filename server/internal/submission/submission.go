// Package submission implements the input contract of mcp-manifest-drift/v1: a
// request body becomes a baseline and a current manifest or its URL, or is
// refused, with a place and with what to do. All of it is checked before any
// payment is.
//
// It never fetches, prices or stores.
package submission

import (
	"errors"
	"strconv"
	"strings"

	"github.com/manifestseal/manifestseal/engine"
	"github.com/manifestseal/manifestseal/engine/jsonvalue"
	"github.com/manifestseal/manifestseal/engine/manifest"
	"github.com/manifestseal/manifestseal/engine/report"
	"github.com/manifestseal/manifestseal/engine/seal"
	"github.com/manifestseal/manifestseal/server/internal/fetch"
)

// Kind is the endpoint that a body was sent to.
type Kind uint8

const (
	Audit Kind = iota
	Drift
	Precheck
)

// Submission is a body that passed.
type Submission struct {
	Baseline *report.Baseline   // nil for an audit
	Manifest *manifest.Manifest // nil in URL mode
	Target   *fetch.Target      // nil in manifest mode
	Caller   string             // base58, of a pre-check
}

// Reader reads bodies.
type Reader struct {
	Keys  seal.Keys // those whose signatures anchor a baseline
	Fetch *fetch.Fetcher
}

// The members that a body may have.
const (
	baselineReport    = "baseline_report"
	baselineDigests   = "baseline_digests"
	baselineSignature = "baseline_signature"
	baselineManifest  = "baseline_manifest"
	currentManifest   = "manifest"
	currentURL        = "url"
	caller            = "caller"
)

func members(kind Kind) []string {
	if kind == Audit {
		return []string{currentManifest, currentURL}
	}
	return []string{baselineReport, baselineDigests, baselineSignature, baselineManifest, currentManifest, currentURL, caller}
}

// MaxTools is how many tools a manifest may have here. The largest real ones
// have about a thousand; a body of nothing but empty tools would have 170,000,
// and a report of hundreds of megabytes.
const MaxTools = 5_000

// TooMany refuses a manifest of more tools, which came in a member.
func TooMany(m *manifest.Manifest, member string) *Refusal {
	if len(m.Entries) <= MaxTools {
		return nil
	}
	return refuse("too_many_tools", "/"+member, "The manifest has "+strconv.Itoa(len(m.Entries))+" tools, and reports are made of at most "+strconv.Itoa(MaxTools)+". The compare page has no such limit.")
}

// bodyDepth lets a report in a body nest as deep as one by itself.
const bodyDepth = report.MaxDepth + 1

// Read reads a body. The error is a *Refusal.
func (r *Reader) Read(body []byte, kind Kind) (*Submission, error) {
	root, refusal := object(body)
	if refusal != nil {
		return nil, refusal
	}
	if refusal := known(root, members(kind)); refusal != nil {
		return nil, refusal
	}
	if refusal := exclusive(root, kind); refusal != nil {
		return nil, refusal
	}
	s := &Submission{}
	if err := r.current(s, root); err != nil {
		return nil, err
	}
	if kind == Audit {
		return s, nil
	}
	if refusal := s.readCaller(root.Get(caller), kind); refusal != nil {
		return nil, refusal
	}
	if err := r.baseline(s, root); err != nil {
		return nil, err
	}
	return s, nil
}

func object(body []byte) (jsonvalue.Value, *Refusal) {
	text, _, err := manifest.Decode(body, manifest.Wire)
	if err == nil {
		var doc *jsonvalue.Doc
		if doc, err = jsonvalue.ParsePart(trimMark(text), 0, len(trimMark(text)), bodyDepth); err == nil {
			if doc.Root().Kind() == jsonvalue.Object {
				return doc.Root(), nil
			}
			return jsonvalue.Value{}, refuse("not_an_object", "", "The body must be a JSON object with the members of this endpoint; see /docs/api.")
		}
	}
	return jsonvalue.Value{}, unreadable("invalid_json", "", "The body", err)
}

func trimMark(text string) string {
	const mark = "\uFEFF"
	if len(text) >= len(mark) && text[:len(mark)] == mark {
		return text[len(mark):]
	}
	return text
}

// known refuses what the contract has no name for, and what is there twice: two
// readers would take two different things for what was asked.
func known(root jsonvalue.Value, allowed []string) *Refusal {
	if name, repeated := root.Repeated(); repeated {
		return refuse("repeated_member", pointerTo(name), "The body has the member "+named(name)+" twice. Give it once.")
	}
	for name := range root.Members() {
		if !contains(allowed, name) {
			return refuse("unknown_member", pointerTo(name), "The body has a member that this endpoint does not know: "+named(name)+". Remove it; /docs/api lists those that there are.")
		}
	}
	return nil
}

func pointerTo(name string) string {
	if named(name)[0] != '"' {
		return ""
	}
	return jsonvalue.PointerToken("", name)
}

func contains(list []string, name string) bool {
	for _, n := range list {
		if n == name {
			return true
		}
	}
	return false
}

// exclusive holds the body to one baseline and one current side. A member that is
// null is there.
func exclusive(root jsonvalue.Value, kind Kind) *Refusal {
	has := func(name string) bool { return root.Get(name).Exists() }
	switch {
	case has(currentManifest) && has(currentURL):
		return refuse("current_exclusive", "/url", "The body has manifest and url. Give one of them; a member that is null counts.")
	case !has(currentManifest) && !has(currentURL):
		return refuse("current_missing", "", "The body has neither manifest nor url. Give one of them.")
	}
	if kind == Audit {
		return nil
	}
	pair := has(baselineDigests) || has(baselineSignature)
	modes := 0
	for _, there := range []bool{has(baselineReport), has(baselineManifest), pair} {
		if there {
			modes++
		}
	}
	switch {
	case modes > 1:
		return refuse("baseline_exclusive", "", "The body has more than one baseline. Give baseline_report, or baseline_digests with baseline_signature, or baseline_manifest; a member that is null counts.")
	case modes == 0:
		return refuse("baseline_missing", "", "The body has no baseline. Give baseline_report, or baseline_digests with baseline_signature, or baseline_manifest.")
	case pair && !has(baselineSignature):
		return refuse("baseline_pair_incomplete", "/"+baselineDigests, "baseline_digests stands without baseline_signature. Give both as the report has them: manifest_digest and manifest_digest_signature.")
	case pair && !has(baselineDigests):
		return refuse("baseline_pair_incomplete", "/"+baselineSignature, "baseline_signature stands without baseline_digests. Give both as the report has them: manifest_digest and manifest_digest_signature.")
	}
	return nil
}

func (r *Reader) current(s *Submission, root jsonvalue.Value) error {
	if v := root.Get(currentManifest); v.Exists() {
		m, err := manifest.Read([]byte(v.Source()), manifest.Wire)
		if err != nil {
			return unreadable("not_a_manifest", "/"+currentManifest, "The manifest", err)
		}
		if refusal := TooMany(m, currentManifest); refusal != nil {
			return refusal
		}
		s.Manifest = m
		return nil
	}
	target, err := r.Fetch.Parse(root.Get(currentURL).Text())
	if err != nil {
		return refuse("invalid_url", "/"+currentURL, "This URL is not fetched. Give an http or https URL of a public host, on port 80, 443, 8080 or 8443, without user name and password.")
	}
	s.Target = target
	return nil
}

func (r *Reader) baseline(s *Submission, root jsonvalue.Value) error {
	o := engine.Options{Keys: r.Keys, Mode: manifest.Wire}
	source := func(name string) []byte { return []byte(root.Get(name).Source()) }
	var b report.Baseline
	var err error
	member := baselineManifest
	switch {
	case root.Get(baselineReport).Exists():
		member = baselineReport
		b, err = engine.ReportBaseline(source(member), o)
	case root.Get(baselineDigests).Exists():
		member = baselineDigests
		b, err = engine.DigestsBaseline(source(member), source(baselineSignature), o)
	default:
		b, err = engine.ManifestBaseline(source(member), o)
	}
	if err != nil {
		return unusable(member, err)
	}
	if b.Manifest != nil {
		if refusal := TooMany(b.Manifest, member); refusal != nil {
			return refusal
		}
	}
	s.Baseline = &b
	return nil
}

// unusable says why a baseline is refused.
func unusable(member string, err error) *Refusal {
	pointer := "/" + member
	var e *jsonvalue.Error
	if !errors.As(err, &e) {
		return refuse("baseline_unreadable", pointer, "The baseline can't be read: "+err.Error()+".")
	}
	switch e.Class {
	case engine.SignatureError:
		if member == baselineDigests {
			pointer = "/" + baselineSignature
		}
		return refuse("baseline_"+e.Code, pointer, sentence(e))
	case engine.BlockError:
		return refuse("baseline_digests_inconsistent", pointer, sentence(e))
	}
	if member == baselineManifest {
		return unreadable("not_a_manifest", pointer, "The baseline", err)
	}
	return unreadable("baseline_unreadable", pointer, "The baseline", err)
}

// unreadable says why a document can't be read, and where in it.
func unreadable(code, pointer, what string, err error) *Refusal {
	var e *jsonvalue.Error
	if !errors.As(err, &e) {
		return refuse(code, pointer, what+" can't be read: "+err.Error()+".")
	}
	switch e.Class {
	case jsonvalue.Depth:
		code = "too_deep"
	case jsonvalue.Encoding:
		code = "invalid_encoding"
	}
	where := ""
	if e.Line > 0 {
		where = " (line " + strconv.Itoa(e.Line) + ", column " + strconv.Itoa(e.Column) + ")"
	}
	return refuse(code, pointer, what+" is refused"+where+": "+sentence(e))
}

func sentence(e *jsonvalue.Error) string {
	text := strings.TrimSuffix(e.Message, ".") + "."
	if e.Advice != "" {
		text += " " + e.Advice
	}
	return text
}
