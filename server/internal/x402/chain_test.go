package x402

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	sol "github.com/gagliardetto/solana-go"
	"github.com/mr-tron/base58"

	"github.com/manifestseal/manifestseal/server/internal/solana"
)

// testChain is a chain behind a node's JSON-RPC, as far as a till asks it. It has
// no clock: a block comes with every question about what became of a transaction.
type testChain struct {
	*httptest.Server

	mu      sync.Mutex
	height  uint64
	hashes  map[sol.Hash]uint64 // a blockhash and its height
	landed  map[string]*landing // by signature
	charged map[string]uint64   // what each payer paid
	funds   map[string]uint64   // what a payer has; any amount where none is said
	calls   map[string]int
	faults  faults
}

type landing struct {
	at    uint64 // height of its block
	fails bool
}

// faults are what a node or the chain does wrong.
type faults struct {
	down     bool // answers nothing
	swallow  int  // takes so many broadcasts and drops them
	lose     int  // passes so many on and does not answer
	never    bool // drops every broadcast
	fail     bool // what lands fails
	hold     bool // nothing is confirmed
	outage   int  // answers so many calls with nothing
	simulate string
}

func newTestChain(t testing.TB) *testChain {
	c := &testChain{
		height: 1_000, hashes: map[sol.Hash]uint64{}, landed: map[string]*landing{},
		charged: map[string]uint64{}, funds: map[string]uint64{}, calls: map[string]int{},
	}
	c.Server = httptest.NewServer(http.HandlerFunc(c.answer))
	t.Cleanup(c.Close)
	return c
}

func (c *testChain) set(change func(*faults)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	change(&c.faults)
}

// pass lets blocks come.
func (c *testChain) pass(blocks uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.height += blocks
}

func (c *testChain) count(method string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.calls[method]
}

// paid is what a payer was charged.
func (c *testChain) paid(payer string) uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.charged[payer]
}

func (c *testChain) answer(w http.ResponseWriter, r *http.Request) {
	var request struct {
		Method string
		Params []json.RawMessage
	}
	if err := json.NewDecoder(r.Body).Decode(&request); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	result, answered := c.do(request.Method, request.Params)
	if !answered {
		panic(http.ErrAbortHandler)
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"jsonrpc": "2.0", "id": 1, "result": result})
}

func (c *testChain) do(method string, params []json.RawMessage) (result any, answered bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.calls[method]++
	if c.faults.outage > 0 {
		c.faults.outage--
		return nil, false
	}
	if c.faults.down {
		return nil, false
	}
	switch method {
	case "getBlockHeight":
		if string(params[0]) == `{"commitment":"finalized"}` {
			return c.height - 32, true
		}
		return c.height, true
	case "getLatestBlockhash":
		return map[string]any{"value": map[string]any{"blockhash": c.newHash().String(), "lastValidBlockHeight": c.height + 150}}, true
	case "simulateTransaction":
		return map[string]any{"value": map[string]any{"err": c.simulate(transactionOf(params))}}, true
	case "sendTransaction":
		return c.send(transactionOf(params))
	case "getSignatureStatuses":
		c.height++
		var names []string
		_ = json.Unmarshal(params[0], &names)
		return map[string]any{"value": []any{c.status(names[0])}}, true
	case "getBalance":
		return map[string]any{"value": 1_000_000_000}, true
	}
	return nil, false
}

func transactionOf(params []json.RawMessage) []byte {
	var text string
	_ = json.Unmarshal(params[0], &text)
	raw, _ := base64.StdEncoding.DecodeString(text)
	return raw
}

func (c *testChain) newHash() sol.Hash {
	hash := sol.Hash(sha256.Sum256(binary.BigEndian.AppendUint64([]byte("block"), c.height)))
	c.hashes[hash] = c.height
	return hash
}

func (c *testChain) fresh(hash sol.Hash) bool {
	at, known := c.hashes[hash]
	return known && c.height <= at+150
}

func (c *testChain) simulate(raw []byte) any {
	tx, err := sol.TransactionFromBytes(raw)
	switch {
	case c.faults.simulate != "":
		return c.faults.simulate
	case err != nil:
		return "SanitizeFailure"
	case !c.fresh(tx.Message.RecentBlockhash):
		return "BlockhashNotFound"
	case c.landed[base58.Encode(tx.Signatures[0][:])] != nil:
		return "AlreadyProcessed"
	}
	payer, amount := transferOf(tx)
	if have, said := c.funds[payer]; said && have < amount+c.charged[payer] {
		return map[string]any{"InstructionError": []any{2, map[string]any{"Custom": 1}}}
	}
	return nil
}

// transferOf reads the third instruction, which the till has checked.
func transferOf(tx *sol.Transaction) (payer string, amount uint64) {
	return tx.Message.AccountKeys[1].String(), binary.LittleEndian.Uint64(tx.Message.Instructions[2].Data[1:])
}

func (c *testChain) send(raw []byte) (any, bool) {
	tx, err := sol.TransactionFromBytes(raw)
	if err != nil || tx.VerifySignatures() != nil {
		return nil, false
	}
	name := base58.Encode(tx.Signatures[0][:])
	switch {
	case c.faults.never:
		return name, true
	case c.faults.swallow > 0:
		c.faults.swallow--
		return name, true
	}
	c.land(name, tx)
	if c.faults.lose > 0 {
		c.faults.lose--
		return nil, false
	}
	return name, true
}

func (c *testChain) land(name string, tx *sol.Transaction) {
	if c.landed[name] != nil || !c.fresh(tx.Message.RecentBlockhash) {
		return
	}
	c.landed[name] = &landing{at: c.height, fails: c.faults.fail}
	if payer, amount := transferOf(tx); !c.faults.fail {
		c.charged[payer] += amount
	}
}

func (c *testChain) status(name string) any {
	l := c.landed[name]
	if l == nil {
		return nil
	}
	commitment := "processed"
	switch age := c.height - l.at; {
	case c.faults.hold:
	case age > 32:
		commitment = "finalized"
	case age > 0:
		commitment = "confirmed"
	}
	var failure any
	if l.fails {
		failure = map[string]any{"InstructionError": []any{2, "InvalidAccountData"}}
	}
	return map[string]any{"err": failure, "confirmationStatus": commitment}
}

// client is the real client of a node, asking this one.
func (c *testChain) client(t testing.TB) *solana.Chain {
	t.Helper()
	client, err := solana.NewChain(c.URL)
	if err != nil {
		t.Fatal(err)
	}
	return client
}
