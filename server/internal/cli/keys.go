package cli

import (
	"errors"
	"os"

	"github.com/spf13/cobra"

	"github.com/manifestseal/manifestseal/server/internal/cli/plain"
	"github.com/manifestseal/manifestseal/server/internal/keys"
)

const keysHelp = `List or change the history of a service's public keys: a JWKS file (RFC 7517),
served at /.well-known/jwks.json. A server that runs reads it at its next start.`

const retireHelp = `Retire an active key: it signs no more, and what it signed before stands. What is
dated later under this key counts as forged, so retire it when the server that
signs with it has been given another.`

const revokeHelp = `Revoke a key whose private half somebody else may have: all that it ever signed is
void, for good, and it leaves the published key set.`

func (a *app) keysCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "keys COMMAND",
		Short: "List, retire or revoke signing keys",
		Long:  keysHelp,
		Args:  unknownCommand,
		RunE: func(*cobra.Command, []string) error {
			return usage("keys needs to know what to do", "Write manifestseal keys list, keys retire KEYID or keys revoke KEYID.")
		},
	}
	cmd.AddCommand(a.keysListCommand(),
		a.keysChangeCommand("retire", "Retire an active key", retireHelp, keys.History.Retire),
		a.keysChangeCommand("revoke", "Revoke a key that somebody else may have", revokeHelp, keys.History.Revoke))
	return cmd
}

func (a *app) keysListCommand() *cobra.Command {
	var path string
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "List the keys and their states",
		Long:    "List the keys of the history and their states, in the order in which they came.",
		Example: "  manifestseal keys list\n  manifestseal keys list --format json | jq '.keys[].kid'",
		Args:    noArguments,
		RunE:    func(*cobra.Command, []string) error { return a.keysList(path) },
	}
	addHistory(cmd, &path)
	a.addFormat(cmd, "text", "json")
	return cmd
}

func (a *app) keysList(path string) error {
	h, err := a.history(path)
	if err != nil {
		return historyMissing(path, err)
	}
	if a.formatOf() == "json" {
		a.write(h.JSON())
		return nil
	}
	for _, r := range h {
		line := r.Key.ID + "  " + string(r.Key.State)
		for _, since := range []struct{ what, at string }{{"created", r.CreatedAt}, {"retired", r.Key.RetiredAt}, {"revoked", r.RevokedAt}} {
			if since.at != "" {
				line += "  " + since.what + " " + plain.Text(since.at)
			}
		}
		a.print(line + "\n")
	}
	return nil
}

func (a *app) keysChangeCommand(verb, short, long string, change func(keys.History, string, string) (keys.History, error)) *cobra.Command {
	var path string
	cmd := &cobra.Command{
		Use:     verb + " KEYID",
		Short:   short,
		Long:    long,
		Example: "  manifestseal keys " + verb + " kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usage("keys "+verb+" takes the id of one key", "manifestseal keys list prints the ids.")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error { return a.keysChange(path, verb, args[0], change) },
	}
	addHistory(cmd, &path)
	a.addAsOf(cmd)
	return cmd
}

func (a *app) keysChange(path, verb, id string, change func(keys.History, string, string) (keys.History, error)) error {
	at, err := a.time()
	if err != nil {
		return err
	}
	h, err := a.history(path)
	if err != nil {
		return historyMissing(path, err)
	}
	if h, err = change(h, id, at); err != nil {
		return &fault{file: path, cause: keysError("not_changed", "key "+quote(id)+": "+err.Error(), "Nothing was written. manifestseal keys list prints the keys and their states.")}
	}
	if err := replace(path, h.JSON()); err != nil {
		return keyWriteFault(path, err)
	}
	a.print("Key " + plain.Text(id) + ": " + verb + "d as of " + at + ". Servers read " + plain.Text(path) + " at their next start.\n")
	return nil
}

// history reads a history. The error is os.ErrNotExist where there is none.
func (a *app) history(path string) (keys.History, error) {
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		return nil, os.ErrNotExist
	}
	data, f := a.read(source{name: path})
	if f != nil {
		return nil, f
	}
	h, err := keys.ReadHistory(data)
	if err != nil {
		f := faultOf(path, err)
		if f.cause.Class == "internal" {
			f.cause = keysError("not_a_history", err.Error(), "")
		}
		f.cause.Advice = "Nothing was written. The history is the JWKS file that keygen wrote: take it from where you keep it."
		return nil, f
	}
	return h, nil
}

func historyMissing(path string, err error) error {
	if errors.Is(err, os.ErrNotExist) {
		return &fault{file: path, cause: keysError("not_found", "there is no such history", "Name it with --keys FILE; manifestseal keygen makes one.")}
	}
	return err
}
