package poison

import (
	"slices"
	"strings"

	"github.com/manifestseal/manifestseal/engine/jsonvalue"
)

// appendIntents appends what a text orders by the meaning of its words, where no pattern of the same family has found it
// already.
func (s *Scanner) appendIntents(found []finding, text, view string) []finding {
	u := unitCounter{text: text}
	for _, m := range s.intents.Find(text) {
		kind := m.Kind
		f := finding{rule: kind.ID, family: kind.Family, severity: kind.Severity, view: view, meant: true, request: m.Param}
		f.anchor, f.match = lower(cut(text[m.Anchor:m.AnchorEnd])), cut(text[m.Start:m.End])
		f.mention = isMention(text, m.Start, m.End, m.AnchorEnd)
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

// ownJob says whether what a tool is named for is what it asks for: a tool that rotates keys reads keys.
func ownJob(tool, family string) bool {
	words := ""
	switch family {
	case familyName, familyRequest:
		words = "conversation chat message memory memories history transcript prompt assistant agent llm completion dialogue thread session context thinking thought reasoning model"
	case familySecret:
		words = "secret key credential token password vault ssh env environment variable variables wallet cert certificate cookie keychain keyring auth login config dotenv"
	}
	for word := range strings.FieldsSeq(words) {
		if strings.Contains(tool, word) {
			return true
		}
	}
	return false
}
