package e2e

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"testing"
	"time"

	sol "github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/programs/memo"
	"github.com/google/go-cmp/cmp"

	"github.com/manifestseal/manifestseal/e2e/devnet"
)

// walletApp waits for wallets as the Wallet Standard has apps do; the wallet's
// script may run before it or after.
const walletApp = `(() => {
	window.wallets = [];
	const api = {register: (...ws) => { window.wallets.push(...ws); return () => {}; }};
	window.addEventListener('wallet-standard:register-wallet', e => e.detail(api));
	window.dispatchEvent(new CustomEvent('wallet-standard:app-ready', {detail: api}));
})()`

func walletScript(t *testing.T) (*devnet.Devnet, string) {
	t.Helper()
	d, err := devnet.Start(t.Context(), t.TempDir(), 100*time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	script, err := os.ReadFile(d.Wallet)
	if err != nil {
		t.Fatal(err)
	}
	return d, string(script)
}

// unsigned is a transaction that wants the fee payer's signature and the signer's.
func unsigned(t *testing.T, d *devnet.Devnet, signer string) *sol.Transaction {
	t.Helper()
	note := memo.NewMemoInstruction([]byte("note"), sol.MustPublicKeyFromBase58(signer)).Build()
	tx, err := sol.NewTransaction([]sol.Instruction{note}, sol.Hash{1}, sol.TransactionPayer(sol.MustPublicKeyFromBase58(d.FeePayer)))
	if err != nil {
		t.Fatal(err)
	}
	return tx
}

// walletSign asks the one wallet of a page to sign and returns what came, or why not.
func walletSign(p *tab, tx *sol.Transaction) (signed []byte, reason string) {
	p.t.Helper()
	raw, err := tx.MarshalBinary()
	if err != nil {
		p.t.Fatal(err)
	}
	got := eval[struct{ Signed, Reason string }](p, fmt.Sprintf(`(async () => {
		const wallet = wallets[0];
		const {accounts: [account]} = await wallet.features['standard:connect'].connect();
		const transaction = Uint8Array.from(atob(%q), c => c.charCodeAt(0));
		try {
			const [{signedTransaction}] = await wallet.features['solana:signTransaction'].signTransaction({account, transaction, chain: 'solana:devnet'});
			return {Signed: btoa(String.fromCharCode(...signedTransaction)), Reason: ''};
		} catch (e) {
			return {Signed: '', Reason: e.message};
		}
	})()`, base64.StdEncoding.EncodeToString(raw)))
	signed, err = base64.StdEncoding.DecodeString(got.Signed)
	if err != nil {
		p.t.Fatal(err)
	}
	return signed, got.Reason
}

func (p *tab) walletSettings(settings map[string]any) {
	p.t.Helper()
	text, err := json.Marshal(settings)
	if err != nil {
		p.t.Fatal(err)
	}
	eval[bool](p, fmt.Sprintf(`(localStorage.setItem('burner-wallet', %q), true)`, text))
}

func TestBurnerWalletSigns(t *testing.T) {
	t.Parallel()
	d, script := walletScript(t)
	for _, account := range []struct{ name, address string }{{"buyer", d.Buyer}, {"poor", d.Poor}, {"stranger", d.Stranger}} {
		p := newTab(t, "/docs")
		p.walletSettings(map[string]any{"account": account.name, "answer": "sign"})
		eval[bool](p, walletApp+", true")
		eval[bool](p, script+"\ntrue")
		about := eval[struct {
			Name, Address string
			Chains        []string
		}](p, `wallets[0].features['standard:connect'].connect().then(({accounts: [a]}) => ({Name: wallets[0].name, Address: a.address, Chains: a.chains}))`)
		if about.Address != account.address || !cmp.Equal(about.Chains, []string{"solana:devnet"}) {
			t.Errorf("%s: the wallet is %+v, want %s on devnet", account.name, about, account.address)
		}
		tx := unsigned(t, d, account.address)
		signed, reason := walletSign(p, tx)
		if reason != "" {
			t.Fatalf("%s: %s", account.name, reason)
		}
		got, err := sol.TransactionFromBytes(signed)
		if err != nil {
			t.Fatal(err)
		}
		message, err := got.Message.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		if !got.Message.AccountKeys[1].Verify(message, got.Signatures[1]) || got.Signatures[0] != (sol.Signature{}) {
			t.Errorf("%s: the signatures are %v", account.name, got.Signatures)
		}
	}
}

func TestBurnerWalletRefuses(t *testing.T) {
	t.Parallel()
	d, script := walletScript(t)
	p := newTab(t, "/docs")
	p.walletSettings(map[string]any{"answer": "reject"})
	eval[bool](p, script+"\ntrue") // before the app: the order must not matter
	eval[bool](p, walletApp+", true")
	if _, reason := walletSign(p, unsigned(t, d, d.Buyer)); reason == "" {
		t.Error("a wallet that refuses signed")
	}
	p.walletSettings(map[string]any{"answer": "sign"})
	if _, reason := walletSign(p, unsigned(t, d, d.Poor)); reason == "" {
		t.Error("the wallet signed for an account that is not asked for")
	}
}

func TestBurnerWalletComesLate(t *testing.T) {
	t.Parallel()
	_, script := walletScript(t)
	p := newTab(t, "/docs")
	p.walletSettings(map[string]any{"late": 300})
	eval[bool](p, walletApp+", true")
	eval[bool](p, script+"\ntrue")
	if eval[int](p, "wallets.length") != 0 {
		t.Error("the wallet is there at once")
	}
	p.until("wallets.length === 1")
}
