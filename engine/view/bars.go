package view

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/manifestseal/manifestseal/engine/poison"
	"github.com/manifestseal/manifestseal/engine/screen"
)

// Bar is one line of a plot, which is a table with bars in it.
type Bar struct {
	ID    string // the tool that it is about, or empty
	Ref   string // the family's place on the site, or empty
	Label []Segment
	Note  string // what stands behind the label: the rulebook
	Value string
	Width int // 0 to 100
	Kind  string
}

// Bars are cut here: a plot of a thousand bars says less than its lowest few.
const maxBars = 20

// bars makes the two plots: tools by score, the lowest first, and the screens'
// hits by family.
func (i *inspector) bars() {
	tools := i.decision.Grade.Tools
	order := make([]int, len(tools))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(tools[a].Score, tools[b].Score) })
	for _, k := range order[:min(len(order), maxBars)] {
		score := tools[k].Score
		i.view.Scores = append(i.view.Scores, Bar{ID: i.view.Tools[k].ID, Label: i.label(k), Value: strconv.Itoa(score), Width: score, Kind: "score"})
	}
	if left := len(order) - maxBars; left > 0 {
		next := tools[order[maxBars]].Score
		i.view.ScoresOf = "The " + strconv.Itoa(maxBars) + " lowest of " + thousands(len(order)) + " tools; the others have " + strconv.Itoa(next) + " and more."
	}
	i.hitBars(screen.Injection().ID, screen.Injection().Categories, "")
	i.hitBars(screen.Poison().ID, poison.Families(), "family-")
	most := 0
	for _, b := range i.view.Hits {
		most = max(most, b.Width)
	}
	for k := range i.view.Hits {
		i.view.Hits[k].Width = max(1, 100*i.view.Hits[k].Width/most)
	}
}

// maxLabel is how many characters of a name stand beside a bar.
const maxLabel = 80

// label is a tool's name, short enough for a line of a plot.
func (i *inspector) label(k int) []Segment {
	if e := i.manifest.Entries[k]; e.Named {
		return cut(e.Name, maxLabel)
	}
	return i.view.Tools[k].Name
}

// hitBars adds the bars of one rulebook; their width is the count at first.
func (i *inspector) hitBars(book string, families []screen.Category, anchor string) {
	for _, f := range families {
		if n := i.hits[[2]string{book, f.ID}]; n > 0 {
			i.view.Hits = append(i.view.Hits, Bar{Ref: "/criteria/" + book + "#" + anchor + f.ID, Label: Plain(f.ID), Note: book, Value: thousands(n), Width: n, Kind: "hit"})
		}
	}
}
