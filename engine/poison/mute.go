package poison

import "github.com/manifestseal/manifestseal/engine/digest"

// Mute silences one rule on one tool for a reason, as long as the tool is what it was. Nothing mutes a whole server.
type Mute struct {
	Rule       string
	Tool       string
	Occurrence int // from 1, among the tools of that name
	Reason     string
	Digest     digest.Sum // of the whole tool, when it was muted
}

// Muted returns the mute that silences a hit on a tool with that digest, or nil. A mute without a reason silences
// nothing.
func Muted(mutes []Mute, h *Hit, tool string, occurrence int, whole digest.Sum) *Mute {
	for i := range mutes {
		m := &mutes[i]
		if m.Rule == h.Rule && m.Tool == tool && m.Occurrence == occurrence && m.Digest == whole && m.Reason != "" {
			return m
		}
	}
	return nil
}
