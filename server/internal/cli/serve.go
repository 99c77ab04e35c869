package cli

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/manifestseal/manifestseal/engine/jsonvalue"
	"github.com/manifestseal/manifestseal/server"
	"github.com/manifestseal/manifestseal/server/internal/cli/plain"
	"github.com/manifestseal/manifestseal/static"
)

const serveHelp = `Run the web app. Its pages compare manifests in the visitor's browser; no document
that a visitor compares is sent to it. It ends on Ctrl-C or SIGTERM, after open
requests are answered; a second one ends it at once.

Every flag can be set in the environment too: MANIFESTSEAL_LISTEN,
MANIFESTSEAL_ORIGIN, MANIFESTSEAL_LOG_FORMAT, and so on. MANIFESTSEAL_KEY holds the
private key itself; it is never logged.

To issue signed reports it takes a key, its history, and a way to be paid. --dev
issues them unpaid, with a key made for this run unless --key-file names one.`

const serveExamples = `  manifestseal serve
  manifestseal serve --listen 0.0.0.0:8080 --origin https://manifests.example.org
  MANIFESTSEAL_LISTEN=127.0.0.1:0 manifestseal serve --log-format json`

type serveFlags struct {
	listen, origin, logFormat, logLevel string
	metrics                             string
	keyFile, keyFD, history, proxies    string
	noServiceWorker, dev                bool
	pay                                 payFlags
	devWallet                           string
}

func (a *app) serveCommand() *cobra.Command {
	var flags serveFlags
	cmd := &cobra.Command{
		Use:     "serve",
		Short:   "Run the web app",
		Long:    serveHelp,
		Example: serveExamples,
		Args:    noArguments,
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.serve(cmd.Context(), flags) },
	}
	f := cmd.Flags()
	f.StringVar(&flags.listen, "listen", a.envOr("LISTEN", server.DefaultListen), "`ADDRESS` to listen on, host:port; port 0 takes a free one")
	f.BoolVar(&flags.noServiceWorker, "no-service-worker", a.envOr("NO_SERVICE_WORKER", "") == "true", "take the service worker back from every browser that has it (kill switch)")
	f.StringVar(&flags.origin, "origin", a.envOr("ORIGIN", ""), "`URL` at which visitors reach it, such as https://example.org")
	f.StringVar(&flags.logFormat, "log-format", a.envOr("LOG_FORMAT", "text"), "`FORMAT` of the log on standard error: text, json")
	f.StringVar(&flags.logLevel, "log-level", a.envOr("LOG_LEVEL", "info"), "least `LEVEL` that is logged: debug, info, warn, error")
	f.StringVar(&flags.keyFile, "key-file", a.envOr("KEY_FILE", ""), "`FILE` of the private key that signs (see keygen); or MANIFESTSEAL_KEY in the environment, or --key-fd")
	f.StringVar(&flags.keyFD, "key-fd", a.envOr("KEY_FD", ""), "read the private key from this open file `DESCRIPTOR`")
	f.StringVar(&flags.history, "keys", a.envOr("KEYS", ""), "`FILE` of the history of public keys (JWKS)")
	f.StringVar(&flags.proxies, "trusted-proxies", a.envOr("TRUSTED_PROXIES", ""), "`NETWORKS` of your own proxies, whose X-Forwarded-For is believed, as in 10.0.0.0/8,fd00::/8")
	f.StringVar(&flags.metrics, "metrics-listen", a.envOr("METRICS_LISTEN", ""), "`ADDRESS` for /metrics and /readyz, apart from the visitors'; off switches them off (default "+defaultMetrics+")")
	f.BoolVar(&flags.dev, "dev", false, "development: unpaid reports, signed by a development key; on loopback only")
	a.addPayments(cmd, &flags.pay)
	f.StringVar(&flags.devWallet, "dev-wallet", a.envOr("DEV_WALLET", ""), "`FILE` of a burner wallet's script for the report page; with --dev only (make run-devnet)")
	complete(cmd, "log-format", "text", "json")
	complete(cmd, "log-level", "debug", "info", "warn", "error")
	return cmd
}

func (a *app) envOr(name, otherwise string) string {
	if value := a.env("MANIFESTSEAL_" + name); value != "" {
		return value
	}
	return otherwise
}

