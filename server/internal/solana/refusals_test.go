package solana_test

import (
	"bytes"
	"crypto/ed25519"
	"encoding/hex"
	"slices"
	"testing"

	sol "github.com/gagliardetto/solana-go"

	"github.com/manifestseal/manifestseal/server/internal/solana"
	st "github.com/manifestseal/manifestseal/server/internal/solana/solanatest"
)

// Every payment below is refused by the transaction alone, with x402's code.

// edited signs an ordinary payment after a change of its parts.
func edited(edit func(*st.Parts)) []byte {
	parts := pay()
	edit(&parts)
	return parts.Bytes()
}

// spoiled changes the bytes of an ordinary payment after it was signed.
func spoiled(spoil func([]byte) []byte) []byte { return spoil(pay().Bytes()) }

// Offsets in an ordinary payment: slots, version, header, keys.
const (
	atVersion = 1 + 2*64
	atHeader  = atVersion + 1
	atCount   = atHeader + 3
	atKeys    = atCount + 1
)

var refusals = []struct {
	name string
	tx   []byte
	code string
}{
	// Malformed.
	{"nothing", nil, solana.CodeUndecodable},
	{"one byte", []byte{0}, solana.CodeUndecodable},
	{"no signature slot", spoiled(func(tx []byte) []byte { return append([]byte{0}, tx[129:]...) }), solana.CodeUndecodable},
	{"a slot too few", spoiled(func(tx []byte) []byte { return append([]byte{1}, tx[65:]...) }), solana.CodeUndecodable},
	{"a slot too many", spoiled(func(tx []byte) []byte { return append([]byte{3}, append(make([]byte, 64), tx[1:]...)...) }), solana.CodeUndecodable},
	{"slots beyond the end", spoiled(func(tx []byte) []byte { tx[0] = 0x7f; return tx }), solana.CodeUndecodable},
	{"cut in the message", spoiled(func(tx []byte) []byte { return tx[:200] }), solana.CodeUndecodable},
	{"cut by one byte", spoiled(func(tx []byte) []byte { return tx[:len(tx)-1] }), solana.CodeUndecodable},
	{"a byte too many", spoiled(func(tx []byte) []byte { return append(tx, 0) }), solana.CodeUndecodable},
	{"longer than the chain takes", spoiled(func(tx []byte) []byte { return append(tx, make([]byte, 1233)...) }), solana.CodeUndecodable},
	{"version 1", spoiled(func(tx []byte) []byte { tx[atVersion] = 0x81; return tx }), solana.CodeUndecodable},
	{"version 127", spoiled(func(tx []byte) []byte { tx[atVersion] = 0xff; return tx }), solana.CodeUndecodable},
	{"legacy that claims 127 signers", spoiled(func(tx []byte) []byte { tx[atVersion] = 0x7f; return tx }), solana.CodeUndecodable},
	{"more signers than slots", spoiled(func(tx []byte) []byte { tx[atHeader] = 3; return tx }), solana.CodeUndecodable},
	{"a fee payer that is read-only", spoiled(func(tx []byte) []byte { tx[atHeader+1] = 2; return tx }), solana.CodeUndecodable},
	{"more read-only accounts than accounts", spoiled(func(tx []byte) []byte { tx[atHeader+2] = 200; return tx }), solana.CodeUndecodable},
	{"more keys than bytes", spoiled(func(tx []byte) []byte { tx[atCount] = 0x7f; return tx }), solana.CodeUndecodable},
	{"a length in two bytes that needs one", spoiled(func(tx []byte) []byte {
		return slices.Concat(tx[:atCount], []byte{tx[atCount] | 0x80, 0}, tx[atKeys:])
	}), solana.CodeUndecodable},
	{"a length in three bytes", spoiled(func(tx []byte) []byte {
		return slices.Concat(tx[:atCount], []byte{tx[atCount] | 0x80, 0x80, 1}, tx[atKeys:])
	}), solana.CodeUndecodable},
	{"an account named twice", spoiled(func(tx []byte) []byte { copy(tx[atKeys+64:], tx[atKeys+32:atKeys+64]); return tx }), solana.CodeUndecodable},
	{"a program beyond the accounts", spoiled(func(tx []byte) []byte { tx[firstInstruction(tx)] = 99; return tx }), solana.CodeUndecodable},
	{"the fee payer as a program", spoiled(func(tx []byte) []byte { tx[firstInstruction(tx)] = 0; return tx }), solana.CodeUndecodable},
	{"an account beyond the accounts", spoiled(func(tx []byte) []byte { tx[firstInstruction(tx)+8+12+2] = 99; return tx }), solana.CodeUndecodable},
	{"a lookup table", spoiled(func(tx []byte) []byte {
		return slices.Concat(tx[:len(tx)-1], []byte{1}, make([]byte, 32), []byte{1, 0, 0})
	}), solana.CodeLookupTables},

	// The wrong people.
	{"another fee payer", edited(func(p *st.Parts) { p.FeePayer = st.Public(other) }), solana.CodeFeePayer},
	{"the payer pays the fee", edited(func(p *st.Parts) { p.FeePayer = st.Public(payer) }), solana.CodeFeePayer},
	{"a third signer", edited(func(p *st.Parts) {
		p.Instructions[3].Accounts = []st.Account{{Key: st.Public(other), Signer: true}}
		p.Others = []ed25519.PrivateKey{other}
	}), solana.CodeSigners},
	{"nobody but the fee payer signs", edited(func(p *st.Parts) { p.Instructions[2].Accounts[3].Signer = false }), solana.CodeSignature},
	{"the fee payer's money", edited(func(p *st.Parts) { p.Instructions[2].Accounts[3].Key = p.FeePayer }), solana.CodeFeePayerTransferring},
	{"the fee payer as the source", edited(func(p *st.Parts) { p.Instructions[2].Accounts[0].Key = p.FeePayer }), solana.CodeFeePayerNotIsolated},
	{"the fee payer in a memo", edited(func(p *st.Parts) {
		p.Instructions[3].Accounts = []st.Account{{Key: p.FeePayer, Signer: true}}
	}), solana.CodeFeePayerNotIsolated},
	{"the fee payer in an assertion", edited(func(p *st.Parts) {
		p.Instructions = append(p.Instructions, st.Assertion(st.Account{Key: p.FeePayer, Signer: true, Writable: true}))
	}), solana.CodeFeePayerNotIsolated},

	// Too much of something.
	{"two instructions", edited(func(p *st.Parts) { p.Instructions = p.Instructions[1:3] }), solana.CodeInstructions},
	{"eight instructions", edited(func(p *st.Parts) {
		p.Instructions = append(p.Instructions, st.Assertion(), st.Assertion(), st.Assertion(), st.Assertion())
	}), solana.CodeInstructions},
	{"a limit above the cap", edited(func(p *st.Parts) { p.Instructions[0] = st.Limit(solana.MaxComputeUnits + 1) }), solana.CodeLimitTooHigh},
	{"the highest limit", edited(func(p *st.Parts) { p.Instructions[0] = st.Limit(1<<32 - 1) }), solana.CodeLimitTooHigh},
	{"a price above the cap", edited(func(p *st.Parts) { p.Instructions[1] = st.Price(1_000_001) }), solana.CodePriceTooHigh},
	{"a price that overflows with the limit", edited(func(p *st.Parts) {
		p.Instructions[0], p.Instructions[1] = st.Limit(1<<18), st.Price(1<<46)
	}), solana.CodePriceTooHigh},

	// The wrong instructions.
	{"no limit", edited(func(p *st.Parts) { p.Instructions = p.Instructions[1:] }), solana.CodeLimit},
	{"limit and price exchanged", edited(func(p *st.Parts) {
		p.Instructions[0], p.Instructions[1] = p.Instructions[1], p.Instructions[0]
	}), solana.CodeLimit},
	{"a limit of another program", edited(func(p *st.Parts) { p.Instructions[0].Program = sol.MemoProgramID }), solana.CodeLimit},
	{"a limit with a byte too many", edited(func(p *st.Parts) { p.Instructions[0].Data = append(p.Instructions[0].Data, 0) }), solana.CodeLimit},
	{"a durable nonce", edited(func(p *st.Parts) {
		p.Instructions[0] = st.Instruction{Program: sol.SystemProgramID, Data: []byte{4, 0, 0, 0}}
	}), solana.CodeLimit},
	{"a heap frame for a price", edited(func(p *st.Parts) {
		p.Instructions[1] = st.Instruction{Program: sol.ComputeBudget, Data: []byte{1, 0, 0, 4, 0}}
	}), solana.CodePrice},
	{"a price of nothing", edited(func(p *st.Parts) { p.Instructions[1].Data = nil }), solana.CodePrice},
	{"a plain Transfer", edited(func(p *st.Parts) { p.Instructions[2].Data = []byte{3, 0x50, 0xc3, 0, 0, 0, 0, 0, 0} }), solana.CodeTransfer},
	{"an Approve", edited(func(p *st.Parts) { p.Instructions[2].Data[0] = 13 }), solana.CodeTransfer},
	{"a transfer of another program", edited(func(p *st.Parts) { p.Instructions[2].Program = sol.SystemProgramID }), solana.CodeTransfer},
	{"a transfer with a byte too many", edited(func(p *st.Parts) { p.Instructions[2].Data = append(p.Instructions[2].Data, 0) }), solana.CodeTransfer},
	{"a transfer with three accounts", edited(func(p *st.Parts) {
		p.Instructions[2].Accounts = slices.Delete(p.Instructions[2].Accounts, 1, 2)
	}), solana.CodeTransfer},
	{"a transfer by several owners", edited(func(p *st.Parts) {
		p.Instructions[2].Accounts[3] = st.Account{Key: st.Public(other)}
		p.Instructions[2].Accounts = append(p.Instructions[2].Accounts, st.Account{Key: st.Public(payer), Signer: true})
	}), solana.CodeTransfer},
	{"an authority that does not sign", edited(func(p *st.Parts) {
		p.Instructions[2].Accounts[3] = st.Account{Key: st.Public(other)}
		p.Instructions[3].Accounts = []st.Account{{Key: st.Public(payer), Signer: true}}
	}), solana.CodeTransfer},
	{"the memo before the transfer", edited(func(p *st.Parts) {
		p.Instructions[2], p.Instructions[3] = p.Instructions[3], p.Instructions[2]
	}), solana.CodeTransfer},

	// Substituted.
	{"another mint", edited(func(p *st.Parts) { p.Instructions[2].Accounts[1].Key = st.Public(other) }), solana.CodeMint},
	{"mainnet's mint", edited(func(p *st.Parts) {
		p.Instructions[2].Accounts[1].Key = sol.MustPublicKeyFromBase58(solana.USDCMainnet)
	}), solana.CodeMint},
	{"somebody else's account", edited(func(p *st.Parts) { p.Instructions[2].Accounts[2].Key = st.Public(other) }), solana.CodeRecipient},
	{"the shop's address in place of its account", edited(func(p *st.Parts) {
		p.Instructions[2].Accounts[2].Key = sol.MustPublicKeyFromBase58(terms.PayTo)
	}), solana.CodeRecipient},
	{"back to the payer", edited(func(p *st.Parts) {
		p.Instructions[2].Accounts[2] = p.Instructions[2].Accounts[0]
	}), solana.CodeRecipient},
	{"from the shop to the shop", edited(func(p *st.Parts) {
		p.Instructions[2].Accounts[0] = p.Instructions[2].Accounts[2]
	}), solana.CodeRecipient},
	{"the other token program's account", edited(func(p *st.Parts) {
		p.Instructions[2] = st.Transfer(terms, st.Public(payer), sol.TokenProgramID)
		p.Instructions[2].Program = sol.Token2022ProgramID
	}), solana.CodeRecipient},
	{"too little", edited(func(p *st.Parts) { p.Instructions[2].Data[1]-- }), solana.CodeAmount},
	{"too much", edited(func(p *st.Parts) { p.Instructions[2].Data[1]++ }), solana.CodeAmount},
	{"nothing at all", edited(func(p *st.Parts) { copy(p.Instructions[2].Data[1:9], make([]byte, 8)) }), solana.CodeAmount},
	{"other decimals", edited(func(p *st.Parts) { p.Instructions[2].Data[9] = 9 }), solana.CodeAmount},
	{"a second transfer", edited(func(p *st.Parts) { p.Instructions[3] = p.Instructions[2] }), solana.CodeFourth},
	{"an account is made on the way", edited(func(p *st.Parts) {
		p.Instructions = append(p.Instructions, st.Instruction{Program: sol.SPLAssociatedTokenAccountProgramID, Data: []byte{1}})
	}), solana.CodeFifth},
	{"lamports in the sixth place", edited(func(p *st.Parts) {
		p.Instructions = append(p.Instructions, st.Assertion(), st.Instruction{Program: sol.SystemProgramID, Data: []byte{2, 0, 0, 0}})
	}), solana.CodeSixth},
	{"a second limit in the seventh place", edited(func(p *st.Parts) {
		p.Instructions = append(p.Instructions, st.Assertion(), st.Assertion(), st.Limit(1_400_000))
	}), solana.CodeSeventh},
	{"no memo", edited(func(p *st.Parts) { p.Instructions = p.Instructions[:3] }), solana.CodeMemoCount},
	{"the memo twice", edited(func(p *st.Parts) { p.Instructions = append(p.Instructions, p.Instructions[3]) }), solana.CodeMemoCount},
	{"another order's memo", edited(func(p *st.Parts) { p.Instructions[3] = st.Memo("b3JkZXJ") }), solana.CodeMemo},
	{"the memo with a space", edited(func(p *st.Parts) { p.Instructions[3] = st.Memo(terms.Memo + " ") }), solana.CodeMemo},
	{"an empty memo", edited(func(p *st.Parts) { p.Instructions[3] = st.Memo("") }), solana.CodeMemo},

	// Malleated, replayed, forged.
	{"an empty payer's slot", spoiled(func(tx []byte) []byte { copy(tx[65:129], make([]byte, 64)); return tx }), solana.CodeSignature},
	{"the signatures exchanged", spoiled(func(tx []byte) []byte {
		return slices.Concat(tx[:1], tx[65:129], tx[1:65], tx[129:])
	}), solana.CodeSignature},
	{"one bit of the signature", spoiled(func(tx []byte) []byte { tx[70] ^= 1; return tx }), solana.CodeSignature},
	{"one bit of the blockhash", spoiled(func(tx []byte) []byte { tx[firstInstruction(tx)-2] ^= 1; return tx }), solana.CodeSignature},
	{"S plus the group's order", spoiled(malleateS), solana.CodeSignature},
	{"a signature of another payment", spoiled(func(tx []byte) []byte {
		elsewhere := edited(func(p *st.Parts) { p.Blockhash[0] ^= 1 })
		copy(tx[65:129], elsewhere[65:129])
		return tx
	}), solana.CodeSignature},
	{"another key's signature", spoiled(func(tx []byte) []byte { copy(tx[65:129], ed25519.Sign(other, tx[129:])); return tx }), solana.CodeSignature},
	{"a payer of small order", smallOrder("0000000000000000000000000000000000000000000000000000000000000000"), solana.CodeSignature},
	{"the identity as a payer", smallOrder("0100000000000000000000000000000000000000000000000000000000000000"), solana.CodeSignature},
	{"a payer of order eight", smallOrder("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"), solana.CodeSignature},
	{"a payer in a second encoding", smallOrder("eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"), solana.CodeSignature},
	{"a payer that is no point", smallOrder("0200000000000000000000000000000000000000000000000000000000000000"), solana.CodeSignature},
}

