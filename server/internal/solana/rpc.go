package solana

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"
)

// solana-go's own RPC client is not used: its errors hold the endpoint's URL,
// which is where providers put the account's secret, and it reads answers
// without a limit.

// callTimeout bounds one call. Callers bound the whole.
const callTimeout = 10 * time.Second

// maxAnswer bounds what a node may answer, in bytes after decompression.
const maxAnswer = 1 << 20

// NodeError is a node that could not be reached, refused the call, or answered
// what cannot be used. It says nothing about a payment.
type NodeError struct {
	Method string
	Code   int    // JSON-RPC's, 0 for none
	Detail string // never the endpoint's URL, which may hold a secret
	Err    error  // such as context.Canceled, or nil
}

func (e *NodeError) Error() string { return "Solana node, " + e.Method + ": " + e.Detail }

func (e *NodeError) Unwrap() error { return e.Err }

type answer struct {
	ID     int             `json:"id"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

// call asks one thing and decodes the result into out.
func (c *Chain) call(ctx context.Context, out any, method string, params ...any) error {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	if params == nil {
		params = []any{}
	}
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	if err != nil {
		return &NodeError{Method: method, Detail: err.Error(), Err: err}
	}
	data, err := c.post(ctx, body)
	if err != nil {
		return &NodeError{Method: method, Detail: withoutURL(err).Error(), Err: withoutURL(err)}
	}
	var a answer
	switch err := json.Unmarshal(data, &a); {
	case err != nil:
		return &NodeError{Method: method, Detail: "the answer is not JSON-RPC: is the address that of a Solana node?"}
	case a.Error != nil:
		return &NodeError{Method: method, Code: a.Error.Code, Detail: fmt.Sprintf("refused with code %d, %.200q", a.Error.Code, a.Error.Message)}
	case a.ID != 1 || a.Result == nil:
		return &NodeError{Method: method, Detail: "the answer is to another question, or empty"}
	}
	if err := json.Unmarshal(a.Result, out); err != nil {
		return &NodeError{Method: method, Detail: "the answer is of an unknown shape: " + err.Error()}
	}
	return nil
}

func (c *Chain) post(ctx context.Context, body []byte) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.endpoint, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := c.http.Do(request)
	if err != nil {
		return nil, err
	}
	defer func() { _ = response.Body.Close() }()
	data, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer+1))
	switch {
	case err != nil:
		return nil, err
	case len(data) > maxAnswer:
		return nil, fmt.Errorf("the answer is longer than %d bytes", maxAnswer)
	case response.StatusCode != http.StatusOK:
		return nil, fmt.Errorf("HTTP status %d", response.StatusCode)
	}
	return data, nil
}

// withoutURL takes the URL out of net/http's errors.
func withoutURL(err error) error {
	if e, ok := errors.AsType[*url.Error](err); ok {
		return e.Err
	}
	return err
}

// never follows a redirect: the question goes where it was meant to go.
func never(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
