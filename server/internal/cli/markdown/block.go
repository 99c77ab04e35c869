package markdown

import (
	"strconv"
	"strings"

	"github.com/manifestseal/manifestseal/engine/digest"
	"github.com/manifestseal/manifestseal/engine/jsonvalue"
	"github.com/manifestseal/manifestseal/server/internal/cli/plain"
)

// Digest adds a digest block; name is the file's when there are several.
func Digest(d *Document, name string, b *digest.Block) {
	var text strings.Builder
	text.WriteString("### Digest block\n\n")
	if name != "" {
		text.WriteString(Code(name) + "\n\n")
	}
	text.WriteString(plain.Count(len(b.Tools), "tool") + ", aggregate digest `" + b.Aggregate.Hex() + "`, as of " + Text(b.AsOf) + "\n\n")
	short := text.String()
	// A list, not a table: a "|" in a name would end a cell.
	for i := range b.Tools {
		title := "(no name)"
		if b.Tools[i].Named {
			title = Code(b.Tools[i].Name)
		}
		text.WriteString("- `" + b.Tools[i].Digest.Hex() + "` " + title + "\n")
	}
	text.WriteByte('\n')
	d.Add(text.String(), short+"The list of tools had no room here.\n\n", 0)
}

// Fault adds why something could not be checked.
func (d *Document) Fault(file string, e *jsonvalue.Error) {
	text := "### ⛔ Could not check"
	if file != "" {
		text += " " + Code(file)
	}
	text += "\n\n"
	if e.Line > 0 {
		text += "Line " + strconv.Itoa(e.Line) + ", column " + strconv.Itoa(e.Column) + ": "
	}
	text += Code(e.Message) + "\n\n"
	if e.Advice != "" {
		text += Text(e.Advice) + "\n\n"
	}
	d.Add(text, "", 0)
}
