package plain

import (
	"maps"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/manifestseal/manifestseal/server/internal/cli/cases"
)

// Table is rows of cells below a row of headings; the first column is text, the
// others are numbers.
type Table [][]string

// Share is a percentage with one digit, and "–" of nothing.
func Share(n, of int) string {
	if of == 0 {
		return "–"
	}
	return strconv.FormatFloat(100*float64(n)/float64(of), 'f', 1, 64) + " %"
}

// EvaluationTables are the tables of a measurement, each behind its title.
func EvaluationTables(r *cases.Result) (titles []string, tables []Table) {
	add := func(title string, t Table) {
		if len(t) > 1 {
			titles, tables = append(titles, title), append(tables, t)
		}
	}
	sets := Table{{"set", "poisoned", "hit", "recall", "benign", "hit", "share"}}
	for _, s := range append(r.BySet, cases.SetTally{Name: "all", Tally: r.Tally}) {
		sets = append(sets, []string{Text(filepath.Base(s.Name)), Number(s.Poison), Number(s.PoisonHit), Share(s.PoisonHit, s.Poison), Number(s.Benign), Number(s.BenignHit), Share(s.BenignHit, s.Benign)})
	}
	add("Cases", sets)
	add("Families", hitTable("family", r, r.ByFamily))
	add("Rules", hitTable("rule", r, r.ByRule))
	if r.Ablation == nil {
		return titles, tables
	}
	families := Table{{"without", "recall", "recall of rules", "benign hit"}}
	for _, f := range r.Ablation.Families {
		families = append(families, []string{Text(f.Family), Share(f.Result.PoisonHit, f.Result.Poison), Share(f.Result.GoldHit, f.Result.Gold), Share(f.Result.BenignHit, f.Result.Benign)})
	}
	add("Ablation of families", families)
	axes := Table{{"without", "other tier", "unknown then"}}
	for _, x := range r.Ablation.Axes {
		axes = append(axes, []string{x.Axis.String(), Number(x.Changed), Number(x.Unknown)})
	}
	add("Ablation of capability axes", axes)
	return titles, tables
}

func hitTable(head string, r *cases.Result, all map[string]cases.Hits) Table {
	t := Table{{head, "poisoned hit", "share", "benign hit"}}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		h := all[name]
		t = append(t, []string{Text(name), Number(h.Poison), Share(h.Poison, r.Poison), Number(h.Benign)})
	}
	return t
}

// EvaluationLead is a measurement in one sentence.
func EvaluationLead(r *cases.Result) string {
	return Number(r.PoisonHit) + " of " + Count(r.Poison, "poisoned case") + " hit (" + Share(r.PoisonHit, r.Poison) + "), " +
		Number(r.BenignHit) + " of " + Count(r.Benign, "benign case") + " (" + Share(r.BenignHit, r.Benign) + "). The numbers are about these cases, and about no others."
}
