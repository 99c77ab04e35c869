package pin

import "github.com/manifestseal/manifestseal/engine/manifest"

// AcceptError says why nothing was accepted.
type AcceptError struct {
	Tool string
	Why  string
}

func (e *AcceptError) Error() string { return "tool " + e.Tool + ": " + e.Why }

// Accept returns a lockfile in which one tool, all its occurrences, is as it
// stands in the current manifest; every other tool stays as it was reviewed. A
// tool that is gone is taken out, a new one is put at the end. The error is an
// *AcceptError when there is no such tool on either side, or nothing to accept.
func (l *Lock) Accept(current *manifest.Manifest, tool, asOf string) (*Lock, error) {
	now := toolsOf(current)
	var entries []manifest.Entry
	var events []Event
	known := false
	for i, t := range l.Tools {
		if !t.Named || t.Name != tool {
			entries = append(entries, l.Manifest.Entries[i])
			continue
		}
		known = true
		k := find(now, t)
		switch {
		case k < 0:
			events = append(events, Event{asOf, "removed", tool, t.Whole.Hex(), ""})
		case now[k].Whole != t.Whole:
			events = append(events, Event{asOf, "accepted", tool, t.Whole.Hex(), now[k].Whole.Hex()})
			entries = append(entries, current.Entries[k])
		default:
			entries = append(entries, l.Manifest.Entries[i])
		}
	}
	for k, t := range now {
		if t.Named && t.Name == tool && find(l.Tools, t) < 0 {
			known = true
			events = append(events, Event{asOf, "added", tool, "", t.Whole.Hex()})
			entries = append(entries, current.Entries[k])
		}
	}
	switch {
	case !known && unnamed(l.Tools, now):
		return nil, &AcceptError{tool, "neither the lockfile nor the current manifest has a tool of this name, and those without any name can't be accepted one by one: pin the manifest anew after a review"}
	case !known:
		return nil, &AcceptError{tool, "neither the lockfile nor the current manifest has a tool of this name"}
	case len(events) == 0:
		return nil, &AcceptError{tool, "it is as it was pinned: there is nothing to accept"}
	}
	return l.moved(entries, events, asOf)
}

func unnamed(lists ...[]Tool) bool {
	for _, list := range lists {
		for _, t := range list {
			if !t.Named {
				return true
			}
		}
	}
	return false
}

// moved is the lockfile after a step, with what is known of each tool kept.
func (l *Lock) moved(entries []manifest.Entry, events []Event, asOf string) (*Lock, error) {
	snapshot, err := snapshotOf(entries)
	if err != nil {
		return nil, err
	}
	next := &Lock{CreatedAt: l.CreatedAt, UpdatedAt: asOf, Manifest: snapshot, Tools: toolsOf(snapshot)}
	next.History = append(append(next.History, l.History...), events...)
	for i := range next.Tools {
		t := &next.Tools[i]
		t.FirstSeen, t.LastChanged = asOf, asOf
		if k := find(l.Tools, *t); k >= 0 {
			t.FirstSeen = l.Tools[k].FirstSeen
			if l.Tools[k].Whole == t.Whole {
				t.LastChanged = l.Tools[k].LastChanged
			}
		}
	}
	return next, nil
}
