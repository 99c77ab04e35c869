package server

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"
	"golang.org/x/time/rate"

	"github.com/manifestseal/manifestseal/server/internal/payment"
	"github.com/manifestseal/manifestseal/server/internal/solana"
	"github.com/manifestseal/manifestseal/templates"
)

// Shop is what the report page shows of a till, before anything is sent.
type Shop struct {
	Network     string // CAIP-2
	Mint, PayTo string
	Audit       uint64 // prices, in the mint's units
	Drift       uint64

	// Funds is how much of the token an address holds. It asks a node of the chain.
	Funds func(ctx context.Context, owner string) (uint64, error)
}

// reportPath is the page that sells reports; what else it needs is below it.
const reportPath = "/report"

// The networks, as the Wallet Standard and people name them.
var networks = map[string]struct{ chain, name string }{
	solana.Mainnet: {"solana:mainnet", "Solana mainnet"},
	solana.Devnet:  {"solana:devnet", "Solana devnet (worth nothing)"},
}

// prepareReport makes the page and its policy. The page differs from the others
// in three points: its own script, a wallet's where this is a development server,
// and no Trusted Types, since the scripts that wallets put into a page were not
// written for them. It still reaches this site alone.
func (s *Server) prepareReport(config Config) error {
	p := &s.pages
	p.buy = templates.Buy{
		Page:       p.page("Buy a signed report", reportPath, "report.js"),
		Worker:     p.assets["worker.js"],
		Engine:     p.assets["engine.wasm"],
		DevWallet:  p.devWallet,
		ServiceCap: bodyLimit,
		Free:       config.Dev && config.Shop == nil,
	}
	scripts := []templates.Asset{p.assets["report.js"]}
	if p.devWallet.URL != "" {
		scripts = append(scripts, p.devWallet)
	}
	p.buyPolicy = reportPolicy(scripts)
	if config.Shop == nil {
		return nil
	}
	network, known := networks[config.Shop.Network]
	if !known {
		return fmt.Errorf("the shop's network is %q: want Solana's mainnet or devnet", config.Shop.Network)
	}
	p.buy.Shop = templates.Shop{
		Network: config.Shop.Network, NetworkName: network.name, Chain: network.chain,
		Mint: config.Shop.Mint, PayTo: config.Shop.PayTo, Audit: config.Shop.Audit, Drift: config.Shop.Drift,
	}
	s.funds = &funds{ask: config.Shop.Funds, pace: rate.NewLimiter(rate.Every(fundsPause), fundsBurst)}
	return nil
}

func (s *Server) showReport(c echo.Context) error {
	h := c.Response().Header()
	h.Set("Content-Security-Policy", s.pages.buyPolicy)
	s.pages.preloadEngine(h)
	return render(c, http.StatusOK, templates.BuyPage(s.pages.buy, painter()))
}

// The page asks once for each purchase. Together askers get this much of the node
// and no more; whoever gets none is told by the network itself what is missing.
const (
	fundsPause = 100 * time.Millisecond
	fundsBurst = 20
	fundsLimit = 5 * time.Second
)

// funds answers what an address holds.
type funds struct {
	ask  func(context.Context, string) (uint64, error)
	pace *rate.Limiter
}

// showFunds says how much of the token an account holds, so that nobody is asked
// for a signature in vain. It is public knowledge on the chain; here it is neither
// stored nor logged.
func (s *Server) showFunds(c echo.Context) error {
	c.Response().Header().Set("Cache-Control", "no-store")
	if s.funds == nil {
		return &payment.Problem{Status: http.StatusServiceUnavailable, Code: "payments_disabled", Detail: "Payment is not configured on this server."}
	}
	body, err := bodyOf(c)
	if err != nil {
		return err
	}
	var asked struct{ Owner string }
	if err := json.Unmarshal(body, &asked); err != nil {
		return badOwner()
	}
	if _, err := solana.ParseKey(asked.Owner); err != nil {
		return badOwner()
	}
	if !s.funds.pace.Allow() {
		return fundsUnknown(time.Second)
	}
	ctx, cancel := context.WithTimeout(c.Request().Context(), fundsLimit)
	defer cancel()
	amount, err := s.funds.ask(ctx, asked.Owner)
	if err != nil {
		s.log.Warn("an account's funds are not known", "error", err)
		return fundsUnknown(10 * time.Second)
	}
	return c.JSON(http.StatusOK, map[string]string{"amount": strconv.FormatUint(amount, 10)})
}

func badOwner() error {
	return &payment.Problem{
		Status: http.StatusBadRequest, Code: "invalid_owner",
		Detail: `The body must be {"owner": ADDRESS}, with a Solana address in base58.`,
	}
}

func fundsUnknown(after time.Duration) error {
	return &payment.Problem{
		Status: http.StatusServiceUnavailable, Code: "chain_unavailable", RetryAfter: after,
		Detail: "The payment network can't be asked now. Nothing was taken. Try again in a few seconds.",
	}
}
