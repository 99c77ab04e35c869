package solana_test

import (
	"encoding/base64"
	"encoding/binary"
	"strings"
	"testing"

	sol "github.com/gagliardetto/solana-go"

	"github.com/manifestseal/manifestseal/server/internal/solana"
	st "github.com/manifestseal/manifestseal/server/internal/solana/solanatest"
)

// The accounts of a sound shop, as a node spells them.
func soundShop() (solana.Shop, map[string]string) {
	shop := solana.Shop{Network: solana.Devnet, Mint: solana.USDCDevnet, PayTo: terms.PayTo, FeePayer: terms.FeePayer}
	return shop, map[string]string{
		"getGenesisHash":                         `"EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG"`,
		asked(shop.Mint):                         accountOf(sol.TokenProgramID, mintData(6)),
		asked(receiving(shop)):                   accountOf(sol.TokenProgramID, tokenData(shop.Mint, shop.PayTo, 7, 1)),
		asked(shop.FeePayer):                     accountOf(sol.SystemProgramID, nil),
		"getBalance " + balanceOf(shop.FeePayer): `{"value":1000000000}`,
	}
}

func receiving(s solana.Shop) string {
	return st.TokenAccount(sol.MustPublicKeyFromBase58(s.PayTo), sol.MustPublicKeyFromBase58(s.Mint), sol.TokenProgramID).String()
}

func asked(address string) string {
	return `getAccountInfo ["` + address + `",{"commitment":"confirmed","encoding":"base64"}]`
}

func balanceOf(address string) string { return `["` + address + `",{"commitment":"confirmed"}]` }

func accountOf(program sol.PublicKey, data []byte) string {
	return `{"value":{"lamports":1,"owner":"` + program.String() + `","data":["` + base64.StdEncoding.EncodeToString(data) + `","base64"],"executable":false,"rentEpoch":18446744073709551615}}`
}

func mintData(decimals byte) []byte {
	data := make([]byte, 82)
	data[44], data[45] = decimals, 1
	return data
}

func tokenData(mint, owner string, amount uint64, state byte) []byte {
	m, o := sol.MustPublicKeyFromBase58(mint), sol.MustPublicKeyFromBase58(owner)
	data := append(m[:], o[:]...)
	data = append(binary.LittleEndian.AppendUint64(data, amount), make([]byte, 93)...)
	data[108] = state
	return data
}

func TestStartUpChecks(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name  string
		spoil func(shop *solana.Shop, results map[string]string)
		fault string // a word of the error; empty for none
	}{
		{"sound", func(*solana.Shop, map[string]string) {}, ""},
		{"node of mainnet, network devnet", func(_ *solana.Shop, r map[string]string) {
			r["getGenesisHash"] = `"5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d"`
		}, "name a node"},
		{"mainnet on this machine", func(s *solana.Shop, _ map[string]string) { s.Network = solana.Mainnet }, "development chain"},
		{"a network without a name", func(s *solana.Shop, _ map[string]string) { s.Network = "" }, "name a node"},
		{"a network cut short", func(s *solana.Shop, _ map[string]string) { s.Network = "solana:EtWT" }, "name a node"},
		{"a network of another kind", func(s *solana.Shop, _ map[string]string) { s.Network = "eip155:8453" }, "name a node"},
		{"no mint", func(s *solana.Shop, r map[string]string) { r[asked(s.Mint)] = `{"value":null}` }, "no such account"},
		{"a mint of nine decimals", func(s *solana.Shop, r map[string]string) {
			r[asked(s.Mint)] = accountOf(sol.TokenProgramID, mintData(9))
		}, "decimals"},
		{"a mint that is none", func(s *solana.Shop, r map[string]string) {
			r[asked(s.Mint)] = accountOf(sol.SystemProgramID, mintData(6))
		}, "no mint"},
		{"a mint cut short", func(s *solana.Shop, r map[string]string) {
			r[asked(s.Mint)] = accountOf(sol.TokenProgramID, mintData(6)[:40])
		}, "no mint"},
		{"no receiving account", func(s *solana.Shop, r map[string]string) { r[asked(receiving(*s))] = `{"value":null}` }, "open it"},
		{"a frozen receiving account", func(s *solana.Shop, r map[string]string) {
			r[asked(receiving(*s))] = accountOf(sol.TokenProgramID, tokenData(s.Mint, s.PayTo, 0, 2))
		}, "frozen"},
		{"a receiving account of another owner", func(s *solana.Shop, r map[string]string) {
			r[asked(receiving(*s))] = accountOf(sol.TokenProgramID, tokenData(s.Mint, s.FeePayer, 0, 1))
		}, "somebody else"},
		{"a receiving account cut short", func(s *solana.Shop, r map[string]string) {
			r[asked(receiving(*s))] = accountOf(sol.TokenProgramID, tokenData(s.Mint, s.PayTo, 0, 1)[:100])
		}, "no token account"},
		{"a poor fee payer", func(s *solana.Shop, r map[string]string) {
			r["getBalance "+balanceOf(s.FeePayer)] = `{"value":100}`
		}, "lamports"},
		{"no fee payer", func(s *solana.Shop, r map[string]string) { r[asked(s.FeePayer)] = `{"value":null}` }, "holds nothing"},
		{"a fee payer that is a nonce", func(s *solana.Shop, r map[string]string) {
			r[asked(s.FeePayer)] = accountOf(sol.SystemProgramID, make([]byte, 80))
		}, "plain"},
		{"the fee payer receives", func(s *solana.Shop, _ map[string]string) { s.FeePayer = s.PayTo }, "own"},
		{"no address to pay to", func(s *solana.Shop, _ map[string]string) { s.PayTo = "" }, "receiving address"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			shop, results := soundShop()
			test.spoil(&shop, results)
			err := node(t, results).Check(t.Context(), shop)
			if (err != nil) != (test.fault != "") || err != nil && !strings.Contains(err.Error(), test.fault) {
				t.Errorf("Check = %v, want a fault about %q", err, test.fault)
			}
		})
	}
}

func TestMainnetIsAskedSafely(t *testing.T) {
	t.Parallel()
	shop, _ := soundShop()
	shop.Network = solana.Mainnet
	for _, address := range []string{
		"http://127.0.0.1:8899", "https://127.0.0.1", "https://localhost", "https://LOCALHOST.", "https://rpc.localhost", "https://[::1]:8899",
		"https://[::ffff:127.0.0.1]", "https://127.8.8.8", "https://0.0.0.0", "http://api.mainnet-beta.solana.com",
	} {
		c, err := solana.NewChain(address)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Check(t.Context(), shop); err == nil || strings.HasPrefix(err.Error(), "Solana node") {
			t.Errorf("%s: Check = %v, want a refusal before any call", address, err)
		}
	}
}
