package server

import (
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/manifestseal/manifestseal/server/internal/payment"
	"github.com/manifestseal/manifestseal/server/internal/submission"
	"github.com/manifestseal/manifestseal/templates"
)

var errPanic = errors.New("a handler panicked")

// problem is an error as it is told to the one who asked, by RFC 9457.
type problem struct {
	Type      string `json:"type"`
	Title     string `json:"title"`
	Status    int    `json:"status"`
	Code      string `json:"code"`
	Detail    string `json:"detail"`
	Pointer   string `json:"pointer,omitempty"` // into the body
	RequestID string `json:"request_id"`

	retryAfter time.Duration
}

// problemOf is the only table from errors to answers. Codes are stable.
func problemOf(err error) problem {
	status := http.StatusInternalServerError
	var answered *echo.HTTPError
	var tooLarge *http.MaxBytesError
	var refused *submission.Refusal
	var unsold *payment.Problem
	switch {
	case errors.As(err, &refused):
		return problem{Type: "about:blank", Status: http.StatusBadRequest, Title: http.StatusText(http.StatusBadRequest), Code: refused.Code, Detail: refused.Detail, Pointer: refused.Pointer}
	case errors.As(err, &unsold):
		return problem{Type: "about:blank", Status: unsold.Status, Title: http.StatusText(unsold.Status), Code: unsold.Code, Detail: unsold.Detail, retryAfter: unsold.RetryAfter}
	case errors.As(err, &answered):
		status = answered.Code
	case errors.As(err, &tooLarge):
		status = http.StatusRequestEntityTooLarge
	}
	p := problem{Type: "about:blank", Status: status, Title: http.StatusText(status)}
	switch status {
	case http.StatusBadRequest:
		p.Code, p.Detail = "bad_request", "The request could not be understood. Check its form and send it again."
	case http.StatusNotFound:
		p.Code, p.Detail = "not_found", "There is nothing at this address. Check it for a typing mistake, or start from the first page."
	case http.StatusMethodNotAllowed:
		p.Code, p.Detail = "method_not_allowed", "This address does not answer that method. The Allow header lists those it does."
	case http.StatusUnsupportedMediaType:
		p.Code, p.Detail = "unsupported_media_type", "The body must be JSON: send it with Content-Type: application/json."
	case http.StatusRequestEntityTooLarge:
		p.Code, p.Detail = "body_too_large", "The body is larger than "+strconv.Itoa(bodyLimit)+" bytes. Send a smaller one; the compare page has no limit."
	default:
		p.Status, p.Title = http.StatusInternalServerError, http.StatusText(http.StatusInternalServerError)
		p.Code, p.Detail = "internal", "Something failed on this side. Try again; if it stays, report the request id below."
	}
	return p
}

// fail writes the answer for an error: a page for browsers, problem+json for
// everything else.
func (s *Server) fail(err error, c echo.Context) {
	if c.Response().Committed {
		return
	}
	p := problemOf(err)
	p.RequestID = requestID(c)
	if p.Status == http.StatusInternalServerError {
		s.log.Error("request failed", "error", err, "request_id", p.RequestID)
	}
	c.Response().Header().Add("Vary", "Accept")
	c.Response().Header().Set("Cache-Control", "no-store")
	if p.retryAfter > 0 {
		seconds := int((p.retryAfter + time.Second - 1) / time.Second)
		c.Response().Header().Set("Retry-After", strconv.Itoa(seconds))
	}
	if err := s.writeProblem(c, p); err != nil {
		s.log.Warn("an error answer was not written", "error", err, "request_id", p.RequestID)
	}
}

func (s *Server) writeProblem(c echo.Context, p problem) error {
	if prefersHTML(c.Request().Header.Values("Accept")) {
		fault := templates.Fault{
			Status: strconv.Itoa(p.Status), Title: p.Title, Detail: p.Detail, Code: p.Code, RequestID: p.RequestID,
		}
		return render(c, p.Status, templates.FaultPage(s.pages.page(p.Title, "", ""), fault))
	}
	body, err := json.Marshal(p)
	if err != nil {
		return err
	}
	return c.Blob(p.Status, "application/problem+json", append(body, '\n'))
}
