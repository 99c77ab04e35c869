package cases

import (
	"maps"
	"slices"
	"strconv"

	"github.com/manifestseal/manifestseal/engine/jsonvalue"
)

// Write writes the result as one JSON object. A share of nothing is null.
func (r *Result) Write(w *jsonvalue.Builder) {
	w.Begin('{')
	r.writeCore(w)
	if r.Boundaries != nil {
		undeclared, stale := r.Hold()
		w.Name("boundaries")
		w.Begin('{')
		number(w, "declared", len(r.Boundaries))
		w.Name("undeclared")
		list(w, undeclared)
		w.Name("stale")
		list(w, stale)
		w.End('}')
	}
	if r.Ablation != nil {
		w.Name("ablation")
		r.Ablation.write(w)
	}
	w.End('}')
}

// core is the text that two measurements of the same have in common.
func (r *Result) core() string {
	var w jsonvalue.Builder
	w.Begin('{')
	r.writeCore(&w)
	w.End('}')
	return string(w.Bytes)
}

func (r *Result) writeCore(w *jsonvalue.Builder) {
	number(w, "n_poison", r.Poison)
	number(w, "n_benign", r.Benign)
	r.writeShares(w)
	w.Name("by_set")
	w.Begin('[')
	for _, s := range r.BySet {
		w.Begin('{')
		w.Member("file", jsonvalue.ToValid(s.Name))
		number(w, "n_poison", s.Poison)
		number(w, "hit_poison", s.PoisonHit)
		number(w, "n_benign", s.Benign)
		number(w, "hit_benign", s.BenignHit)
		w.End('}')
	}
	w.End(']')
	hits(w, "by_family", r.ByFamily)
	hits(w, "by_rule", r.ByRule)
	w.Name("missed")
	list(w, r.Missed)
	w.Name("false_hits")
	w.Begin('[')
	for _, f := range r.FalseHits {
		w.Begin('{')
		w.Member("id", f.ID)
		w.Name("rules")
		list(w, f.Rules)
		w.End('}')
	}
	w.End(']')
}

func (r *Result) writeShares(w *jsonvalue.Builder) {
	share(w, "recall_case", r.PoisonHit, r.Poison)
	share(w, "recall_rule", r.GoldHit, r.Gold)
	share(w, "fpr_benign", r.BenignHit, r.Benign)
}

func (a *Ablation) write(w *jsonvalue.Builder) {
	w.Begin('{')
	w.Name("families")
	w.Begin('[')
	for _, f := range a.Families {
		w.Begin('{')
		w.Member("family", f.Family)
		f.Result.writeShares(w)
		w.End('}')
	}
	w.End(']')
	w.Name("axes")
	w.Begin('[')
	for _, x := range a.Axes {
		w.Begin('{')
		w.Member("axis", x.Axis.String())
		number(w, "changed", x.Changed)
		number(w, "unknown", x.Unknown)
		w.End('}')
	}
	w.End(']')
	w.End('}')
}

func number(w *jsonvalue.Builder, name string, n int) {
	w.Name(name)
	w.Int(n)
}

func share(w *jsonvalue.Builder, name string, n, of int) {
	w.Name(name)
	if of == 0 {
		w.Null()
		return
	}
	w.Raw(strconv.FormatFloat(float64((10000*n+of/2)/of)/10000, 'f', -1, 64))
}

func list(w *jsonvalue.Builder, texts []string) {
	w.Begin('[')
	for _, t := range texts {
		w.String(t)
	}
	w.End(']')
}

func hits(w *jsonvalue.Builder, name string, all map[string]Hits) {
	w.Name(name)
	w.Begin('{')
	for _, key := range slices.Sorted(maps.Keys(all)) {
		w.Name(key)
		w.Begin('{')
		number(w, "poison", all[key].Poison)
		number(w, "benign", all[key].Benign)
		w.End('}')
	}
	w.End('}')
}
