package keys

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"

	"github.com/manifestseal/manifestseal/engine/seal"
)

// ErrPrivate is told of what is no private key that can sign. It repeats nothing
// of it.
var ErrPrivate = errors.New("it holds no Ed25519 private key in PKCS #8 form, as manifestseal keygen writes it")

// Generate makes a new key.
func Generate() (ed25519.PrivateKey, error) {
	_, private, err := ed25519.GenerateKey(rand.Reader)
	return private, err
}

// PEM is a private key as its file holds it: PKCS #8 (RFC 8410), which openssl
// reads too.
func PEM(private ed25519.PrivateKey) ([]byte, error) {
	der, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		return nil, ErrPrivate
	}
	return pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}), nil
}

// Parse reads what PEM writes, also without its frame and line breaks or with \n
// for them, as environment variables have it.
func Parse(text []byte) (ed25519.PrivateKey, error) {
	text = bytes.ReplaceAll(bytes.TrimSpace(text), []byte(`\n`), []byte("\n"))
	var der []byte
	if block, rest := pem.Decode(text); block != nil {
		if block.Type != "PRIVATE KEY" || len(bytes.TrimSpace(rest)) > 0 {
			return nil, ErrPrivate
		}
		der = block.Bytes
	} else {
		var err error
		if der, err = base64.StdEncoding.DecodeString(string(text)); err != nil {
			return nil, ErrPrivate
		}
	}
	key, err := x509.ParsePKCS8PrivateKey(der)
	private, ok := key.(ed25519.PrivateKey)
	if err != nil || !ok {
		return nil, ErrPrivate
	}
	return private, nil
}

// Source is where a private key comes from: exactly one of them, or none.
type Source struct {
	File  string
	Value string // of an environment variable
	FD    int    // a file descriptor that is open already; 0 for none
}

// maxPrivate is more than any such key has.
const maxPrivate = 16 << 10

// Load reads the private key, nil where there is no source.
func (s Source) Load() (ed25519.PrivateKey, error) {
	given := 0
	for _, there := range []bool{s.File != "", s.Value != "", s.FD != 0} {
		if there {
			given++
		}
	}
	switch {
	case given > 1:
		return nil, errors.New("the signing key is named twice: give a file, an environment variable or a file descriptor")
	case s.File != "":
		return readFile(s.File)
	case s.Value != "":
		private, err := Parse([]byte(s.Value))
		return private, prefix("the environment variable", err)
	case s.FD != 0:
		return readFD(s.FD)
	}
	return nil, nil
}

func readFile(path string) (ed25519.PrivateKey, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, prefix("the key file", errors.Unwrap(err))
	}
	defer file.Close()
	// Of the open file, so that it can't be another one than is read.
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return nil, errors.New("the key file is no regular file")
	}
	if loose := info.Mode().Perm() & 0o077; loose != 0 && runtime.GOOS != "windows" {
		return nil, fmt.Errorf("the key file may be read by others (mode %04o): chmod 600 it, and think about who has read it", info.Mode().Perm())
	}
	private, err := read(file)
	return private, prefix("the key file", err)
}

func readFD(fd int) (ed25519.PrivateKey, error) {
	file := os.NewFile(uintptr(fd), "signing key")
	if fd < 3 || file == nil {
		return nil, errors.New("the key's file descriptor must be 3 or more, and open")
	}
	defer file.Close()
	private, err := read(file)
	return private, prefix("the key's file descriptor", err)
}

func read(from io.Reader) (ed25519.PrivateKey, error) {
	text, err := io.ReadAll(io.LimitReader(from, maxPrivate+1))
	if err != nil {
		return nil, errors.New("it can't be read")
	}
	if len(text) > maxPrivate {
		return nil, ErrPrivate
	}
	return Parse(text)
}

func prefix(where string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", where, err)
}

// MaySign says why a key of the history may not sign, or nil.
func (h History) MaySign(private ed25519.PrivateKey) error {
	id := seal.KeyID(private.Public().(ed25519.PublicKey))
	i, err := h.find(id)
	if err != nil {
		return fmt.Errorf("the signing key %s is not in the history: nobody could verify its reports", id)
	}
	switch key := h[i].Key; {
	case key.State == seal.StateCompromised:
		return fmt.Errorf("the signing key %s is revoked: make a new one", id)
	case key.State == seal.StateRetired:
		return fmt.Errorf("the signing key %s is retired since %s: sign with an active one", id, key.RetiredAt)
	}
	return nil
}
