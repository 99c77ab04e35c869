package cli

import (
	"maps"
	"slices"
	"strings"

	"github.com/manifestseal/manifestseal/engine/jsonvalue"
	"github.com/manifestseal/manifestseal/server/internal/cli/plain"
)

// pair is two documents to be compared.
type pair struct {
	name              string // how the result is told from others
	baseline, current string
	fault             *fault // why they can't be
}

// pairs are the documents that the flags name: two files, or what two
// directories hold by name.
func (a *app) pairs(flags driftFlags) (list []pair, several bool, err error) {
	old, new := isDirectory(flags.baseline), isDirectory(flags.current)
	if !old && !new {
		return []pair{{name: flags.current, baseline: flags.baseline, current: flags.current}}, false, nil
	}
	if old != new {
		return nil, false, usage("one side is a directory and the other is not", "Name two files, or two directories that hold files of the same names.")
	}
	before, after := byKey(a.directory(flags.baseline)), byKey(a.directory(flags.current))
	keys := slices.Collect(maps.Keys(before))
	for key := range after {
		if _, both := before[key]; !both {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	for _, key := range keys {
		list = append(list, pairOf(key, before, after, flags))
	}
	return list, true, nil
}

func byKey(list []source) map[string]source {
	out := make(map[string]source, len(list))
	for _, s := range list {
		out[s.key] = s
	}
	return out
}

func pairOf(key string, before, after map[string]source, flags driftFlags) pair {
	b, old := before[key]
	c, new := after[key]
	p := pair{name: key, baseline: b.name, current: c.name}
	switch {
	case key == "" && old: // the directory itself is at fault
		p.name, p.fault = b.name, sided(b.fault, "baseline")
	case key == "":
		p.name, p.fault = c.name, sided(c.fault, "current")
	case !new:
		p.fault = unpaired(b.name, "only_in_baseline", "only the baseline has this file", flags.current)
	case !old:
		p.fault = unpaired(c.name, "only_in_current", "only the current side has this file", flags.baseline)
	case b.fault != nil:
		p.fault = sided(b.fault, "baseline")
	case c.fault != nil:
		p.fault = sided(c.fault, "current")
	}
	return p
}

func sided(f *fault, side string) *fault {
	f.side = side
	return f
}

func unpaired(file, code, message, other string) *fault {
	return &fault{file: file, cause: &jsonvalue.Error{Class: unpairedClass, Code: code, Message: message,
		Advice: "It could not be compared: there is no file of this name in " + plain.Text(other) + "."}}
}

// tally counts the results of several pairs.
type tally struct{ unchanged, outside, changed, unchecked int }

func (t *tally) text() string {
	parts := []string{plain.Number(t.changed) + " changed"}
	if t.outside > 0 {
		parts = append(parts, plain.Number(t.outside)+" changed only outside the digests")
	}
	parts = append(parts, plain.Number(t.unchanged)+" unchanged")
	if t.unchecked > 0 {
		parts = append(parts, plain.Number(t.unchecked)+" could not be compared")
	}
	return "\n" + plain.Count(t.unchanged+t.outside+t.changed+t.unchecked, "pair") + ": " + strings.Join(parts, ", ") + "\n"
}
