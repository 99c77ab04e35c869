package markdown

import (
	"strings"

	"github.com/manifestseal/manifestseal/engine/view"
	"github.com/manifestseal/manifestseal/server/internal/cli/plain"
)

// maxCode is how many characters of a name or a pointer are shown: enough to
// tell it, and no way to fill a comment.
const maxCode = 300

// Code is manifest text as a code span: nothing in it is a link, a mention, an
// issue number, HTML or emphasis. It is not for tables, where a "|" would end
// the cell.
func Code(text string) string { return codeSpan(plain.Text(text)) }

// nameSpan is the code span of a name that a view holds.
func nameSpan(name []view.Segment) string { return codeSpan(plain.Join(plain.Whole(name))) }

// codeSpan is the code span of a text that is harmless already.
func codeSpan(text string) string {
	text = plain.Clip(text, maxCode)
	if text == "" {
		return "(empty)"
	}
	if strings.Trim(text, " ") == "" {
		text = strings.ReplaceAll(text, " ", "‹U+0020›")
	}
	fence := strings.Repeat("`", longestRun(text)+1)
	// CommonMark takes one space off each side, which also keeps a backtick at
	// an end apart from the fence.
	if text[0] == '`' || text[len(text)-1] == '`' || text[0] == ' ' || text[len(text)-1] == ' ' {
		text = " " + text + " "
	}
	return fence + text + fence
}

// Text is a sentence with every sign of Markdown and HTML escaped. It is for
// words of ours: escapes do not stop mentions and bare links, which Code does.
func Text(text string) string {
	text = plain.Text(text)
	var b strings.Builder
	for i := range len(text) {
		switch c := text[i]; c {
		case '&':
			b.WriteString("&amp;")
		case '<':
			b.WriteString("&lt;")
		case '\\', '`', '*', '_', '{', '}', '[', ']', '#', '|', '~', '>':
			b.WriteByte('\\')
			b.WriteByte(c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// fence is a line of backticks longer than any run of them in the text.
func fence(text string) string { return strings.Repeat("`", max(3, longestRun(text)+1)) }

func longestRun(text string) (longest int) {
	run := 0
	for i := range len(text) {
		if text[i] != '`' {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}
