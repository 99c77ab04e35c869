package server

import (
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/manifestseal/manifestseal/engine/view"
	"github.com/manifestseal/manifestseal/templates"
)

// example is the project's own pair, compared once at the start.
type example struct{ view view.View }

// asOfLayout is the wire form of a time: UTC, milliseconds.
const asOfLayout = "2006-01-02T15:04:05.000Z"

func prepareExample(now time.Time) example {
	return example{view.View{State: view.NotCompared, AsOf: now.UTC().Format(asOfLayout)}}
}

func (s *Server) showExample(c echo.Context) error {
	page := s.pages.page("An example comparison", "/example", "example.js")
	return render(c, http.StatusOK, templates.ExamplePage(page, painter(), s.pages.example.view))
}
