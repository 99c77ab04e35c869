package server

import (
	"fmt"
	"net/http"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"github.com/manifestseal/manifestseal/engine/claims"
	"github.com/manifestseal/manifestseal/engine/criteria"
	"github.com/manifestseal/manifestseal/templates"
)

const criteriaPath = "/criteria"

// book is one published document in both of its forms.
type book struct {
	id   string
	json []byte
	page func(templates.Page) templ.Component
}

// books are the published documents, and the list of them.
type books struct {
	all   []book
	index []templates.Book
}

func prepareBooks() (books, error) {
	var b books
	for _, document := range criteria.All() {
		page, err := bookPage(document)
		if err != nil {
			return b, fmt.Errorf("criteria %s: %w", document.ID, err)
		}
		b.all = append(b.all, book{document.ID, document.JSON, page})
		b.index = append(b.index, templates.Book{ID: document.ID, Purpose: document.Purpose})
	}
	return b, nil
}

func bookPage(document criteria.Document) (func(templates.Page) templ.Component, error) {
	entries, err := templates.Outline(document.JSON)
	if err != nil {
		return nil, err
	}
	if document.ID == criteria.DriftID {
		return func(page templates.Page) templ.Component { return templates.CriteriaPage(page, document.ID, entries) }, nil
	}
	rules, err := rulebookOf(document, entries)
	return func(page templates.Page) templ.Component { return templates.RulebookPage(page, rules) }, err
}

// find gives the document of an id, or nil.
func (b *books) find(id string) *book {
	for i := range b.all {
		if b.all[i].id == id {
			return &b.all[i]
		}
	}
	return nil
}

// showCriteria answers with the claims criteria, as the issued document says of
// this path; a person gets the list of all four.
func (s *Server) showCriteria(c echo.Context) error {
	page := s.pages.page("Published criteria", criteriaPath, "")
	return s.publish(c, s.pages.books.find(claims.Criteria).json, templates.CriteriaIndex(page, s.pages.books.index))
}

func (s *Server) showBook(c echo.Context) error {
	b := s.pages.books.find(c.Param("name") + "/" + c.Param("version"))
	if b == nil {
		return echo.ErrNotFound
	}
	return s.publish(c, b.json, b.page(s.pages.page(b.id, criteriaPath, "")))
}

// publish answers with JSON unless a page is asked for.
func (s *Server) publish(c echo.Context, document []byte, page templ.Component) error {
	header := c.Response().Header()
	header.Add("Vary", "Accept")
	header.Set("Cache-Control", "no-cache")
	if prefersHTML(c.Request().Header.Values("Accept")) {
		return render(c, http.StatusOK, page)
	}
	return c.Blob(http.StatusOK, "application/json", document)
}
