package server

import (
	"errors"
	"io"
	"mime"
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/manifestseal/manifestseal/server/internal/payment"
	"github.com/manifestseal/manifestseal/server/internal/submission"
)

// sell answers a paid endpoint.
func (s *Server) sell(route string, kind submission.Kind) echo.HandlerFunc {
	return func(c echo.Context) error {
		c.Response().Header().Set("Cache-Control", "no-store")
		body, o, err := s.order(c, kind)
		if err != nil {
			return err
		}
		if err := s.mayFetch(c, o); err != nil {
			return err
		}
		answer, err := s.issuer.till.Sell(c.Request().Context(), &payment.Sale{
			Route: route, Body: body, Header: c.Request().Header, Client: clientOf(c), URLMode: o.Target != nil,
			Load: o.load, Make: o.issue,
		})
		var refused *couldNot
		if errors.As(err, &refused) {
			s.measures.became(route, outcomeCouldNot)
			return c.Blob(http.StatusUnprocessableEntity, "application/json", refused.body)
		}
		if err != nil {
			s.measures.became(route, outcomeOther)
			return err
		}
		s.measures.became(route, outcomeOf(answer))
		for name, values := range answer.Header {
			c.Response().Header()[name] = values
		}
		return c.Blob(answer.Status, answer.ContentType, answer.Body)
	}
}

// mayFetch counts a fetch that nobody has offered to pay for against the address:
// else anybody could have us fetch as often as they like. With a payment the till
// looks at it before it fetches.
func (s *Server) mayFetch(c echo.Context, o *order) error {
	h := c.Request().Header
	if o.Target == nil || s.allowance == nil || h.Get("Payment-Signature") != "" || h.Get("X-Payment") != "" {
		return nil
	}
	if err := s.allowance.Request(c.Request().Context(), clientOf(c)); err != nil {
		return refusedBy(err)
	}
	return nil
}

func outcomeOf(a *payment.Answer) string {
	if a.Status == http.StatusOK {
		return outcomeReport
	}
	return outcomeOther
}

// order reads a request's body under the input contract.
func (s *Server) order(c echo.Context, kind submission.Kind) ([]byte, *order, error) {
	body, err := bodyOf(c)
	if err != nil {
		return nil, nil, err
	}
	release, err := s.issuer.enter(c.Request().Context())
	if err != nil {
		return nil, nil, err
	}
	defer release()
	reader := submission.Reader{Keys: s.issuer.keys, Fetch: s.issuer.fetch}
	read, err := reader.Read(body, kind)
	if err != nil {
		return nil, nil, err
	}
	return body, &order{Submission: read, issuer: s.issuer}, nil
}

func bodyOf(c echo.Context) ([]byte, error) {
	kind, _, err := mime.ParseMediaType(c.Request().Header.Get(echo.HeaderContentType))
	if err != nil || kind != "application/json" {
		return nil, echo.ErrUnsupportedMediaType
	}
	return io.ReadAll(c.Request().Body)
}
