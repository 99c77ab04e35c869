package cli

import (
	"github.com/manifestseal/manifestseal/engine/jsonvalue"
	"github.com/manifestseal/manifestseal/engine/pin"
	"github.com/manifestseal/manifestseal/server/internal/cli/console"
	"github.com/manifestseal/manifestseal/server/internal/cli/plain"
)

// printPinned says what a lockfile holds now, and what was done.
func (a *app) printPinned(path string, l *pin.Lock, events []pin.Event) {
	lead := "pinned " + plain.Count(len(l.Tools), "tool") + ", aggregate digest " + l.Block().Aggregate.Hex()
	switch a.formatOf() {
	case "json":
		a.answer("", func(w *jsonvalue.Builder) { writePinned(w, path, l, events) })
	case "markdown":
		out := results{app: a, format: "markdown"}
		out.document.Pinned(path, lead, events)
		out.end()
	default:
		a.print(console.Pinned(path, lead, events, a.look(a.stdout.file)))
	}
}

func writePinned(w *jsonvalue.Builder, path string, l *pin.Lock, events []pin.Event) {
	w.Member("lockfile", jsonvalue.ToValid(path))
	w.Name("tool_count")
	w.Int(len(l.Tools))
	w.Name("aggregate_digest")
	l.Block().Aggregate.Write(w)
	w.Name("events")
	w.Begin('[')
	for _, e := range events {
		w.Begin('{')
		w.Member("as_of", e.AsOf)
		w.Member("action", e.Action)
		w.Filled("tool", e.Tool)
		w.Filled("from", e.From)
		w.Filled("to", e.To)
		w.End('}')
	}
	w.End(']')
}
