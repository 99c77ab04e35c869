package server

import (
	"bytes"
	"fmt"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"github.com/manifestseal/manifestseal/engine/view"
	"github.com/manifestseal/manifestseal/static"
	"github.com/manifestseal/manifestseal/templates"
)

// pages holds what the pages are made of, prepared once at the start.
type pages struct {
	build   string
	dev     bool // said on every page
	policy  string
	assets  map[string]templates.Asset
	compare templates.Compare
	inspect templates.Inspect
	verify  templates.Verify
	example view.View
	books   books
	docs    []templates.Doc

	devWallet templates.Asset // zero for none
	buy       templates.Buy
	buyPolicy string
}

// assetNames are the built files that pages refer to.
func assetNames() []string {
	return []string{
		"favicon.svg", "site.css", "compare.js", "inspect.js", "verify.js", "example.js", "report.js", "worker.js", "engine.wasm",
		"example/baseline.json", "example/current.json",
	}
}

func preparePages(assets *static.Assets, dev bool) (pages, error) {
	p := pages{build: assets.Build(), dev: dev, assets: make(map[string]templates.Asset)}
	for _, name := range assetNames() {
		url, integrity, ok := assets.Lookup(name)
		if !ok {
			return p, fmt.Errorf("the bundle has no %s: run \"make build\"", name)
		}
		p.assets[name] = templates.Asset{URL: url, Integrity: integrity}
	}
	p.policy = pagePolicy([]templates.Asset{p.assets["compare.js"], p.assets["inspect.js"], p.assets["verify.js"], p.assets["example.js"]})
	p.compare, p.inspect = p.prepareCompare(), p.prepareInspect()
	var err error
	if p.example, err = compareExample(); err != nil {
		return p, err
	}
	if p.books, err = prepareBooks(); err != nil {
		return p, err
	}
	p.docs, err = prepareDocs()
	return p, err
}

// page is the frame of a page; script names its module, or is "".
func (p *pages) page(title, path, script string) templates.Page {
	return templates.Page{
		Title: title, Path: path, Build: p.build, Development: p.dev,
		Icon: p.assets["favicon.svg"], Style: p.assets["site.css"], Script: p.assets[script],
	}
}

// render writes the status only once the whole page is there.
func render(c echo.Context, status int, component templ.Component) error {
	var body bytes.Buffer
	if err := component.Render(c.Request().Context(), &body); err != nil {
		return err
	}
	header := c.Response().Header()
	if header.Get("Cache-Control") == "" {
		header.Set("Cache-Control", "no-cache")
	}
	return c.HTMLBlob(status, body.Bytes())
}

// serveAsset sends one file of the bundle. The worker goes out under a policy
// of its own, which is what keeps the engine from the network.
func (s *Server) serveAsset(c echo.Context) error {
	name, ok := s.assets.NameAt(c.Request().URL.Path)
	if !ok {
		return echo.ErrNotFound
	}
	if name == "worker.js" {
		c.Response().Header().Set("Content-Security-Policy", workerPolicy)
	}
	s.assets.ServeHTTP(c.Response(), c.Request())
	return nil
}
