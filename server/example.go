package server

import (
	"fmt"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/manifestseal/manifestseal/engine"
	"github.com/manifestseal/manifestseal/engine/manifest"
	"github.com/manifestseal/manifestseal/engine/view"
	"github.com/manifestseal/manifestseal/static"
	"github.com/manifestseal/manifestseal/templates"
)

// asOfLayout is the wire form of a time: UTC, milliseconds.
const asOfLayout = "2006-01-02T15:04:05.000Z"

// compareExample compares the project's own pair, once at the start.
func compareExample(now time.Time) (view.View, error) {
	baseline, current := static.Example()
	options := engine.Options{AsOf: now.UTC().Format(asOfLayout), Mode: manifest.Lenient}
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
