package submission

import (
	"slices"

	"github.com/manifestseal/manifestseal/engine/jsonvalue"
)

// known refuses what the contract has no name for, and what is there twice: two
// readers would take two different things for what was asked.
func known(root jsonvalue.Value, allowed []string) *Refusal {
	if name, repeated := root.Repeated(); repeated {
		return refuse("repeated_member", pointerTo(name), "The body has the member "+named(name)+" twice. Give it once.")
	}
	for name := range root.Members() {
		if !slices.Contains(allowed, name) {
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
