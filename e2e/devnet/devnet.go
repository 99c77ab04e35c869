// Package devnet starts the development chain, a real Solana runtime on
// loopback, and makes things go wrong on it. The chain itself is the JavaScript
// beside this file (README.md). It will never be part of the program.
package devnet

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"
)

// About is where a chain listens and who is on it. Keys are files as
// solana-keygen writes them. The buyer has money, the poor one a unit less than
// a report costs, the stranger no account for USDC.
type About struct {
	URL, Network, Mint, PayTo, ReceivingAccount string
	FeePayer, FeePayerKey                       string
	Buyer, BuyerKey                             string
	Poor, PoorKey                               string
	Stranger, StrangerKey                       string
	Wallet                                      string // the burner wallet's script
}

// Devnet is a running chain.
type Devnet struct {
	About
	command  *exec.Cmd
	lifeline io.Closer
}

// Start runs a chain on a free port, with its keys in the folder state and a
// block in each slot. Close it; it ends with this process in any case.
func Start(ctx context.Context, state string, slot time.Duration) (*Devnet, error) {
	folder, err := folder()
	if err != nil {
		return nil, err
	}
	command := exec.CommandContext(ctx, "node", filepath.Join(folder, "main.mjs"), "--port", "0", "--lifeline",
		"--state", state, "--slot-ms", strconv.FormatInt(slot.Milliseconds(), 10))
	var problems bytes.Buffer
	command.Stderr = &problems
	lifeline, err := command.StdinPipe()
	if err != nil {
		return nil, err
	}
	output, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := command.Start(); err != nil {
		return nil, fmt.Errorf("the development chain needs Node: %w", err)
	}
	d := &Devnet{command: command, lifeline: lifeline}
	line, err := bufio.NewReader(output).ReadBytes('\n')
	if err == nil {
		err = json.Unmarshal(line, &d.About)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("the development chain did not start: %w", err), d.Close(), errors.New(problems.String()))
	}
	return d, nil
}

// folder finds this one from anywhere in the module.
func folder() (string, error) {
	at, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(at, "go.mod")); err == nil {
			break
		}
		if at == filepath.Dir(at) {
			return "", errors.New("the development chain is started from within the module")
		}
		at = filepath.Dir(at)
	}
	found := filepath.Join(at, "e2e", "devnet")
	if _, err := os.Stat(filepath.Join(found, "node_modules")); err != nil {
		return "", errors.New("the development chain's packages are not installed: run make npm")
	}
	return found, nil
}

// Close ends the chain and waits for it.
func (d *Devnet) Close() error {
	err := d.lifeline.Close()
	_ = d.command.Wait() // a chain that was ended by its context is no fault
	return err
}

// Fault is something that goes wrong on the way to the chain.
type Fault string

// The faults.
const (
	Swallow    Fault = "swallow"     // transactions are taken and never passed on
	LoseAnswer Fault = "lose-answer" // they are passed on, and the connection cut
	Refuse     Fault = "refuse"      // they are refused by the node
	Hide       Fault = "hide"        // the node knows of no transaction
	Down       Fault = "down"        // every connection is cut
	Busy       Fault = "busy"        // every call is answered 429
)

// Node is where a node of the chain listens that has its own faults and counts,
// so that tests can share a chain and not each other's trouble. The name is of
// small letters, digits and hyphens.
func (d *Devnet) Node(name string) string { return d.URL + "/node/" + name }

// Command changes a chain: what is set is done, in this order.
type Command struct {
	Node     string `json:"node,omitempty"`    // that faults and calls are of; none: the one at URL
	Clear    bool   `json:"clear,omitempty"`   // of all faults
	Fault    Fault  `json:"fault,omitempty"`   // from now on
	Count    int    `json:"count,omitempty"`   // for so many calls; 0: until cleared
	Advance  int    `json:"advance,omitempty"` // by so many blocks
	Undo     string `json:"undo,omitempty"`    // this transaction and every later one, as a fork does
	Fund     string `json:"fund,omitempty"`    // this address, to hold:
	Lamports *int64 `json:"lamports,omitempty"`
	USDC     *int64 `json:"usdc,omitempty"` // in the smallest unit
	Shop     string `json:"shop,omitempty"` // whose receiving account is told of; none: PayTo
}

// State is what stands on a chain.
type State struct {
	Height           uint64
	Faults           map[string]any
	Calls            map[string]int // of the node, by method
	Received         uint64         // by the receiving account
	FeePayerLamports uint64
	Transfers        []Transfer // to the receiving account, those that took effect, in order
}

// Transfer is one to the receiving account.
type Transfer struct {
	Signature string
	Slot      uint64
	Payer     string
	Amount    uint64
	Memo      []string
}

// Control does what the command says; the zero command only looks.
func (d *Devnet) Control(ctx context.Context, command Command) (State, error) {
	body, err := json.Marshal(command)
	if err != nil {
		return State{}, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, d.URL+"/control", bytes.NewReader(body))
	if err != nil {
		return State{}, err
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return State{}, err
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(io.LimitReader(response.Body, 1000))
		return State{}, fmt.Errorf("the development chain answered %s: %s", response.Status, text)
	}
	var state State
	return state, json.NewDecoder(response.Body).Decode(&state)
}
