// Package keys implements the keys of a service: the history of the public ones,
// a JWKS (RFC 7517, RFC 8037) in a file, and the private one that signs, from a
// file, an environment variable or a file descriptor.
//
// It never prints a private key, not even in an error.
package keys

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/manifestseal/manifestseal/engine/seal"
)

// Record is one key of a history.
type Record struct {
	Key       seal.Key
	CreatedAt string // RFC 3339, or ""
	RevokedAt string // of a compromised key, or ""
}

// History is every key that the service ever signed with, in the order in which
// they came.
type History []Record

// The faults of a change.
var (
	ErrUnknown     = errors.New("the history holds no such key")
	ErrKnown       = errors.New("the history holds that key already")
	ErrNotActive   = errors.New("the key is not active any more")
	ErrCompromised = errors.New("the key is revoked already, which is for good")
)

// ReadHistory reads what JSON writes. It is taken whole or not at all.
func ReadHistory(data []byte) (History, error) {
	known, err := seal.ReadKeys(data)
	if err != nil {
		return nil, err
	}
	var more struct {
		Keys []struct {
			CreatedAt string `json:"created_at"`
			RevokedAt string `json:"revoked_at"`
		} `json:"keys"`
	}
	if err := json.Unmarshal(data, &more); err != nil {
		return nil, errors.New("a created_at or revoked_at is no text")
	}
	if len(known) != len(more.Keys) {
		return nil, errors.New("it is a published set: a history has the revoked keys among the others")
	}
	h := make(History, len(known))
	for i, key := range known {
		h[i] = Record{key, more.Keys[i].CreatedAt, more.Keys[i].RevokedAt}
	}
	return h, nil
}

// Keys are the keys of the history, the compromised ones too.
func (h History) Keys() seal.Keys {
	out := make(seal.Keys, len(h))
	for i, r := range h {
		out[i] = r.Key
	}
	return out
}

func (h History) find(id string) (int, error) {
	for i, r := range h {
		if r.Key.ID == id {
			return i, nil
		}
	}
	return -1, ErrUnknown
}

func (h History) copy() History { return append(History(nil), h...) }

// Add returns the history with a new active key.
func (h History) Add(public []byte, at string) (History, error) {
	id := seal.KeyID(public)
	if _, err := h.find(id); err == nil {
		return nil, ErrKnown
	}
	return append(h.copy(), Record{Key: seal.Key{ID: id, Public: public, State: seal.StateActive}, CreatedAt: at}), nil
}

// Retire returns the history with an active key retired: it signs no more from
// then on, and what it signed before stands.
func (h History) Retire(id, at string) (History, error) {
	i, err := h.find(id)
	if err != nil {
		return nil, err
	}
	if h[i].Key.State != seal.StateActive {
		return nil, ErrNotActive
	}
	out := h.copy()
	out[i].Key.State, out[i].Key.RetiredAt = seal.StateRetired, at
	return out, nil
}

// Revoke returns the history with a key compromised: all that it ever signed is
// void.
func (h History) Revoke(id, at string) (History, error) {
	i, err := h.find(id)
	if err != nil {
		return nil, err
	}
	if h[i].Key.State == seal.StateCompromised {
		return nil, ErrCompromised
	}
	out := h.copy()
	out[i].Key.State, out[i].RevokedAt = seal.StateCompromised, at
	return out, nil
}

// jwk is a key as it stands in a set.
type jwk struct {
	KTY         string     `json:"kty"`
	CRV         string     `json:"crv"`
	ALG         string     `json:"alg"`
	Use         string     `json:"use"`
	KID         string     `json:"kid"`
	X           string     `json:"x"`
	Status      seal.State `json:"status"`
	CreatedAt   string     `json:"created_at,omitempty"`
	RetiredAt   string     `json:"retired_at,omitempty"`
	RevokedAt   string     `json:"revoked_at,omitempty"`
	Development bool       `json:"development,omitempty"`
}

func (r Record) jwk() jwk {
	return jwk{
		KTY: "OKP", CRV: "Ed25519", ALG: "EdDSA", Use: "sig", KID: r.Key.ID, X: base64.RawURLEncoding.EncodeToString(r.Key.Public),
		Status: r.Key.State, CreatedAt: r.CreatedAt, RetiredAt: r.Key.RetiredAt, RevokedAt: r.RevokedAt, Development: r.Key.Development,
	}
}

type set struct {
	Keys    []jwk `json:"keys"`
	Revoked []jwk `json:"revoked,omitempty"`
}

// JSON is the history as its file holds it.
func (h History) JSON() []byte {
	s := set{Keys: []jwk{}}
	for _, r := range h {
		s.Keys = append(s.Keys, r.jwk())
	}
	return s.json()
}

// Published is the key set for the world. Compromised keys have left it, so that
// no library takes them for good; they are named beside it.
func (h History) Published() []byte {
	s := set{Keys: []jwk{}}
	for _, r := range h {
		if r.Key.State == seal.StateCompromised {
			s.Revoked = append(s.Revoked, r.jwk())
		} else {
			s.Keys = append(s.Keys, r.jwk())
		}
	}
	return s.json()
}

func (s set) json() []byte {
	text, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		panic(fmt.Sprintf("keys: a set of texts can't be written: %v", err))
	}
	return append(text, '\n')
}

// Time is a time as histories write it.
func Time(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }
