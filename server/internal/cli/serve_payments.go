package cli

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/manifestseal/manifestseal/engine/jsonvalue"
	"github.com/manifestseal/manifestseal/server"
	"github.com/manifestseal/manifestseal/server/internal/allowance"
	"github.com/manifestseal/manifestseal/server/internal/ledger"
	"github.com/manifestseal/manifestseal/server/internal/sign"
	"github.com/manifestseal/manifestseal/server/internal/solana"
	"github.com/manifestseal/manifestseal/server/internal/store"
	"github.com/manifestseal/manifestseal/server/internal/x402"
)

// defaultDatabase is made in the working directory where a server needs one and
// none is named.
const defaultDatabase = "manifestseal.db"

// lease is how long a payment waits for the server that works on it, should that
// have died.
const lease = 10 * time.Second

// payFlags are what being paid takes.
type payFlags struct {
	database, payTo, network, rpc, mint string
	feePayer, orderKeys                 string
	auditPrice, driftPrice, alarm       string
}

func (a *app) addPayments(cmd *cobra.Command, p *payFlags) {
	f := cmd.Flags()
	a.addDatabase(cmd, &p.database)
	f.StringVar(&p.payTo, "pay-to", a.envOr("PAY_TO", ""), "`ADDRESS` on Solana that buyers pay to; without it nothing is sold")
	f.StringVar(&p.network, "network", a.envOr("NETWORK", "mainnet"), "`NETWORK` that is paid in: mainnet, devnet")
	f.StringVar(&p.rpc, "solana-rpc", a.envOr("SOLANA_RPC", ""), "`URL` of a Solana node's JSON-RPC; one with a secret in it belongs in MANIFESTSEAL_SOLANA_RPC")
	f.StringVar(&p.mint, "mint", a.envOr("MINT", ""), "`ADDRESS` of the token that is paid in (default USDC)")
	f.StringVar(&p.feePayer, "fee-payer-file", a.envOr("FEE_PAYER_FILE", ""), "`FILE` of the key that pays the network's fees, as solana-keygen writes it; or MANIFESTSEAL_FEE_PAYER in the environment")
	f.StringVar(&p.orderKeys, "order-keys", a.envOr("ORDER_KEYS", ""), "`FILE` of keys that authenticate offers, in hex, the newest first (default: one made in the database)")
	f.StringVar(&p.auditPrice, "audit-price-usd", a.priceOr("AUDIT_PRICE_USD"), "price of an audit report in `DOLLARS`")
	f.StringVar(&p.driftPrice, "drift-price-usd", a.priceOr("DRIFT_PRICE_USD"), "price of a drift report in `DOLLARS`")
	f.StringVar(&p.alarm, "fee-payer-alarm", a.envOr("FEE_PAYER_ALARM", "0.02"), "balance in `SOL` below which the log and the metrics raise an alarm")
	complete(cmd, "network", "mainnet", "devnet")
}

func (a *app) addDatabase(cmd *cobra.Command, database *string) {
	cmd.Flags().StringVar(database, "database", a.envOr("DATABASE", ""), "`DATABASE` of payments and limits: a file for SQLite, or postgres://… (default "+defaultDatabase+" where one is needed)")
}

// priceOr: the prices are known by their bare names too.
func (a *app) priceOr(name string) string {
	if value := a.env(name); value != "" {
		return a.envOr(name, value)
	}
	return a.envOr(name, "0.05")
}

// paid is what runs beside a server that is paid, and ends with it.
type paid struct {
	db   *store.DB
	till *x402.Till // nil for none
	temp string     // folder of a development server's database
	done chan struct{}
	stop context.CancelFunc
}

// payments opens the database and gives the server its limits and its till. The
// caller closes what it returns, after the server.
func (a *app) payments(ctx context.Context, flags serveFlags, config *server.Config) (*paid, error) {
	p := &paid{}
	if err := p.open(ctx, flags, config); err != nil {
		return nil, errors.Join(err, p.close())
	}
	if p.db == nil {
		return p, nil
	}
	config.Allowance = allowance.New(p.db, allowance.Limits{})
	config.Ready = map[string]func(context.Context) error{"database": p.db.Ping}
	if flags.pay.payTo == "" {
		return p, nil
	}
	till, err := a.till(ctx, flags, config, p.db)
	if err != nil {
		return nil, errors.Join(err, p.close())
	}
	p.till, config.Till = till, till
	config.Ready["chain"] = till.Ready
	config.Collectors = append(config.Collectors, x402.NewMeasures(ledger.NewBooks(p.db), till))
	ctx, p.stop = context.WithCancel(context.WithoutCancel(ctx))
	p.done = make(chan struct{})
	go func() {
		defer close(p.done)
		till.Run(ctx)
	}()
	return p, nil
}

// open opens no database for a server that issues nothing, unless it was told to.
// A development server's is gone with it.
func (p *paid) open(ctx context.Context, flags serveFlags, config *server.Config) (err error) {
	dsn := flags.pay.database
	switch {
	case dsn != "":
	case flags.dev:
		if p.temp, err = os.MkdirTemp("", "manifestseal"); err != nil {
			return err
		}
		dsn = filepath.Join(p.temp, defaultDatabase)
	case config.Signer != nil || flags.pay.payTo != "":
		dsn = defaultDatabase
	default:
		return nil
	}
	if p.db, err = store.Open(ctx, dsn); err != nil {
		return databaseFault(err)
	}
	return nil
}

func databaseFault(err error) *fault {
	return &fault{cause: &jsonvalue.Error{Class: serveClass, Code: "database", Message: err.Error(),
		Advice: "Name a file that may be written, or a PostgreSQL database: --database postgres://user@host/name"}}
}

// reachedAt tells the till where the server listens, where nobody said how
// visitors reach it.
func (p *paid) reachedAt(flags serveFlags, url string) {
	if p.till != nil && flags.origin == "" {
		p.till.ReachedAt(url)
	}
}

// close ends the sweeper, then the database that it works on.
func (p *paid) close() error {
	if p.stop != nil {
		p.stop()
		<-p.done
	}
	var err error
	if p.db != nil {
		err = p.db.Close()
	}
	if p.temp != "" {
		err = errors.Join(err, os.RemoveAll(p.temp))
	}
	return err
}

// till makes the till, after the chain was asked whether it can work.
func (a *app) till(ctx context.Context, flags serveFlags, config *server.Config, db *store.DB) (*x402.Till, error) {
	settings, err := a.tillConfig(flags, config, db)
	if err != nil {
		return nil, err
	}
	till, err := x402.New(settings)
	if err != nil {
		return nil, payFault(err)
	}
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	shop := solana.Shop{Network: settings.Network, Mint: settings.Mint, PayTo: settings.PayTo, FeePayer: solana.Address(settings.FeePayer)}
	if err := settings.Chain.Check(ctx, shop); err != nil {
		return nil, payFault(err)
	}
	config.Shop = shown(settings)
	return till, nil
}

// shown is what the report page says of a till.
func shown(c x402.Config) *server.Shop {
	return &server.Shop{
		Network: c.Network, Mint: c.Mint, PayTo: c.PayTo, Audit: c.Prices["/audit"], Drift: c.Prices["/drift"],
		Funds: func(ctx context.Context, owner string) (uint64, error) {
			account, err := c.Chain.TokenAccount(ctx, owner, c.Mint)
			if errors.Is(err, solana.ErrNoAccount) || err == nil && !account.Usable {
				return 0, nil
			}
			return account.Amount, err
		},
	}
}

func payFault(err error) *fault {
	return &fault{cause: &jsonvalue.Error{Class: serveClass, Code: "payments", Message: "reports can't be sold: " + err.Error(),
		Advice: "Every setting is told in the documentation: /docs/payments. Without --pay-to the server runs and sells nothing."}}
}

func (a *app) tillConfig(flags serveFlags, config *server.Config, db *store.DB) (c x402.Config, err error) {
	p := flags.pay
	network, mint, err := networkOf(p)
	if err != nil {
		return c, err
	}
	signer, err := signerOf(config)
	if err != nil {
		return c, err
	}
	c = x402.Config{
		Ledger: ledger.New(db, rand.Text(), lease), Network: network, Mint: mint, PayTo: p.payTo,
		Origin: flags.origin, Logger: config.Logger, Prices: map[string]uint64{},
		Receipt: func(payload []byte) (string, error) { return signer.Compact(sign.ReceiptType, payload), nil },
	}
	for route, price := range map[string]struct{ flag, value string }{"/audit": {"--audit-price-usd", p.auditPrice}, "/drift": {"--drift-price-usd", p.driftPrice}} {
		if c.Prices[route], err = unitsOf(price.flag, price.value); err != nil {
			return c, err
		}
	}
	if c.Alarm, err = amountOf("--fee-payer-alarm", p.alarm, 9); err != nil {
		return c, err
	}
	if c.FeePayer, err = a.feePayer(p.feePayer, config.Logger); err != nil {
		return c, err
	}
	if c.Orders, err = orderKeys(p.orderKeys, db); err != nil {
		return c, err
	}
	if p.rpc == "" {
		return c, usage("--pay-to is given and no Solana node", "Name the URL of its JSON-RPC: --solana-rpc, or MANIFESTSEAL_SOLANA_RPC in the environment.")
	}
	if c.Chain, err = solana.NewChain(p.rpc); err != nil {
		return c, usage("--solana-rpc: "+err.Error(), "")
	}
	return c, nil
}

