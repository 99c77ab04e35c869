// Package claims implements mcp-manifest-claims/v1: does each tool of a manifest
// say who it is, what it does and what it takes, and do these statements agree
// with each other? The rules stand in rulebook.go; what each looks at stands
// beside the others of its letter.
//
// It never executes anything, asks no model, and knows nothing of other
// manifests, of the screens or of time: one document, always the same answer.
package claims

import (
	"github.com/manifestseal/manifestseal/engine/claims/jsonschema"
	"github.com/manifestseal/manifestseal/engine/jsonvalue"
	"github.com/manifestseal/manifestseal/engine/manifest"
)

// Status is what a check says of a tool.
type Status uint8

const (
	NotApplicable Status = iota
	Pass
	Fail
	Unknown // shown, never counted in a score
)

// String returns the wire value.
func (s Status) String() string {
	switch s {
	case Pass:
		return "pass"
	case Fail:
		return "fail"
	case Unknown:
		return "unknown"
	}
	return "na"
}

// Checks are a tool's results, in the order of Rules.
type Checks [ruleCount]Status

// Tool is the grade of one entry of the list.
type Tool struct {
	Name       string
	Named      bool // false where the pairing name is null
	Occurrence int  // from 1, within the name
	Score      int
	Checks     Checks
}

// Finding says of one failed or undecided check where and why. Of a tool there
// is one a check: the first place in the document's order, with the number of
// further ones. I7 and C5 speak of the list and have one finding without a tool.
type Finding struct {
	Rule     int    // index in Rules
	Tool     int    // index in Output.Tools; -1 for the list
	Pointer  string // JSON Pointer (RFC 6901) into the submitted document
	Message  string
	Evidence string // an excerpt of the manifest: at most 120 characters, hidden ones spelled out
}

// Fix is one change that an author can make, and what it brings back.
type Fix struct {
	Rule     int   // index in Rules
	Resolves []int // indices in Output.Findings
	Gain     int   // the manifest's score with these checks passed, less its score now
}

// Counts are the checks of all tools; BySeverity are the failed ones, in the
// order of Severities.
type Counts struct {
	Pass, Fail, NotApplicable, Unknown int
	BySeverity                         [len(severityNames)]int
}

// Output is a manifest's grade.
type Output struct {
	Graded   bool // false with zero tools: then there is nothing else
	Score    int
	Grade    string // A, B, C, D or F
	Counts   Counts
	Tools    []Tool    // manifest order
	Findings []Finding // those of the list, then by tool, then in the order of Rules
	Fixes    []Fix     // by gain, then by severity, then in the order of Rules
}

// Grade grades a manifest. Its time is linear in the document, but for the
// sorting of names.
func Grade(m *manifest.Manifest) *Output {
	g := &grader{manifest: m, out: &Output{Graded: len(m.Entries) > 0}, parameters: map[string]*parameter{}}
	if !g.out.Graded {
		return g.out
	}
	g.describeTools()
	g.list()
	for i := range g.tools {
		g.tool(&g.tools[i])
	}
	g.out.score()
	return g.out
}

// grader holds what the rules look at.
type grader struct {
	manifest *manifest.Manifest
	out      *Output
	tools    []tool
	nodes    []jsonschema.Node // the input schemas of the tool at hand; the memory is used again
	refs     *jsonschema.Names // of nodes, once somebody asked
	checker  jsonschema.Checker

	names, descriptions map[string]int // how many tools bear each
	looks               map[string]look
	parameters          map[string]*parameter
	sameHints           bool // A10: the list's tools differ in their verbs and not in their hints
}

// tool is one entry with what several rules ask of it.
type tool struct {
	index    int
	pointer  string
	value    jsonvalue.Value
	name     string
	named    bool
	skeleton string   // what the name looks like
	words    []string // the name's words without the common prefix
	verb     verb     // of the leading word

	description string
	described   bool // there is a description that is not blank
	descVerb    verb // of the description's first word

	input, output, annotations jsonvalue.Value
}

func (g *grader) describeTools() {
	g.tools = make([]tool, len(g.manifest.Entries))
	g.out.Tools = make([]Tool, len(g.manifest.Entries))
	occurrences := map[string]int{}
	unnamed := 0
	for i, e := range g.manifest.Entries {
		t := &g.tools[i]
		*t = tool{
			index: i, pointer: jsonvalue.PointerToken(g.manifest.Pointer, itoa(i)), value: e.Value, name: e.Name, named: e.Named,
			input: e.Value.Get("inputSchema"), output: e.Value.Get("outputSchema"), annotations: e.Value.Get("annotations"),
		}
		t.description = jsonschema.TextOf(e.Value, "description")
		t.described = !blank(t.description)
		t.descVerb = verbOfText(t.description)
		graded := Tool{Name: e.Name, Named: e.Named}
		if e.Named {
			occurrences[e.Name]++
			graded.Occurrence = occurrences[e.Name]
		} else {
			unnamed++
			graded.Occurrence = unnamed
		}
		g.out.Tools[i] = graded
	}
	splitNames(g.tools)
}

// tool applies every rule to one entry.
func (g *grader) tool(t *tool) {
	first := len(g.out.Findings)
	g.identity(t)
	if jsonschema.Is(t.value, jsonvalue.Object) {
		g.nodes, g.refs = jsonschema.Walk(g.nodes[:0], t.input), nil
		g.description(t)
		g.inputSchema(t)
		g.annotation(t)
		g.calls(t)
	}
	sortFindings(g.out.Findings[first:])
}

// references are the names that references of the input schema can use.
func (g *grader) references() *jsonschema.Names {
	if g.refs == nil {
		g.refs = jsonschema.NamesOf(g.nodes)
	}
	return g.refs
}

//go:noinline
func (g *grader) set(t *tool, rule int, s Status) { g.out.Tools[t.index].Checks[rule] = s }

//go:noinline
func (g *grader) pass(t *tool, rules ...int) {
	for _, r := range rules {
		g.set(t, r, Pass)
	}
}

// fail notes a failed check with its one finding. The pointer is relative to
// the tool.
//
//go:noinline
func (g *grader) fail(t *tool, rule int, pointer, message, evidence string) {
	g.note(t, rule, Fail, pointer, message, evidence)
}

func (g *grader) note(t *tool, rule int, s Status, pointer, message, evidence string) {
	g.set(t, rule, s)
	g.out.Findings = append(g.out.Findings, Finding{Rule: rule, Tool: t.index, Pointer: t.pointer + pointer, Message: message, Evidence: evidence})
}