// firstInstruction is the offset of the first instruction of a payment.
func firstInstruction(tx []byte) int { return atKeys + 32*int(tx[atCount]) + 32 + 1 }

// malleateS adds the order of the group to S: the same equation, other bytes.
func malleateS(tx []byte) []byte {
	order, _ := hex.DecodeString("edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010")
	carry := 0
	for n := range 32 {
		carry += int(tx[97+n]) + int(order[n])
		tx[97+n] = byte(carry)
		carry >>= 8
	}
	return tx
}

// smallOrder puts another key in the payer's place everywhere, with the one
// signature that a key of small order gives for every message.
func smallOrder(key string) []byte {
	raw, _ := hex.DecodeString(key)
	mint, program := sol.MustPublicKeyFromBase58(terms.Mint), sol.TokenProgramID
	tx := pay().Bytes()
	tx = bytes.ReplaceAll(tx, payer.Public().(ed25519.PublicKey), raw)
	ours, theirs := st.TokenAccount(st.Public(payer), mint, program), st.TokenAccount(sol.PublicKeyFromBytes(raw), mint, program)
	tx = bytes.ReplaceAll(tx, ours[:], theirs[:])
	copy(tx[65:129], append([]byte{1}, make([]byte, 63)...))
	return tx
}

func TestRefusedPayments(t *testing.T) {
	t.Parallel()
	if len(refusals) < 40 {
		t.Fatalf("only %d refusals", len(refusals))
	}
	seen := map[string]bool{}
	for _, test := range refusals {
		if seen[test.name] {
			t.Errorf("%q stands twice in the table", test.name)
		}
		seen[test.name] = true
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if err := judge(test.tx, terms); codeOf(err) != test.code {
				t.Errorf("got %v, want %s", err, test.code)
			}
		})
	}
}
