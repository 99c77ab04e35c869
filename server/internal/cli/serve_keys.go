package cli

import (
	"errors"
	"log/slog"
	"net"
	"net/netip"
	"strconv"
	"strings"

	"github.com/manifestseal/manifestseal/server"
	"github.com/manifestseal/manifestseal/server/internal/keys"
	"github.com/manifestseal/manifestseal/server/internal/sign"
)

// signing gives the server its key and the history, and refuses a key that may
// not sign.
func (a *app) signing(config *server.Config, flags serveFlags) error {
	source := keys.Source{File: flags.keyFile, Value: a.env("MANIFESTSEAL_KEY")}
	if flags.keyFD != "" {
		fd, err := strconv.Atoi(flags.keyFD)
		if err != nil || fd < 3 {
			return usage("--key-fd takes the number of an open file, 3 or more, not "+quote(flags.keyFD), "In a shell: manifestseal serve --key-fd 3 3< key.pem")
		}
		source.FD = fd
	}
	private, err := source.Load()
	if err != nil {
		return &fault{cause: keysError("no_key", "the signing key can't be used: "+err.Error(), "manifestseal keygen makes one.")}
	}
	if flags.history != "" {
		if config.History, err = a.history(flags.history); err != nil {
			return historyMissing(flags.history, err)
		}
	}
	if private == nil {
		return nil
	}
	config.Signer = sign.New(private)
	if flags.dev {
		return nil
	}
	if flags.history == "" {
		return usage("a signing key is given and no history", "Name the JWKS file that keygen wrote: --keys FILE. Nobody could verify the reports without it.")
	}
	if err := config.History.MaySign(private); err != nil {
		return &fault{cause: keysError("may_not_sign", err.Error(), "The history is "+quote(flags.history)+".")}
	}
	return nil
}

func proxiesOf(text string) ([]netip.Prefix, error) {
	var out []netip.Prefix
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		prefix, err := netip.ParsePrefix(part)
		if err != nil {
			return nil, usage("--trusted-proxies holds no network: "+quote(part), "Write networks with their length, as in 10.0.0.0/8,fd00::/8.")
		}
		out = append(out, prefix)
	}
	return out, nil
}

// defaultMetrics is where metrics are if nobody says where. A second server on
// one machine then has none, and says so, rather than not to start.
const defaultMetrics = "127.0.0.1:9464"

func metricsOf(address string, logger *slog.Logger) (net.Listener, error) {
	if address == "off" {
		return nil, nil
	}
	asked := address != ""
	if !asked {
		address = defaultMetrics
	}
	listener, err := net.Listen("tcp", address)
	if err == nil {
		return listener, nil
	}
	if asked {
		return nil, usage("--metrics-listen: it can't listen there: "+listenReason(err), "Name an address of this machine and a free port, or off.")
	}
	logger.Warn("there are no metrics: another program listens on "+defaultMetrics, "set", "--metrics-listen", "reason", errors.Unwrap(err))
	return nil, nil
}
