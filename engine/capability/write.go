package capability

import (
	"github.com/manifestseal/manifestseal/engine/jsonvalue"
	"github.com/manifestseal/manifestseal/engine/manifest"
)

// Report is the capability of a manifest: a result for each entry, in document order.
type Report struct {
	Manifest *manifest.Manifest
	Results  []Result
}

// Manifest classifies every tool.
func Manifest(m *manifest.Manifest, o Options) *Report {
	names := make([]string, 0, len(m.Entries))
	for _, e := range m.Entries {
		if e.Named {
			names = append(names, e.Name)
		}
	}
	prefix := Prefix(names)
	r := &Report{m, make([]Result, 0, len(m.Entries))}
	for _, e := range m.Entries {
		r.Results = append(r.Results, Of(e, prefix, o))
	}
	return r
}

// Count returns how many tools have a tier.
func (r *Report) Count(t Tier) int {
	n := 0
	for i := range r.Results {
		if r.Results[i].Tier == t {
			n++
		}
	}
	return n
}

// Write writes {tools, summary}: each tool's tier with its evidence, and how many tools have each tier.
func (r *Report) Write(w *jsonvalue.Builder) {
	w.Begin('{')
	w.Name("tools")
	w.Begin('[')
	occurrences := map[string]int{}
	for i, e := range r.Manifest.Entries {
		key := "="
		if e.Named {
			key += e.Name
		} else {
			key = ""
		}
		occurrences[key]++
		w.Begin('{')
		w.Name("name")
		w.Nullable(e.Name, e.Named)
		w.Name("occurrence")
		w.Int(occurrences[key])
		r.Results[i].writeMembers(w)
		w.End('}')
	}
	w.End(']')
	w.Name("summary")
	r.writeSummary(w)
	w.End('}')
}

func (r *Result) writeMembers(w *jsonvalue.Builder) {
	w.Member("tier", r.Tier.String())
	w.Filled("axis", r.Axis.String())
	if r.Opaque {
		w.Name("opaque")
		w.Bool(true)
	}
	w.Name("evidence")
	w.Begin('[')
	for _, e := range r.Evidence {
		w.Begin('{')
		for _, m := range [...][2]string{{"axis", e.Axis.String()}, {"tier", e.Tier.String()}, {"pointer", e.Pointer}, {"text", cut(e.Text)}} {
			w.Member(m[0], m[1])
		}
		w.End('}')
	}
	w.End(']')
}

func (r *Report) writeSummary(w *jsonvalue.Builder) {
	opaque := 0
	for i := range r.Results {
		if r.Results[i].Opaque {
			opaque++
		}
	}
	w.Begin('{')
	for _, t := range [...]Tier{Read, Local, Mutate, Destructive, Unknown, Destructive + 1} {
		name, n := "opaque", opaque
		if t <= Destructive {
			name, n = t.String(), r.Count(t)
		}
		w.Name(name)
		w.Int(n)
	}
	w.End('}')
}

// cut keeps the first 80 bytes of a text, in whole characters.
func cut(text string) string {
	const most = 80
	if len(text) <= most {
		return text
	}
	n := most
	for n > 0 && text[n]&0xc0 == 0x80 {
		n--
	}
	return text[:n]
}
