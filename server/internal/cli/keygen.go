package cli

import (
	"crypto/ed25519"
	"errors"
	"os"

	"github.com/spf13/cobra"

	"github.com/manifestseal/manifestseal/engine/jsonvalue"
	"github.com/manifestseal/manifestseal/engine/seal"
	"github.com/manifestseal/manifestseal/server/internal/cli/plain"
	"github.com/manifestseal/manifestseal/server/internal/keys"
)

const (
	defaultKey     = "manifestseal.key.pem"
	defaultHistory = "manifestseal.keys.json"
)

const keygenHelp = `Make a signing key. The private half goes into a new file that only you may read
(mode 0600, PKCS #8 in PEM); the public half is added to the history, a JWKS file,
as an active key. No file is overwritten.

Publish the history, keep the private file off every backup that others read, and
start the server with both: manifestseal serve --key-file FILE --keys HISTORY. Two
active keys may stand in a history: the one whose private half is given signs.`

const keygenExamples = `  manifestseal keygen
  manifestseal keygen --out /etc/manifestseal/2026.pem --keys /etc/manifestseal/keys.json`

func (a *app) keygenCommand() *cobra.Command {
	var out, history string
	cmd := &cobra.Command{
		Use:     "keygen",
		Short:   "Make a signing key",
		Long:    keygenHelp,
		Example: keygenExamples,
		Args:    noArguments,
		RunE:    func(*cobra.Command, []string) error { return a.keygen(out, history) },
	}
	cmd.Flags().StringVarP(&out, "out", "o", defaultKey, "`FILE` for the private key")
	addHistory(cmd, &history)
	a.addFormat(cmd, "text", "json")
	return cmd
}

func addHistory(cmd *cobra.Command, history *string) {
	cmd.Flags().StringVar(history, "keys", defaultHistory, "`FILE` of the history of public keys (JWKS)")
}

func (a *app) keygen(out, path string) error {
	h, err := a.history(path)
	missing := errors.Is(err, os.ErrNotExist)
	if err != nil && !missing {
		return err
	}
	private, err := keys.Generate()
	if err != nil {
		return &fault{cause: keysError("no_key", "no key could be made: "+err.Error(), "")}
	}
	public := private.Public().(ed25519.PublicKey)
	if h, err = h.Add(public, keys.Time(a.now())); err != nil {
		return &fault{file: path, cause: keysError("no_key", err.Error(), "")}
	}
	text, err := keys.PEM(private)
	if err != nil {
		return &fault{file: out, cause: keysError("no_key", err.Error(), "")}
	}
	if err := writePrivate(out, text); err != nil {
		return keyWriteFault(out, err)
	}
	if err := writeHistory(path, h, missing); err != nil {
		// A key that no history names can sign nothing.
		return errors.Join(keyWriteFault(path, err), os.Remove(out))
	}
	a.printKey(seal.KeyID(public), out, path)
	return nil
}

func (a *app) printKey(id, out, path string) {
	if a.formatOf() == "json" {
		a.answer("", func(w *jsonvalue.Builder) {
			w.Member("key_id", id)
			w.Member("key_file", jsonvalue.ToValid(out))
			w.Member("history_file", jsonvalue.ToValid(path))
		})
		return
	}
	a.print("Key " + id + "\nPrivate half: " + plain.Text(out) + " (mode 0600). Keep it secret.\nPublic half: added to " + plain.Text(path) + ".\n")
}

// writePrivate makes a file that must not be there yet, and that nobody else can
// read at any moment.
func writePrivate(path string, data []byte) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(data)
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		return errors.Join(err, os.Remove(path))
	}
	return syncFolder(path)
}

func writeHistory(path string, h keys.History, missing bool) error {
	if missing {
		return writeNew(path, h.JSON())
	}
	return replace(path, h.JSON())
}

func keysError(code, message, advice string) *jsonvalue.Error {
	return &jsonvalue.Error{Class: keysClass, Code: code, Message: message, Advice: advice}
}

func keyWriteFault(path string, err error) *fault {
	f := lockWriteFault(path, err)
	f.cause.Class = keysClass
	if f.cause.Code == "exists" {
		f.cause.Message = "there is a file already, and a key is never overwritten"
		f.cause.Advice = "Name another file with --out. What the old key signed stands as long as its public half is in the history."
	}
	return f
}
