package server

import (
	"fmt"
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/manifestseal/manifestseal/engine"
	"github.com/manifestseal/manifestseal/engine/manifest"
	"github.com/manifestseal/manifestseal/engine/view"
	"github.com/manifestseal/manifestseal/static"
	"github.com/manifestseal/manifestseal/templates"
)

// exampleAsOf is fixed: every process that serves one build has to send the same
// page, since the service worker stores it by its hash.
const exampleAsOf = "2026-01-01T00:00:00.000Z"

// compareExample compares the project's own pair, once at the start.
func compareExample() (view.View, error) {
	baseline, current := static.Example()
	options := engine.Options{AsOf: exampleAsOf, Mode: manifest.Lenient}
	comparison, err := engine.Compare(baseline, current, options)
	if err != nil {
		return view.View{}, fmt.Errorf("example pair: %w", err)
	}
	return *comparison.View(), nil
}

func (s *Server) showExample(c echo.Context) error {
	page := s.pages.page("An example comparison", "/example", "example.js")
	return render(c, http.StatusOK, templates.ExamplePage(page, painter(), s.pages.example))
}
