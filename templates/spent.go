package templates

import "github.com/manifestseal/manifestseal/engine/view"

// spent is what stands when both workers of the page have ended: a sealed page
// can't start a third.
func spent() view.View {
	return view.View{
		State:   view.NotCompared,
		Verdict: "COULD NOT COMPARE",
		Lead:    "The comparison stopped before it had an answer. This says nothing about the two manifests.",
		Notices: []view.Notice{{Kind: "reason", Text: "engine_stopped: the engine ended or ran too long a second time, and a sealed page can't start it again. Reload the page to go on. The command manifestseal compares the same files without a browser."}},
	}
}
