package solana

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
)

// Chain asks one node about its chain. It is safe for concurrent use. Errors
// are *NodeError where nothing else is said.
type Chain struct {
	endpoint string
	secure   bool
	loopback bool
	http     *http.Client
}

// NewChain takes the address of a node's JSON-RPC, http or https. It does not
// call it yet.
func NewChain(endpoint string) (*Chain, error) {
	u, err := url.Parse(endpoint)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, errors.New("the Solana node's address must be a URL such as https://api.devnet.solana.com")
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConnsPerHost = 16
	return &Chain{
		endpoint: endpoint,
		secure:   u.Scheme == "https",
		loopback: isLoopback(u.Hostname()),
		http:     &http.Client{Transport: transport, CheckRedirect: never},
	}, nil
}

func isLoopback(host string) bool {
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	address, err := netip.ParseAddr(host)
	return err == nil && (address.Unmap().IsLoopback() || address.IsUnspecified())
}

type commitment struct {
	Commitment string `json:"commitment"`
}

// BlockHeight is the height of the newest confirmed block.
func (c *Chain) BlockHeight(ctx context.Context) (height uint64, err error) {
	err = c.call(ctx, &height, "getBlockHeight", commitment{"confirmed"})
	return height, err
}

// FinalizedHeight is the height of the newest block that no fork can undo.
func (c *Chain) FinalizedHeight(ctx context.Context) (height uint64, err error) {
	err = c.call(ctx, &height, "getBlockHeight", commitment{"finalized"})
	return height, err
}

// Blockhash is one to sign with, and the last height at which it is good.
type Blockhash struct {
	Hash                 string `json:"blockhash"`
	LastValidBlockHeight uint64 `json:"lastValidBlockHeight"`
}

// BlockhashLife is how many blocks a blockhash is good for.
const BlockhashLife = 150

// LatestBlockhash is that of the newest confirmed block.
func (c *Chain) LatestBlockhash(ctx context.Context) (Blockhash, error) {
	var result struct{ Value Blockhash }
	if err := c.call(ctx, &result, "getLatestBlockhash", commitment{"confirmed"}); err != nil {
		return Blockhash{}, err
	}
	if _, err := ParseKey(result.Value.Hash); err != nil || result.Value.LastValidBlockHeight == 0 {
		return Blockhash{}, &NodeError{Method: "getLatestBlockhash", Detail: "the answer holds no blockhash"}
	}
	return result.Value, nil
}

// Simulate runs the transaction without its signatures and without effect. An
// *Invalid says that it would fail by its own fault; one that would fail by the
// fee payer's is a *NodeError, as the buyer can do nothing about it.
func (c *Chain) Simulate(ctx context.Context, tx []byte) error {
	var result struct {
		Value *struct{ Err json.RawMessage }
	}
	err := c.call(ctx, &result, "simulateTransaction", base64.StdEncoding.EncodeToString(tx), map[string]any{
		"encoding": "base64", "commitment": "confirmed", "sigVerify": false, "replaceRecentBlockhash": false,
	})
	switch {
	case err != nil:
		return err
	case result.Value == nil:
		return &NodeError{Method: "simulateTransaction", Detail: "the answer holds no result"}
	case isNull(result.Value.Err):
		return nil
	}
	return simulationError(string(result.Value.Err))
}

func isNull(raw json.RawMessage) bool { return len(raw) == 0 || string(raw) == "null" }

func simulationError(text string) error {
	detail := fmt.Sprintf("the transaction would fail: %.200q", text)
	switch {
	case text == `"InsufficientFundsForFee"` || text == `"AccountNotFound"` || strings.Contains(text, `"InsufficientFundsForRent":{"account_index":0}`):
		return &NodeError{Method: "simulateTransaction", Detail: "the fee payer cannot pay the fee: put SOL on its account"}
	case text == `"BlockhashNotFound"`:
		detail = "the transaction's blockhash is too old, or of another network: sign a new one"
	case text == `"AlreadyProcessed"`:
		detail = "the transaction is on the chain already"
	case text == `{"InstructionError":[2,{"Custom":1}]}`:
		detail = "the payer's account does not hold the price"
	case text == `{"InstructionError":[2,"InvalidAccountData"]}`:
		detail = "the payer has no account for the token"
	}
	return &Invalid{CodeSimulation, detail}
}

// Send hands a signed transaction to the node, which passes it on once. That it
// was taken says nothing about where it ends: ask Status.
func (c *Chain) Send(ctx context.Context, signed []byte) error {
	var signature string
	return c.call(ctx, &signature, "sendTransaction", base64.StdEncoding.EncodeToString(signed), map[string]any{
		"encoding": "base64", "skipPreflight": true, "maxRetries": 0,
	})
}

// Status is how far a transaction has come.
type Status string

// What a node knows of a transaction. Failed is said only of one that failed in
// a confirmed block: below that a fork may undo the failure.
const (
	Unknown   Status = "unknown"
	Processed Status = "processed"
	Confirmed Status = "confirmed"
	Finalized Status = "finalized"
	Failed    Status = "failed"
)

// Status looks a transaction up by its signature, as far back as the node can.
func (c *Chain) Status(ctx context.Context, signature string) (Status, error) {
	var result struct {
		Value []*struct {
			Err                json.RawMessage
			ConfirmationStatus *Status
		}
	}
	if err := c.call(ctx, &result, "getSignatureStatuses", []string{signature}, map[string]any{"searchTransactionHistory": true}); err != nil {
		return "", err
	}
	if len(result.Value) != 1 {
		return "", &NodeError{Method: "getSignatureStatuses", Detail: fmt.Sprintf("%d answers to one question", len(result.Value))}
	}
	found := result.Value[0]
	if found == nil {
		return Unknown, nil
	}
	reached := Finalized // a node that says nothing took it from its archive
	if found.ConfirmationStatus != nil {
		reached = *found.ConfirmationStatus
	}
	switch reached {
	case Confirmed, Finalized:
		if !isNull(found.Err) {
			return Failed, nil
		}
		return reached, nil
	case Processed:
		return Processed, nil
	}
	return "", &NodeError{Method: "getSignatureStatuses", Detail: fmt.Sprintf("unknown confirmation status %.40q", reached)}
}
