package server

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

const aBuyer = "9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin"

func shopServer(t *testing.T, funds func(context.Context, string) (uint64, error)) *Server {
	t.Helper()
	return start(t, Config{Shop: &Shop{
		Network: "solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1", Mint: "mint", PayTo: "recipient", Audit: 50_000, Drift: 70_000, Funds: funds,
	}})
}

func postFunds(s *Server, contentType, body string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodPost, "/report/funds", strings.NewReader(body))
	r.Header.Set("Content-Type", contentType)
	w := httptest.NewRecorder()
	s.echo.ServeHTTP(w, r)
	return w
}

func TestFunds(t *testing.T) {
	t.Parallel()
	s := shopServer(t, func(_ context.Context, owner string) (uint64, error) {
		if owner != aBuyer {
			return 0, errors.New("the node is down")
		}
		return 49_999, nil
	})
	for name, c := range map[string]struct {
		contentType, body string
		status            int
		want              string
	}{
		"known":          {"application/json", `{"owner":"` + aBuyer + `"}`, 200, `{"amount":"49999"}`},
		"node down":      {"application/json", `{"owner":"So11111111111111111111111111111111111111112"}`, 503, "chain_unavailable"},
		"no address":     {"application/json", `{"owner":"0OIl"}`, 400, "invalid_owner"},
		"a short one":    {"application/json", `{"owner":"abc"}`, 400, "invalid_owner"},
		"none":           {"application/json", `{}`, 400, "invalid_owner"},
		"no JSON":        {"application/json", `owner`, 400, "invalid_owner"},
		"not as JSON":    {"text/plain", `{"owner":"` + aBuyer + `"}`, 415, ""},
		"much too large": {"application/json", `{"owner":"` + strings.Repeat("1", bodyLimit) + `"}`, 413, ""},
	} {
		w := postFunds(s, c.contentType, c.body)
		if w.Code != c.status || !strings.Contains(w.Body.String(), c.want) {
			t.Errorf("%s: %d %s, want %d with %s", name, w.Code, w.Body, c.status, c.want)
		}
		if got := w.Header().Get("Cache-Control"); got != "no-store" && c.status == 200 {
			t.Errorf("%s: Cache-Control is %q", name, got)
		}
	}
}

// Whoever asks again and again takes nothing from the node beyond its share.
func TestFundsArePaced(t *testing.T) {
	t.Parallel()
	asked := 0
	s := shopServer(t, func(context.Context, string) (uint64, error) { asked++; return 1, nil })
	refused := 0
	for range 4 * fundsBurst {
		if w := postFunds(s, "application/json", `{"owner":"`+aBuyer+`"}`); w.Code == http.StatusServiceUnavailable {
			refused++
		}
	}
	if refused == 0 || asked+refused != 4*fundsBurst {
		t.Errorf("%d asked, %d refused of %d", asked, refused, 4*fundsBurst)
	}
}

func TestFundsWithoutAShop(t *testing.T) {
	t.Parallel()
	w := postFunds(start(t, Config{}), "application/json", `{"owner":"`+aBuyer+`"}`)
	if w.Code != http.StatusServiceUnavailable || !strings.Contains(w.Body.String(), "payments_disabled") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

func TestReportPageOfNoShop(t *testing.T) {
	t.Parallel()
	page := ask(start(t, Config{}), http.MethodGet, "/report", nil).Body.String()
	if !strings.Contains(page, `data-testid="payments-disabled"`) || strings.Contains(page, `id="wallets"`) {
		t.Error("a page that sells nothing does not say so, or asks for a wallet")
	}
}

func TestReportPageOfAShop(t *testing.T) {
	t.Parallel()
	policy := ask(shopServer(t, nil), http.MethodGet, "/report", nil).Header().Get("Content-Security-Policy")
	for _, want := range []string{"default-src 'none'", "connect-src 'self'", "frame-ancestors 'none'"} {
		if !strings.Contains(policy, want) {
			t.Errorf("the policy %q lacks %s", policy, want)
		}
	}
	if strings.Contains(policy, "unsafe-inline") || strings.Contains(policy, "trusted-types") || strings.Contains(policy, "*") {
		t.Errorf("the policy is %q", policy)
	}
}
