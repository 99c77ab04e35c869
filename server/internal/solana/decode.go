package solana

import (
	"bytes"
	"crypto/sha256"

	sol "github.com/gagliardetto/solana-go"
)

// maxTransaction is the chain's own limit on a transaction, in bytes.
const maxTransaction = 1232

const (
	signatureSize = 64
	keySize       = 32
	version0      = 0x80
)

// Payment is a decoded transaction: well formed, and nothing else known of it.
type Payment struct {
	raw     []byte
	message []byte // the part of raw that is signed
	tx      *sol.Transaction
}

// Decode reads a transaction in wire form: legacy or version 0, without address
// lookup tables, in its one canonical encoding. Signature slots may hold
// anything. The error is an *Invalid.
func Decode(tx []byte) (*Payment, error) {
	start, err := measure(tx)
	if err != nil {
		return nil, err
	}
	// The library is not to be trusted with hostile bytes: it panics on some and
	// ignores trailing ones. It sees only what was measured, and its own
	// encoding must give the same bytes again.
	decoded, err := sol.TransactionFromBytes(tx)
	if err != nil {
		return nil, undecodable(err.Error())
	}
	again, err := decoded.MarshalBinary()
	if err != nil || !bytes.Equal(again, tx) {
		return nil, undecodable("the transaction is not in its canonical encoding")
	}
	raw := bytes.Clone(tx)
	return &Payment{raw: raw, message: raw[start:], tx: decoded}, nil
}

// measure walks over the whole transaction, checks every length and index
// against what is there, and returns where the message starts.
func measure(tx []byte) (message int, err error) {
	if len(tx) > maxTransaction {
		return 0, undecodable("the transaction is longer than the chain accepts")
	}
	c := cursor{rest: tx}
	signatures := c.length()
	c.skip(signatures * signatureSize)
	message = len(tx) - len(c.rest)
	versioned := len(c.rest) > 0 && c.rest[0] >= version0
	if versioned && c.byte() != version0 {
		return 0, undecodable("unknown version: want a legacy or a version 0 transaction")
	}
	h := header{signers: int(c.byte()), readonlySigned: int(c.byte()), readonlyUnsigned: int(c.byte())}
	h.keys = c.length()
	keys := c.skip(h.keys * keySize)
	c.skip(keySize) // the blockhash
	for range c.length() {
		c.instruction(h.keys)
		if c.bad {
			break
		}
	}
	tables := 0
	if versioned {
		tables = int(c.byte())
	}
	switch {
	case c.bad:
		return 0, undecodable("the transaction ends early, or a length or index in it is out of range")
	case tables > 0:
		return 0, &Invalid{CodeLookupTables, "address lookup tables are not accepted: name every account in the transaction"}
	case len(c.rest) > 0:
		return 0, undecodable("bytes follow the end of the transaction")
	case signatures != h.signers:
		return 0, undecodable("the number of signature slots is not the number of signers")
	case !h.sane():
		return 0, undecodable("the counts in the header contradict each other")
	case repeated(keys):
		return 0, undecodable("an account is named twice")
	}
	return message, nil
}

type header struct{ signers, readonlySigned, readonlyUnsigned, keys int }

// sane: the fee payer, the first signer, must be writable.
func (h header) sane() bool {
	return h.signers > 0 && h.readonlySigned < h.signers && h.signers+h.readonlyUnsigned <= h.keys
}

func repeated(keys []byte) bool {
	seen := map[[keySize]byte]bool{}
	for ; len(keys) >= keySize; keys = keys[keySize:] {
		key := [keySize]byte(keys)
		if seen[key] {
			return true
		}
		seen[key] = true
	}
	return false
}

// cursor reads forward; once bad it stays bad and gives zeros.
type cursor struct {
	rest []byte
	bad  bool
}

func (c *cursor) skip(n int) []byte {
	if c.bad || n > len(c.rest) {
		c.bad = true
		return nil
	}
	skipped := c.rest[:n]
	c.rest = c.rest[n:]
	return skipped
}

func (c *cursor) byte() byte {
	if b := c.skip(1); b != nil {
		return b[0]
	}
	return 0
}

// length reads a compact-u16 of at most two bytes, in its shortest form: in
// 1,232 bytes nothing needs a third.
func (c *cursor) length() int {
	low := c.byte()
	if low < 0x80 {
		return int(low)
	}
	high := c.byte()
	if high == 0 || high >= 0x80 {
		c.bad = true
		return 0
	}
	return int(low&0x7f) | int(high)<<7
}

// instruction reads one: the index of its program, those of its accounts, data.
func (c *cursor) instruction(keys int) {
	program := int(c.byte())
	if program == 0 || program >= keys { // the fee payer is no program
		c.bad = true
	}
	for _, account := range c.skip(c.length()) {
		if int(account) >= keys {
			c.bad = true
		}
	}
	c.skip(c.length())
}

// MessageHash is the SHA-256 of the signed bytes: the payment's identity, the
// same whatever stands in the signature slots.
func (p *Payment) MessageHash() [32]byte { return sha256.Sum256(p.message) }

// Blockhash is the one that the transaction lives by.
func (p *Payment) Blockhash() string { return p.tx.Message.RecentBlockhash.String() }

// Payer is the base58 address of the second signer, who pays the price, or
// empty when there is none.
func (p *Payment) Payer() string {
	if len(p.tx.Signatures) < 2 {
		return ""
	}
	return p.tx.Message.AccountKeys[1].String()
}
