package view

// op is a run of tokens that both sides have (equal), or of those that only one
// has.
type op struct {
	kind     string // equal, del, ins
	from, to int    // in the old side's tokens for equal and del, in the new side's for ins
}

// maxEdits bounds the work and the memory of one diff: beyond so many edits the
// two sides have little in common, and are shown as two blocks.
const maxEdits = 600

// maxWork bounds all diffs of one view together, in steps: a document of
// thousands of lines that have nothing in common must not take minutes.
const maxWork = 60_000_000

// work is what is left of that bound. Once it is used up, what differs is shown
// as whole blocks, which costs nothing.
type work struct{ left int }

func (w *work) diff(old, new []string) (script []op, ok bool) {
	limit := maxEdits
	if w.left <= 0 {
		limit = 0
	}
	script, ok = diffTokens(old, new, limit)
	edits := limit
	if ok {
		edits = 0
		for _, s := range script {
			if s.kind != equal {
				edits += s.to - s.from
			}
		}
	}
	// The search goes over a triangle of rounds and diagonals.
	w.left -= min(edits, limit) * min(edits, limit) / 2
	return script, ok
}

// diffTokens returns the shortest edit script between two token lists (Myers
// 1986), and whether it was found within so many edits. Deletions come before
// insertions at one place.
func diffTokens(old, new []string, limit int) (script []op, ok bool) {
	prefix := 0
	for prefix < len(old) && prefix < len(new) && old[prefix] == new[prefix] {
		prefix++
	}
	a, b := old[prefix:], new[prefix:]
	suffix := 0
	for suffix < len(a) && suffix < len(b) && a[len(a)-1-suffix] == b[len(b)-1-suffix] {
		suffix++
	}
	a, b = a[:len(a)-suffix], b[:len(b)-suffix]
	script = appendOp(script, equal, 0, prefix)
	steps, ok := shortestEdit(a, b, limit)
	if !ok {
		script = appendOp(script, del, prefix, prefix+len(a))
		script = appendOp(script, ins, prefix, prefix+len(b))
	}
	for _, s := range steps {
		script = appendOp(script, s.kind, prefix+s.from, prefix+s.to)
	}
	script = appendOp(script, equal, len(old)-suffix, len(old))
	return script, ok
}

func appendOp(script []op, kind string, from, to int) []op {
	if from == to {
		return script
	}
	if n := len(script); n > 0 && script[n-1].kind == kind && script[n-1].to == from {
		script[n-1].to = to
		return script
	}
	return append(script, op{kind, from, to})
}

// shortestEdit is the greedy algorithm with its trace kept; the trace is
// quadratic in the edits, and they are bounded.
func shortestEdit(a, b []string, limit int) ([]op, bool) {
	if len(a) == 0 || len(b) == 0 {
		return appendOp(appendOp(nil, del, 0, len(a)), ins, 0, len(b)), true
	}
	// Each token that one side has too many is an edit.
	if max(len(a)-len(b), len(b)-len(a)) > limit {
		return nil, false
	}
	limit = min(len(a)+len(b), limit)
	// best[k+limit+1] is the furthest place in a on the diagonal k = x - y.
	best := make([]int32, 2*limit+3)
	var trace [][]int32
	for d := 0; d <= limit; d++ {
		// What was best before this round, for the diagonals that it can reach.
		trace = append(trace, append([]int32(nil), best[limit+1-d:limit+2+d]...))
		for k := -d; k <= d; k += 2 {
			at := k + limit + 1
			x := best[at-1] + 1
			if k == -d || k != d && best[at-1] < best[at+1] {
				x = best[at+1]
			}
			for y := int(x) - k; int(x) < len(a) && y < len(b) && a[x] == b[y]; y++ {
				x++
			}
			best[at] = x
			if int(x) >= len(a) && int(x)-k >= len(b) {
				return walkBack(a, b, trace), true
			}
		}
	}
	return nil, false
}

