package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	sol "github.com/gagliardetto/solana-go"

	"github.com/manifestseal/manifestseal/e2e/devnet"
)

// slot is how often the network makes a block.
const slot = 400 * time.Millisecond

// purchases are measured on the development chain at the network's own pace: the
// whole of it as a client meets it (asking, being told the price, signing, paying,
// the report) beside a bare transfer from sending to its confirmation.
func purchases(_ *inputs, print func(row)) error {
	b, err := openBuyer()
	if err != nil {
		return err
	}
	const runs = 25
	var bought, bare, offered []time.Duration
	for n := range runs {
		body := fmt.Sprintf(`{"manifest":{"tools":[{"name":"t%d","description":"Reads a file."}]}}`, n)
		whole, offer, err := b.buy(body)
		if err != nil {
			return errors.Join(err, b.close())
		}
		confirmed, err := b.transfer()
		if err != nil {
			return errors.Join(err, b.close())
		}
		bought, offered, bare = append(bought, whole), append(offered, offer), append(bare, confirmed)
	}
	for _, times := range [][]time.Duration{bought, offered, bare} {
		slices.Sort(times)
	}
	print(row{what: "an audit bought on the development chain, from the first request to the report", ours: bought[runs/2], theirs: bare[runs/2], beside: "a bare transfer on it, from sending to confirmed"})
	print(row{what: "the slowest of 25", ours: bought[runs-1], theirs: bare[runs-1], beside: "the same"})
	print(row{what: "of it, the offer (402)", ours: offered[runs/2]})
	return b.close()
}

// buyer is a client with money, a chain, and the program that sells on it.
type buyer struct {
	chain   *devnet.Devnet
	key     sol.PrivateKey
	url     string
	program *exec.Cmd
	folder  string
}

func openBuyer() (b *buyer, err error) {
	b = &buyer{}
	if b.folder, err = os.MkdirTemp("", "manifestseal-bench-"); err != nil {
		return nil, err
	}
	if b.chain, err = devnet.Start(context.Background(), b.folder, slot); err != nil {
		return nil, errors.Join(err, b.close())
	}
	if b.key, err = sol.PrivateKeyFromSolanaKeygenFile(b.chain.BuyerKey); err != nil {
		return nil, errors.Join(err, b.close())
	}
	if err := b.serve(); err != nil {
		return nil, errors.Join(err, b.close())
	}
	return b, nil
}

// serve builds the program and runs it as an operator would.
func (b *buyer) serve() error {
	binary := filepath.Join(b.folder, "manifestseal")
	if output, err := exec.Command("go", "build", "-o", binary, "./server/cmd/manifestseal").CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w\n%s", err, output)
	}
	b.program = exec.Command(binary, "serve", "--dev", "--listen", "127.0.0.1:0", "--metrics-listen", "off", "--log-level", "error",
		"--database", filepath.Join(b.folder, "bench.db"), "--network", "devnet", "--solana-rpc", b.chain.URL,
		"--pay-to", b.chain.PayTo, "--fee-payer-file", b.chain.FeePayerKey)
	var problems bytes.Buffer
	b.program.Stderr = &problems
	output, err := b.program.StdoutPipe()
	if err != nil {
		return err
	}
	if err := b.program.Start(); err != nil {
		return err
	}
	line, err := bufio.NewReader(output).ReadString('\n')
	if err != nil {
		return fmt.Errorf("the server did not start: %w\n%s", err, problems.String())
	}
	b.url = strings.Fields(strings.TrimPrefix(line, "ManifestSeal is at "))[0]
	return nil
}

func (b *buyer) close() error {
	var err error
	if b.program != nil && b.program.Process != nil {
		_ = b.program.Process.Signal(os.Interrupt)
		_ = b.program.Wait()
	}
	if b.chain != nil {
		err = b.chain.Close()
	}
	return errors.Join(err, os.RemoveAll(b.folder))
}

// accepted is an entry of an offer; what a client echoes is the text of it.
type accepted struct {
	Amount string
	Extra  struct{ FeePayer, Memo, RecentBlockhash string }
}

// buy buys one audit and says how long that took, and the offer alone.
func (b *buyer) buy(body string) (whole, offer time.Duration, err error) {
	start := time.Now()
	response, _, err := b.post(body, "")
	if err != nil {
		return 0, 0, err
	}
	offer = time.Since(start)
	header, err := base64.StdEncoding.DecodeString(response.Header.Get("PAYMENT-REQUIRED"))
	if err != nil || response.StatusCode != http.StatusPaymentRequired {
		return 0, 0, fmt.Errorf("the offer: %s, %w", response.Status, err)
	}
	var required struct{ Accepts []json.RawMessage }
	if err := json.Unmarshal(header, &required); err != nil {
		return 0, 0, err
	}
	payment, err := b.pay(required.Accepts[0])
	if err != nil {
		return 0, 0, err
	}
	response, answer, err := b.post(body, payment)
	if err == nil && response.StatusCode != http.StatusOK {
		err = fmt.Errorf("the purchase: %s: %.300s", response.Status, answer)
	}
	return time.Since(start), offer, err
}

