package server

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/manifestseal/manifestseal/engine/manifest"
	"github.com/manifestseal/manifestseal/server/internal/allowance"
	"github.com/manifestseal/manifestseal/server/internal/payment"
	"github.com/manifestseal/manifestseal/server/internal/submission"
)

// headline is what the free pre-check says: the verdict and no report.
type headline struct {
	CriteriaID string `json:"criteria_id"`
	Verdict    string `json:"verdict"`
	Counts     struct {
		Unchanged int `json:"unchanged"`
		Changed   int `json:"changed"`
		Added     int `json:"added"`
		Removed   int `json:"removed"`
	} `json:"counts"`
	Origin    string `json:"origin"`
	Note      string `json:"note"`
	Remaining int    `json:"remaining"`
	ResetsAt  string `json:"resets_at"`
}

const precheckPath = "/drift/precheck"

// precheck answers POST /drift/precheck. The address's bucket counts every
// request, and is asked before anything is read; the wallet's day counts only
// what was answered with a verdict.
func (s *Server) precheck(c echo.Context) error {
	c.Response().Header().Set("Cache-Control", "no-store")
	if s.allowance == nil || s.issuer.signer == nil {
		return &payment.Problem{
			Status: http.StatusServiceUnavailable, Code: "precheck_disabled",
			Detail: "This server has no signing key or no database, so it answers no pre-checks. The compare page does the same in your browser.",
		}
	}
	ctx := c.Request().Context()
	if err := s.allowance.Request(ctx, clientOf(c)); err != nil {
		return refusedBy(err)
	}
	_, o, err := s.order(c, submission.Precheck)
	if err != nil {
		return err
	}
	taken, err := s.allowance.Take(ctx, o.Caller)
	if err != nil {
		return refusedBy(err)
	}
	said := false
	defer func() {
		if !said {
			s.giveBack(context.WithoutCancel(ctx), taken)
		}
	}()
	answer, err := o.headline(ctx)
	var refused *couldNot
	if errors.As(err, &refused) {
		s.measures.became(precheckPath, outcomeCouldNot)
		return c.Blob(http.StatusOK, "application/json", refused.body)
	}
	if err != nil {
		return err
	}
	answer.Remaining, answer.ResetsAt = taken.Remaining, taken.ResetsAt.UTC().Format(time.RFC3339)
	said = true
	s.measures.became(precheckPath, outcomeHeadline)
	return c.JSON(http.StatusOK, answer)
}

// giveBack undoes what a request took that got no verdict.
func (s *Server) giveBack(ctx context.Context, taken *allowance.Taken) {
	if err := s.allowance.GiveBack(ctx, taken); err != nil {
		s.log.Error("a pre-check was counted though it failed", "error", err)
	}
}

func (o *order) headline(ctx context.Context) (*headline, error) {
	if _, err := o.load(ctx); err != nil {
		return nil, err
	}
	release, err := o.issuer.enter(ctx)
	if err != nil {
		return nil, err
	}
	defer release()
	d := o.compare(o.issuer.now())
	h := &headline{CriteriaID: manifest.DriftCriteria, Verdict: d.Verdict(), Origin: string(d.Baseline.Origin), Note: d.Baseline.Note()}
	counts := d.Comparison.Counts
	h.Counts.Unchanged, h.Counts.Changed, h.Counts.Added, h.Counts.Removed = counts.Unchanged, counts.Changed, counts.Added, counts.Removed
	return h, nil
}

// refusedBy tells which limit was met.
func refusedBy(err error) error {
	var refused *allowance.Refused
	if !errors.As(err, &refused) {
		return err
	}
	p := &payment.Problem{Status: http.StatusTooManyRequests, RetryAfter: refused.RetryAfter}
	switch refused.Reason {
	case allowance.TooSoon:
		p.Code, p.Detail = "precheck_too_soon", "This wallet asked for a pre-check a moment ago. Wait as Retry-After says."
	case allowance.DayUsed:
		p.Code, p.Detail = "precheck_day_used", "All free pre-checks of this wallet for this UTC day are used. Wait as Retry-After says; the compare page has no limit."
	default:
		p.Code, p.Detail = "too_many_requests", "Too many requests came from your address. Wait as Retry-After says."
	}
	return p
}
