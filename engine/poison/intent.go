package poison

import (
	"slices"
	"strings"

	"github.com/manifestseal/manifestseal/engine/jsonvalue"
)

// leastOrder is how long the shortest text is that can order something.
const leastOrder = 16

// appendIntents appends what a text orders by the meaning of its words, where no pattern of the same family has found it
// already.
func (s *Scanner) appendIntents(found []finding, text, view string) []finding {
	if len(text) < leastOrder || strings.IndexByte(text, ' ') < 0 {
		return found // a name, a value
	}
	u := unitCounter{text: text}
	for _, m := range s.intents.Find(text) {
		kind := m.Kind
		f := finding{rule: kind.ID, family: kind.Family, severity: kind.Severity, view: view, meant: true, request: m.Param}
		f.anchor, f.match = lower(cut(text[m.Anchor:m.AnchorEnd])), cut(text[m.Start:m.End])
		f.mention, f.quoted = isMention(text, m.Start, m.End, m.AnchorEnd) || f.harmless(text, m.Start, m.End), quoted(text, m.Start, m.End)
		f.text, f.start = text, u.at(m.Start)
		f.end = f.start + jsonvalue.UTF16Len(text[m.Start:m.End])
		if !slices.ContainsFunc(found, func(g finding) bool {
			return g.family == f.family && g.view == view && !g.mention && g.start < f.end && f.start < g.end
		}) {
			found = append(found, f)
		}
	}
	return found
}

// job is what a tool is for, in lower case: its name and what its description begins with.
type job struct{ name, first string }

func jobOf(name, description string) job {
	first := start(description, 160)
	for i := range len(first) {
		if c := first[i]; c == '\n' || c == '.' && (i+1 == len(first) || first[i+1] == ' ') {
			first = first[:i]
			break
		}
	}
	return job{lower(name), lower(first)}
}

const (
	talkWords     = "conversation chat memory memories transcript prompt assistant agent llm completion dialogue context thought reasoning"
	talkNames     = "message history thread session thinking model"
	secretNames   = "secret key credential token password vault ssh env environment variable variables wallet cert certificate cookie keychain keyring auth login config dotenv"
	securityWords = "detect scan audit lint phish malware poison injection threat moderat guard sanitiz sanitis security yara sigma vulnerab redact"
)

// own says whether what a tool is for is what it asks for: one that rotates keys reads keys.
func (j job) own(family string) bool {
	switch family {
	case familyName, familyRequest:
		return hasAny(j.name, talkNames) || hasAny(j.name, talkWords) || hasAny(j.first, talkWords)
	case familySecret:
		return hasAny(j.name, secretNames)
	}
	return false
}

// finds says whether a tool looks for attacks, so that what it quotes are examples of them.
func (j job) finds() bool { return hasAny(j.name, securityWords) || hasAny(j.first, securityWords) }

func hasAny(text, words string) bool {
	for word := range strings.FieldsSeq(words) {
		if strings.Contains(text, word) {
			return true
		}
	}
	return false
}
