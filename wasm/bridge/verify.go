package bridge

import (
	"github.com/manifestseal/manifestseal/engine"
	"github.com/manifestseal/manifestseal/engine/jsonvalue"
	"github.com/manifestseal/manifestseal/engine/report"
	"github.com/manifestseal/manifestseal/engine/seal"
)

// keysIn reads the keys that a page has: {"pinned": JWKS, "told": JWKS}, those
// of its build and those of the server that it came from. The server can take
// trust away from a pinned key; what it adds is told from the pinned ones.
func keysIn(input []byte) (seal.Keys, error) {
	doc, err := jsonvalue.Parse(string(input))
	if err != nil {
		return nil, err
	}
	var sets [2]seal.Keys
	for i, source := range []seal.Source{seal.Pinned, seal.Told} {
		keys, err := seal.ReadKeys([]byte(doc.Root().Get(string(source)).Source()))
		if err != nil {
			return nil, &jsonvalue.Error{Class: "keys", Code: "not_a_key_set", Message: "the page's own keys can't be read (" + string(source) + "): " + err.Error(), Advice: "Reload the page. If it stays, tell whoever runs the site."}
		}
		sets[i] = keys.From(source)
	}
	return sets[0].With(sets[1]), nil
}

func optionsUnder(keys []byte, asOf string) (engine.Options, error) {
	o := options(asOf)
	set, err := keysIn(keys)
	o.Keys = set
	return o, err
}

func verify(in [][]byte) ([][]byte, error) {
	o, err := optionsUnder(in[2], "")
	if err != nil {
		return nil, err
	}
	candidate := in[1]
	if len(candidate) == 0 {
		candidate = nil
	}
	v, err := engine.Verify(in[0], candidate, o)
	if err != nil {
		return nil, err
	}
	var painted []byte
	if shown := v.View(); shown != nil {
		painted = shown.JSON()
	}
	return success(func(w *jsonvalue.Builder) {
		w.Member("check", v.Headline().String())
		w.Member("kind", string(v.Kind))
		w.Name("forms")
		w.Begin('[')
		for _, form := range seal.Forms() {
			if _, ok := v.Export(form); ok {
				w.String(form)
			}
		}
		w.End(']')
	}, v.Certificate().JSON(), v.JSON(), painted), nil
}

func export(in [][]byte) ([][]byte, error) {
	o, err := optionsUnder(in[2], "")
	if err != nil {
		return nil, err
	}
	v, err := engine.Verify(in[0], nil, o)
	if err != nil {
		return nil, err
	}
	data, ok := v.Export(string(in[1]))
	if !ok {
		return nil, &jsonvalue.Error{Class: jsonvalue.Shape, Code: "no_such_form", Message: "the document can't be given in this form", Advice: "It lacks the signature that the form needs, or the key is not known."}
	}
	return success(nil, data), nil
}

// compareSigned is compare with keys for a signed baseline.
func compareSigned(in [][]byte) ([][]byte, error) {
	o, err := optionsUnder(in[3], string(in[2]))
	if err != nil {
		return nil, err
	}
	return compareWith(in[0], in[1], o)
}

// readSignedBaseline is read_baseline with keys; it also says who anchors what
// was read.
func readSignedBaseline(in [][]byte) ([][]byte, error) {
	o, err := optionsUnder(in[1], "")
	if err != nil {
		return nil, err
	}
	return readBaselineWith(in[0], o)
}

// anchor says in a sentence what a baseline is that is no manifest.
func anchor(b report.Baseline, keys seal.Keys) string {
	if b.Mode == report.ManifestMode {
		return ""
	}
	what := "A digest block"
	if b.Mode == report.ReportMode {
		what = "A report"
	}
	held := " It holds digests only: old values are not available."
	if b.Origin != report.SignedReport {
		return what + " that nobody signed: nothing anchors it." + held
	}
	for _, k := range keys {
		if k.ID == b.KeyID {
			return what + " as of " + b.Block.AsOf + ", signed with the key " + k.ID + " (" + standing(k) + ")." + held
		}
	}
	return ""
}

func standing(k seal.Key) string {
	text := "a key of this build"
	if k.Source == seal.Told {
		text = "a key that this server told, and no build pins"
	}
	if k.State == seal.StateRetired {
		text += ", retired since " + k.RetiredAt
	}
	if k.Development {
		return "DEVELOPMENT KEY, which vouches for nothing; " + text
	}
	return text
}
