package view

import (
	"strings"

	"github.com/manifestseal/manifestseal/engine/jsonvalue"
)

// pretty writes a value over several lines, members ordered as in the canonical
// form, so that two values differ in their lines exactly where they differ. Short
// lists too: one that grew would otherwise be laid out anew, and differ as a whole.
// skip leaves one member of the outermost object out.
func pretty(v jsonvalue.Value, skip string) string {
	var w prettyWriter
	w.value(v, 0, skip)
	return string(w.out)
}

type prettyWriter struct{ out []byte }

func (w *prettyWriter) line(depth int) {
	w.out = append(w.out, '\n')
	w.out = append(w.out, strings.Repeat("  ", min(depth, maxIndent))...)
}

// maxIndent keeps a deep value's text linear in its size.
const maxIndent = 20

func (w *prettyWriter) value(v jsonvalue.Value, depth int, skip string) {
	open, end := byte('['), byte(']')
	if v.Kind() == jsonvalue.Object {
		open, end = '{', '}'
	}
	if v.Len() == 0 {
		w.out = v.AppendCanonical(w.out)
		return
	}
	w.out = append(w.out, open)
	first := true
	item := func() {
		if !first {
			w.out = append(w.out, ',')
		}
		first = false
		w.line(depth + 1)
	}
	for _, e := range v.Elems() {
		item()
		w.value(e, depth+1, "")
	}
	for name, m := range v.Members() {
		if skip != "" && name == skip {
			continue
		}
		item()
		w.out = append(jsonvalue.AppendQuoted(w.out, name), ':', ' ')
		w.value(m, depth+1, "")
	}
	if !first {
		w.line(depth)
	}
	w.out = append(w.out, end)
}
