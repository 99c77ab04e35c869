package criteria

import (
	"github.com/manifestseal/manifestseal/engine/jsonvalue"
	"github.com/manifestseal/manifestseal/engine/poison"
	"github.com/manifestseal/manifestseal/engine/poison/intent"
	"github.com/manifestseal/manifestseal/engine/screen"
)

func poisonProse() [][2]string {
	return [][2]string{
		{"subject", "Texts of a tool that work on the agent which reads them: orders, payloads, hidden characters, names that pose as other names."},
		{"labelling", "A hit is a finding to be read, not a verdict. It stands apart from prompt-injection-rules/v1, from the grade and from what a comparison finds."},
		{"surfaces", "Every string and every member name of a tool, at any depth: names, titles, descriptions, enum, const, default, examples, $comment, pattern, unknown keywords, outputSchema, annotations, _meta. Each hit has a JSON Pointer."},
		{"views", "A text is read as submitted, as leetspeak, percent-decoded and as base64, as prompt-injection-rules/v1 has it; as escaped, after \\uXXXX, \\u{X} and \\xXX; and as lookalike, with letters that pose as ASCII as what they pose as."},
		{"mentions", "A quotation, a denial or a description of an attack is no order. Such a hit has mention: true and severity info, and fails no gate."},
		{"meaning", "Rules without patterns that end in -intent read a text by what its words mean: a verb of one class, said as an order to the agent and not as what the tool does, and near it in the sentence an object of another. The rules that end in -cues ask for cues, each harmless by itself, within two sentences that follow each other. agent-narration is a sentence whose subject is the assistant. The lexicon has the classes of words; English alone is read in this way."},
		{"own_job", "What a tool is named for is no poison: a tool that rotates keys asks for keys, one that keeps a memory asks for the conversation. Such a hit is a mention."},
		{"identity", "A hit is rule and anchor: what the group anchor of the pattern hit, in lower case. A rewording around it is the same hit, another payload is another one. match shows at most 80 characters and decides nothing."},
		{"bounds", "At most 1,000 hits of one tool are kept, and of one text at most 256 that rest on the meaning of its words."},
	}
}

// Poison returns mcp-poison-rules/v1.
func Poison() []byte {
	var w jsonvalue.Builder
	w.Begin('{')
	w.Member("rulebook", screen.Poison().ID)
	for _, p := range poisonProse() {
		w.Member(p[0], p[1])
	}
	w.Name("families")
	w.Begin('[')
	for _, f := range poison.Families() {
		w.Begin('{')
		w.Member("id", f.ID)
		w.Member("text", f.Text)
		w.End('}')
	}
	w.End(']')
	w.Name("lexicon")
	w.Begin('[')
	for _, c := range intent.Classes() {
		w.Begin('{')
		w.Member("id", c.ID)
		w.Member("text", c.Text)
		w.Member("words", c.Words)
		w.End('}')
	}
	w.End(']')
	w.Name("rules")
	w.Begin('[')
	for _, r := range poison.Rules() {
		writePoisonRule(&w, &r)
	}
	w.End(']')
	w.End('}')
	return w.Bytes
}

func writePoisonRule(w *jsonvalue.Builder, r *poison.Rule) {
	w.Begin('{')
	for _, m := range [...][2]string{{"id", r.ID}, {"family", r.Family}, {"severity", r.Severity}, {"description", r.Sentence}, {"surfaces", r.Surfaces}} {
		w.Member(m[0], m[1])
	}
	w.Name("patterns")
	w.Begin('[')
	patterns := screen.PoisonPatterns()
	for i, row := range screen.Poison().Rules {
		if row.ID != r.ID {
			continue
		}
		w.Begin('{')
		w.Member("pattern", patterns[i])
		w.Member("flags", row.Flags)
		// A rule can have a pattern that says less than the others.
		if row.Severity != r.Severity {
			w.Member("severity", row.Severity)
		}
		w.End('}')
	}
	w.End(']')
	w.Name("conditions")
	w.Strings(r.Conditions)
	w.Name("must_hit")
	w.Strings(r.Hits[:])
	w.Name("must_not_hit")
	w.Strings(r.Misses[:])
	w.End('}')
}
