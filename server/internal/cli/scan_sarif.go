package cli

import (
	"os"
	"strconv"
	"strings"

	"github.com/manifestseal/manifestseal/engine/gate"
	"github.com/manifestseal/manifestseal/engine/jsonvalue"
	"github.com/manifestseal/manifestseal/engine/manifest"
	"github.com/manifestseal/manifestseal/server/internal/cli/plain"
	"github.com/manifestseal/manifestseal/server/internal/cli/sarif"
)

// newLog is the log of a run; files in it are relative to the working directory.
func newLog() sarif.Log {
	dir, err := os.Getwd()
	if err != nil {
		dir = "/" // then absolute paths stay as they are
	}
	return sarif.Log{Version: buildOf().version, Dir: dir}
}

var levels = [...]sarif.Level{gate.Info: sarif.Note, gate.Low: sarif.Note, gate.Medium: sarif.Warning, gate.High: sarif.Error, gate.Critical: sarif.Error}

// scores are GitHub's security-severity: 9 and above is critical there, 7 high,
// 4 medium, and more than 0 low.
var scores = [...]string{gate.Info: "", gate.Low: "2.0", gate.Medium: "5.5", gate.High: "8.0", gate.Critical: "9.5"}

func (r *results) sarifDecision(s source, m *manifest.Manifest, d *gate.Decision) {
	at := places(m, d.Findings)
	for i := range d.Findings {
		f := &d.Findings[i]
		text, fix := ruleText(f.Source, f.Rule)
		if text == "" { // a user's own
			text = f.Message
		}
		tool := ""
		message := f.Message
		if f.Entry >= 0 {
			tool = m.Entries[f.Entry].Name
			message = "Tool " + plain.ToolName(m.Entries, f.Entry) + ": " + message
		}
		if f.Mention {
			message += " (A mention, not an order.)"
		}
		if f.Muted != "" {
			message += " (Muted: " + f.Muted + ")"
		}
		if f.Fails != "" {
			message += " It fails the gate by " + f.Fails + "."
		}
		r.log.Results = append(r.log.Results, sarif.Result{
			Rule:  sarif.Rule{ID: f.Source + "/" + f.Rule, Text: text, Fix: fix, Level: levels[f.Severity], Security: scores[f.Severity]},
			Level: levels[f.Severity], Message: message, File: s.name, Line: at[i].Line, Column: at[i].Column,
			Tool: tool, Pointer: f.Pointer, Fingerprint: d.Fingerprint(f).Hex(),
		})
	}
	for i := range d.Failures {
		r.log.Failed = append(r.log.Failed, sarif.Notification{File: s.name, Message: notChecked(&d.Failures[i])})
	}
}

// maxWalk bounds the work of finding lines: each place is found by one walk
// over the document. Beyond it results have a file and a pointer.
const maxWalk = 1 << 30

func places(m *manifest.Manifest, findings []gate.Finding) []jsonvalue.Position {
	at := make([]jsonvalue.Position, len(findings))
	root := m.Doc.Root()
	if len(root.Source())*len(findings) > maxWalk {
		return at
	}
	for i := range findings {
		f := &findings[i]
		v := root
		pointer := f.Pointer
		if f.Entry >= 0 {
			v = m.Entries[f.Entry].Value
			pointer = strings.TrimPrefix(pointer, gate.Place(m, f.Entry))
		}
		at[i] = resolve(v, pointer).Position()
	}
	return at
}

// resolve follows a JSON Pointer as far as it goes: what a finding misses is
// told at the object that should have it.
func resolve(v jsonvalue.Value, pointer string) jsonvalue.Value {
	if pointer == "" {
		return v
	}
	for _, token := range strings.Split(strings.TrimPrefix(pointer, "/"), "/") {
		next := v.Get(strings.NewReplacer("~1", "/", "~0", "~").Replace(token))
		if v.Kind() == jsonvalue.Array {
			next = element(v, token)
		}
		if !next.Exists() {
			return v
		}
		v = next
	}
	return v
}

func element(v jsonvalue.Value, token string) jsonvalue.Value {
	for i, e := range v.Elems() {
		if strconv.Itoa(i) == token {
			return e
		}
	}
	return jsonvalue.Value{}
}
