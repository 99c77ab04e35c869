package submission

import (
	"time"

	"github.com/manifestseal/manifestseal/engine/report"
	"github.com/manifestseal/manifestseal/engine/seal"
)

// expired refuses what a retired key signed after it was retired: it signs no
// more, so somebody else held it by then.
func (r *Reader) expired(b *report.Baseline, member string) *Refusal {
	for _, key := range r.Keys {
		if b.KeyID == "" || key.ID != b.KeyID || key.State != seal.StateRetired {
			continue
		}
		retired, err := time.Parse(time.RFC3339, key.RetiredAt)
		issued, err2 := time.Parse(time.RFC3339, b.Block.AsOf)
		if err != nil || err2 != nil || !issued.Before(retired) {
			return refuse("baseline_key_retired", "/"+member, "The baseline is dated after its key was retired, so the signature does not count. Ask for a new report, or give the manifest as baseline_manifest.")
		}
	}
	return nil
}
