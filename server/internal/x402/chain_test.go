package x402

import (
	"context"
	"crypto/ed25519"
	"errors"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/manifestseal/manifestseal/e2e/devnet"
	"github.com/manifestseal/manifestseal/server/internal/solana"
	"github.com/manifestseal/manifestseal/server/internal/solana/solanatest"
)

// The chain of these tests is the development chain, a real Solana runtime, asked
// through its JSON-RPC. Starting one takes half a second, so tests share two: one
// whose clock nobody moves, and one whose clock each test moves that has it alone.
// Each shop is on a node of its own, with faults of its own.
var (
	common  = sync.OnceValues(startChain)
	clocked = sync.OnceValues(startChain)
	clock   sync.Mutex
	running struct {
		sync.Mutex
		chains  []*devnet.Devnet
		folders []string
	}
	nodes atomic.Int64
)

// slot is less than a sixth of the network's: a blockhash lives nine seconds.
const slot = 60 * time.Millisecond

func startChain() (*devnet.Devnet, error) {
	folder, err := os.MkdirTemp("", "manifestseal-chain-")
	if err != nil {
		return nil, err
	}
	chain, err := devnet.Start(context.Background(), folder, slot)
	running.Lock()
	defer running.Unlock()
	running.folders = append(running.folders, folder)
	if err == nil {
		running.chains = append(running.chains, chain)
	}
	return chain, err
}

// endChains is for when all tests are over.
func endChains() (err error) {
	for _, chain := range running.chains {
		err = errors.Join(err, chain.Close())
	}
	for _, folder := range running.folders {
		err = errors.Join(err, os.RemoveAll(folder))
	}
	return err
}

// testChain is a chain as one shop's node shows it.
type testChain struct {
	testing.TB
	*devnet.Devnet
	node     string
	moves    bool // its clock is this test's
	payTo    string
	feePayer ed25519.PrivateKey
}

func newTestChain(t testing.TB) *testChain {
	t.Helper()
	return onChain(t, common, false)
}

// newClock is the chain whose clock this test may move. Others wait meanwhile.
func newClock(t testing.TB) *testChain {
	t.Helper()
	clock.Lock()
	t.Cleanup(clock.Unlock)
	return onChain(t, clocked, true)
}

func newChainOfItsOwn(t testing.TB) *testChain {
	t.Helper()
	return onChain(t, func() (*devnet.Devnet, error) {
		chain, err := devnet.Start(t.Context(), t.TempDir(), slot/3)
		if err == nil {
			t.Cleanup(func() { _ = chain.Close() })
		}
		return chain, err
	}, true)
}

func onChain(t testing.TB, start func() (*devnet.Devnet, error), moves bool) *testChain {
	t.Helper()
	chain, err := start()
	if err != nil {
		t.Fatal(err)
	}
	c := &testChain{TB: t, Devnet: chain, node: "shop-" + strconv.FormatInt(nodes.Add(1), 10), moves: moves}
	c.payTo, c.feePayer = solana.Address(c.key("shop")), c.key("fee payer")
	c.fund(c.payTo, 1_000_000_000, 0)
	c.fund(solana.Address(c.feePayer), 1_000_000_000, 0)
	return c
}

// key is of somebody whom no other shop knows.
func (c *testChain) key(name string) ed25519.PrivateKey {
	return solanatest.Key(c.node + " " + name)
}

// riches is what a buyer has at first, in the mint's units.
const riches = 1_000_000_000

func (c *testChain) rich(name string) ed25519.PrivateKey {
	c.Helper()
	key := c.key(name)
	c.fund(solana.Address(key), 1_000_000_000, riches)
	return key
}

func (c *testChain) fund(address string, lamports, usdc int64) {
	c.Helper()
	c.control(devnet.Command{Fund: address, Lamports: &lamports, USDC: &usdc})
}

// control commands this shop's node, and tells of this shop.
func (c *testChain) control(command devnet.Command) devnet.State {
	c.Helper()
	command.Node, command.Shop = c.node, c.payTo
	state, err := c.Control(context.Background(), command)
	if err != nil {
		c.Fatal(err)
	}
	return state
}

// suffers makes something go wrong so often, or with 0 until it heals.
func (c *testChain) suffers(fault devnet.Fault, count int) {
	c.Helper()
	c.control(devnet.Command{Fault: fault, Count: count})
}

func (c *testChain) heals() {
	c.Helper()
	c.control(devnet.Command{Clear: true})
}

// pass lets blocks come.
func (c *testChain) pass(blocks int) {
	c.Helper()
	if !c.moves {
		c.Fatal("the clock of the common chain is nobody's: use newClock")
	}
	c.control(devnet.Command{Advance: blocks})
}

func (c *testChain) height() uint64 { return c.control(devnet.Command{}).Height }

func (c *testChain) count(method string) int { return c.control(devnet.Command{}).Calls[method] }

// paid is what a rich one was charged: what is gone of the riches.
func (c *testChain) paid(key ed25519.PrivateKey) uint64 {
	c.Helper()
	client, err := solana.NewChain(c.URL) // not by the node, which may be down
	if err != nil {
		c.Fatal(err)
	}
	account, err := client.TokenAccount(c.Context(), solana.Address(key), c.Mint)
	if err != nil {
		c.Fatal(err)
	}
	return riches - account.Amount
}

// address is where the shop's node listens.
func (c *testChain) address() string { return c.Node(c.node) }

// client is the real client of a node, asking this one.
func (c *testChain) client() *solana.Chain {
	c.Helper()
	client, err := solana.NewChain(c.address())
	if err != nil {
		c.Fatal(err)
	}
	return client
}
