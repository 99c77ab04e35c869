package gate

import (
	"strconv"

	"github.com/manifestseal/manifestseal/engine/claims"
	"github.com/manifestseal/manifestseal/engine/digest"
	"github.com/manifestseal/manifestseal/engine/jsonvalue"
	"github.com/manifestseal/manifestseal/engine/manifest"
	"github.com/manifestseal/manifestseal/engine/screen"
)

// ofGrade makes findings of a grade's.
func ofGrade(o *claims.Output) []Finding {
	if o == nil {
		return nil
	}
	rules := claims.Rules()
	out := make([]Finding, 0, len(o.Findings))
	for _, f := range o.Findings {
		rule := &rules[f.Rule]
		found := Finding{Source: claims.Criteria, Rule: rule.ID, Severity: weigh(rule.Severity), Entry: f.Tool, Pointer: f.Pointer, Message: f.Message, Evidence: f.Evidence}
		if f.Tool >= 0 {
			found.Unsure = o.Tools[f.Tool].Checks[f.Rule] == claims.Unknown
		}
		out = append(out, found)
	}
	return out
}

func weigh(s claims.Severity) Severity {
	switch s {
	case claims.Critical:
		return Critical
	case claims.High:
		return High
	case claims.Medium:
		return Medium
	case claims.Low:
		return Low
	}
	return Info
}

// Injection screens the description of every tool with
// prompt-injection-rules/v1.
func Injection(m *manifest.Manifest) []Finding {
	book := screen.Injection()
	scanner := screen.NewScanner(book)
	var out []Finding
	for i, e := range m.Entries {
		text := e.Value.Get("description").Text()
		matches := scanner.Scan(text)
		if len(matches) == 0 {
			continue
		}
		at := Units(text)
		pointer := Place(m, i) + "/description"
		for _, hit := range matches {
			severity, known := ParseSeverity(hit.Rule.Severity)
			if !known {
				severity = High // a word of a later rulebook is not harmless
			}
			matched := at.Slice(hit.Start, hit.End)
			view := ""
			if hit.View != screen.AsSubmitted {
				view = hit.View.String()
			}
			out = append(out, Finding{Source: book.ID, Rule: hit.Rule.ID, Severity: severity, Entry: i, Pointer: pointer,
				Message: hit.Rule.Description, Evidence: Clip(matched), Anchor: AnchorOf(matched), View: view,
				Text: text, Start: hit.Start, End: hit.End})
		}
	}
	return out
}

// Place is the JSON Pointer of an entry in the submitted document.
func Place(m *manifest.Manifest, entry int) string {
	return jsonvalue.PointerToken(m.Pointer, strconv.Itoa(entry))
}

// AnchorOf is the anchor of a rule that marks none: the first 16 hexadecimal
// digits of the match's SHA-256, so that what is shown of it decides nothing.
func AnchorOf(match string) string { return digest.SumOf([]byte(match)).Hex()[:16] }

// mostEvidence is how much of a match is shown, in bytes.
const mostEvidence = 80

// Clip keeps the beginning of a text, in whole characters.
func Clip(text string) string {
	if len(text) <= mostEvidence {
		return text
	}
	n := mostEvidence
	for n > 0 && text[n]&0xC0 == 0x80 {
		n--
	}
	return text[:n]
}

// Index finds places in a WTF-8 text by UTF-16 code units.
type Index struct {
	text    string
	offsets []int32 // of each unit, and of the end
}

// Units indexes a text.
func Units(text string) Index {
	x := Index{text: text, offsets: make([]int32, 0, len(text)+1)}
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c >= 0xF0: // two units, which begin at one place
			x.offsets = append(x.offsets, int32(i), int32(i))
		case c < 0x80 || c >= 0xC0:
			x.offsets = append(x.offsets, int32(i))
		}
	}
	x.offsets = append(x.offsets, int32(len(text)))
	return x
}

// Slice returns the text between two units.
func (x Index) Slice(from, to int) string {
	last := len(x.offsets) - 1
	from, to = min(max(from, 0), last), min(max(to, 0), last)
	if from >= to {
		return ""
	}
	return x.text[x.offsets[from]:x.offsets[to]]
}
