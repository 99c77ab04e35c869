package solana_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/manifestseal/manifestseal/server/internal/solana"
)

// node answers each method with the JSON text of a result, as a real one spelt
// it; the development chain's tests ask a whole one.
func node(t *testing.T, results map[string]string) *solana.Chain {
	t.Helper()
	return nodeFunc(t, func(w http.ResponseWriter, method, params string) {
		result, ok := results[method]
		if !ok {
			result, ok = results[method+" "+params]
		}
		if !ok {
			t.Errorf("unexpected call %s %s", method, params)
		}
		_, _ = io.WriteString(w, `{"jsonrpc":"2.0","result":`+result+`,"id":1}`)
	})
}

func nodeFunc(t *testing.T, serve func(w http.ResponseWriter, method, params string)) *solana.Chain {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var question struct {
			Method string
			Params json.RawMessage
		}
		if err := json.NewDecoder(r.Body).Decode(&question); err != nil {
			t.Error(err)
		}
		serve(w, question.Method, string(question.Params))
	}))
	t.Cleanup(server.Close)
	chain, err := solana.NewChain(server.URL + "/?api-key=SECRET")
	if err != nil {
		t.Fatal(err)
	}
	return chain
}

func TestHeightsAndBlockhash(t *testing.T) {
	t.Parallel()
	c := node(t, map[string]string{
		`getBlockHeight [{"commitment":"confirmed"}]`:     "400",
		`getBlockHeight [{"commitment":"finalized"}]`:     "368",
		`getLatestBlockhash [{"commitment":"confirmed"}]`: `{"context":{"slot":1},"value":{"blockhash":"` + blockhash + `","lastValidBlockHeight":550}}`,
	})
	if got, err := c.BlockHeight(t.Context()); got != 400 || err != nil {
		t.Errorf("BlockHeight = %d, %v", got, err)
	}
	if got, err := c.FinalizedHeight(t.Context()); got != 368 || err != nil {
		t.Errorf("FinalizedHeight = %d, %v", got, err)
	}
	got, err := c.LatestBlockhash(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(solana.Blockhash{Hash: blockhash, LastValidBlockHeight: 550}, got); diff != "" {
		t.Error(diff)
	}
}

func TestSimulate(t *testing.T) {
	t.Parallel()
	const buyer, ours = solana.CodeSimulation, ""
	for _, test := range []struct {
		name, result string
		fails        bool
		code         string
	}{
		{"good", `{"context":{"slot":1},"value":{"err":null,"logs":[]}}`, false, ""},
		{"too little money", `{"value":{"err":{"InstructionError":[2,{"Custom":1}]}}}`, true, buyer},
		{"no token account", `{"value":{"err":{"InstructionError":[2,"InvalidAccountData"]}}}`, true, buyer},
		{"old blockhash", `{"value":{"err":"BlockhashNotFound"}}`, true, buyer},
		{"on the chain already", `{"value":{"err":"AlreadyProcessed"}}`, true, buyer},
		{"something new", `{"value":{"err":{"Novel":[]}}}`, true, buyer},
		{"the fee payer is poor", `{"value":{"err":"InsufficientFundsForFee"}}`, true, ours},
		{"the fee payer is gone", `{"value":{"err":"AccountNotFound"}}`, true, ours},
		{"the fee payer would fall below rent", `{"value":{"err":{"InsufficientFundsForRent":{"account_index":0}}}}`, true, ours},
		{"no value", `{"context":{"slot":1}}`, true, ours},
		{"null", `null`, true, ours},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			err := node(t, map[string]string{"simulateTransaction": test.result}).Simulate(t.Context(), pay().Bytes())
			if (err != nil) != test.fails || codeOf(err) != test.code {
				t.Fatalf("Simulate = %v, want code %q", err, test.code)
			}
			if _, isNode := errors.AsType[*solana.NodeError](err); err != nil && isNode == (test.code != "") {
				t.Errorf("Simulate = %T", err)
			}
		})
	}
}

func TestSimulateAsksForTheTransactionAsItIs(t *testing.T) {
	t.Parallel()
	tx := pay().Bytes()
	asked := ""
	c := nodeFunc(t, func(w http.ResponseWriter, _, params string) {
		asked = params
		_, _ = io.WriteString(w, `{"id":1,"result":{"value":{"err":null}}}`)
	})
	if err := c.Simulate(t.Context(), tx); err != nil {
		t.Fatal(err)
	}
	want := `["` + base64.StdEncoding.EncodeToString(tx) + `",{"commitment":"confirmed","encoding":"base64","replaceRecentBlockhash":false,"sigVerify":false}]`
	if diff := cmp.Diff(want, asked); diff != "" {
		t.Error(diff)
	}
}

