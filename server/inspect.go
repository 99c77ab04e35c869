package server

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/manifestseal/manifestseal/templates"
)

const inspectPath = "/inspect"

func (p *pages) prepareInspect() templates.Inspect {
	return templates.Inspect{
		Page:       p.page("Inspect one MCP tool manifest", inspectPath, "inspect.js"),
		Worker:     p.assets["worker.js"],
		Engine:     p.assets["engine.wasm"],
		Example:    p.assets["example/current.json"],
		ServiceCap: bodyLimit,
	}
}

func (s *Server) showInspect(c echo.Context) error {
	s.pages.preloadEngine(c.Response().Header())
	return render(c, http.StatusOK, templates.InspectPage(s.pages.inspect, painter()))
}
