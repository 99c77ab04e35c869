// Package solana implements the chain's half of an x402 payment: reading a
// transaction that a stranger signed, judging it against what was offered,
// adding the fee payer's signature, and asking a node about it. It follows the
// "exact" scheme of x402 on Solana, and is stricter where that scheme leaves a
// choice. It will never know what was bought, nor who bought it before.
package solana

import (
	"errors"
	"fmt"

	sol "github.com/gagliardetto/solana-go"
)

// Terms are what a payment must do. Keys are base58.
type Terms struct {
	Network  string // CAIP-2; the transaction names none, its blockhash does
	Mint     string
	PayTo    string // the owner of the receiving account, not the account
	FeePayer string
	Amount   uint64 // in the mint's smallest unit
	Memo     string // exactly one memo equal to this; empty: any memos
}

// The networks by their CAIP-2 names: the first 32 characters of the hash of
// the genesis block.
const (
	Mainnet = "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp"
	Devnet  = "solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1"
)

// The mints of USDC.
const (
	USDCMainnet = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"
	USDCDevnet  = "4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU"
)

// Decimals are those of every mint that a price is named in.
const Decimals = 6

// The caps on what a payment may cost the fee payer beyond the base fee: the
// compute units bought, and the whole priority fee, limit × price, in lamports.
const (
	MaxComputeUnits = 400_000
	MaxPriorityFee  = 20_000
	baseFee         = 10_000 // two signatures
)

// MaxFee is the most that one payment can cost the fee payer, in lamports.
const MaxFee = baseFee + MaxPriorityFee

// lighthouse is the program whose assertions wallets add to protect their user.
const lighthouse = "L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95"

// ParseKey reads a base58 public key of 32 bytes.
func ParseKey(text string) ([32]byte, error) {
	if len(text) < 32 || len(text) > 44 { // base58 is quadratic: lengths first
		return [32]byte{}, errors.New("not a Solana address: want 32 to 44 base58 characters")
	}
	key, err := sol.PublicKeyFromBase58(text)
	if err != nil {
		return [32]byte{}, fmt.Errorf("not a Solana address: %w", err)
	}
	return key, nil
}

// receivingAccount derives the associated token account of owner for mint under
// the given token program.
func receivingAccount(owner, mint, tokenProgram sol.PublicKey) (sol.PublicKey, error) {
	account, _, err := sol.FindProgramAddress([][]byte{owner[:], tokenProgram[:], mint[:]}, sol.SPLAssociatedTokenAccountProgramID)
	return account, err
}
