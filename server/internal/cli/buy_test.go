package cli

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/manifestseal/manifestseal/e2e/devnet"
	"github.com/manifestseal/manifestseal/engine/seal"
	"github.com/manifestseal/manifestseal/static"
)

const price = 50_000

// market is the command `serve` on a development chain.
type market struct {
	t     *testing.T
	chain *devnet.Devnet
	url   string
}

func openMarket(t *testing.T) *market {
	t.Helper()
	if _, err := static.New(static.Dist()); err != nil {
		t.Skip("the bundle is not built: TestServe says so")
	}
	chain, err := devnet.Start(t.Context(), t.TempDir(), 50*time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = chain.Close() })
	settings := map[string]string{
		"LISTEN": "127.0.0.1:0", "METRICS_LISTEN": "off", "DATABASE": filepath.Join(t.TempDir(), "market.db"),
		"NETWORK": "devnet", "SOLANA_RPC": chain.URL, "PAY_TO": chain.PayTo, "FEE_PAYER_FILE": chain.FeePayerKey,
	}
	env := func(name string) string { return settings[strings.TrimPrefix(name, "MANIFESTSEAL_")] }
	ctx, cancel := context.WithCancel(context.Background())
	r, w := io.Pipe()
	var stderr bytes.Buffer
	status := make(chan int, 1)
	go func() {
		status <- Run(ctx, []string{"serve", "--dev"}, strings.NewReader(""), w, &stderr, env)
		_ = w.Close()
	}()
	t.Cleanup(func() {
		cancel()
		if got := <-status; got != Unchanged {
			t.Errorf("the server ended with status %d", got)
		}
		if t.Failed() {
			t.Logf("the server's log:\n%s", stderr.String())
		}
	})
	line, err := bufio.NewReader(r).ReadString('\n')
	if err != nil {
		t.Fatalf("the server did not start: %v\n%s", err, stderr.String())
	}
	return &market{t, chain, strings.Fields(strings.TrimPrefix(line, "ManifestSeal is at "))[0]}
}

// bought is what the third-party client says of a purchase.
type bought struct {
	Status   int
	Type     string
	Body     string
	Payments []string // the payment headers that it sent
	Receipt  *struct {
		Success                             bool
		Transaction, Network, Payer, Amount string
	}
}

// buy runs the unchanged x402 client: it asks, is told the price, signs and pays.
func (m *market) buy(version, route, body string) bought {
	m.t.Helper()
	command := exec.CommandContext(m.t.Context(), "node", "../../../e2e/x402/buy.mjs",
		"--url", m.url+route, "--rpc", m.chain.URL, "--key", m.chain.BuyerKey, "--x402", version)
	command.Stdin = strings.NewReader(body)
	var problems strings.Builder
	command.Stderr = &problems
	output, err := command.Output()
	if err != nil {
		m.t.Fatalf("the x402 client: %v\n%s", err, problems.String())
	}
	var got bought
	if err := json.Unmarshal(output, &got); err != nil {
		m.t.Fatal(err)
	}
	return got
}

func (m *market) state() devnet.State {
	m.t.Helper()
	state, err := m.chain.Control(m.t.Context(), devnet.Command{})
	if err != nil {
		m.t.Fatal(err)
	}
	return state
}

// send is a plain request with a payment header; the answer's body and status.
func (m *market) send(route, body, name, payment string) (int, string) {
	m.t.Helper()
	request, err := http.NewRequestWithContext(m.t.Context(), http.MethodPost, m.url+route, strings.NewReader(body))
	if err != nil {
		m.t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set(name, payment)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		m.t.Fatal(err)
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		m.t.Fatal(err)
	}
	return response.StatusCode, string(answer)
}

// checkSigned holds a report to the keys that the server publishes.
func (m *market) checkSigned(text string) {
	m.t.Helper()
	response, err := http.Get(m.url + "/.well-known/jwks.json")
	if err != nil {
		m.t.Fatal(err)
	}
	defer response.Body.Close()
	jwks, err := io.ReadAll(response.Body)
	if err != nil {
		m.t.Fatal(err)
	}
	keys, err := seal.ReadKeys(jwks)
	if err != nil {
		m.t.Fatal(err)
	}
	report, err := seal.ReadReport(text)
	if err != nil {
		m.t.Fatal(err)
	}
	if _, check := keys.VerifyReport(report); !check.Holds() {
		m.t.Errorf("the report's signature: %s", check)
	}
}

// TestUnchangedClientBuys: somebody else's client, which knows nothing of us,
// buys both reports by both versions of the protocol, and gets each again for
// nothing when it sends the same payment with the same body.
func TestUnchangedClientBuys(t *testing.T) {
	m := openMarket(t)
	const baseline, current = `{"tools":[{"name":"a","description":"Reads."}]}`, `{"tools":[{"name":"a","description":"Writes."}]}`
	var paid uint64
	for _, sale := range []struct{ name, version, header, route, body, criteria string }{
		{"audit", "2", "PAYMENT-SIGNATURE", "/audit", `{"manifest":` + current + `}`, "mcp-manifest-claims/v1"},
		{"drift", "2", "PAYMENT-SIGNATURE", "/drift", `{"baseline_manifest":` + baseline + `,"manifest":` + current + `}`, "mcp-manifest-drift/v1"},
		{"audit by version 1", "1", "X-PAYMENT", "/audit", `{"manifest":` + baseline + `}`, "mcp-manifest-claims/v1"},
		{"drift by version 1", "1", "X-PAYMENT", "/drift", `{"baseline_manifest":` + current + `,"manifest":` + baseline + `}`, "mcp-manifest-drift/v1"},
	} {
		got := m.buy(sale.version, sale.route, sale.body)
		if got.Status != http.StatusOK || got.Type != "application/json" || got.Receipt == nil || len(got.Payments) != 1 {
			t.Fatalf("%s: the client got %+v", sale.name, got)
		}
		paid += price
		state := m.state()
		last := state.Transfers[len(state.Transfers)-1]
		if state.Received != paid || last.Payer != m.chain.Buyer || last.Amount != price || last.Signature != got.Receipt.Transaction || !got.Receipt.Success || got.Receipt.Payer != m.chain.Buyer {
			t.Errorf("%s: the receipt is %+v, the chain holds %+v", sale.name, *got.Receipt, state)
		}
		if !strings.HasPrefix(got.Body, `{"criteria_id":"`+sale.criteria+`"`) {
			t.Errorf("%s: the report begins %.80q", sale.name, got.Body)
		}
		m.checkSigned(got.Body)
		if status, again := m.send(sale.route, sale.body, sale.header, got.Payments[0]); status != http.StatusOK || again != got.Body {
			t.Errorf("%s: fetched again: status %d, equal %t", sale.name, status, again == got.Body)
		}
		if state := m.state(); state.Received != paid {
			t.Errorf("%s: fetched again it cost %d", sale.name, state.Received-paid)
		}
	}
}
