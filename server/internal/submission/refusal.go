package submission

import (
	"errors"
	"strconv"
	"strings"

	"github.com/manifestseal/manifestseal/engine/jsonvalue"
)

// Refusal is a request body that the input contract does not take. Nothing of
// the body stands in it but, where a member is refused by its name, that name.
type Refusal struct {
	Code    string // stable
	Pointer string // JSON Pointer into the body; "" for the whole
	Detail  string // what is wrong and what to do
}

func (r *Refusal) Error() string { return r.Code + ": " + r.Detail }

// maxDetail bounds what an engine's message can repeat, such as a long pointer.
const maxDetail = 400

func refuse(code, pointer, detail string) *Refusal {
	if len(detail) > maxDetail {
		detail = strings.ToValidUTF8(detail[:maxDetail], "") + "…"
	}
	return &Refusal{code, pointer, detail}
}

// named is a member's name as it may be repeated to whoever sent it.
func named(name string) string {
	const most = 64
	if len(name) > most {
		return "one with a name of more than 64 characters"
	}
	for _, c := range []byte(name) {
		if c <= 0x20 || c >= 0x7F || c == '"' || c == '<' || c == '&' {
			return "one with characters that are not repeated here"
		}
	}
	return `"` + name + `"`
}

// unreadable says why a document can't be read, and where in it.
func unreadable(code, pointer, what string, err error) *Refusal {
	var e *jsonvalue.Error
	if !errors.As(err, &e) {
		return refuse(code, pointer, what+" can't be read: "+err.Error()+".")
	}
	switch e.Class {
	case jsonvalue.Depth:
		code = "too_deep"
	case jsonvalue.Encoding:
		code = "invalid_encoding"
	}
	where := ""
	if e.Line > 0 {
		where = " (line " + strconv.Itoa(e.Line) + ", column " + strconv.Itoa(e.Column) + ")"
	}
	return refuse(code, pointer, what+" is refused"+where+": "+sentence(e))
}

func sentence(e *jsonvalue.Error) string {
	text := strings.TrimSuffix(e.Message, ".") + "."
	if e.Advice != "" {
		text += " " + e.Advice
	}
	return text
}
