// Package drift implements the comparison of mcp-manifest-drift/v1: pairing,
// statuses, counts, field and schema diffs, and the advisory section on what
// the digests do not cover. It follows the criteria's comparison section and
// rulings R30 to R37.
//
// It never knows who asserted a baseline, what a report looks like, or why a
// difference exists.
package drift

import (
	"strconv"

	"github.com/manifestseal/manifestseal/engine/digest"
	"github.com/manifestseal/manifestseal/engine/manifest"
)

// Side is one of the two things compared. Manifest is nil where only digests
// are held; then no old values exist. Else Block is digest.Of's of it.
type Side struct {
	Block    *digest.Block
	Manifest *manifest.Manifest
}

// Status is what the comparison says of one tool occurrence.
type Status string

const (
	Unchanged Status = "UNCHANGED"
	Changed   Status = "CHANGED"
	Added     Status = "ADDED"
	Removed   Status = "REMOVED"
)

// Tool is one occurrence in report order. Old and New are indices into the two
// manifests' entries, -1 where there is none.
type Tool struct {
	Name       string
	Named      bool // false: the pairing name is null
	Occurrence int  // from 1, within the name
	Status     Status
	Old, New   int
}

// Counts are the criteria's counts of tool occurrences.
type Counts struct{ Unchanged, Changed, Added, Removed int }

// Differing is the n of the verdict: changed, added and removed together.
func (c Counts) Differing() int { return c.Changed + c.Added + c.Removed }

// Verdict is the criteria's sentence for these counts (R35: "tools" for every n).
func (c Counts) Verdict() string {
	if n := c.Differing(); n > 0 {
		return "MANIFEST CHANGED (" + strconv.Itoa(n) + " tools)"
	}
	return "MANIFEST UNCHANGED"
}

// Comparison is the whole result.
type Comparison struct {
	Baseline, Current Side
	Tools             []Tool // report order
	Counts            Counts
	OrderChanged      bool // the paired tools stand in another order
}

// Compare pairs the occurrences of two sides and gives each its status. It is
// for sides with at least one tool each: without tools nothing can be compared
// (R36), and that is the caller's to see.
func Compare(baseline, current Side) *Comparison {
	c := &Comparison{Baseline: baseline, Current: current}
	c.pair()
	for i := range c.Tools {
		t := &c.Tools[i]
		switch {
		case t.Old < 0:
			t.Status = Added
			c.Counts.Added++
		case t.New < 0:
			t.Status = Removed
			c.Counts.Removed++
		case baseline.Block.Tools[t.Old].Digest == current.Block.Tools[t.New].Digest:
			t.Status = Unchanged
			c.Counts.Unchanged++
		default:
			t.Status = Changed
			c.Counts.Changed++
		}
	}
	c.OrderChanged = reordered(c.Tools, len(baseline.Block.Tools))
	return c
}

// pairingName is a map key under which null is one name like any other (R30).
type pairingName struct {
	name  string
	named bool
}

// group is the occurrences of one name on both sides.
type group struct{ old, new []int }

// pair fills Tools in report order: names by first appearance in the baseline,
// then those of the current manifest alone; within a name in occurrence order.
func (c *Comparison) pair() {
	index := make(map[pairingName]int, len(c.Baseline.Block.Tools))
	var groups []group
	var names []pairingName
	add := func(t *digest.Tool) *group {
		key := pairingName{t.Name, t.Named}
		i, known := index[key]
		if !known {
			i = len(groups)
			index[key] = i
			groups = append(groups, group{})
			names = append(names, key)
		}
		return &groups[i]
	}
	for i := range c.Baseline.Block.Tools {
		g := add(&c.Baseline.Block.Tools[i])
		g.old = append(g.old, i)
	}
	for i := range c.Current.Block.Tools {
		g := add(&c.Current.Block.Tools[i])
		g.new = append(g.new, i)
	}
	c.Tools = make([]Tool, 0, max(len(c.Baseline.Block.Tools), len(c.Current.Block.Tools)))
	for g, name := range names {
		for k := range max(len(groups[g].old), len(groups[g].new)) {
			t := Tool{Name: name.name, Named: name.named, Occurrence: k + 1, Old: -1, New: -1}
			if k < len(groups[g].old) {
				t.Old = groups[g].old[k]
			}
			if k < len(groups[g].new) {
				t.New = groups[g].new[k]
			}
			c.Tools = append(c.Tools, t)
		}
	}
}

// reordered reports whether the paired tools' indices rise on one side and do
// not on the other.
func reordered(tools []Tool, baselineCount int) bool {
	newOf := make([]int, baselineCount)
	for i := range newOf {
		newOf[i] = -1
	}
	for _, t := range tools {
		if t.Old >= 0 {
			newOf[t.Old] = t.New
		}
	}
	last := -1
	for _, at := range newOf {
		if at < 0 {
			continue
		}
		if at < last {
			return true
		}
		last = at
	}
	return false
}
