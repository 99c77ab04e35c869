package server

import (
	"crypto/sha512"
	"encoding/base64"
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/manifestseal/manifestseal/templates"
)

// devWalletPath is where a development server has the script of its wallet. It
// comes from this site, so that the report page needs no second origin; every
// page's policy names scripts by hash, and only the report page names this one.
const devWalletPath = "/dev-wallet.js"

// prepareDevWallet takes the script of a burner wallet, in development only.
func (s *Server) prepareDevWallet(config Config) error {
	if len(config.DevWallet) == 0 {
		return nil
	}
	if !config.Dev {
		return errors.New("a development wallet is served by a development server only")
	}
	sum := sha512.Sum384(config.DevWallet)
	s.pages.devWallet = templates.Asset{URL: devWalletPath, Integrity: "sha384-" + base64.StdEncoding.EncodeToString(sum[:])}
	s.devWallet = config.DevWallet
	return nil
}

func (s *Server) sendDevWallet(c echo.Context) error {
	if len(s.devWallet) == 0 {
		return echo.ErrNotFound
	}
	c.Response().Header().Set("Cache-Control", "no-store")
	return c.Blob(http.StatusOK, "text/javascript; charset=utf-8", s.devWallet)
}
