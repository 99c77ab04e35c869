package view

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/manifestseal/manifestseal/engine/screen"
)

// bars makes the two plots: tools by score, the lowest first, and the screen's
// matches by category. What is beyond their length stands in the table alone.
func (i *inspector) bars() {
	order := make([]int, len(i.grade.Tools))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(i.grade.Tools[a].Score, i.grade.Tools[b].Score) })
	for _, k := range order[:min(len(order), maxBars)] {
		score := i.grade.Tools[k].Score
		i.view.Scores = append(i.view.Scores, Bar{Label: i.view.Tools[k].Name, Value: strconv.Itoa(score), Width: score, Kind: gradeKind(score)})
	}
	most := 0
	for _, n := range i.matches {
		most = max(most, n)
	}
	for _, c := range screen.Injection().Categories {
		if n := i.matches[c.ID]; n > 0 {
			i.view.Hits = append(i.view.Hits, Bar{Label: Plain(c.ID), Value: thousands(n), Width: max(1, 100*n/most), Kind: "hit"})
		}
	}
}

// gradeKind is a tool's score by the same bounds as the manifest's grade.
func gradeKind(score int) string {
	switch {
	case score >= 90:
		return "a"
	case score >= 80:
		return "b"
	case score >= 70:
		return "c"
	case score >= 55:
		return "d"
	}
	return "f"
}
