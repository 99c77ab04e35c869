package engine

import (
	"github.com/manifestseal/manifestseal/engine/claims"
	"github.com/manifestseal/manifestseal/engine/digest"
	"github.com/manifestseal/manifestseal/engine/gate"
	"github.com/manifestseal/manifestseal/engine/jsonvalue"
	"github.com/manifestseal/manifestseal/engine/manifest"
	"github.com/manifestseal/manifestseal/engine/view"
)

// Inspected is all that is known of one manifest.
type Inspected struct {
	Manifest *manifest.Manifest
	Block    *digest.Block
	Decision *gate.Decision // of a gate at its defaults, with the grade and the tiers
}

// Inspect looks at one manifest with all there is: digests, grade, screens,
// tiers. Zero tools are no error; nothing is graded then.
func Inspect(document []byte, o Options) (*Inspected, error) {
	m, err := manifest.Read(document, o.Mode)
	if err != nil {
		return nil, err
	}
	return &Inspected{m, digest.Of(m, o.AsOf), gate.Scan(m, gate.Defaults(), gate.Extra{})}, nil
}

// View returns what a person sees of it.
func (i *Inspected) View() *view.Inspection { return view.Inspect(i.Manifest, i.Block, i.Decision) }

// Grade returns mcp-manifest-claims/v1's output for a manifest: one JSON object
// and an LF, as the command prints it.
func Grade(document []byte, o Options) ([]byte, error) {
	m, err := manifest.Read(document, o.Mode)
	if err != nil {
		return nil, err
	}
	return jsonLine(claims.Grade(m).Write), nil
}

// Scan returns the decision of a gate at its defaults: one JSON object and an
// LF, as the command prints it.
func Scan(document []byte, o Options) ([]byte, error) {
	m, err := manifest.Read(document, o.Mode)
	if err != nil {
		return nil, err
	}
	return jsonLine(gate.Scan(m, gate.Defaults(), gate.Extra{}).Write), nil
}

func jsonLine(write func(*jsonvalue.Builder)) []byte {
	var w jsonvalue.Builder
	write(&w)
	return append(w.Bytes, '\n')
}
