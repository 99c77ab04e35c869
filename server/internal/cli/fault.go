package cli

import (
	"errors"
	"io/fs"
	"strings"
	"syscall"

	"github.com/manifestseal/manifestseal/engine"
	"github.com/manifestseal/manifestseal/engine/jsonvalue"
)

// The classes of faults that only the command has; the engine has the others.
const (
	usageClass    jsonvalue.Class = "usage"    // the command line itself
	fileClass     jsonvalue.Class = "file"     // a file that can't be read or written
	unpairedClass jsonvalue.Class = "unpaired" // a file that only one of two directories has
	gateClass     jsonvalue.Class = "gate"     // something of a scan that could not be checked
	rulebookClass jsonvalue.Class = "rulebook" // a user's rules that can't be run
	lockClass     jsonvalue.Class = "lockfile" // a lockfile that can't be used or written
	caseClass     jsonvalue.Class = "cases"    // a case file that is none
	ledgerClass   jsonvalue.Class = "ledger"   // a list of tiers that is none
	muteClass     jsonvalue.Class = "mutes"    // a list of mutes that is none
	keysClass     jsonvalue.Class = "keys"     // signing keys and their history
	serveClass    jsonvalue.Class = "serve"    // the web app could not run
)

// fault says why something could not be checked: which file, what happened, and
// what to do.
type fault struct {
	file  string // as the user named it, or "" for the command line
	side  string // "baseline" or "current", where a comparison has sides
	cause *jsonvalue.Error
}

func (f *fault) Error() string { return f.cause.Message }

func usage(message, advice string) *fault {
	return &fault{cause: &jsonvalue.Error{Class: usageClass, Message: message, Advice: advice}}
}

// faultOf makes a fault of an engine's error on a file.
func faultOf(file string, err error) *fault {
	f := &fault{file: file, cause: &jsonvalue.Error{Class: "internal", Message: err.Error()}}
	errors.As(err, &f.cause)
	var input *engine.InputError
	if errors.As(err, &input) {
		f.side = input.Side
	}
	if f.cause.Class == engine.SignatureError && f.cause.Code == "unknown_key" {
		f.cause.Advice = "Pass the issuer's key set with --keys FILE, or compare against the bare block, which says that it is unsigned."
	}
	return f
}

// fileFault puts the operating system's reason into words.
func fileFault(file string, err error) *fault {
	e := &jsonvalue.Error{Class: fileClass}
	var path *fs.PathError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		e.Code, e.Message, e.Advice = "not_found", "there is no such file", "Check the path."
		if strings.HasPrefix(file, "https://") || strings.HasPrefix(file, "http://") {
			e.Advice = "This command reads files, not addresses. Fetch it first, or pipe it in: curl -s URL | manifestseal digest -"
		}
	case errors.Is(err, fs.ErrPermission):
		e.Code, e.Message, e.Advice = "permission", "it may not be read by you", "Check the file's permissions."
	case errors.Is(err, syscall.EISDIR):
		e.Code, e.Message, e.Advice = "is_directory", "it is a directory", "Name a file here."
	case errors.As(err, &path):
		e.Code, e.Message = "unreadable", "it could not be read: "+path.Err.Error()
	default:
		e.Code, e.Message = "unreadable", "it could not be read: "+reason(err)
	}
	return &fault{file: file, cause: e}
}

// write writes the fault as the JSON member "error" of an object that is open:
// the members of the engine's own answers.
func (f *fault) write(w *jsonvalue.Builder) {
	e := f.cause
	w.Name("error")
	w.Begin('{')
	w.Member("class", string(e.Class))
	w.Member("code", e.Code)
	if f.side != "" {
		w.Member("side", f.side)
	}
	w.Member("message", jsonvalue.ToValid(e.Message))
	w.Member("advice", jsonvalue.ToValid(e.Advice))
	if e.Line > 0 {
		w.Name("offset")
		w.Int(e.Offset)
		w.Name("line")
		w.Int(e.Line)
		w.Name("column")
		w.Int(e.Column)
		w.Member("excerpt", jsonvalue.ToValid(e.Excerpt))
		w.Name("excerpt_at")
		w.Int(e.ExcerptAt)
	}
	w.End('}')
}