func networkOf(p payFlags) (network, mint string, err error) {
	switch p.network {
	case "mainnet", solana.Mainnet:
		network, mint = solana.Mainnet, solana.USDCMainnet
	case "devnet", solana.Devnet:
		network, mint = solana.Devnet, solana.USDCDevnet
	default:
		return "", "", usage("there is no network "+quote(p.network), "The networks are mainnet, devnet.")
	}
	if p.mint != "" {
		mint = p.mint
	}
	return network, mint, nil
}

// signerOf is the key of reports, which signs the receipts too. A development
// server's is made here, since its till needs it before there is a server.
func signerOf(config *server.Config) (*sign.Signer, error) {
	if config.Signer != nil {
		return config.Signer, nil
	}
	if !config.Dev {
		return nil, usage("--pay-to is given and no signing key", "Reports are signed, or nothing is sold. manifestseal keygen makes a key.")
	}
	_, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return nil, err
	}
	config.Signer = sign.New(private)
	return config.Signer, nil
}

// unitsOf reads dollars as millionths, which USDC counts in.
func unitsOf(flag, dollars string) (uint64, error) {
	units, err := amountOf(flag, dollars, solana.Decimals)
	if err == nil && (units == 0 || units > 1_000_000_000) {
		err = usage(flag+" is no price: "+quote(dollars), "Write dollars, above 0 and up to 1000, as in 0.05.")
	}
	return units, err
}

// amountOf reads a decimal number as a whole number of its smallest parts, without
// a float in between.
func amountOf(flag, text string, decimals int) (uint64, error) {
	whole, part, _ := strings.Cut(text, ".")
	units, err := strconv.ParseUint(whole+part+strings.Repeat("0", max(0, decimals-len(part))), 10, 64)
	if err != nil || len(part) > decimals || whole == "" || strings.HasSuffix(text, ".") {
		return 0, usage(flag+" is no amount: "+quote(text), "Write a decimal number, as in 0.05.")
	}
	return units, nil
}

func (a *app) feePayer(file string, log *slog.Logger) (ed25519.PrivateKey, error) {
	text := []byte(a.env("MANIFESTSEAL_FEE_PAYER"))
	if file != "" {
		var err error
		if text, err = readSecret(file); err != nil {
			return nil, err
		}
	}
	if len(text) == 0 {
		return nil, usage("--pay-to is given and no fee payer", "Name the file of its key: --fee-payer-file. solana-keygen new makes one; use it for nothing else.")
	}
	key, err := solana.ReadPrivateKey(text)
	if err != nil {
		return nil, &fault{file: file, cause: &jsonvalue.Error{Class: serveClass, Code: "no_key", Message: "the fee payer's key can't be used: " + err.Error(), Advice: "It is a file as solana-keygen writes it: 64 numbers in brackets."}}
	}
	log.Info("reports are sold", "fee_payer", solana.Address(key))
	return key, nil
}

// readSecret reads a file that nobody else may read.
func readSecret(file string) ([]byte, error) {
	info, err := os.Stat(file)
	if err != nil {
		return nil, fileFault(file, err)
	}
	if info.Mode().Perm()&0o077 != 0 {
		return nil, &fault{file: file, cause: &jsonvalue.Error{Class: serveClass, Code: "loose_mode", Message: "others than its owner can read or change this secret", Advice: "chmod 600 it, and replace it if somebody may have read it."}}
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, fileFault(file, err)
	}
	return data, nil
}

// orderKeys reads the keys, or takes one that servers which share a database share.
func orderKeys(file string, db *store.DB) (x402.Keys, error) {
	if file == "" {
		key := ledger.Sum([]byte("order key"), db.Salt())
		return x402.Keys{key[:]}, nil
	}
	text, err := readSecret(file)
	if err != nil {
		return nil, err
	}
	var keys x402.Keys
	for line := range bytes.Lines(text) {
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		key, err := hex.DecodeString(string(line))
		if err != nil || len(key) < x402.MinOrderKey {
			return nil, &fault{file: file, cause: &jsonvalue.Error{Class: serveClass, Code: "no_key", Message: "line " + strconv.Itoa(len(keys)+1) + " is no key", Advice: "A key is 64 hex digits or more: openssl rand -hex 32"}}
		}
		keys = append(keys, key)
	}
	if len(keys) == 0 {
		return nil, &fault{file: file, cause: &jsonvalue.Error{Class: serveClass, Code: "no_key", Message: "it holds no key", Advice: "Write one with openssl rand -hex 32"}}
	}
	return keys, nil
}
