package server

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/manifestseal/manifestseal/templates"
)

// rulesPath is where the text of an injection rule is found by its id.
const rulesPath = "/criteria/prompt-injection-rules/v1"

func painter() templates.Painter { return templates.Painter{RulesURL: rulesPath} }

func (p *pages) prepareCompare() templates.Compare {
	return templates.Compare{
		Page:            p.page("Compare two MCP tool manifests", "/", "compare.js"),
		Worker:          p.assets["worker.js"],
		Engine:          p.assets["engine.wasm"],
		ExampleBaseline: p.assets["example/baseline.json"],
		ExampleCurrent:  p.assets["example/current.json"],
		ServiceCap:      bodyLimit,
	}
}

func (s *Server) showCompare(c echo.Context) error {
	s.pages.preloadEngine(c.Response().Header())
	return render(c, http.StatusOK, templates.ComparePage(s.pages.compare, painter()))
}
