package server

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/manifestseal/manifestseal/server/internal/submission"
	"github.com/manifestseal/manifestseal/static"
)

// routes is the whole map of the site. A path that answers GET answers HEAD.
func (s *Server) routes() *echo.Echo {
	e := echo.New()
	e.HideBanner, e.HidePort = true, true
	e.HTTPErrorHandler = s.fail
	e.IPExtractor = s.addressOf
	e.Use(s.identify, s.record, s.secureHeaders, s.recoverPanics, limitBody)

	s.addPages(e)
	e.POST("/audit", s.sell("/audit", submission.Audit))
	e.POST("/drift", s.sell("/drift", submission.Drift))
	e.POST(precheckPath, s.precheck)
	e.POST(reportPath+"/funds", s.showFunds)
	get(e, serviceWorkerPath, s.sendServiceWorker)
	get(e, devWalletPath, s.sendDevWallet)
	get(e, "/.well-known/jwks.json", s.sendKeys)
	get(e, "/.well-known/manifestseal.json", s.sendProvenance)
	get(e, "/healthz", s.showHealth)
	get(e, "/readyz", s.showReady)
	get(e, static.Prefix+"*", s.serveAsset)
	return e
}

// addPages adds what visitors read.
func (s *Server) addPages(e *echo.Echo) {
	get(e, "/", s.showCompare)
	get(e, inspectPath, s.showInspect)
	get(e, verifyPath, s.showVerify)
	get(e, "/example", s.showExample)
	get(e, reportPath, s.showReport)
	get(e, criteriaPath, s.showCriteria)
	get(e, criteriaPath+"/:name/:version", s.showBook)
	get(e, "/docs", s.showDocs)
	get(e, "/docs/:name", s.showDoc)
}

func get(e *echo.Echo, path string, handler echo.HandlerFunc) {
	e.Match([]string{http.MethodGet, http.MethodHead}, path, handler)
}

// limitBody refuses a body above the cap before anything reads it.
func limitBody(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		r := c.Request()
		if r.ContentLength > bodyLimit {
			return echo.ErrStatusRequestEntityTooLarge
		}
		r.Body = http.MaxBytesReader(c.Response(), r.Body, bodyLimit)
		return next(c)
	}
}