func (b *buyer) post(body, payment string) (*http.Response, []byte, error) {
	request, err := http.NewRequest(http.MethodPost, b.url+"/audit", strings.NewReader(body))
	if err != nil {
		return nil, nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	if payment != "" {
		request.Header.Set("PAYMENT-SIGNATURE", payment)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, nil, err
	}
	answer, err := io.ReadAll(response.Body)
	return response, answer, errors.Join(err, response.Body.Close())
}

// pay signs what an offer asks for and returns the header.
func (b *buyer) pay(entry json.RawMessage) (string, error) {
	var offer accepted
	if err := json.Unmarshal(entry, &offer); err != nil {
		return "", err
	}
	feePayer, err := sol.PublicKeyFromBase58(offer.Extra.FeePayer)
	if err != nil {
		return "", err
	}
	hash, err := sol.HashFromBase58(offer.Extra.RecentBlockhash)
	if err != nil {
		return "", err
	}
	tx, err := b.sign(feePayer, hash, sol.NewInstruction(sol.MemoProgramID, nil, []byte(offer.Extra.Memo)))
	if err != nil {
		return "", err
	}
	payload, err := json.Marshal(map[string]any{"x402Version": 2, "accepted": entry, "payload": map[string][]byte{"transaction": tx}})
	return base64.StdEncoding.EncodeToString(payload), err
}

// sign makes a transfer of the price, with the buyer's signature.
func (b *buyer) sign(feePayer sol.PublicKey, hash sol.Hash, more ...sol.Instruction) ([]byte, error) {
	mint, me := sol.MustPublicKeyFromBase58(b.chain.Mint), b.key.PublicKey()
	source, _, err := sol.FindAssociatedTokenAddress(me, mint)
	if err != nil {
		return nil, err
	}
	instructions := []sol.Instruction{
		sol.NewInstruction(sol.ComputeBudget, nil, binary.LittleEndian.AppendUint32([]byte{2}, 20_000)),
		sol.NewInstruction(sol.ComputeBudget, nil, binary.LittleEndian.AppendUint64([]byte{3}, 1)),
		sol.NewInstruction(sol.TokenProgramID, sol.AccountMetaSlice{
			sol.Meta(source).WRITE(), sol.Meta(mint), sol.Meta(sol.MustPublicKeyFromBase58(b.chain.ReceivingAccount)).WRITE(), sol.Meta(me).SIGNER(),
		}, append(binary.LittleEndian.AppendUint64([]byte{12}, 50_000), 6)),
	}
	tx, err := sol.NewTransaction(append(instructions, more...), hash, sol.TransactionPayer(feePayer))
	if err != nil {
		return nil, err
	}
	if _, err := tx.PartialSign(func(key sol.PublicKey) *sol.PrivateKey {
		if key == me {
			return &b.key
		}
		return nil
	}); err != nil {
		return nil, err
	}
	return tx.MarshalBinary()
}

// transfer sends the price to the shop without the shop, and says how long it
// took to be confirmed.
func (b *buyer) transfer() (time.Duration, error) {
	var latest struct{ Value struct{ Blockhash string } }
	if err := b.ask(&latest, "getLatestBlockhash", map[string]string{"commitment": "confirmed"}); err != nil {
		return 0, err
	}
	tx, err := b.sign(b.key.PublicKey(), sol.MustHashFromBase58(latest.Value.Blockhash))
	if err != nil {
		return 0, err
	}
	start := time.Now()
	var signature string
	if err := b.ask(&signature, "sendTransaction", tx, map[string]any{"encoding": "base64", "skipPreflight": true}); err != nil {
		return 0, err
	}
	for {
		var statuses struct {
			Value []*struct{ ConfirmationStatus string }
		}
		if err := b.ask(&statuses, "getSignatureStatuses", []string{signature}); err != nil {
			return 0, err
		}
		if s := statuses.Value[0]; s != nil && s.ConfirmationStatus != "processed" {
			return time.Since(start), nil
		}
		time.Sleep(10 * time.Millisecond)
	}
}

func (b *buyer) ask(out any, method string, params ...any) error {
	question, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	if err != nil {
		return err
	}
	response, err := http.Post(b.chain.URL, "application/json", bytes.NewReader(question))
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	var answer struct{ Result json.RawMessage }
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		return err
	}
	return json.Unmarshal(answer.Result, out)
}
