package static

import (
	"embed"
	"io/fs"
)

//go:embed docs/*.md
var docs embed.FS

// Docs is the reference documentation: one Markdown file a page.
func Docs() fs.FS { return sub(docs, "docs") }
