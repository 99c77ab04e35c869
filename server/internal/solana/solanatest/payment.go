// Package solanatest makes payments for tests: what a wallet would sign, and
// through its parts whatever no wallet would. It encodes on its own, so that it
// shares no mistake with the decoder. It will never be part of the program.
package solanatest

import (
	"crypto/ed25519"
	"encoding/binary"
	"slices"

	sol "github.com/gagliardetto/solana-go"

	"github.com/manifestseal/manifestseal/server/internal/solana"
)

// Lighthouse is the program that wallets add assertions of.
const Lighthouse = "L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95"

// Parts are a payment before it is compiled. Start from Pay and change things.
type Parts struct {
	Legacy       bool
	FeePayer     sol.PublicKey
	Blockhash    [32]byte
	Instructions []Instruction
	Payer        ed25519.PrivateKey
	Others       []ed25519.PrivateKey // sign too where an instruction makes them signers
}

// Instruction is one call of a program.
type Instruction struct {
	Program  sol.PublicKey
	Accounts []Account
	Data     []byte
}

// Account is one that an instruction names.
type Account struct {
	Key              sol.PublicKey
	Signer, Writable bool
}

// Key makes a key from a name, always the same.
func Key(name string) ed25519.PrivateKey {
	seed := [ed25519.SeedSize]byte{}
	copy(seed[:], name)
	return ed25519.NewKeyFromSeed(seed[:])
}

// Public is the key's address.
func Public(key ed25519.PrivateKey) sol.PublicKey {
	return sol.PublicKeyFromBytes(key.Public().(ed25519.PublicKey))
}

// TokenAccount is the associated token account of owner for mint.
func TokenAccount(owner, mint, program sol.PublicKey) sol.PublicKey {
	account, _, err := sol.FindProgramAddress([][]byte{owner[:], program[:], mint[:]}, sol.SPLAssociatedTokenAccountProgramID)
	if err != nil {
		panic(err)
	}
	return account
}

// Pay is what an ordinary x402 client signs for the terms: two compute budget
// instructions, the transfer, and a memo (of no meaning where the terms ask for
// none).
func Pay(terms solana.Terms, payer ed25519.PrivateKey, blockhash string) Parts {
	memo := terms.Memo
	if memo == "" {
		memo = "00112233445566778899aabbccddeeff"
	}
	return Parts{
		FeePayer:  sol.MustPublicKeyFromBase58(terms.FeePayer),
		Blockhash: sol.MustPublicKeyFromBase58(blockhash),
		Payer:     payer,
		Instructions: []Instruction{
			Limit(20_000),
			Price(1),
			Transfer(terms, Public(payer), sol.TokenProgramID),
			Memo(memo),
		},
	}
}

// Limit is SetComputeUnitLimit.
func Limit(units uint32) Instruction {
	return Instruction{Program: sol.ComputeBudget, Data: binary.LittleEndian.AppendUint32([]byte{2}, units)}
}

// Price is SetComputeUnitPrice.
func Price(microLamports uint64) Instruction {
	return Instruction{Program: sol.ComputeBudget, Data: binary.LittleEndian.AppendUint64([]byte{3}, microLamports)}
}

// Transfer is TransferChecked from the payer's associated account to the
// terms', both under the given token program.
func Transfer(terms solana.Terms, payer, program sol.PublicKey) Instruction {
	mint, payTo := sol.MustPublicKeyFromBase58(terms.Mint), sol.MustPublicKeyFromBase58(terms.PayTo)
	return Instruction{
		Program: program,
		Accounts: []Account{
			{Key: TokenAccount(payer, mint, program), Writable: true},
			{Key: mint},
			{Key: TokenAccount(payTo, mint, program), Writable: true},
			{Key: payer, Signer: true},
		},
		Data: append(binary.LittleEndian.AppendUint64([]byte{12}, terms.Amount), solana.Decimals),
	}
}

// Memo is a note of the memo program.
func Memo(text string) Instruction {
	return Instruction{Program: sol.MemoProgramID, Data: []byte(text)}
}

// Assertion is one of a wallet's own program.
func Assertion(accounts ...Account) Instruction {
	return Instruction{Program: sol.MustPublicKeyFromBase58(Lighthouse), Accounts: accounts, Data: []byte{6, 0, 1}}
}

// Bytes compiles and signs: the transaction as a client sends it, with the fee
// payer's slot empty.
func (p Parts) Bytes() []byte {
	m := p.compile()
	tx := append([]byte{byte(m.signers)}, make([]byte, 64)...)
	message := m.bytes(p)
	for _, account := range m.accounts[1:m.signers] {
		tx = append(tx, p.signatureOf(account.Key, message)...)
	}
	return append(tx, message...)
}

func (p Parts) signatureOf(signer sol.PublicKey, message []byte) []byte {
	for _, key := range append([]ed25519.PrivateKey{p.Payer}, p.Others...) {
		if Public(key) == signer {
			return ed25519.Sign(key, message)
		}
	}
	return make([]byte, 64)
}

type compiled struct {
	accounts                                  []Account
	signers, readonlySigned, readonlyUnsigned int
}

// compile orders the accounts as the chain wants them: signers first, and in
// both halves the writable ones first; the fee payer before all.
func (p Parts) compile() compiled {
	accounts := []Account{{Key: p.FeePayer, Signer: true, Writable: true}}
	add := func(a Account) {
		for n := range accounts {
			if accounts[n].Key == a.Key {
				accounts[n].Signer, accounts[n].Writable = accounts[n].Signer || a.Signer, accounts[n].Writable || a.Writable
				return
			}
		}
		accounts = append(accounts, a)
	}
	for _, i := range p.Instructions {
		for _, a := range i.Accounts {
			add(a)
		}
		add(Account{Key: i.Program})
	}
	rank := func(a Account) int {
		switch {
		case a.Key == p.FeePayer:
			return 0
		case a.Key == Public(p.Payer) && a.Signer:
			return 1
		case a.Signer && a.Writable:
			return 2
		case a.Signer:
			return 3
		case a.Writable:
			return 4
		}
		return 5
	}
	slices.SortStableFunc(accounts, func(a, b Account) int { return rank(a) - rank(b) })
	c := compiled{accounts: accounts}
	for _, a := range accounts {
		switch {
		case a.Signer && !a.Writable:
			c.signers++
			c.readonlySigned++
		case a.Signer:
			c.signers++
		case !a.Writable:
			c.readonlyUnsigned++
		}
	}
	return c
}

func (c compiled) index(key sol.PublicKey) byte {
	return byte(slices.IndexFunc(c.accounts, func(a Account) bool { return a.Key == key }))
}

func (c compiled) bytes(p Parts) []byte {
	var m []byte
	if !p.Legacy {
		m = append(m, 0x80)
	}
	m = append(m, byte(c.signers), byte(c.readonlySigned), byte(c.readonlyUnsigned), byte(len(c.accounts)))
	for _, a := range c.accounts {
		m = append(m, a.Key[:]...)
	}
	m = append(m, p.Blockhash[:]...)
	m = append(m, byte(len(p.Instructions)))
	for _, i := range p.Instructions {
		m = append(m, c.index(i.Program), byte(len(i.Accounts)))
		for _, a := range i.Accounts {
			m = append(m, c.index(a.Key))
		}
		m = append(appendLength(m, len(i.Data)), i.Data...)
	}
	if !p.Legacy {
		m = append(m, 0) // no lookup tables
	}
	return m
}

func appendLength(b []byte, n int) []byte {
	if n < 0x80 {
		return append(b, byte(n))
	}
	return append(b, byte(n)|0x80, byte(n>>7))
}