func TestStatus(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, value string
		want        solana.Status
	}{
		{"unknown", `[null]`, solana.Unknown},
		{"processed", `[{"slot":1,"confirmations":0,"err":null,"confirmationStatus":"processed"}]`, solana.Processed},
		{"confirmed", `[{"slot":1,"confirmations":3,"err":null,"confirmationStatus":"confirmed"}]`, solana.Confirmed},
		{"finalized", `[{"slot":1,"confirmations":null,"err":null,"confirmationStatus":"finalized"}]`, solana.Finalized},
		{"from the archive", `[{"slot":1,"confirmations":null,"err":null,"confirmationStatus":null}]`, solana.Finalized},
		{"failed", `[{"err":{"InstructionError":[2,{"Custom":1}]},"confirmationStatus":"confirmed"}]`, solana.Failed},
		{"failed, on a fork perhaps", `[{"err":{"InstructionError":[2,{"Custom":1}]},"confirmationStatus":"processed"}]`, solana.Processed},
		{"an unheard-of word", `[{"err":null,"confirmationStatus":"optimistic"}]`, ""},
		{"two answers", `[null,null]`, ""},
		{"no answer", `[]`, ""},
		{"no list", `null`, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got, err := node(t, map[string]string{"getSignatureStatuses": `{"value":` + test.value + `}`}).Status(t.Context(), "sig")
			if got != test.want || (err != nil) != (test.want == "") {
				t.Errorf("Status = %q, %v, want %q", got, err, test.want)
			}
		})
	}
}

// A node that misbehaves is never taken at its word, and the address, in which
// providers put the account's secret, never stands in an error.
func TestNodeErrors(t *testing.T) {
	t.Parallel()
	for name, serve := range map[string]func(w http.ResponseWriter){
		"a refusal": func(w http.ResponseWriter) {
			_, _ = io.WriteString(w, `{"id":1,"error":{"code":-32005,"message":"behind"}}`)
		},
		"a web page":          func(w http.ResponseWriter) { _, _ = io.WriteString(w, `<html>`) },
		"an empty answer":     func(http.ResponseWriter) {},
		"another question's":  func(w http.ResponseWriter) { _, _ = io.WriteString(w, `{"id":2,"result":7}`) },
		"no result":           func(w http.ResponseWriter) { _, _ = io.WriteString(w, `{"id":1}`) },
		"a null result":       func(w http.ResponseWriter) { _, _ = io.WriteString(w, `{"id":1,"result":"x"}`) },
		"a negative height":   func(w http.ResponseWriter) { _, _ = io.WriteString(w, `{"id":1,"result":-1}`) },
		"too many requests":   func(w http.ResponseWriter) { w.WriteHeader(http.StatusTooManyRequests) },
		"a gateway's failure": func(w http.ResponseWriter) { w.WriteHeader(http.StatusBadGateway) },
		"a redirect": func(w http.ResponseWriter) {
			w.Header().Set("Location", "http://127.0.0.1:1/")
			w.WriteHeader(http.StatusTemporaryRedirect)
		},
		"an endless answer": func(w http.ResponseWriter) {
			_, _ = io.WriteString(w, `{"id":1,"result":7,"more":"`+strings.Repeat("x", 2<<20)+`"}`)
		},
		"a lost connection": func(http.ResponseWriter) { panic(http.ErrAbortHandler) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := nodeFunc(t, func(w http.ResponseWriter, _, _ string) { serve(w) })
			height, err := c.BlockHeight(t.Context())
			if _, ok := errors.AsType[*solana.NodeError](err); !ok {
				t.Fatalf("BlockHeight = %d, %v, want a *NodeError", height, err)
			}
			if strings.Contains(err.Error(), "SECRET") || strings.Contains(err.Error(), "127.0.0.1") {
				t.Errorf("the error names the address: %v", err)
			}
		})
	}
}

func TestUnreachableNode(t *testing.T) {
	t.Parallel()
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	c, err := solana.NewChain(gone.URL + "/?api-key=SECRET")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.BlockHeight(t.Context()); err == nil || strings.Contains(err.Error(), "SECRET") {
		t.Errorf("BlockHeight = %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := c.Send(ctx, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("Send = %v, want context.Canceled", err)
	}
}

func TestNodeAddresses(t *testing.T) {
	t.Parallel()
	for _, bad := range []string{"", "api.devnet.solana.com", "ws://127.0.0.1:8900", "https://", "/rpc", "http://[::1", "https://key:SECRET@%zz"} {
		if _, err := solana.NewChain(bad); err == nil || strings.Contains(err.Error(), "SECRET") {
			t.Errorf("NewChain(%q) = %v", bad, err)
		}
	}
}
