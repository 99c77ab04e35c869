package cli

import (
	"fmt"

	"github.com/manifestseal/manifestseal/engine/jsonvalue"
	"github.com/manifestseal/manifestseal/engine/seal"
	"github.com/manifestseal/manifestseal/server/internal/cli/console"
	"github.com/manifestseal/manifestseal/static"
)

// keys are the keys that this build pins and those of the file, where one is
// named. The file can add keys and take trust away from a pinned one; it can't
// bring a revoked key back.
func (a *app) keys(file string) (seal.Keys, error) {
	pinned, err := seal.ReadKeys(static.Keys())
	if err != nil {
		return nil, fmt.Errorf("the keys of this build: %w", err)
	}
	pinned = pinned.From(seal.Pinned)
	if file == "" {
		return pinned, nil
	}
	data, f := a.read(source{name: file})
	if f != nil {
		return nil, f
	}
	given, err := seal.ReadKeys(data)
	if err != nil {
		f := faultOf(file, err)
		if f.cause.Class == "internal" {
			f.cause = &jsonvalue.Error{Class: "keys", Code: "not_a_key_set", Message: err.Error(), Advice: "Get the issuer's key set: /.well-known/jwks.json."}
		}
		return nil, f
	}
	return pinned.With(given.From(seal.Given)), nil
}

// tellDevelopment says of a baseline that a development key anchors it. The
// report names the key, and nobody would look that up.
func (a *app) tellDevelopment(file, keyID string, keys seal.Keys) {
	for _, key := range keys {
		if key.ID == keyID && key.Development {
			a.warn(console.Note(file, "the baseline is signed by a DEVELOPMENT KEY, which vouches for nothing.", a.look(a.stderr)))
		}
	}
}