func (a *app) serve(ctx context.Context, flags serveFlags) error {
	logger, err := a.logger(flags)
	if err != nil {
		return err
	}
	if _, _, err := net.SplitHostPort(flags.listen); err != nil {
		return usage("--listen is no address: "+quote(flags.listen), "Write host:port, as in 127.0.0.1:8080, or :8080 for every interface.")
	}
	config := server.Config{Listen: flags.listen, Origin: flags.origin, Logger: logger, NoServiceWorker: flags.noServiceWorker, Dev: flags.dev}
	if config.DevWallet, err = devWallet(flags); err != nil {
		return err
	}
	if config.Proxies, err = proxiesOf(flags.proxies); err != nil {
		return err
	}
	if err := a.signing(&config, flags); err != nil {
		return err
	}
	if config.Metrics, err = metricsOf(flags.metrics, logger); err != nil {
		return err
	}
	paid, err := a.payments(ctx, flags, &config)
	if err != nil {
		return err
	}
	return errors.Join(a.serveWith(ctx, flags, config, paid), paid.close())
}

// serveWith runs the server until it is told to end.
func (a *app) serveWith(ctx context.Context, flags serveFlags, config server.Config, paid *paid) error {
	s, err := server.New(config)
	if err != nil {
		return serveFault(flags, err)
	}
	paid.reachedAt(flags, s.URL())
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	// A second signal must end a server that waits for its last requests.
	context.AfterFunc(ctx, stop)
	a.print("ManifestSeal is at " + s.URL() + " (Ctrl-C ends it)\n")
	if err := a.stdout.flush(); err != nil {
		return errors.Join(serveFault(flags, err), s.Close())
	}
	if err := s.Run(ctx); err != nil {
		return serveFault(flags, err)
	}
	return nil
}

func devWallet(flags serveFlags) ([]byte, error) {
	if flags.devWallet == "" {
		return nil, nil
	}
	if !flags.dev {
		return nil, usage("--dev-wallet is given without --dev", "A burner wallet is served in development only.")
	}
	script, err := os.ReadFile(flags.devWallet)
	if err != nil {
		return nil, fileFault(flags.devWallet, err)
	}
	return script, nil
}

func (a *app) logger(flags serveFlags) (*slog.Logger, error) {
	var level slog.Level
	if err := level.UnmarshalText([]byte(flags.logLevel)); err != nil {
		return nil, usage("there is no log level "+quote(flags.logLevel), "The levels are debug, info, warn, error.")
	}
	options := &slog.HandlerOptions{Level: level}
	switch flags.logFormat {
	case "text":
		return slog.New(slog.NewTextHandler(a.stderr, options)), nil
	case "json":
		return slog.New(slog.NewJSONHandler(a.stderr, options)), nil
	}
	return nil, usage("there is no log format "+quote(flags.logFormat), "The formats are text, json.")
}

func serveFault(flags serveFlags, err error) *fault {
	e := &jsonvalue.Error{Class: serveClass}
	address := plain.Text(flags.listen)
	switch {
	case errors.Is(err, static.ErrNotBuilt):
		e.Code, e.Message, e.Advice = "not_built", "this binary was built without the web app's files", `Build it with "make build".`
	case errors.Is(err, syscall.EADDRINUSE):
		e.Code, e.Message, e.Advice = "address_in_use", "something else listens on "+address, "End it, or choose another port: --listen 127.0.0.1:0 takes a free one."
	case errors.Is(err, syscall.EACCES):
		e.Code, e.Message, e.Advice = "permission", "you may not listen on "+address, "Ports below 1024 need permission: choose a higher one."
	case strings.HasPrefix(err.Error(), "listen: "):
		e.Code, e.Message, e.Advice = "address", "it can't listen on "+address+": "+listenReason(err), "Name an address of this machine and a port from 0 to 65535."
	case errors.Is(err, server.ErrDevelopment):
		e.Class, e.Message, e.Advice = usageClass, server.ErrDevelopment.Error(), "Listen on 127.0.0.1 or [::1] and name no other --origin, or leave --dev out."
	case strings.HasPrefix(err.Error(), "origin "):
		e.Class, e.Message, e.Advice = usageClass, err.Error(), "Write scheme and host only: --origin https://example.org"
	default:
		e.Code, e.Message = "failed", err.Error()
	}
	return &fault{cause: e}
}

// listenReason is why an address can't be listened on, without Go's words.
func listenReason(err error) string {
	var address *net.AddrError
	var name *net.DNSError
	switch {
	case errors.As(err, &address):
		return address.Err
	case errors.As(err, &name):
		return "there is no such host"
	}
	return reason(err)
}
