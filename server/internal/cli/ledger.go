package cli

import (
	"maps"
	"slices"

	"github.com/manifestseal/manifestseal/engine/capability"
	"github.com/manifestseal/manifestseal/engine/jsonvalue"
	"github.com/manifestseal/manifestseal/server/internal/cli/console"
	"github.com/manifestseal/manifestseal/server/internal/cli/plain"
)

// ledger reads the tiers that somebody wrote down.
func (a *app) ledger(file string) (map[string]capability.Tier, error) {
	if file == "" {
		return nil, nil
	}
	data, f := a.read(source{name: file})
	if f != nil {
		return nil, f
	}
	doc, err := jsonvalue.Parse(string(data))
	if err != nil {
		return nil, faultOf(file, err)
	}
	wrong := func(pointer, message string) error {
		return &fault{file: file, cause: &jsonvalue.Error{Class: ledgerClass, Code: "not_a_ledger", Message: pointer + " " + message,
			Advice: `A ledger is {"tool name": "T2_mutate"} for every tool; the tiers are T0_read, T1_local, T2_mutate, T3_destructive_or_exec and unknown.`}}
	}
	if doc.Root().Kind() != jsonvalue.Object {
		return nil, wrong("it", "is no object")
	}
	if doc.Noted(jsonvalue.DuplicateMember) {
		return nil, wrong(doc.Notes()[0].Pointer, "stands twice")
	}
	want := map[string]capability.Tier{}
	for name, v := range doc.Root().Members() {
		tier, known := parseTier(v.Text())
		if !known && v.Text() != capability.Unknown.String() {
			return nil, wrong(jsonvalue.PointerToken("", name), "is no tier")
		}
		want[name] = tier
	}
	return want, nil
}

// crossCheck says on standard error which tools are not as the ledger has them.
func (a *app) crossCheck(s source, r *capability.Report, want map[string]capability.Tier) {
	left := maps.Clone(want)
	tell := func(text string) {
		a.raise(Drift)
		a.warn(console.Note(s.name, text, a.look(a.stderr)))
	}
	for i, e := range r.Manifest.Entries {
		name := plain.ToolName(r.Manifest.Entries, i)
		tier, known := want[e.Name]
		delete(left, e.Name)
		switch got := r.Results[i].Tier; {
		case !e.Named || !known:
			tell("the ledger does not have " + name + ", which is " + got.String())
		case got != tier:
			tell(name + " is " + got.String() + ", and the ledger says " + tier.String())
		}
	}
	for _, name := range slices.Sorted(maps.Keys(left)) {
		tell("the ledger has " + plain.Text(name) + ", and the manifest does not")
	}
}
