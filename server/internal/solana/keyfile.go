package solana

import (
	"bytes"
	"crypto/ed25519"
	"encoding/json"
	"errors"

	"github.com/mr-tron/base58"
)

// ReadPrivateKey reads a key as solana-keygen writes it to a file: a JSON array
// of 64 numbers, the seed and the public key. The error never holds any of it.
func ReadPrivateKey(file []byte) (ed25519.PrivateKey, error) {
	var numbers []uint16 // encoding/json reads base64 into bytes, not numbers
	if json.Unmarshal(file, &numbers) != nil || len(numbers) != ed25519.PrivateKeySize {
		return nil, errors.New("the key file is not one of solana-keygen: want a JSON array of 64 numbers")
	}
	raw := make([]byte, len(numbers))
	for n, number := range numbers {
		if number > 255 {
			return nil, errors.New("the key file is not one of solana-keygen: it holds a number above 255")
		}
		raw[n] = byte(number)
	}
	key := ed25519.NewKeyFromSeed(raw[:ed25519.SeedSize])
	if !bytes.Equal(key, raw) {
		return nil, errors.New("the key file is damaged: its second half is not the public key of its first")
	}
	return key, nil
}

// Address is the base58 address of a key.
func Address(key ed25519.PrivateKey) string {
	return base58.Encode(key.Public().(ed25519.PublicKey))
}
