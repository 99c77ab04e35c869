package view

import (
	"strconv"

	"github.com/manifestseal/manifestseal/engine/jsonvalue"
)

// shown fills in what of a part is for showing.
func shown(parts []Part) []Part {
	for i := range parts {
		parts[i].ShownTitle = Plain(parts[i].Title)
		parts[i].ShownPointer = Plain(parts[i].Pointer)
	}
	return parts
}

// Notes returns reading notes for showing.
func Notes(side string, notes []jsonvalue.Note) []Note {
	out := make([]Note, len(notes))
	for i, n := range notes {
		out[i] = note(side, n.Code, n.Pointer, n.Message, n.Line, n.Column)
	}
	return out
}

func note(side, code, pointer, message string, line, column int) Note {
	n := Note{Side: side, Code: code, Pointer: pointer, ShownPointer: Plain(pointer), Message: message}
	if line > 0 {
		n.Place = "line " + strconv.Itoa(line) + ", column " + strconv.Itoa(column)
	}
	return n
}

// Excerpt returns the text around a fault for showing: hidden characters as
// chips, the character at the place marked. at counts characters.
func Excerpt(text string, at int) []Segment {
	offset := len(text)
	for i := range text {
		if at == 0 {
			offset = i
			break
		}
		at--
	}
	out := Plain(text[:offset])
	if offset == len(text) {
		return out
	}
	_, size := decode(text[offset:])
	for _, s := range Plain(text[offset : offset+size]) {
		s.Hit = true
		if s.Title == "" {
			s.Title = "the place"
		}
		out = append(out, s)
	}
	return append(out, Plain(text[offset+size:])...)
}
