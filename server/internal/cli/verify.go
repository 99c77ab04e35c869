package cli

import (
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/manifestseal/manifestseal/engine"
	"github.com/manifestseal/manifestseal/engine/jsonvalue"
	"github.com/manifestseal/manifestseal/engine/manifest"
	"github.com/manifestseal/manifestseal/engine/seal"
	"github.com/manifestseal/manifestseal/engine/view"
	"github.com/manifestseal/manifestseal/server/internal/cli/console"
)

const verifyHelp = `Verify a signed report: an audit or drift report, a statement that nothing could be
compared or graded, a digest block with its signature, or a summary with its own.
Each check is told by name, and the worst of them is the verdict.

A key inside a report is never trusted: it must be one that this build pins, or of
the issuer's key set, which --keys names (from /.well-known/jwks.json of the
issuer, got by a way that you trust). With --manifest FILE it also says whether
that manifest is the one that the report is about, and which tools differ.

REPORT may be - for standard input. Several, or a directory, give JSON Lines.

--export FORM prints the document in a form for other tools instead of the verdict,
whose exit status it keeps: signed (the bytes that the signature covers), signature
(its 64 bytes), public_key (PEM), keys (JWKS), dsse, jws, jws_json, in_toto, block
(the next baseline), summary_link.

Exit status:
  0  signed by a known key, which was active when it signed
  1  signature invalid, key revoked, signed after the key's retirement, parts that
     do not fit together; or the manifest of --manifest is another one
  2  could not check: malformed, not signed, unknown key, a development key,
     criteria or algorithm not known, no digests to hold a manifest to`

const verifyExamples = `  manifestseal verify report.json --keys jwks.json
  manifestseal verify report.json --keys jwks.json --manifest now.json
  manifestseal verify --format json report.json | jq -r .check
  manifestseal verify report.json --keys jwks.json --export dsse > envelope.json`

func (a *app) verifyCommand() *cobra.Command {
	var keys, candidate, form string
	cmd := &cobra.Command{
		Use:     "verify REPORT...",
		Short:   "Verify a signed report",
		Long:    verifyHelp,
		Example: verifyExamples,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage("no report is named", "Name a report, or - for standard input: manifestseal verify REPORT")
			}
			return onceStdin(args)
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if form != "" {
				return a.exportForm(args, keys, form)
			}
			return a.verify(args, keys, candidate)
		},
	}
	cmd.Flags().StringVar(&keys, "keys", "", "`FILE` of the issuer's key set (JWKS)")
	cmd.Flags().StringVar(&candidate, "manifest", "", "`FILE` of a manifest: is it the one that the report is about?")
	cmd.Flags().StringVar(&form, "export", "", "print the document in a `FORM` for other tools")
	a.addFormat(cmd, "text", "json")
	complete(cmd, "export", seal.Forms()...)
	return cmd
}

func (a *app) verify(args []string, keyFile, manifestFile string) error {
	if err := onceStdin(append([]string{keyFile, manifestFile}, args...)); err != nil {
		return err
	}
	keys, err := a.keys(keyFile)
	if err != nil {
		return err
	}
	var candidate []byte
	if manifestFile != "" {
		var f *fault
		if candidate, f = a.read(source{name: manifestFile}); f != nil {
			return f
		}
		if candidate == nil {
			candidate = []byte{} // an empty file was given, which is not none
		}
	}
	options := engine.Options{Keys: keys, Mode: manifest.Lenient}
	out := a.results(args)
	for s := range out.each() {
		v, f := a.verifyOne(s, candidate, manifestFile, options)
		if f != nil {
			out.refuse(s, f)
			continue
		}
		a.raise(verifyStatus(v))
		if out.format == "json" {
			out.json(s, func(w *jsonvalue.Builder) { w.Raw(string(v.JSON()[:len(v.JSON())-1])) })
			continue
		}
		a.print(console.Certificate(out.title(s), v.Certificate(), a.look(a.stdout.file)))
	}
	out.end()
	return nil
}

func (a *app) verifyOne(s source, candidate []byte, manifestFile string, o engine.Options) (*engine.Verification, *fault) {
	document, f := a.read(s)
	if f != nil {
		return nil, f
	}
	v, err := engine.Verify(document, candidate, o)
	if err == nil {
		return v, nil
	}
	f = faultOf(s.name, err)
	var side *engine.InputError
	if errors.As(err, &side) && side.Side == "manifest" {
		f.file = manifestFile
	}
	return nil, f
}

// exportForm prints one document in another form. What the verdict says of it goes
// to standard error and into the exit status: a form is no proof by itself.
func (a *app) exportForm(args []string, keyFile, form string) error {
	switch {
	case !slices.Contains(seal.Forms(), form):
		return usage("there is no form "+quote(form), "The forms are "+strings.Join(seal.Forms(), ", ")+".")
	case len(args) > 1 || isDirectory(args[0]):
		return usage("--export takes one report", "Name one file, or - for standard input.")
	}
	keys, err := a.keys(keyFile)
	if err != nil {
		return err
	}
	v, f := a.verifyOne(source{name: args[0]}, nil, "", engine.Options{Keys: keys})
	if f != nil {
		return f
	}
	data, ok := v.Export(form)
	if !ok {
		return &fault{file: args[0], cause: &jsonvalue.Error{Class: fileClass, Code: "no_such_form", Message: "the document can't be given as " + form, Advice: "It lacks the signature that the form needs, or its key is not known: name the key set with --keys."}}
	}
	a.raise(verifyStatus(v))
	if check := v.Headline(); !check.Vouches() {
		a.warn(console.Note(args[0], check.Title()+". "+check.Sentence(), a.look(a.stderr)))
	}
	a.write(data)
	return nil
}

// verifyStatus: what failed for good is 1, what could not be told is 2, and a
// development key is no reason to go on.
func verifyStatus(v *engine.Verification) int {
	status := Unchecked
	switch check := v.Headline(); {
	case check.Vouches():
		status = Unchanged
	case check.Refused():
		status = Drift
	}
	if v.Match == nil {
		return status
	}
	switch v.Match.State {
	case view.Matches:
		return status
	case view.MatchUnknown:
		return max(status, Unchecked)
	}
	return max(status, Drift)
}
