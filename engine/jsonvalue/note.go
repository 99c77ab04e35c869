package jsonvalue

import "strconv"

// The codes of reading notes that a reader of JSON can give.
const (
	DuplicateMember = "duplicate_member"
	NumberNotExact  = "number_not_exact"
	NumberOverflow  = "number_overflow"
)

// Note is something that a person should know of a document that was accepted.
// Notes are never part of a digest.
type Note struct {
	Code    string
	Pointer string // JSON Pointer (RFC 6901) into the document
	Position
	Message string
}

// Limits of what is kept: a hostile document of nothing but notes must not grow
// a report without bound. What is beyond them is counted.
const (
	maxNotes     = 1000
	maxNoteBytes = 1 << 20
)

// note keeps a note on the member or element that is being read; member is the
// last token of its pointer when the innermost container itself is closing.
func (p *parser) note(code, member string, offset int, message string) {
	if !p.doc.Noted(code) {
		p.doc.noted = append(p.doc.noted, code)
	}
	if len(p.doc.notes) == maxNotes || p.noteBytes > maxNoteBytes {
		p.unlisted++
		return
	}
	pointer := p.pointer(code == DuplicateMember, member)
	p.noteBytes += len(pointer)
	p.doc.notes = append(p.doc.notes, Note{Code: code, Pointer: pointer, Position: Position{Offset: offset}, Message: message})
}

// pointer is the path of the value being read, or of a member of the container
// that is closing.
func (p *parser) pointer(closing bool, member string) string {
	pointer := ""
	for i, f := range p.stack {
		last := i == len(p.stack)-1
		switch {
		case last && closing:
			pointer = PointerToken(pointer, member)
		case f.array:
			pointer += "/" + strconv.Itoa(int(f.count))
		default:
			// The name of the member that is open stands last of this object's names,
			// that is, before the first of the next open object's.
			end := len(p.names)
			if !last {
				end = int(p.stack[i+1].names)
			}
			pointer = PointerToken(pointer, p.doc.text(p.names[end-1].node))
		}
	}
	return pointer
}

func (p *parser) noteNumber(text string, offset int) {
	f := parseFloat(text)
	if f > maxFloat || f < -maxFloat {
		p.note(NumberOverflow, "", offset, "This number is beyond the largest that JavaScript holds; it counts as null.")
		return
	}
	if printed := string(AppendNumber(p.scratch[:0], f)); !SameDecimal(text, printed) {
		p.note(NumberNotExact, "", offset, "JavaScript holds this number as "+printed+"; the digits beyond that do not count.")
	}
}

func (p *parser) finishNotes() {
	notes := p.doc.notes
	if len(notes) == 0 {
		return
	}
	locate(p.src, notes)
	if p.unlisted > 0 {
		notes[len(notes)-1].Message += " " + strconv.Itoa(p.unlisted) + " more notes like these are not listed."
	}
}
