package server

import (
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/manifestseal/manifestseal/templates"
)

// pagePolicy lets a page load from this site only, run these scripts and the
// engine, and make script URLs through the one policy named here. Scripts are
// named by their hash: whatever else this site serves can't run as one.
func pagePolicy(scripts []templates.Asset) string {
	var hashes strings.Builder
	for _, script := range scripts {
		hashes.WriteString("'" + script.Integrity + "' ")
	}
	return "default-src 'none'; script-src " + hashes.String() + "'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; " +
		"connect-src 'self'; worker-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; " +
		"require-trusted-types-for 'script'; trusted-types manifestseal"
}

// reportPolicy is that of the page which sells reports: see prepareReport.
func reportPolicy(scripts []templates.Asset) string {
	private, _, _ := strings.Cut(pagePolicy(scripts), "; require-trusted-types-for")
	return private
}

// workerPolicy goes with the worker's own response: the engine runs under it
// and can reach nothing. The exception is for browsers in which a module that
// was posted to a worker still needs it.
const workerPolicy = "default-src 'none'; script-src 'wasm-unsafe-eval'"

// serviceWorkerPolicy lets the service worker fetch what it stores, from this
// site, and do nothing else.
const serviceWorkerPolicy = "default-src 'none'; connect-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'"

// secureHeaders puts the site's policies on every answer, errors included.
func (s *Server) secureHeaders(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		h := c.Response().Header()
		h.Set("Content-Security-Policy", s.pages.policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("X-Frame-Options", "DENY")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Embedder-Policy", "require-corp")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Permissions-Policy", permissionsPolicy())
		if s.secure {
			h.Set("Strict-Transport-Security", "max-age=63072000; includeSubDomains; preload")
		}
		return next(c)
	}
}

// permissionsPolicy denies every feature but one: a page may write to the
// clipboard when a copy button is pressed.
func permissionsPolicy() string {
	denied := []string{
		"accelerometer", "autoplay", "browsing-topics",
		"camera", "clipboard-read", "compute-pressure", "display-capture", "encrypted-media", "fullscreen", "gamepad",
		"geolocation", "gyroscope", "hid", "identity-credentials-get", "idle-detection", "keyboard-map", "local-fonts",
		"magnetometer", "microphone", "midi", "otp-credentials", "payment", "picture-in-picture",
		"publickey-credentials-create", "publickey-credentials-get", "screen-wake-lock", "serial", "storage-access",
		"usb", "window-management", "xr-spatial-tracking",
	}
	return strings.Join(denied, "=(), ") + "=(), clipboard-write=(self)"
}
