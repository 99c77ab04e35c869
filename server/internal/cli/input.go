package cli

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/manifestseal/manifestseal/engine/jsonvalue"
	"github.com/manifestseal/manifestseal/server/internal/cli/console"
	"github.com/manifestseal/manifestseal/server/internal/cli/plain"
)

const fileHelp = `FILE is a manifest as a server answered it: {"tools": [...]}, a JSON-RPC response,
a bare array, or one of these inside an event stream, a log of JSON-RPC lines, a
code fence or a JSON string. FILE may be - for standard input, or a directory:
then every file in and below it whose name ends in .json is read, in order of
name; names that begin with a dot are left out. Several files, and a directory,
give JSON Lines {"file": ..., "result": ... or "error": ...}.`

// maxDocument is what the engine reads at most; more need not be read first.
const maxDocument = 1<<29 - 1

// source is one document to be read.
type source struct {
	name  string // as shown: the path, or "-"
	key   string // the path inside its directory, with slashes
	fault *fault // why it can't even be read
}

// sources are the documents that the arguments name. It reports whether
// results are told apart by file.
func (a *app) sources(args []string) (list []source, several bool) {
	several = len(args) > 1
	for _, arg := range args {
		info, err := os.Stat(arg)
		switch {
		case arg == "-":
			list = append(list, source{name: arg})
		case err != nil:
			list = append(list, source{name: arg, fault: fileFault(arg, err)})
		case info.IsDir():
			several = true
			list = append(list, a.directory(arg)...)
		default:
			list = append(list, source{name: arg})
		}
	}
	return list, several
}

// directory lists the manifests of a directory in order of path, and says how
// many files it leaves out.
func (a *app) directory(dir string) (list []source) {
	left := 0
	// The separator makes a link to a directory count as one.
	err := filepath.WalkDir(dir+string(filepath.Separator), func(path string, entry fs.DirEntry, err error) error {
		inside, _ := filepath.Rel(dir, path)
		key := filepath.ToSlash(inside)
		switch {
		case err != nil:
			list = append(list, source{name: path, key: key, fault: fileFault(path, err)})
			return skipDirectory(entry)
		case key != "." && strings.HasPrefix(entry.Name(), "."):
			return skipDirectory(entry)
		case entry.IsDir():
			return nil
		case !strings.EqualFold(filepath.Ext(path), ".json"):
			left++
			return nil
		}
		list = append(list, source{name: path, key: key})
		return nil
	})
	if err != nil {
		list = append(list, source{name: dir, fault: fileFault(dir, err)})
	}
	if left > 0 {
		a.warn(console.Note(dir, plain.Count(left, "file")+" left out: the name does not end in .json.", a.look(a.stderr)))
	}
	if len(list) == 0 {
		list = append(list, source{name: dir, fault: &fault{file: dir, cause: &jsonvalue.Error{
			Class: fileClass, Code: "no_manifests", Message: "the directory holds no file whose name ends in .json", Advice: "Name the files themselves."}}})
	}
	slices.SortStableFunc(list, func(a, b source) int { return strings.Compare(a.key, b.key) })
	return list
}

func skipDirectory(entry fs.DirEntry) error {
	if entry != nil && entry.IsDir() {
		return fs.SkipDir
	}
	return nil
}

// read reads one document whole.
func (a *app) read(s source) ([]byte, *fault) {
	if s.fault != nil {
		return nil, s.fault
	}
	if s.name == "-" {
		if isTerminal(a.stdin) {
			a.warn(console.Note("-", "reading from the terminal; Ctrl-D ends it.", a.look(a.stderr)))
		}
		return readAll(s.name, a.stdin)
	}
	file, err := os.Open(s.name)
	if err != nil {
		return nil, fileFault(s.name, err)
	}
	defer file.Close()
	if info, err := file.Stat(); err == nil && info.Mode().IsRegular() && info.Size() > 0 {
		if info.Size() > maxDocument {
			return nil, tooLarge(s.name)
		}
		return readSized(s.name, file, int(info.Size()))
	}
	return readAll(s.name, file)
}

func readSized(name string, file io.Reader, size int) ([]byte, *fault) {
	data := make([]byte, size)
	n, err := io.ReadFull(file, data)
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return data[:n], nil // it became shorter; what is there is read
	}
	if err != nil {
		return nil, fileFault(name, err)
	}
	return data, nil
}

func readAll(name string, r io.Reader) ([]byte, *fault) {
	data, err := io.ReadAll(io.LimitReader(r, maxDocument+1))
	if err != nil {
		return nil, fileFault(name, err)
	}
	if len(data) > maxDocument {
		return nil, tooLarge(name)
	}
	return data, nil
}

func tooLarge(name string) *fault {
	return &fault{file: name, cause: &jsonvalue.Error{Class: jsonvalue.TooLarge, Message: "the document is larger than 512 MiB", Advice: "Split it, or remove what is not a tools/list result."}}
}

// needFiles is what a command that takes FILE arguments says of wrong ones.
func needFiles(command string, args []string) error {
	if len(args) == 0 {
		return usage("no file is named", "Name a manifest, or - for standard input: "+command+" FILE")
	}
	return onceStdin(args)
}

func onceStdin(args []string) error {
	if n := len(args) - len(slices.DeleteFunc(slices.Clone(args), func(s string) bool { return s == "-" })); n > 1 {
		return usage("standard input (-) is named twice and can be read only once", "Name a file for one of them.")
	}
	return nil
}
