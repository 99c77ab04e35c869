// Package server implements the web app: its pages, its assets and the rules
// under which they are served. The pages do their work in the browser; no
// document that a visitor compares ever arrives here, and nothing of a request
// beyond its method, route and size is written down.
package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/manifestseal/manifestseal/server/internal/allowance"
	"github.com/manifestseal/manifestseal/server/internal/keys"
	"github.com/manifestseal/manifestseal/server/internal/payment"
	"github.com/manifestseal/manifestseal/server/internal/sign"
	"github.com/manifestseal/manifestseal/static"
)

// DefaultListen is the address used when Config names none.
const DefaultListen = "127.0.0.1:8080"

// bodyLimit is the criteria's cap on a request body, in bytes.
const bodyLimit = 524_288

// Config is what a server needs to be told. The zero value serves the embedded
// bundle on DefaultListen and logs nothing.
type Config struct {
	Listen string         // host:port; port 0 takes a free one
	Origin string         // how visitors reach the site, such as https://example.org; https turns HSTS on
	Assets *static.Assets // nil for the embedded bundle
	Logger *slog.Logger   // nil for none
	Drain  time.Duration  // how long Run waits for open requests at the end; 0 means 10 seconds

	// NoServiceWorker is the kill switch: pages register none, and browsers that
	// have one get a script that takes it out with all that it stored.
	NoServiceWorker bool

	// Dev issues unpaid reports signed by a development key, which every page says.
	// It is refused on an address that is not loopback.
	Dev bool
	// DevWallet is the script of a burner wallet for the report page. It is refused
	// without Dev.
	DevWallet []byte

	Signer    *sign.Signer         // nil for none: then nothing is sold, but in development
	History   keys.History         // of the service's keys, the signer's included
	Till      payment.Till         // nil sells nothing, but in development
	Shop      *Shop                // what the report page shows of the till; nil for none
	Allowance *allowance.Allowance // nil answers no pre-checks
	Proxies   []netip.Prefix       // whose X-Forwarded-For is believed

	Metrics    net.Listener           // for /metrics and /readyz, apart from the visitors'; nil for none
	Collectors []prometheus.Collector // more to be measured
	// Ready says, by name, what the server can't work without: /readyz asks each.
	Ready map[string]func(context.Context) error
}

// Server is one listening web app. Make it with New.
type Server struct {
	echo      *echo.Echo
	http      *http.Server
	listener  net.Listener
	assets    *static.Assets
	log       *slog.Logger
	drain     time.Duration
	secure    bool // visitors come over https
	pages     pages
	issuer    *issuer
	allowance *allowance.Allowance
	proxies   []netip.Prefix
	measures  *measures
	metrics   *http.Server // nil for none
	ready     map[string]func(context.Context) error
	funds     *funds // nil where nothing is sold

	jwks, provenance []byte // as they are sent
	serviceWorker    []byte // as it is sent
	devWallet        []byte // nil for none
}

// New opens the listening socket and prepares every page, so that what can
// fail fails here. The error is static.ErrNotBuilt when the binary holds no
// bundle, or says which setting or address is at fault.
func New(config Config) (*Server, error) {
	config, err := withDefaults(config)
	if err != nil {
		return nil, err
	}
	s := &Server{
		assets:  config.Assets,
		log:     config.Logger,
		drain:   config.Drain,
		secure:  isSecure(config.Origin),
		proxies: config.Proxies, allowance: config.Allowance, ready: config.Ready,
	}
	if s.pages, err = preparePages(config.Assets, config.Dev); err != nil {
		return nil, err
	}
	if err := s.prepareDevWallet(config); err != nil {
		return nil, err
	}
	if err := s.prepareReport(config); err != nil {
		return nil, err
	}
	if s.measures, err = newMeasures(config.Collectors); err != nil {
		return nil, fmt.Errorf("metrics: %w", err)
	}
	if s.issuer, err = newIssuer(config, s.measures); err != nil {
		return nil, err
	}
	s.pages.compare.ServiceWorker = serviceWorkerURL(config.NoServiceWorker)
	s.pages.inspect.ServiceWorker = s.pages.compare.ServiceWorker
	s.pages.prepareVerify(s.issuer.keys, s.pages.compare.ServiceWorker)
	if err := s.prepareServiceWorker(config.NoServiceWorker); err != nil {
		return nil, err
	}
	s.echo = s.routes()
	s.http = &http.Server{
		Handler:           s.echo,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       20 * time.Second,
		WriteTimeout:      60 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    32 << 10,
		ErrorLog:          slog.NewLogLogger(config.Logger.Handler(), slog.LevelWarn),
	}
	if s.listener, err = net.Listen("tcp", config.Listen); err != nil {
		return nil, fmt.Errorf("listen: %w", err)
	}
	if config.Dev && !isLoopback(s.listener.Addr()) {
		return nil, errors.Join(ErrDevelopment, s.listener.Close())
	}
	if s.issuer.url == "" {
		s.issuer.url = s.URL()
	}
	if err := s.prepareWellKnown(); err != nil {
		return nil, errors.Join(err, s.listener.Close())
	}
	if config.Metrics != nil {
		s.metrics = serveMetrics(s.measures, config.Metrics)
	}
	return s, nil
}

func withDefaults(config Config) (Config, error) {
	if config.Listen == "" {
		config.Listen = DefaultListen
	}
	if config.Logger == nil {
		config.Logger = slog.New(slog.DiscardHandler)
	}
	if config.Drain == 0 {
		config.Drain = 10 * time.Second
	}
	if err := checkOrigin(config.Origin); err != nil {
		return config, err
	}
	if config.Assets == nil {
		assets, err := static.New(static.Dist())
		if err != nil {
			return config, err
		}
		config.Assets = assets
	}
	return config, nil
}

func checkOrigin(origin string) error {
	if origin == "" {
		return nil
	}
	u, err := url.Parse(origin)
	if err != nil || u.Host == "" || u.User != nil || (u.Scheme != "http" && u.Scheme != "https") || (u.Path != "" && u.Path != "/") {
		return fmt.Errorf("origin %q: want scheme and host only, such as https://example.org", origin)
	}
	return nil
}

func isSecure(origin string) bool {
	u, err := url.Parse(origin)
	return err == nil && u.Scheme == "https"
}

// URL is where the server listens, with the real port.
func (s *Server) URL() string { return "http://" + s.listener.Addr().String() }

// Run serves until ctx is done, then lets open requests finish within the drain
// limit. The error is nil after an orderly end.
func (s *Server) Run(ctx context.Context) error {
	served := make(chan error, 1)
	go func() { served <- s.http.Serve(s.listener) }()
	select {
	case err := <-served:
		if errors.Is(err, http.ErrServerClosed) {
			return nil
		}
		return err
	case <-ctx.Done():
	}
	limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.drain)
	defer cancel()
	if err := s.http.Shutdown(limited); err != nil {
		return errors.Join(fmt.Errorf("open requests were cut off after %v: %w", s.drain, err), s.http.Close(), s.closeMetrics())
	}
	return s.closeMetrics()
}

// Close ends the server at once, also one that never ran.
func (s *Server) Close() error {
	err := s.listener.Close()
	if errors.Is(err, net.ErrClosed) {
		err = nil
	}
	return errors.Join(err, s.http.Close(), s.closeMetrics())
}

func (s *Server) closeMetrics() error {
	if s.metrics == nil {
		return nil
	}
	return s.metrics.Close()
}

// ServeHTTP answers one request without the socket, for tests.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.echo.ServeHTTP(w, r) }
