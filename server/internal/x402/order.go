package x402

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"time"

	"github.com/manifestseal/manifestseal/server/internal/ledger"
	"github.com/manifestseal/manifestseal/server/internal/solana"
)

// Keys authenticate orders. The first makes them, all are accepted, so that a key
// can be replaced while offers by the old one are out.
type Keys [][]byte

// MinOrderKey is the least size of a key, in bytes.
const MinOrderKey = 32

// orderTime is how long an offer is good. The transaction's own blockhash is good
// for about a minute; a client may sign again for the same order.
const orderTime = 15 * time.Minute

// order is what the server remembers of an offer without storing it: the buyer
// brings it back. It never goes on the chain, so only who got the offer has it.
//
//	version (1) | expiry, Unix seconds (8) | nonce (16) | document's tag (16) | MAC (32)
type order struct {
	text  string
	until time.Time
	nonce []byte
	tag   []byte
	key   []byte // that made it
}

const (
	orderVersion = 1
	signedSize   = 1 + 8 + 16 + 16
	orderSize    = signedSize + sha256.Size
)

// bound is everything an order is for: any other value makes another MAC.
type bound struct {
	route   string
	terms   solana.Terms
	request ledger.Hash
}

func (t *Till) boundTo(s *sale) bound {
	terms := t.terms
	terms.Amount = s.price
	return bound{s.Route, terms, s.request}
}

// make makes an order for what is bound, and for the document that was fetched:
// zero when the body holds the manifest itself.
func (k Keys) make(b bound, document [32]byte, now time.Time) *order {
	raw := make([]byte, signedSize, orderSize)
	raw[0] = orderVersion
	until := now.Add(orderTime).Truncate(time.Second)
	binary.BigEndian.PutUint64(raw[1:], uint64(until.Unix()))
	rand.Read(raw[9:25])
	copy(raw[25:], tagOf(k[0], raw[9:25], document))
	return readRaw(append(raw, macOf(k[0], raw, b)...), k[0])
}

// read reads an order that a buyer brought back, and refuses one that was not
// made here, or for something else.
func (k Keys) read(text string, b bound) (*order, error) {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err != nil || len(raw) != orderSize || raw[0] != orderVersion {
		return nil, &solana.Invalid{Code: "invalid_order", Detail: "the order is not one of this server's"}
	}
	for _, key := range k {
		if hmac.Equal(raw[signedSize:], macOf(key, raw[:signedSize], b)) {
			return readRaw(raw, key), nil
		}
	}
	return nil, &solana.Invalid{Code: "invalid_order", Detail: "the order is for another request or price, or not one of this server's"}
}

func readRaw(raw, key []byte) *order {
	return &order{
		text:  base64.RawURLEncoding.EncodeToString(raw),
		until: time.Unix(int64(binary.BigEndian.Uint64(raw[1:])), 0),
		nonce: raw[9:25], tag: raw[25:signedSize], key: key,
	}
}

// holds says whether the document is the one that was offered.
func (k Keys) holds(o *order, document [32]byte) bool {
	return hmac.Equal(o.tag, tagOf(o.key, o.nonce, document))
}

func (o *order) expired(now time.Time) bool { return now.After(o.until) }

// hash is by what the ledger knows the order.
func (o *order) hash() *ledger.Hash {
	h := ledger.Sum([]byte("order"), []byte(o.text))
	return &h
}

// memo binds the transaction to the order: a hash that its nonce salts.
func (o *order) memo() string {
	h := ledger.Sum([]byte("memo"), []byte(o.text))
	return hex.EncodeToString(h[:16])
}

func macOf(key, raw []byte, b bound) []byte {
	amount := binary.BigEndian.AppendUint64(nil, b.terms.Amount)
	h := ledger.Sum([]byte("order"), raw, []byte(b.route), []byte(b.terms.Network), []byte(b.terms.Mint),
		[]byte(b.terms.PayTo), []byte(b.terms.FeePayer), amount, b.request[:])
	return mac(key, h)
}

// tagOf is apart from the MAC, since the order is read before anything is fetched.
func tagOf(key, nonce []byte, document [32]byte) []byte {
	return mac(key, ledger.Sum([]byte("document"), nonce, document[:]))[:16]
}

func mac(key []byte, h ledger.Hash) []byte {
	m := hmac.New(sha256.New, key)
	m.Write(h[:])
	return m.Sum(nil)
}
