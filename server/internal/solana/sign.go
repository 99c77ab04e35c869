package solana

import (
	"bytes"
	"crypto/ed25519"
	"errors"

	"filippo.io/edwards25519"
	"github.com/mr-tron/base58"
)

// VerifyPayer checks the payer's signature here, so that no node has to be
// believed. Like the chain it refuses keys and signatures of small order, under
// which anybody can sign anything.
func (p *Payment) VerifyPayer() error {
	if len(p.tx.Signatures) < 2 {
		return &Invalid{CodeSignature, "nobody but the fee payer signs"}
	}
	key, signature := p.tx.Message.AccountKeys[1], p.tx.Signatures[1]
	if !fullOrder(key[:]) || !fullOrder(signature[:32]) {
		return &Invalid{CodeSignature, "the payer's key or signature is no proper point of the curve"}
	}
	if !ed25519.Verify(key[:], p.message, signature[:]) {
		return &Invalid{CodeSignature, "the payer's signature does not fit the transaction"}
	}
	return nil
}

// fullOrder reports whether b encodes a curve point, in the one canonical way,
// that is not of small order.
func fullOrder(b []byte) bool {
	point, err := new(edwards25519.Point).SetBytes(b)
	if err != nil || !bytes.Equal(point.Bytes(), b) {
		return false
	}
	return new(edwards25519.Point).MultByCofactor(point).Equal(edwards25519.NewIdentityPoint()) == 0
}

// CoSign writes the fee payer's signature into the first slot of the received
// bytes and changes nothing else. The signature, in base58, names the
// transaction on the chain; the same transaction and key always give the same.
func CoSign(tx []byte, key ed25519.PrivateKey) (signed []byte, signature string, err error) {
	p, err := Decode(tx)
	if err != nil {
		return nil, "", err
	}
	if len(key) != ed25519.PrivateKeySize || !bytes.Equal(key.Public().(ed25519.PublicKey), p.tx.Message.AccountKeys[0][:]) {
		return nil, "", errors.New("the key is not that of the transaction's fee payer")
	}
	made := ed25519.Sign(key, p.message)
	copy(p.raw[1:], made) // after the count of slots, which is one byte in anything that fits
	return p.raw, base58.Encode(made), nil
}
