package report

import (
	"github.com/manifestseal/manifestseal/engine/digest"
	"github.com/manifestseal/manifestseal/engine/jsonvalue"
)

// Source says where the current manifest came from. The zero Source is a
// manifest that was handed in.
type Source struct {
	URL     string     // where it was fetched, without query and fragment: they can hold secrets
	Fetched digest.Sum // SHA-256 of the document as fetched; zero when it was not
}

// writeCurrent writes the member current, as far as the manifest is known:
// block is nil for one that could not be read.
func writeCurrent(w *jsonvalue.Builder, s Source, block *digest.Block) {
	w.Name("current")
	w.Begin('{')
	if s.URL == "" {
		w.Member("source", "manifest")
	} else {
		w.Member("source", "url")
		w.Member("url", s.URL)
		if s.Fetched != (digest.Sum{}) {
			w.Member("fetched_sha256", s.Fetched.Hex())
		}
	}
	if block != nil {
		writeBlockFacts(w, block)
	}
	w.End('}')
}
