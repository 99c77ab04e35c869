package seal

import (
	"github.com/manifestseal/manifestseal/engine/digest"
	"github.com/manifestseal/manifestseal/engine/jsonvalue"
)

// State is what has become of a key.
type State string

const (
	StateActive      State = "active"
	StateRetired     State = "retired"     // signs no more; what it signed before stands
	StateCompromised State = "compromised" // voids all that it signed
)

// Source says who vouches for a key.
type Source string

const (
	Pinned Source = "pinned" // in the build, with its history
	Told   Source = "told"   // by the server that the page came from
	Given  Source = "given"  // by the user
)

// Key is a public key and its history.
type Key struct {
	ID          string // RFC 7638 thumbprint
	Public      []byte // 32 bytes
	State       State
	RetiredAt   string // RFC 3339, for a retired key
	Development bool   // a key of a development server: says nothing to a stranger
	Source      Source
}

// weigh says what a signature that fits is worth, by when it says it was made.
// A retired key stands for what is dated before its retirement: what is dated
// later cannot have been signed by rule, whoever had the key.
func (k Key) weigh(asOf string) Check {
	switch k.State {
	case StateRetired:
		if !k.signedBefore(asOf) {
			return AfterRetirement
		}
		if k.Development {
			return Development
		}
		return ByRetiredKey
	case StateActive:
		if k.Development {
			return Development
		}
		return Valid
	}
	return Compromised
}

func (k Key) signedBefore(asOf string) bool {
	signed, ok := parseInstant(asOf)
	retired, ok2 := parseInstant(k.RetiredAt)
	return ok && ok2 && signed.before(retired)
}

// Keys is a key set.
type Keys []Key

// From returns the set with every key vouched for by one source.
func (k Keys) From(source Source) Keys {
	out := make(Keys, 0, len(k))
	for _, key := range k {
		key.Source = source
		out = append(out, key)
	}
	return out
}

// With returns the set and another that is trusted less. A key that both hold
// is the first's, with the worse of its two states: the other may take trust
// away, not add any.
func (k Keys) With(other Keys) Keys {
	out := append(make(Keys, 0, len(k)+len(other)), k...)
	for _, key := range other {
		if i := out.at(key.ID); i >= 0 {
			out[i].worsen(key)
			continue
		}
		out = append(out, key)
	}
	return out
}

func (k Keys) at(id string) int {
	for i := range k {
		if k[i].ID == id {
			return i
		}
	}
	return -1
}

// worsen takes over what another set holds against the key.
func (k *Key) worsen(other Key) {
	k.Development = k.Development || other.Development
	switch {
	case other.State == StateActive || k.State == StateCompromised:
	case other.State == StateRetired && k.State == StateRetired:
		if other.signedBefore(k.RetiredAt) {
			return
		}
		k.RetiredAt = other.RetiredAt
	default:
		k.State, k.RetiredAt = other.State, other.RetiredAt
	}
}

// KeyID returns the RFC 7638 thumbprint of an Ed25519 public key.
func KeyID(public []byte) string {
	sum := digest.SumOf([]byte(`{"crv":"Ed25519","kty":"OKP","x":"` + encodeURL(public) + `"}`))
	return encodeURL(sum[:])
}

// smallOrder are the encodings of the points of small order, sign bit cleared:
// under such a key anybody can make signatures. The list is that of the curve's
// eight torsion points and their non-canonical spellings.
var smallOrder = [...]string{
	"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00",
	"\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00",
	"\x26\xe8\x95\x8f\xc2\xb2\x27\xb0\x45\xc3\xf4\x89\xf2\xef\x98\xf0\xd5\xdf\xac\x05\xd3\xc6\x33\x39\xb1\x38\x02\x88\x6d\x53\xfc\x05",
	"\xc7\x17\x6a\x70\x3d\x4d\xd8\x4f\xba\x3c\x0b\x76\x0d\x10\x67\x0f\x2a\x20\x53\xfa\x2c\x39\xcc\xc6\x4e\xc7\xfd\x77\x92\xac\x03\x7a",
	"\xec\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f",
	"\xed\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f",
	"\xee\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f",
}

// acceptable reports whether a public key may be in a key set.
func acceptable(public []byte) bool {
	if len(public) != publicKeySize {
		return false
	}
	plain := append([]byte(nil), public...)
	plain[31] &= 0x7F
	for _, point := range smallOrder {
		if string(plain) == point {
			return false
		}
	}
	return true
}

// ReadKeys reads a JWKS (RFC 7517) of Ed25519 keys (RFC 8037). Beside the
// standard members a key may bear status (active, retired, compromised),
// retired_at (a retired key has to), and development. What stands under revoked,
// beside the keys, is compromised, whatever else it says: a published set has
// such keys there, so that no library takes them for good. An error names the
// key that cannot be used: a key set is taken whole or not at all.
func ReadKeys(data []byte) (Keys, error) {
	doc, err := jsonvalue.Parse(string(data))
	if err != nil {
		return nil, err
	}
	if doc.Noted(jsonvalue.DuplicateMember) {
		return nil, keyError("the key set has repeated members: two readers could take it for two sets")
	}
	if doc.Root().Get("keys").Kind() != jsonvalue.Array {
		return nil, keyError("the document is no JWKS: it has no array keys")
	}
	var keys Keys
	for _, list := range []string{"keys", "revoked"} {
		for _, v := range doc.Root().Get(list).Elems() {
			key, err := readKey(v)
			if err != nil {
				return nil, err
			}
			if keys.at(key.ID) >= 0 {
				return nil, keyError("the key " + key.ID + " stands twice in the set")
			}
			if list == "revoked" {
				key.State = StateCompromised
			}
			keys = append(keys, key)
		}
	}
	return keys, nil
}

func readKey(v jsonvalue.Value) (Key, error) {
	if v.Get("kty").Text() != "OKP" || v.Get("crv").Text() != "Ed25519" {
		return Key{}, keyError("a key of the set is not Ed25519 (kty OKP, crv Ed25519)")
	}
	public, ok := decodeBase64(v.Get("x").Text(), urlSafe, publicKeySize)
	if !ok || !acceptable(public) {
		return Key{}, keyError("a key of the set is malformed or of small order")
	}
	key := Key{ID: KeyID(public), Public: public, State: StateActive, Development: v.Get("development").Kind() == jsonvalue.True}
	if kid := v.Get("kid"); kid.Exists() && kid.Text() != key.ID {
		return Key{}, keyError("a key's kid is not its RFC 7638 thumbprint " + key.ID)
	}
	if status := v.Get("status"); status.Exists() {
		key.State = State(status.Text())
	}
	key.RetiredAt = v.Get("retired_at").Text()
	switch key.State {
	case StateActive, StateCompromised:
		return key, nil
	case StateRetired:
		if _, ok := parseInstant(key.RetiredAt); !ok {
			return Key{}, keyError("the key " + key.ID + " is retired, and its retired_at is no time of RFC 3339")
		}
		return key, nil
	}
	return Key{}, keyError("the key " + key.ID + " has a status that is none of active, retired, compromised")
}

type keyError string

func (e keyError) Error() string { return string(e) }
