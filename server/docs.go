package server

import (
	"bytes"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"strings"

	"github.com/labstack/echo/v4"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"

	"github.com/manifestseal/manifestseal/static"
	"github.com/manifestseal/manifestseal/templates"
)

// prepareDocs renders the reference once. Raw HTML in Markdown is left out by
// goldmark, so that all markup stays in templates and in this one place.
func prepareDocs() ([]templates.Doc, error) {
	markdown := goldmark.New(goldmark.WithExtensions(extension.Table), goldmark.WithParserOptions(parser.WithAutoHeadingID()))
	names, err := fs.Glob(static.Docs(), "*.md")
	if err != nil {
		return nil, err
	}
	docs := make([]templates.Doc, 0, len(names))
	for _, file := range names {
		source, err := fs.ReadFile(static.Docs(), file)
		if err != nil {
			return nil, err
		}
		var html bytes.Buffer
		if err := markdown.Convert(source, &html); err != nil {
			return nil, fmt.Errorf("docs %s: %w", file, err)
		}
		title, _, _ := strings.Cut(strings.TrimPrefix(string(source), "# "), "\n")
		// In the files links lead to files, on the site to pages.
		linked := strings.ReplaceAll(html.String(), ".md\"", "\"")
		docs = append(docs, templates.Doc{Name: strings.TrimSuffix(path.Base(file), ".md"), Title: title, HTML: linked})
	}
	return docs, nil
}

func (s *Server) showDocs(c echo.Context) error {
	return render(c, http.StatusOK, templates.DocsIndex(s.pages.page("Reference", "/docs", ""), s.pages.docs))
}

func (s *Server) showDoc(c echo.Context) error {
	for _, doc := range s.pages.docs {
		if doc.Name == c.Param("name") {
			return render(c, http.StatusOK, templates.DocPage(s.pages.page(doc.Title, "/docs", ""), doc))
		}
	}
	return echo.ErrNotFound
}
