package poison

import (
	"strconv"

	"github.com/manifestseal/manifestseal/engine/claims/fold"
	"github.com/manifestseal/manifestseal/engine/jsonvalue"
	"github.com/manifestseal/manifestseal/engine/manifest"
)

const ruleLookalike = "lookalike-name"

// lookalikes returns the hits of names that look like another name of the manifest or of the baseline without being it,
// and of names that look like ASCII and are not, by entry.
func lookalikes(m *manifest.Manifest, baseline []string) map[int][]Hit {
	first := map[string]string{} // a look → the name that has it
	old := map[string]bool{}
	for _, name := range baseline {
		old[name] = true
		if look := fold.Skeleton(name); first[look] == "" {
			first[look] = name
		}
	}
	hits := map[int][]Hit{}
	for i, e := range m.Entries {
		if !e.Named {
			continue
		}
		look := fold.Skeleton(e.Name)
		like := first[look]
		if like == "" {
			first[look] = e.Name
		}
		// Of two names one poses as the other: a name that the baseline has is the older one.
		if like == "" && look != e.Name && isASCII(look) && !isASCII(e.Name) {
			like = look
		}
		if like == "" || like == e.Name || old[e.Name] {
			continue
		}
		pointer := jsonvalue.PointerToken(m.Pointer+"/"+strconv.Itoa(i), "name")
		hits[i] = append(hits[i], Hit{
			ruleLookalike, ruleLookalike, Critical, lower(cut(like)), cut(e.Name), pointer, false, AsSubmitted,
			e.Name, 0, jsonvalue.UTF16Len(e.Name),
		})
	}
	return hits
}

func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= 0x80 {
			return false
		}
	}
	return true
}
