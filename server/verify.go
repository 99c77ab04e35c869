package server

import (
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/manifestseal/manifestseal/engine/seal"
	"github.com/manifestseal/manifestseal/templates"
)

const verifyPath = "/verify"

// prepareVerify makes the pages that verify signatures. They get this server's
// keys as data in their markup, for a sealed page can't fetch any; what a build
// pins is in their scripts.
func (p *pages) prepareVerify(keys seal.Keys, serviceWorker string) {
	set := strings.TrimSpace(string(keys.JWKS()))
	p.compare.Keys, p.buy.Keys = set, set
	p.verify = templates.Verify{
		Page:          p.page("Verify a report", verifyPath, "verify.js"),
		Worker:        p.assets["worker.js"],
		ServiceWorker: serviceWorker,
		Engine:        p.assets["engine.wasm"],
		Keys:          set,
	}
}

func (s *Server) showVerify(c echo.Context) error {
	s.pages.preloadEngine(c.Response().Header())
	return render(c, http.StatusOK, templates.VerifyPage(s.pages.verify, painter()))
}
