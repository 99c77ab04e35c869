package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/manifestseal/manifestseal/server/internal/solana"
	"github.com/manifestseal/manifestseal/server/internal/solana/solanatest"
)

// Settings by which nothing could be sold stop the server, and say what to do.
func TestServePaymentFaults(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	write := func(name, text string, mode os.FileMode) string {
		file := filepath.Join(folder, name)
		if err := os.WriteFile(file, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		return file
	}
	var numbers []int
	for _, b := range solanatest.Key("fee payer") {
		numbers = append(numbers, int(b))
	}
	text, err := json.Marshal(numbers)
	if err != nil {
		t.Fatal(err)
	}
	keyText := string(text)
	key := write("fee.json", keyText, 0o600)
	payTo := solana.Address(solanatest.Key("receiver"))
	sells := []string{"--dev", "--pay-to", payTo, "--network", "devnet"}
	for name, tc := range map[string]struct {
		args []string
		want string
	}{
		"no signing key":      {[]string{"--pay-to", payTo, "--database", filepath.Join(folder, "a.db")}, "no signing key"},
		"no fee payer":        {sells, "no fee payer"},
		"fee payer missing":   {append(sells, "--fee-payer-file", filepath.Join(folder, "none")), "there is no such file"},
		"fee payer open":      {append(sells, "--fee-payer-file", write("open.json", keyText, 0o644)), "others than its owner"},
		"fee payer no key":    {append(sells, "--fee-payer-file", write("bad.json", "[1,2]", 0o600)), "can't be used"},
		"no node":             {append(sells, "--fee-payer-file", key), "no Solana node"},
		"node no URL":         {append(sells, "--fee-payer-file", key, "--solana-rpc", "devnet"), "--solana-rpc"},
		"node unreachable":    {append(sells, "--fee-payer-file", key, "--solana-rpc", "http://127.0.0.1:1/?secret=geheim"), "reports can't be sold"},
		"mainnet on loopback": {[]string{"--dev", "--pay-to", payTo, "--fee-payer-file", key, "--solana-rpc", "http://127.0.0.1:1"}, "on this machine"},
		"unknown network":     {append(sells, "--network", "testnet"), "there is no network"},
		"price of nothing":    {append(sells, "--audit-price-usd", "0"), "is no price"},
		"price too exact":     {append(sells, "--drift-price-usd", "0.0000001"), "is no amount"},
		"price no number":     {append(sells, "--drift-price-usd", "-1"), "is no amount"},
		"price too high":      {append(sells, "--drift-price-usd", "1000.000001"), "is no price"},
		"alarm no number":     {append(sells, "--fee-payer-alarm", "1e3"), "is no amount"},
		"order keys short":    {append(sells, "--fee-payer-file", key, "--order-keys", write("short", "abcd\n", 0o600)), "line 1 is no key"},
		"order keys empty":    {append(sells, "--fee-payer-file", key, "--order-keys", write("empty", "\n", 0o600)), "holds no key"},
		"order keys open":     {append(sells, "--fee-payer-file", key, "--order-keys", write("openkeys", strings.Repeat("ab", 32), 0o640)), "others than its owner"},
		"database no file":    {[]string{"--dev", "--database", folder}, "database"},
		"pays itself": {append([]string{"--dev", "--network", "devnet", "--pay-to", solana.Address(solanatest.Key("fee payer"))}, "--fee-payer-file", key, "--solana-rpc", "http://127.0.0.1:1"),
			"the fee payer is the receiving address"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			status, _, stderr := command(t, append([]string{"serve", "--listen", "127.0.0.1:0", "--metrics-listen", "off"}, tc.args...)...)
			if status != Unchecked || !strings.Contains(stderr, tc.want) {
				t.Errorf("status %d, %q; want %q", status, stderr, tc.want)
			}
			if strings.Contains(stderr, "geheim") {
				t.Errorf("it tells the node's secret: %q", stderr)
			}
		})
	}
}

func TestAmounts(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]uint64{"0.05": 50_000, "1": 1_000_000, "1000": 1_000_000_000, "0.000001": 1, "2.5": 2_500_000} {
		if got, err := unitsOf("--price", text); got != want || err != nil {
			t.Errorf("%s dollars are %d, %v; want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"", ".", ".5", "1.", "1.2.3", "0x1", " 1", "1,5", "18446744073709551616", "１"} {
		if got, err := unitsOf("--price", text); err == nil {
			t.Errorf("%q is taken for %d", text, got)
		}
	}
}
