package solana

import (
	"encoding/binary"
	"fmt"

	sol "github.com/gagliardetto/solana-go"
)

// The instructions that are known by their first byte.
const (
	setComputeUnitLimit = 2
	setComputeUnitPrice = 3
	transferChecked     = 12
)

// terms are Terms with their keys read.
type terms struct {
	mint, payTo, feePayer sol.PublicKey
	amount                uint64
	memo                  string
}

func readTerms(t Terms) (terms, error) {
	read := terms{amount: t.Amount, memo: t.Memo}
	for _, field := range []struct {
		name, text string
		key        *sol.PublicKey
	}{{"mint", t.Mint, &read.mint}, {"payTo", t.PayTo, &read.payTo}, {"feePayer", t.FeePayer, &read.feePayer}} {
		key, err := ParseKey(field.text)
		if err != nil {
			return terms{}, fmt.Errorf("the terms' %s %q: %w", field.name, field.text, err)
		}
		*field.key = key
	}
	return read, nil
}

// Check says whether the transaction does what the terms ask and nothing else,
// as far as it can be seen without the chain. A refusal is an *Invalid; any
// other error is a fault in the terms. The payer's signature is VerifyPayer's.
func (p *Payment) Check(t Terms) error {
	want, err := readTerms(t)
	if err != nil {
		return err
	}
	instructions := p.instructions()
	if n := len(instructions); n < 3 || n > 7 {
		return &Invalid{CodeInstructions, fmt.Sprintf("%d instructions: want 3 to 7", n)}
	}
	for _, rule := range []func() error{
		func() error { return p.checkSigners(want.feePayer, instructions) },
		func() error { return checkFees(instructions[0], instructions[1]) },
		func() error { return checkTransfer(instructions[2], want, p.Payer()) },
		func() error { return checkRest(instructions[3:], want.memo) },
	} {
		if err := rule(); err != nil {
			return err
		}
	}
	return nil
}

// instruction is one with its indices resolved.
type instruction struct {
	program  sol.PublicKey
	accounts []sol.PublicKey
	data     []byte
}

func (i instruction) is(program sol.PublicKey, first byte, size int) bool {
	return i.program == program && len(i.data) == size && i.data[0] == first
}

func (p *Payment) instructions() []instruction {
	m := &p.tx.Message
	resolved := make([]instruction, len(m.Instructions))
	for n, compiled := range m.Instructions {
		accounts := make([]sol.PublicKey, len(compiled.Accounts))
		for k, index := range compiled.Accounts {
			accounts[k] = m.AccountKeys[index]
		}
		resolved[n] = instruction{m.AccountKeys[compiled.ProgramIDIndex], accounts, compiled.Data}
	}
	return resolved
}

// checkSigners keeps the fee payer out of everything but the fee.
func (p *Payment) checkSigners(feePayer sol.PublicKey, instructions []instruction) error {
	m := &p.tx.Message
	if m.AccountKeys[0] != feePayer {
		return &Invalid{CodeFeePayer, fmt.Sprintf("the fee payer is %s: want %s", m.AccountKeys[0], feePayer)}
	}
	if m.Header.NumRequiredSignatures > 2 {
		return &Invalid{CodeSigners, "somebody beside the payer and the fee payer signs"}
	}
	for n, i := range instructions {
		for k, account := range i.accounts {
			if account != feePayer {
				continue
			}
			if n == 2 && k == 3 {
				return &Invalid{CodeFeePayerTransferring, "the fee payer is the authority of the transfer"}
			}
			return &Invalid{CodeFeePayerNotIsolated, fmt.Sprintf("instruction %d names the fee payer among its accounts", n+1)}
		}
	}
	if m.Header.NumRequiredSignatures < 2 {
		return &Invalid{CodeSignature, "nobody but the fee payer signs"}
	}
	return nil
}

func checkFees(limit, price instruction) error {
	if !limit.is(sol.ComputeBudget, setComputeUnitLimit, 5) || len(limit.accounts) > 0 {
		return &Invalid{CodeLimit, "the first instruction must be SetComputeUnitLimit"}
	}
	if !price.is(sol.ComputeBudget, setComputeUnitPrice, 9) || len(price.accounts) > 0 {
		return &Invalid{CodePrice, "the second instruction must be SetComputeUnitPrice"}
	}
	units := uint64(binary.LittleEndian.Uint32(limit.data[1:]))
	if units > MaxComputeUnits {
		return &Invalid{CodeLimitTooHigh, fmt.Sprintf("%d compute units: at most %d are paid for", units, MaxComputeUnits)}
	}
	micro := binary.LittleEndian.Uint64(price.data[1:])
	// Divided, not multiplied: the product of hostile numbers overflows.
	if units > 0 && micro > MaxPriorityFee*1_000_000/units {
		return &Invalid{CodePriceTooHigh, fmt.Sprintf("%d compute units at %d micro-lamports: the priority fee may be %d lamports at most", units, micro, MaxPriorityFee)}
	}
	return nil
}

// checkTransfer checks TransferChecked: source, mint, destination, authority.
func checkTransfer(i instruction, want terms, payer string) error {
	isToken := i.program == sol.TokenProgramID || i.program == sol.Token2022ProgramID
	if !isToken || !i.is(i.program, transferChecked, 10) || len(i.accounts) != 4 {
		return &Invalid{CodeTransfer, "the third instruction must be TransferChecked of a token program, with its four accounts"}
	}
	source, mint, destination, authority := i.accounts[0], i.accounts[1], i.accounts[2], i.accounts[3]
	if authority.String() != payer {
		return &Invalid{CodeTransfer, "the authority of the transfer is not the payer, the transaction's second signer"}
	}
	if mint != want.mint {
		return &Invalid{CodeMint, fmt.Sprintf("the transfer is of %s: want %s", mint, want.mint)}
	}
	receiving, err := receivingAccount(want.payTo, want.mint, i.program)
	if err != nil {
		return &Invalid{CodeRecipient, err.Error()}
	}
	if destination != receiving || source == receiving {
		return &Invalid{CodeRecipient, fmt.Sprintf("the transfer must go to %s, and come from elsewhere", receiving)}
	}
	if amount := binary.LittleEndian.Uint64(i.data[1:]); amount != want.amount || i.data[9] != Decimals {
		return &Invalid{CodeAmount, fmt.Sprintf("the transfer is of %d with %d decimals: want exactly %d with %d", amount, i.data[9], want.amount, Decimals)}
	}
	return nil
}

// checkRest admits memos and the assertions of wallets, and finds our memo.
func checkRest(rest []instruction, memo string) error {
	codes := [...]string{CodeFourth, CodeFifth, CodeSixth, CodeSeventh}
	var memos [][]byte
	for n, i := range rest {
		switch {
		case i.program == sol.MemoProgramID:
			memos = append(memos, i.data)
		case i.program.String() != lighthouse:
			return &Invalid{codes[n], fmt.Sprintf("instruction %d calls %s: want only memos and Lighthouse assertions after the transfer", n+4, i.program)}
		}
	}
	switch {
	case memo == "":
		return nil
	case len(memos) != 1:
		return &Invalid{CodeMemoCount, fmt.Sprintf("%d memos: want exactly one, the offer's", len(memos))}
	case string(memos[0]) != memo:
		return &Invalid{CodeMemo, "the memo is not the offer's"}
	}
	return nil
}
