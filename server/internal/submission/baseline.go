package submission

import (
	"errors"

	"github.com/manifestseal/manifestseal/engine"
	"github.com/manifestseal/manifestseal/engine/jsonvalue"
	"github.com/manifestseal/manifestseal/engine/manifest"
	"github.com/manifestseal/manifestseal/engine/report"
)

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
