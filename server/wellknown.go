package server

import (
	"encoding/json"
	"net/http"
	"runtime"
	"runtime/debug"

	"github.com/labstack/echo/v4"

	"github.com/manifestseal/manifestseal/engine/report"
	"github.com/manifestseal/manifestseal/server/internal/payment"
)

// provenance is what runs here, as far as the process itself knows.
type provenance struct {
	Service  string   `json:"service"`
	Version  string   `json:"version"`
	Issuer   string   `json:"issuer"`
	Criteria []string `json:"criteria"`
	Keys     string   `json:"jwks_uri"`
	Signing  *signing `json:"signing"` // null: this server issues no reports
	Payments bool     `json:"payments"`
	Build    build    `json:"build"`
}

type signing struct {
	KeyID       string `json:"key_id"`
	Algorithm   string `json:"algorithm"`
	Development bool   `json:"development"`
}

type build struct {
	Module   string `json:"module"`
	Version  string `json:"version"`
	Revision string `json:"revision,omitempty"`
	Time     string `json:"time,omitempty"`
	Modified bool   `json:"modified"`
	Go       string `json:"go"`
	Bundle   string `json:"bundle"`
	Engine   file   `json:"engine"` // what the pages run: anybody can build it again
}

type file struct {
	Path      string `json:"path"`
	Integrity string `json:"integrity"`
}

// prepareWellKnown makes both documents once, when the server knows its address.
func (s *Server) prepareWellKnown() error {
	i := s.issuer
	s.jwks = i.history.Published()
	p := provenance{
		Service: report.Service, Version: report.Version, Issuer: i.url,
		Keys: i.url + "/.well-known/jwks.json", Payments: !i.free(), Build: buildOf(),
	}
	for _, document := range s.pages.books.all {
		p.Criteria = append(p.Criteria, document.id)
	}
	if i.signer != nil {
		p.Signing = &signing{KeyID: i.signer.KeyID(), Algorithm: "ed25519", Development: i.dev}
	}
	p.Build.Bundle = s.pages.build
	p.Build.Engine = file{s.pages.assets["engine.wasm"].URL, s.pages.assets["engine.wasm"].Integrity}
	var err error
	s.provenance, err = json.MarshalIndent(p, "", "  ")
	return err
}

// free says whether nothing is ever paid here.
func (i *issuer) free() bool {
	switch i.till.(type) {
	case payment.Free, payment.Disabled:
		return true
	}
	return false
}

func buildOf() build {
	b := build{Go: runtime.Version(), Version: "unknown"}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	b.Module, b.Version = info.Main.Path, info.Main.Version
	for _, setting := range info.Settings {
		switch setting.Key {
		case "vcs.revision":
			b.Revision = setting.Value
		case "vcs.time":
			b.Time = setting.Value
		case "vcs.modified":
			b.Modified = setting.Value == "true"
		}
	}
	return b
}

// sendKeys sends the key set. Who verifies elsewhere, in a browser too, may read
// it from there.
func (s *Server) sendKeys(c echo.Context) error {
	return toEverybody(c, "application/jwk-set+json", s.jwks)
}

func (s *Server) sendProvenance(c echo.Context) error {
	return toEverybody(c, "application/json", append(s.provenance, '\n'))
}

func toEverybody(c echo.Context, kind string, document []byte) error {
	h := c.Response().Header()
	h.Set("Access-Control-Allow-Origin", "*")
	h.Set("Cross-Origin-Resource-Policy", "cross-origin")
	h.Set("Cache-Control", "public, max-age=300")
	return c.Blob(http.StatusOK, kind, document)
}
