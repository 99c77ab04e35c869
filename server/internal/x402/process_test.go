package x402

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/manifestseal/manifestseal/server/internal/ledger"
	"github.com/manifestseal/manifestseal/server/internal/payment"
	"github.com/manifestseal/manifestseal/server/internal/solana"
	"github.com/manifestseal/manifestseal/server/internal/store"
)

// A server of these tests is this test binary, run again: a process that can be
// killed. Nothing of it is in the program.

const childVariable = "MANIFESTSEAL_TEST_SERVER"

// childOrders is what a server is told.
type childOrders struct {
	DSN, Chain   string
	PayTo        string
	FeePayer     []byte
	Die          step // kill yourself past this, once
	Poll, Resend time.Duration
	Patience     time.Duration
}

// answered is past the last step, when the buyer has the answer, or nearly so.
const answered step = "answered"

func TestMain(m *testing.M) {
	if text := os.Getenv(childVariable); text != "" {
		var o childOrders
		err := json.Unmarshal([]byte(text), &o)
		if err == nil {
			err = o.serve()
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	code := m.Run()
	if err := endChains(); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	os.Exit(code)
}

// serve runs a server until its standard input ends.
func (o childOrders) serve() error {
	ctx := context.Background()
	db, err := store.Open(ctx, o.DSN)
	if err != nil {
		return err
	}
	chain, err := solana.NewChain(o.Chain)
	if err != nil {
		return err
	}
	config := settings(ledger.New(db, "child", 500*time.Millisecond), chain, o.PayTo, o.FeePayer)
	config.Pace = Pace{Poll: o.Poll, Resend: o.Resend, Patience: o.Patience, Sweep: 2 * o.Poll, Apart: 2 * o.Poll, Margin: 64}
	till, err := New(config)
	if err != nil {
		return err
	}
	till.pastStep = o.die
	go till.Run(ctx)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	go func() { _ = http.Serve(listener, o.routes(till)) }()
	fmt.Println("http://" + listener.Addr().String())
	_, err = io.Copy(io.Discard, os.Stdin)
	return err
}

func (o childOrders) die(at step) {
	if at == o.Die {
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		select {} // nothing more is done
	}
}

func (o childOrders) routes(till *Till) http.Handler {
	var inside atomic.Int64
	mux := http.NewServeMux()
	mux.HandleFunc("GET /inside", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, inside.Load()) })
	mux.HandleFunc("POST /audit", func(w http.ResponseWriter, r *http.Request) {
		inside.Add(1)
		defer inside.Add(-1)
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		answer, err := till.Sell(r.Context(), want(string(body)).sale(r.Header))
		writeAnswer(w, answer, err)
		if err == nil && answer.Status == http.StatusOK {
			_ = http.NewResponseController(w).Flush()
			o.die(answered)
		}
	})
	return mux
}

func writeAnswer(w http.ResponseWriter, answer *payment.Answer, err error) {
	var problem *payment.Problem
	switch {
	case errors.As(err, &problem):
		http.Error(w, problem.Code, problem.Status)
	case err != nil:
		http.Error(w, err.Error(), http.StatusInternalServerError)
	default:
		for name, values := range answer.Header {
			w.Header()[name] = values
		}
		w.WriteHeader(answer.Status)
		_, _ = w.Write(answer.Body)
	}
}

// child is a running server.
type child struct {
	url   string
	cmd   *exec.Cmd
	input io.Closer
	gone  chan struct{} // closed when it has ended
}

func (o childOrders) start(t testing.TB) *child {
	t.Helper()
	text, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childVariable+"="+string(text))
	cmd.Stderr = os.Stderr
	c := &child{cmd: cmd, gone: make(chan struct{})}
	if c.input, err = cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	output, said, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdout = said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_ = said.Close()
	go func() {
		_ = cmd.Wait()
		close(c.gone)
	}()
	t.Cleanup(c.kill)
	line, err := bufio.NewReader(output).ReadString('\n')
	if err != nil {
		t.Errorf("a server did not start: %v", err)
	}
	t.Cleanup(func() { _ = output.Close() })
	c.url = strings.TrimSpace(line)
	return c
}

// kill ends it as a power cut does.
func (c *child) kill() {
	_ = c.cmd.Process.Kill()
	_ = c.input.Close()
	<-c.gone
}

// died waits for one that kills itself.
func (c *child) died(t testing.TB) {
	t.Helper()
	<-c.gone
	status, ok := c.cmd.ProcessState.Sys().(syscall.WaitStatus)
	if !ok || !status.Signaled() || status.Signal() != syscall.SIGKILL {
		t.Errorf("the server ended with %v, want killed", c.cmd.ProcessState)
	}
}

// customer buys over HTTP as a patient client does: it keeps what it signed, sends
// that again whatever goes wrong, and pays anew only when it is told to by a 402.
type customer struct {
	testing.TB
	name    string
	urls    func() string // a server to try
	signs   func(requirements) []byte
	header  http.Header
	offers  int // that it paid
	refused bool
}

// try sends what it has once. It returns the report when it has it.
func (c *customer) try(ctx context.Context) []byte {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.urls()+"/audit", strings.NewReader(c.name))
	if err != nil {
		c.Error(err)
		return nil
	}
	for name, values := range c.header {
		request.Header[name] = values
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil
	}
	body, err := io.ReadAll(response.Body)
	_ = response.Body.Close()
	if err != nil {
		return nil
	}
	switch response.StatusCode {
	case http.StatusOK:
		return body
	case http.StatusPaymentRequired:
		entry := offerOf(c, response.Header).Accepts[0]
		c.header = paid(entry, c.signs(entry), "")
		c.offers++
	case http.StatusServiceUnavailable, http.StatusTooManyRequests:
	default:
		c.refused = true
		c.Errorf("%s is answered %d %s", c.name, response.StatusCode, body)
	}
	return nil
}

// persist goes on until it has the report.
func (c *customer) persist(ctx context.Context) []byte {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Minute)
	defer cancel()
	for {
		if report := c.try(ctx); report != nil {
			return report
		}
		if err := pause(ctx, 5*time.Millisecond); err != nil || c.refused {
			c.Errorf("%s never got a report", c.name)
			return nil
		}
	}
}
