package server

import (
	"context"
	"maps"
	"net/http"
	"slices"
	"time"

	"github.com/labstack/echo/v4"
)

// showHealth answers that the process serves, and which bundle.
func (s *Server) showHealth(c echo.Context) error {
	c.Response().Header().Set("Cache-Control", "no-store")
	return c.JSON(http.StatusOK, map[string]string{"status": "ok", "build": s.pages.build})
}

// readyWait is how long one thing that the server needs may take to answer.
const readyWait = 3 * time.Second

// showReady answers whether all that the server needs is there, and names what
// is not. Why it is not goes into the log only.
func (s *Server) showReady(c echo.Context) error {
	c.Response().Header().Set("Cache-Control", "no-store")
	ctx, cancel := context.WithTimeout(c.Request().Context(), readyWait)
	defer cancel()
	failing := []string{}
	for _, name := range slices.Sorted(maps.Keys(s.ready)) {
		if err := s.ready[name](ctx); err != nil {
			s.log.Error("not ready", "what", name, "error", err)
			failing = append(failing, name)
		}
	}
	if len(failing) > 0 {
		return c.JSON(http.StatusServiceUnavailable, map[string]any{"status": "not_ready", "failing": failing})
	}
	return c.JSON(http.StatusOK, map[string]string{"status": "ready"})
}
