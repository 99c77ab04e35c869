package solana_test

import (
	"crypto/ed25519"
	"os"
	"testing"
	"time"

	sol "github.com/gagliardetto/solana-go"

	"github.com/manifestseal/manifestseal/e2e/devnet"
	"github.com/manifestseal/manifestseal/server/internal/solana"
	st "github.com/manifestseal/manifestseal/server/internal/solana/solanatest"
)

// town is a development chain with its people's keys.
type town struct {
	*devnet.Devnet
	*solana.Chain
	terms                 solana.Terms
	feePayer, buyer, poor ed25519.PrivateKey
	stranger              ed25519.PrivateKey
}

func open(t *testing.T) *town {
	t.Helper()
	d, err := devnet.Start(t.Context(), t.TempDir(), 20*time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	chain, err := solana.NewChain(d.URL)
	if err != nil {
		t.Fatal(err)
	}
	w := &town{Devnet: d, Chain: chain}
	for file, key := range map[string]*ed25519.PrivateKey{d.FeePayerKey: &w.feePayer, d.BuyerKey: &w.buyer, d.PoorKey: &w.poor, d.StrangerKey: &w.stranger} {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if *key, err = solana.ReadPrivateKey(data); err != nil {
			t.Fatal(err)
		}
	}
	w.terms = solana.Terms{Network: d.Network, Mint: d.Mint, PayTo: d.PayTo, FeePayer: d.FeePayer, Amount: 50_000, Memo: "b3JkZXI"}
	return w
}

func (w *town) control(t *testing.T, command devnet.Command) devnet.State {
	t.Helper()
	state, err := w.Control(t.Context(), command)
	if err != nil {
		t.Fatal(err)
	}
	return state
}

// pay is a payment with a fresh blockhash, changed by edit, as received.
func (w *town) pay(t *testing.T, payer ed25519.PrivateKey, edit func(*st.Parts)) []byte {
	t.Helper()
	blockhash, err := w.LatestBlockhash(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	parts := st.Pay(w.terms, payer, blockhash.Hash)
	if edit != nil {
		edit(&parts)
	}
	return parts.Bytes()
}

// settle co-signs, sends and waits for the status.
func (w *town) settle(t *testing.T, tx []byte, want solana.Status) string {
	t.Helper()
	signed, signature, err := solana.CoSign(tx, w.feePayer)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Send(t.Context(), signed); err != nil {
		t.Fatal(err)
	}
	for {
		status, err := w.Status(t.Context(), signature)
		if err != nil {
			t.Fatal(err)
		}
		if status == want {
			return signature
		}
		w.control(t, devnet.Command{Advance: 1})
	}
}

func TestOnChain(t *testing.T) {
	t.Parallel()
	w := open(t)
	shop := solana.Shop{Network: w.Network, Mint: w.Mint, PayTo: w.PayTo, FeePayer: w.FeePayer}
	if err := w.Check(t.Context(), shop); err != nil {
		t.Fatalf("the start-up check of the development chain: %v", err)
	}
	tx := w.pay(t, w.buyer, nil)
	if err := judge(tx, w.terms); err != nil {
		t.Fatal(err)
	}
	if err := w.Simulate(t.Context(), tx); err != nil {
		t.Fatal(err)
	}
	signature := w.settle(t, tx, solana.Confirmed)
	w.control(t, devnet.Command{Advance: 40})
	if status, err := w.Status(t.Context(), signature); status != solana.Finalized || err != nil {
		t.Errorf("Status = %q, %v, want finalized", status, err)
	}
	state := w.control(t, devnet.Command{})
	if state.Received != 50_000 || len(state.Transfers) != 1 || state.Transfers[0].Payer != w.Buyer || state.Transfers[0].Signature != signature {
		t.Errorf("the chain holds %+v, want one transfer of 50000 by %s", state, w.Buyer)
	}
	if got := uint64(10_000_000_000) - state.FeePayerLamports; got == 0 || got > solana.MaxFee {
		t.Errorf("the fee was %d lamports, want at most %d", got, uint64(solana.MaxFee))
	}
	account, err := w.TokenAccount(t.Context(), w.PayTo, w.Mint)
	if err != nil || account.Amount != 50_000 || account.Address != w.ReceivingAccount {
		t.Errorf("TokenAccount = %+v, %v", account, err)
	}
	if err := w.Simulate(t.Context(), tx); codeOf(err) != solana.CodeSimulation {
		t.Errorf("Simulate of a settled payment = %v, want %s", err, solana.CodeSimulation)
	}
}

// Phantom adds up to three assertions of Lighthouse. On the development chain a
// program that does nothing stands in for it.
func TestAssertionsOfWalletsOnChain(t *testing.T) {
	t.Parallel()
	w := open(t)
	account := st.TokenAccount(sol.MustPublicKeyFromBase58(w.Buyer), sol.MustPublicKeyFromBase58(w.Mint), sol.TokenProgramID)
	tx := w.pay(t, w.buyer, func(p *st.Parts) {
		p.Instructions = append(p.Instructions, st.Assertion(st.Account{Key: account}), st.Assertion(st.Account{Key: st.Public(w.buyer)}), st.Assertion())
		p.Instructions[4].Data = []byte{0xff, 0, 0x80}
	})
	if err := judge(tx, w.terms); err != nil {
		t.Fatal(err)
	}
	if err := w.Simulate(t.Context(), tx); err != nil {
		t.Fatal(err)
	}
	w.settle(t, tx, solana.Confirmed)
	if state := w.control(t, devnet.Command{}); state.Received != 50_000 {
		t.Errorf("received %d", state.Received)
	}
}

// A fork takes back what it undoes: the money, and what a node knows. The same
// bytes can land again.
func TestForkOnChain(t *testing.T) {
	t.Parallel()
	w := open(t)
	kept, undone := w.pay(t, w.buyer, nil), w.pay(t, w.buyer, func(p *st.Parts) { p.Instructions[1] = st.Price(2) })
	w.settle(t, kept, solana.Confirmed)
	signature := w.settle(t, undone, solana.Confirmed)
	before := w.control(t, devnet.Command{})
	state := w.control(t, devnet.Command{Undo: signature})
	if before.Received != 100_000 || state.Received != 50_000 || len(state.Transfers) != 1 || state.FeePayerLamports <= before.FeePayerLamports {
		t.Errorf("the chain held %+v, and after the fork %+v", before, state)
	}
	if status, err := w.Status(t.Context(), signature); status != solana.Unknown || err != nil {
		t.Errorf("Status = %q, %v, want unknown", status, err)
	}
	if again := w.settle(t, undone, solana.Confirmed); again != signature {
		t.Errorf("it landed as %s, before as %s", again, signature)
	}
	if state := w.control(t, devnet.Command{}); state.Received != 100_000 {
		t.Errorf("received %d", state.Received)
	}
}

// Nodes of one chain have faults and counts of their own.
func TestNodesApart(t *testing.T) {
	t.Parallel()
	w := open(t)
	w.control(t, devnet.Command{Node: "one", Fault: devnet.Down})
	for name, fails := range map[string]bool{"one": true, "two": false} {
		node, err := solana.NewChain(w.Node(name))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := node.BlockHeight(t.Context()); (err != nil) != fails {
			t.Errorf("node %s: %v", name, err)
		}
		if got := w.control(t, devnet.Command{Node: name}).Calls["getBlockHeight"]; got != 1 {
			t.Errorf("node %s counts %d calls", name, got)
		}
	}
	if _, err := w.Control(t.Context(), devnet.Command{Node: "../x"}); err == nil {
		t.Error("any name is taken")
	}
}

func TestPaymentsThatTheChainRefuses(t *testing.T) {
	t.Parallel()
	w := open(t)
	for name, tx := range map[string][]byte{
		"one unit too little on the account": w.pay(t, w.poor, nil),
		"no account":                         w.pay(t, w.stranger, nil),
		"another's account": w.pay(t, w.stranger, func(p *st.Parts) {
			p.Instructions[2].Accounts[0].Key = st.TokenAccount(sol.MustPublicKeyFromBase58(w.Buyer), sol.MustPublicKeyFromBase58(w.Mint), sol.TokenProgramID)
		}),
		"too few compute units":      w.pay(t, w.buyer, func(p *st.Parts) { p.Instructions[0] = st.Limit(1) }),
		"a blockhash of another day": w.pay(t, w.buyer, func(p *st.Parts) { p.Blockhash[0] ^= 1 }),
		"a receiving account that is read-only": w.pay(t, w.buyer, func(p *st.Parts) {
			p.Instructions[2].Accounts[2].Writable = false
		}),
	} {
		if err := judge(tx, w.terms); err != nil {
			t.Errorf("%s: refused without the chain: %v", name, err)
		}
		if err := w.Simulate(t.Context(), tx); codeOf(err) != solana.CodeSimulation {
			t.Errorf("%s: Simulate = %v, want %s", name, err, solana.CodeSimulation)
		}
	}
	if state := w.control(t, devnet.Command{}); state.Received != 0 {
		t.Errorf("received %d", state.Received)
	}
}

// LiteSVM ends its process on malformed bytes; the chain around it must not.
func TestMalformedTransactionsOnChain(t *testing.T) {
	t.Parallel()
	w := open(t)
	for _, test := range refusals {
		if test.code != solana.CodeUndecodable && test.code != solana.CodeLookupTables {
			continue
		}
		if err := w.Simulate(t.Context(), test.tx); err == nil {
			t.Errorf("%s: Simulate gave no error", test.name)
		}
		if err := w.Send(t.Context(), test.tx); err == nil {
			t.Errorf("%s: Send gave no error", test.name)
		}
	}
	if _, err := w.BlockHeight(t.Context()); err != nil {
		t.Errorf("the chain is gone: %v", err)
	}
}

func TestExpiry(t *testing.T) {
	t.Parallel()
	w := open(t)
	tx := w.pay(t, w.buyer, nil)
	w.control(t, devnet.Command{Advance: solana.BlockhashLife + 2})
	if err := w.Simulate(t.Context(), tx); codeOf(err) != solana.CodeSimulation {
		t.Errorf("Simulate = %v, want %s", err, solana.CodeSimulation)
	}
	signed, signature, err := solana.CoSign(tx, w.feePayer)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Send(t.Context(), signed); err != nil {
		t.Fatal(err)
	}
	if status, err := w.Status(t.Context(), signature); status != solana.Unknown || err != nil {
		t.Errorf("Status = %q, %v, want unknown", status, err)
	}
}

func TestFailureOnChain(t *testing.T) {
	t.Parallel()
	w := open(t)
	tx := w.pay(t, w.buyer, nil)
	nothing := int64(0)
	w.control(t, devnet.Command{Fund: w.Buyer, USDC: &nothing}) // spent between simulation and block
	w.settle(t, tx, solana.Failed)
	if state := w.control(t, devnet.Command{}); state.Received != 0 || len(state.Transfers) != 0 {
		t.Errorf("the chain holds %+v", state)
	}
}

func TestPoorFeePayerIsOurFault(t *testing.T) {
	t.Parallel()
	w := open(t)
	tx := w.pay(t, w.buyer, nil)
	poor := int64(900_000)
	w.control(t, devnet.Command{Fund: w.FeePayer, Lamports: &poor})
	if err := w.Simulate(t.Context(), tx); err == nil || codeOf(err) != "" {
		t.Errorf("Simulate = %v, want a fault that is not the buyer's", err)
	}
	if err := w.Check(t.Context(), solana.Shop{Network: w.Network, Mint: w.Mint, PayTo: w.PayTo, FeePayer: w.FeePayer}); err == nil {
		t.Error("a server starts with a poor fee payer")
	}
}

func TestFaults(t *testing.T) {
	t.Parallel()
	w := open(t)
	send := func() (signature string, err error) {
		signed, signature, err := solana.CoSign(w.pay(t, w.buyer, nil), w.feePayer)
		if err != nil {
			t.Fatal(err)
		}
		return signature, w.Send(t.Context(), signed)
	}
	for _, test := range []struct {
		fault        devnet.Fault
		fails, known bool
	}{
		{devnet.Swallow, false, false},
		{devnet.Refuse, true, false},
		{devnet.LoseAnswer, true, true},
	} {
		w.control(t, devnet.Command{Fault: test.fault, Count: 1})
		signature, err := send()
		if (err != nil) != test.fails {
			t.Errorf("%s: Send = %v", test.fault, err)
		}
		status, err := w.Status(t.Context(), signature)
		if (status != solana.Unknown) != test.known || err != nil {
			t.Errorf("%s: Status = %q, %v", test.fault, status, err)
		}
	}
	for _, fault := range []devnet.Fault{devnet.Down, devnet.Busy} {
		w.control(t, devnet.Command{Fault: fault})
		for range 2 {
			if _, err := w.BlockHeight(t.Context()); err == nil {
				t.Errorf("%s: BlockHeight gave no error", fault)
			}
		}
		w.control(t, devnet.Command{Clear: true})
		if _, err := w.BlockHeight(t.Context()); err != nil {
			t.Errorf("after %s: %v", fault, err)
		}
	}
	signature := w.settle(t, w.pay(t, w.buyer, nil), solana.Confirmed)
	w.control(t, devnet.Command{Fault: devnet.Hide, Count: 1})
	if status, err := w.Status(t.Context(), signature); status != solana.Unknown || err != nil {
		t.Errorf("hide: Status = %q, %v", status, err)
	}
}
