package solana

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"errors"

	sol "github.com/gagliardetto/solana-go"
)

// ErrNoAccount is an address at which the chain holds nothing.
var ErrNoAccount = errors.New("there is no such account on the chain")

// GenesisHash is the hash of the chain's first block: which network it is.
func (c *Chain) GenesisHash(ctx context.Context) (hash string, err error) {
	err = c.call(ctx, &hash, "getGenesisHash")
	return hash, err
}

// Balance is what an address holds, in lamports; 0 when there is no account.
func (c *Chain) Balance(ctx context.Context, address string) (uint64, error) {
	var result struct{ Value *uint64 }
	if err := c.call(ctx, &result, "getBalance", address, commitment{"confirmed"}); err != nil {
		return 0, err
	}
	if result.Value == nil {
		return 0, &NodeError{Method: "getBalance", Detail: "the answer holds no balance"}
	}
	return *result.Value, nil
}

type account struct {
	Owner string // the program
	Data  []string
}

func (c *Chain) account(ctx context.Context, address string) (program string, data []byte, err error) {
	var result struct{ Value *account }
	err = c.call(ctx, &result, "getAccountInfo", address, map[string]any{"encoding": "base64", "commitment": "confirmed"})
	switch {
	case err != nil:
		return "", nil, err
	case result.Value == nil:
		return "", nil, ErrNoAccount
	case len(result.Value.Data) == 0:
		return "", nil, &NodeError{Method: "getAccountInfo", Detail: "the answer holds no data"}
	}
	data, err = base64.StdEncoding.DecodeString(result.Value.Data[0])
	if err != nil {
		return "", nil, &NodeError{Method: "getAccountInfo", Detail: "the data is not base64"}
	}
	return result.Value.Owner, data, nil
}

// TokenAccount is an account that holds tokens.
type TokenAccount struct {
	Address, Mint, Owner string
	Amount               uint64
	Usable               bool // initialised and not frozen
}

// TokenAccount reads the associated token account of owner for mint, under the
// token program that the mint belongs to. It is ErrNoAccount when nobody has
// opened it, or there is no such mint.
func (c *Chain) TokenAccount(ctx context.Context, owner, mint string) (TokenAccount, error) {
	_, program, err := c.mint(ctx, mint)
	if err != nil {
		return TokenAccount{}, err
	}
	return c.tokenAccount(ctx, owner, mint, program)
}

func (c *Chain) tokenAccount(ctx context.Context, owner, mint string, program sol.PublicKey) (TokenAccount, error) {
	ownerKey, err := ParseKey(owner)
	if err != nil {
		return TokenAccount{}, err
	}
	mintKey, err := ParseKey(mint)
	if err != nil {
		return TokenAccount{}, err
	}
	address, err := receivingAccount(ownerKey, mintKey, program)
	if err != nil {
		return TokenAccount{}, err
	}
	_, data, err := c.account(ctx, address.String())
	if err != nil {
		return TokenAccount{Address: address.String()}, err
	}
	if len(data) < 165 {
		return TokenAccount{}, &NodeError{Method: "getAccountInfo", Detail: address.String() + " is no token account"}
	}
	return TokenAccount{
		Address: address.String(),
		Mint:    sol.PublicKeyFromBytes(data[:32]).String(),
		Owner:   sol.PublicKeyFromBytes(data[32:64]).String(),
		Amount:  binary.LittleEndian.Uint64(data[64:]),
		Usable:  data[108] == 1,
	}, nil
}

// mint reads a mint's decimals and the token program it belongs to.
func (c *Chain) mint(ctx context.Context, address string) (decimals int, program sol.PublicKey, err error) {
	owner, data, err := c.account(ctx, address)
	if err != nil {
		return 0, sol.PublicKey{}, err
	}
	for _, known := range []sol.PublicKey{sol.TokenProgramID, sol.Token2022ProgramID} {
		if owner == known.String() && len(data) >= 82 && data[45] == 1 {
			return int(data[44]), known, nil
		}
	}
	return 0, sol.PublicKey{}, &NodeError{Method: "getAccountInfo", Detail: address + " is no mint"}
}