// walkBack follows the trace from the end to the beginning.
func walkBack(a, b []string, trace [][]int32) []op {
	type step struct{ x0, y0, x1, y1 int }
	var path []step
	x, y := len(a), len(b)
	for d := len(trace) - 1; d > 0; d-- {
		round := trace[d] // diagonals -d to d, as they were before round d
		k := x - y
		from := k - 1
		if k == -d || k != d && round[k-1+d] < round[k+1+d] {
			from = k + 1
		}
		px := int(round[from+d])
		py := px - from
		path = append(path, step{px, py, x, y})
		x, y = px, py
	}
	script := appendOp(nil, equal, 0, x)
	for i := len(path) - 1; i >= 0; i-- {
		s := path[i]
		if s.x1-s.x0 > s.y1-s.y0 { // one token of a goes, then what is equal
			script = appendOp(script, del, s.x0, s.x0+1)
			script = appendOp(script, equal, s.x0+1, s.x1)
		} else {
			script = appendOp(script, ins, s.y0, s.y0+1)
			script = appendOp(script, equal, s.x0, s.x1)
		}
	}
	return script
}

// mergeSpaces takes the spaces between two replaced runs into one replacement:
// nobody reads word by word what shares nothing but its spaces.
func mergeSpaces(script []op, tokens []string) []op {
	out := make([]op, 0, len(script))
	newAt := 0
	for i := 0; i < len(script); i++ {
		s := script[i]
		if s.kind != equal {
			out = append(out, s)
			if s.kind == ins {
				newAt = s.to
			}
			continue
		}
		n := s.to - s.from
		if i > 0 && i+1 < len(script) && allSpace(tokens[s.from:s.to]) && replaces(script, i) {
			out = append(out, op{del, s.from, s.to}, op{ins, newAt, newAt + n})
		} else {
			out = append(out, s)
		}
		newAt += n
	}
	return sorted(out)
}

func allSpace(tokens []string) bool {
	for _, t := range tokens {
		if t[0] != ' ' && t[0] != '\t' {
			return false
		}
	}
	return true
}

// replaces reports whether the changes on both sides of an equal run take
// something away and put something in.
func replaces(script []op, i int) bool {
	gone, come := false, false
	look := func(s op) bool {
		gone, come = gone || s.kind == del, come || s.kind == ins
		return s.kind != equal
	}
	for k := i - 1; k >= 0 && look(script[k]); k-- {
	}
	for k := i + 1; k < len(script) && look(script[k]); k++ {
	}
	return gone && come
}

// sorted puts the deletions of each run of changes before its insertions, and
// joins what then touches.
func sorted(script []op) []op {
	out := make([]op, 0, len(script))
	for i := 0; i < len(script); {
		if script[i].kind == equal {
			out = appendOp(out, equal, script[i].from, script[i].to)
			i++
			continue
		}
		end := i
		for end < len(script) && script[end].kind != equal {
			end++
		}
		for _, kind := range []string{del, ins} {
			for _, s := range script[i:end] {
				if s.kind == kind {
					out = appendOp(out, kind, s.from, s.to)
				}
			}
		}
		i = end
	}
	return out
}

// words cuts a text into words, runs of spaces, and single other characters.
func words(text string) []string {
	var out []string
	for text != "" {
		r, n := decode(text)
		class := classOf(r)
		for class != other && n < len(text) {
			next, size := decode(text[n:])
			if classOf(next) != class {
				break
			}
			n += size
		}
		out = append(out, text[:n])
		text = text[n:]
	}
	return out
}

const (
	other = iota
	word
	space
)

// classOf: letters of all scripts count as word characters as long as they can
// be seen; those of scripts without spaces are tokens of their own.
func classOf(r rune) int {
	switch {
	case r == ' ' || r == '\t':
		return space
	case r >= '0' && r <= '9', r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r == '_':
		return word
	case r < 0xAA || IsHidden(r), r >= 0x2000 && r < 0x2C00, r >= 0x2E80 && r < 0xA4D0, r > 0xFFFF:
		return other
	}
	return word
}
