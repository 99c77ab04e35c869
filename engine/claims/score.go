package claims

// The manifest's score is 0.6 × the mean of its tools and 0.4 × the lowest; a
// failed critical check caps it.
const (
	meanShare   = 6
	lowestShare = 4
	shares      = meanShare + lowestShare
	criticalCap = 69
)

// points is what a tool earned of what it could.
type points struct{ earned, applicable int }

// score is 100 × earned / applicable, not yet rounded. (I1 applies to every
// entry, so something always does.)
func (p points) score() float64 { return float64(100*p.earned) / float64(p.applicable) }

// roundHalfUp rounds a score to a whole number. The margin is far below what a
// real difference of two scores can be and above what sums of doubles lose, so
// that 72.5 is rounded up also when it was added up to a little less.
func roundHalfUp(f float64) int {
	const margin = 1e-7
	return int(f + 0.5 + margin)
}

// Bound is the least score of a grade.
type Bound struct {
	Grade string
	Least int
}

var bounds = [...]Bound{{"A", 90}, {"B", 80}, {"C", 70}, {"D", 55}, {"F", 0}}

func gradeOf(score int) string {
	for _, b := range bounds {
		if score >= b.Least {
			return b.Grade
		}
	}
	return "F"
}

// Scale is what a manifest's score is made of.
type Scale struct {
	MeanTenths, LowestTenths int // what the mean of the tools and the lowest tool count
	CriticalCap              int // the most that a manifest with a failed critical check gets
	Grades                   []Bound
}

// Scoring returns the numbers that the score is made with.
func Scoring() Scale {
	return Scale{MeanTenths: meanShare, LowestTenths: lowestShare, CriticalCap: criticalCap, Grades: append([]Bound(nil), bounds[:]...)}
}

func (c *Checks) points() (p points) {
	for r, s := range c {
		switch w := rules[r].Severity.Weight(); s {
		case Pass:
			p.earned += w
			p.applicable += w
		case Fail:
			p.applicable += w
		}
	}
	return p
}

// score fills in scores, counts, the grade and the fix list.
func (o *Output) score() {
	all := make([]points, len(o.Tools))
	var failed [ruleCount]int
	for i := range o.Tools {
		t := &o.Tools[i]
		all[i] = t.Checks.points()
		t.Score = roundHalfUp(all[i].score())
		for r, s := range t.Checks {
			o.Counts.add(r, s)
			if s == Fail {
				failed[r]++
			}
		}
	}
	o.Score = o.total(all, &failed, -1)
	o.Grade = gradeOf(o.Score)
	o.fixes(all, &failed)
}

func (c *Counts) add(rule int, s Status) {
	switch s {
	case Pass:
		c.Pass++
	case Fail:
		c.Fail++
		c.BySeverity[rules[rule].Severity]++
	case Unknown:
		c.Unknown++
	default:
		c.NotApplicable++
	}
}

// total is the manifest's score, as if every check of the fixed rule passed.
func (o *Output) total(all []points, failed *[ruleCount]int, fixed int) int {
	sum, lowest := 0.0, 100.0
	for i, p := range all {
		if fixed >= 0 && o.Tools[i].Checks[fixed] == Fail {
			p.earned += rules[fixed].Severity.Weight()
		}
		s := p.score()
		sum += s
		lowest = min(lowest, s)
	}
	// The conversions keep a compiler from fusing the two operations on machines
	// that can: the answer is the same everywhere.
	total := roundHalfUp(float64(float64(meanShare*sum)/float64(len(all))+float64(lowestShare*lowest)) / shares)
	for r, n := range failed {
		if n > 0 && r != fixed && rules[r].Severity == Critical {
			return min(total, criticalCap)
		}
	}
	return total
}

// fixes lists one change for each rule that failed.
func (o *Output) fixes(all []points, failed *[ruleCount]int) {
	at := [ruleCount]int{}
	for r, n := range failed {
		if n > 0 {
			at[r] = len(o.Fixes)
			o.Fixes = append(o.Fixes, Fix{Rule: r, Resolves: make([]int, 0, n), Gain: o.total(all, failed, r) - o.Score})
		}
	}
	for i, f := range o.Findings {
		if f.Tool >= 0 && failed[f.Rule] > 0 {
			fix := &o.Fixes[at[f.Rule]]
			fix.Resolves = append(fix.Resolves, i)
		}
	}
	sortFew(len(o.Fixes), func(i, k int) bool {
		a, b := &o.Fixes[i], &o.Fixes[k]
		return a.Gain > b.Gain || a.Gain == b.Gain && rules[a.Rule].Severity < rules[b.Rule].Severity
	}, func(i, k int) { o.Fixes[i], o.Fixes[k] = o.Fixes[k], o.Fixes[i] })
}

// sortFindings puts one tool's findings into the order of the rules.
func sortFindings(f []Finding) {
	sortFew(len(f), func(i, k int) bool { return f[i].Rule < f[k].Rule }, func(i, k int) { f[i], f[k] = f[k], f[i] })
}

// sortFew sorts by insertion, which is stable. There are never more things than
// rules; a general sort for each type would weigh more than this package's score.
func sortFew(n int, less func(i, k int) bool, swap func(i, k int)) {
	for i := 1; i < n; i++ {
		for k := i; k > 0 && less(k, k-1); k-- {
			swap(k, k-1)
		}
	}
}
