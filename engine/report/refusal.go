package report

import "github.com/manifestseal/manifestseal/engine/jsonvalue"

// Refusal is why a report says nothing of a manifest: nothing was compared, or
// nothing was graded.
type Refusal struct {
	Reason   string
	CapBytes int // the cap that a document was over, else 0
}

// The reasons that are published. The first three a comparison itself can have,
// and an audit the second of them.
const (
	ZeroToolsBaseline = "zero_tools_baseline"
	ZeroToolsCurrent  = "zero_tools_current"
	ZeroToolsBoth     = "zero_tools_both"
	FetchFailed       = "fetch_failed"
	FetchTimeout      = "fetch_timeout"
	FetchTooLarge     = "fetch_too_large"
	NotAManifest      = "not_a_manifest"
	TooDeep           = "too_deep"
)

func (r Refusal) write(w *jsonvalue.Builder) {
	w.Member("reason", r.Reason)
	if r.CapBytes > 0 {
		w.Name("cap_bytes")
		w.Int(r.CapBytes)
	}
}

// NotCompared makes the could-not-compare shape for a current manifest that
// could not be had.
func NotCompared(head Head, baseline Baseline, source Source, why Refusal) *Drift {
	return &Drift{Head: head, Baseline: baseline, Source: source, Refusal: why}
}

// NotGraded makes the could-not-grade shape for a manifest that could not be
// had.
func NotGraded(head Head, source Source, why Refusal) *Audit {
	return &Audit{Head: head, Source: source, Refusal: why}
}
