package solana

import (
	"context"
	"errors"
	"fmt"
	"strings"

	sol "github.com/gagliardetto/solana-go"
)

// Shop is what a server takes payments with. Keys are base58.
type Shop struct {
	Network, Mint, PayTo, FeePayer string
}

// MinFeePayer is the balance below which the server does not start: a hundred
// payments at their highest fee, and what the account itself must hold.
const MinFeePayer = 100*MaxFee + 890_880

// Check is run once before anything is sold: whether the node is of the network
// that payments are asked in, and whether they could arrive. The error names
// every fault, each with what to do.
func (c *Chain) Check(ctx context.Context, shop Shop) error {
	if err := shop.check(); err != nil {
		return err
	}
	if err := c.checkNetwork(ctx, shop.Network); err != nil {
		return err // what follows would be read from the wrong chain
	}
	return errors.Join(c.checkMint(ctx, shop), c.checkFeePayer(ctx, shop))
}

func (s Shop) check() error {
	var faults []error
	for _, field := range []struct{ name, key string }{{"mint", s.Mint}, {"receiving address", s.PayTo}, {"fee payer", s.FeePayer}} {
		if _, err := ParseKey(field.key); err != nil {
			faults = append(faults, fmt.Errorf("the %s %q is %w", field.name, field.key, err))
		}
	}
	if s.FeePayer == s.PayTo {
		faults = append(faults, errors.New("the fee payer is the receiving address: a server that is broken into must not hold the key to the takings; use a key of its own"))
	}
	return errors.Join(faults...)
}

func (c *Chain) checkNetwork(ctx context.Context, network string) error {
	if network == Mainnet && c.loopback {
		return errors.New("the network is mainnet and the Solana node is on this machine: a development chain takes no real money; name a node of mainnet, or take devnet")
	}
	if network == Mainnet && !c.secure {
		return errors.New("the network is mainnet and the Solana node is asked over http: whoever sits between could say that a payment arrived; use https")
	}
	genesis, err := c.GenesisHash(ctx)
	if err != nil {
		return err
	}
	reference, known := strings.CutPrefix(network, "solana:")
	if !known || len(reference) != 32 || !strings.HasPrefix(genesis, reference) {
		return fmt.Errorf("the network is %s and the Solana node is of solana:%.32s: name a node of the network that you sell in", name(network), genesis)
	}
	return nil
}

func name(network string) string {
	switch network {
	case Mainnet:
		return network + " (mainnet)"
	case Devnet:
		return network + " (devnet)"
	}
	return fmt.Sprintf("%q", network)
}

func (c *Chain) checkMint(ctx context.Context, shop Shop) error {
	decimals, program, err := c.mint(ctx, shop.Mint)
	if err != nil {
		return fmt.Errorf("the mint %s: %w", shop.Mint, err)
	}
	if decimals != Decimals {
		return fmt.Errorf("the mint %s has %d decimals: prices are in units of %d", shop.Mint, decimals, Decimals)
	}
	receiving, err := c.tokenAccount(ctx, shop.PayTo, shop.Mint, program)
	switch {
	case errors.Is(err, ErrNoAccount):
		return fmt.Errorf("%s has no account %s for the mint %s: open it, for instance by sending it a small amount of the token", shop.PayTo, receiving.Address, shop.Mint)
	case err != nil:
		return err
	case receiving.Mint != shop.Mint || receiving.Owner != shop.PayTo || !receiving.Usable:
		return fmt.Errorf("the receiving account %s is frozen, or has been given to somebody else: use another receiving address", receiving.Address)
	}
	return nil
}

// checkFeePayer wants a plain account with enough lamports. What tokens it
// holds says nothing: anybody can send it some.
func (c *Chain) checkFeePayer(ctx context.Context, shop Shop) error {
	program, data, err := c.account(ctx, shop.FeePayer)
	switch {
	case errors.Is(err, ErrNoAccount):
		return fmt.Errorf("the fee payer %s holds nothing: give it %d lamports or more", shop.FeePayer, uint64(MinFeePayer))
	case err != nil:
		return err
	case program != sol.SystemProgramID.String() || len(data) > 0:
		return fmt.Errorf("the fee payer %s is no plain account: make a key that is used for nothing else", shop.FeePayer)
	}
	balance, err := c.Balance(ctx, shop.FeePayer)
	if err == nil && balance < MinFeePayer {
		err = fmt.Errorf("the fee payer %s holds %d lamports: give it %d or more", shop.FeePayer, balance, uint64(MinFeePayer))
	}
	return err
}
