// Package submission implements the input contract of mcp-manifest-drift/v1: a
// request body becomes a baseline and a current manifest or its URL, or is
// refused, with a place and with what to do. All of it is checked before any
// payment is.
//
// It never fetches, prices or stores.
package submission

import (
	"strconv"

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
