package server

import (
	"bytes"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/manifestseal/manifestseal/engine/criteria"
)

// serviceWorkerPath is at the top, for a service worker rules only what is
// below its own address.
const serviceWorkerPath = "/sw.js"

// release is what the service worker stores: exactly these files, with exactly
// these contents.
type release struct {
	Version string   `json:"version"`
	Files   []listed `json:"files"`
}

type listed struct {
	URL       string `json:"url"`
	Integrity string `json:"integrity"`
	Page      bool   `json:"page"`
}

// offlinePages are stored whole. They have to be the same bytes for everyone,
// and from every process that serves one build.
func offlinePages() []string {
	pages := []string{"/", inspectPath, verifyPath, "/example", criteriaPath}
	for _, document := range criteria.All() {
		pages = append(pages, criteriaPath+"/"+document.ID)
	}
	return pages
}

// prepareServiceWorker makes the script that is served at serviceWorkerPath:
// the release in front of the built one, so that a new release is a new script;
// or the one that retires it, where the site has it switched off.
func (s *Server) prepareServiceWorker(off bool) error {
	script, retire := s.assets.Body("sw.js"), s.assets.Body("retire.js")
	if script == nil || retire == nil {
		return errors.New("the bundle has no service worker: run \"make build\"")
	}
	if off {
		s.serviceWorker = retire
		return nil
	}
	var files []listed
	for _, path := range offlinePages() {
		body, err := s.pageAt(path)
		if err != nil {
			return err
		}
		sum := sha512.Sum384(body)
		files = append(files, listed{path, "sha384-" + base64.StdEncoding.EncodeToString(sum[:]), true})
	}
	for _, name := range assetNames() {
		asset := s.pages.assets[name]
		files = append(files, listed{asset.URL, asset.Integrity, false})
	}
	list, err := json.Marshal(files)
	if err != nil {
		return err
	}
	version := sha256.Sum256(list)
	head, err := json.Marshal(release{Version: hex.EncodeToString(version[:8]), Files: files})
	if err != nil {
		return err
	}
	// json.Marshal escapes what JavaScript reads otherwise than JSON.
	s.serviceWorker = fmt.Appendf(nil, "var manifestsealRelease=%s;\n%s", head, script)
	return nil
}

// pageAt is a page as a browser gets it, taken from its own handler without
// anything around it that logs or differs from request to request.
func (s *Server) pageAt(path string) ([]byte, error) {
	bare := echo.New()
	s.addPages(bare)
	request, err := http.NewRequest(http.MethodGet, path, nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Accept", "text/html")
	answer := &recorded{header: make(http.Header)}
	bare.ServeHTTP(answer, request)
	if answer.status != http.StatusOK {
		return nil, fmt.Errorf("page %s: status %d", path, answer.status)
	}
	return answer.body.Bytes(), nil
}

// recorded is an answer that stays here.
type recorded struct {
	header http.Header
	body   bytes.Buffer
	status int
}

func (r *recorded) Header() http.Header               { return r.header }
func (r *recorded) WriteHeader(status int)            { r.status = status }
func (r *recorded) Write(content []byte) (int, error) { return r.body.Write(content) }

// sendServiceWorker must never be answered from a cache: it is how a browser
// learns of a new release, and of the end of one.
func (s *Server) sendServiceWorker(c echo.Context) error {
	c.Response().Header().Set("Content-Security-Policy", serviceWorkerPolicy)
	c.Response().Header().Set("Cache-Control", "no-cache")
	return c.Blob(http.StatusOK, "text/javascript; charset=utf-8", s.serviceWorker)
}

// preloadEngine has the browser ask for the engine as soon as it has the page's
// headers. It is one request only if the script's own agrees with it.
func (p *pages) preloadEngine(h http.Header) {
	engine := p.assets["engine.wasm"]
	h.Set("Link", fmt.Sprintf(`<%s>; rel="preload"; as="fetch"; crossorigin="anonymous"; integrity="%s"; fetchpriority="high"`, engine.URL, engine.Integrity))
}

// serviceWorkerURL is what the pages register, or "" when that is off.
func serviceWorkerURL(off bool) string {
	if off {
		return ""
	}
	return serviceWorkerPath
}
