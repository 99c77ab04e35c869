package server

import (
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/manifestseal/manifestseal/engine/criteria"
	"github.com/manifestseal/manifestseal/engine/screen"
	"github.com/manifestseal/manifestseal/templates"
)

const driftID = "mcp-manifest-drift/v1"

// books are the published documents in both of their forms.
type books struct {
	driftJSON     []byte
	drift         []templates.Entry
	injectionJSON []byte
	injection     templates.Rulebook
	indexJSON     []byte
	ids           []string
}

func prepareBooks() (books, error) {
	b := books{driftJSON: criteria.Drift()}
	var err error
	if b.drift, err = templates.Outline(b.driftJSON); err != nil {
		return b, fmt.Errorf("criteria %s: %w", driftID, err)
	}
	var document struct {
		Scan json.RawMessage `json:"changed_description_scan"`
	}
	if err := json.Unmarshal(b.driftJSON, &document); err != nil {
		return b, fmt.Errorf("criteria %s: %w", driftID, err)
	}
	b.injectionJSON = document.Scan
	if b.injection, err = rulebookPage(document.Scan, screen.Injection()); err != nil {
		return b, err
	}
	b.ids = []string{driftID, b.injection.ID}
	b.indexJSON, err = indexOf(b.ids)
	return b, err
}

// rulebookPage takes the rules from the matcher's own table and the words
// around them from the criteria.
func rulebookPage(published []byte, rules *screen.Rulebook) (templates.Rulebook, error) {
	var words struct {
		Scope     string `json:"scope"`
		Labelling string `json:"labelling"`
		Views     string `json:"normalization_views"`
	}
	if err := json.Unmarshal(published, &words); err != nil {
		return templates.Rulebook{}, fmt.Errorf("rulebook %s: %w", rules.ID, err)
	}
	book := templates.Rulebook{ID: rules.ID, Scope: words.Scope, Labelling: words.Labelling, Views: words.Views}
	for _, category := range rules.Categories {
		group := templates.Category{ID: category.ID, Text: category.Text}
		for _, rule := range rules.Rules {
			if rule.Category == category.ID {
				group.Rules = append(group.Rules, templates.Rule{
					ID: rule.ID, Severity: rule.Severity, Description: rule.Description, Pattern: rule.Pattern, Flags: rule.Flags,
				})
			}
		}
		book.Categories = append(book.Categories, group)
	}
	return book, nil
}

func indexOf(ids []string) ([]byte, error) {
	type entry struct {
		ID   string `json:"id"`
		Path string `json:"path"`
	}
	entries := make([]entry, 0, len(ids))
	for _, id := range ids {
		entries = append(entries, entry{id, "/criteria/" + id})
	}
	return json.Marshal(map[string][]entry{"criteria": entries})
}

func (s *Server) showCriteriaIndex(c echo.Context) error {
	page := s.pages.page("Published criteria", "/criteria", "")
	return s.publish(c, s.pages.books.indexJSON, func() error {
		return render(c, http.StatusOK, templates.CriteriaIndex(page, s.pages.books.ids))
	})
}

func (s *Server) showDriftCriteria(c echo.Context) error {
	page := s.pages.page(driftID, "/criteria", "")
	return s.publish(c, s.pages.books.driftJSON, func() error {
		return render(c, http.StatusOK, templates.CriteriaPage(page, driftID, s.pages.books.drift))
	})
}

func (s *Server) showInjectionRules(c echo.Context) error {
	book := s.pages.books.injection
	page := s.pages.page(book.ID, "/criteria", "")
	return s.publish(c, s.pages.books.injectionJSON, func() error {
		return render(c, http.StatusOK, templates.RulebookPage(page, book))
	})
}

// publish answers with JSON unless a page is asked for.
func (s *Server) publish(c echo.Context, document []byte, page func() error) error {
	header := c.Response().Header()
	header.Add("Vary", "Accept")
	header.Set("Cache-Control", "no-cache")
	if prefersHTML(c.Request().Header.Values("Accept")) {
		return page()
	}
	return c.Blob(http.StatusOK, "application/json", document)
}
