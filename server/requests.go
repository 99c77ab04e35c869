package server

import (
	"crypto/rand"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"time"

	"github.com/labstack/echo/v4"
)

const requestIDHeader = "X-Request-Id"

// identify gives the request an id, or keeps the one it came with if that is
// harmless to print.
func (s *Server) identify(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		id := c.Request().Header.Get(requestIDHeader)
		if !wellFormedID(id) {
			id = rand.Text()
		}
		c.Response().Header().Set(requestIDHeader, id)
		return next(c)
	}
}

func requestID(c echo.Context) string { return c.Response().Header().Get(requestIDHeader) }

// wellFormedID accepts 8 to 64 letters, digits, hyphens and underscores.
func wellFormedID(id string) bool {
	if len(id) < 8 || len(id) > 64 {
		return false
	}
	for _, r := range id {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		if !letter && (r < '0' || r > '9') && r != '-' && r != '_' {
			return false
		}
	}
	return true
}

// record logs an answered request: never its URL as sent, its query or its
// body, since each can hold what a visitor keeps private.
func (s *Server) record(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		began := time.Now()
		if err := next(c); err != nil {
			c.Error(err)
		}
		method, route, took := knownMethod(c.Request().Method), s.routeOf(c), time.Since(began)
		s.measures.answered(route, method, c.Response().Status, took)
		s.log.LogAttrs(c.Request().Context(), slog.LevelInfo, "request",
			slog.String("method", method),
			slog.String("route", route),
			slog.Int("status", c.Response().Status),
			slog.Int64("bytes", c.Response().Size),
			slog.Duration("duration", took),
			slog.String("request_id", requestID(c)),
		)
		return nil
	}
}

// routeOf is the pattern that matched. What matched none is not printed.
func (s *Server) routeOf(c echo.Context) string {
	for _, route := range s.echo.Routes() {
		if route.Path == c.Path() {
			return route.Path
		}
	}
	return "unmatched"
}

func knownMethod(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions:
		return method
	}
	return "other"
}

// recoverPanics makes a fault of ours an error like others. The value of a
// panic may quote input, so the log gets its type and the stack only.
func (s *Server) recoverPanics(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) (err error) {
		defer func() {
			value := recover()
			if value == nil {
				return
			}
			if value == http.ErrAbortHandler {
				panic(value)
			}
			s.log.LogAttrs(c.Request().Context(), slog.LevelError, "panic",
				slog.String("type", fmt.Sprintf("%T", value)),
				slog.String("request_id", requestID(c)),
				slog.String("stack", string(debug.Stack())),
			)
			err = errPanic
		}()
		return next(c)
	}
}
