// Commands that check a signature without this page, filled in with the values of
// the verifier: the key is the known one, never the one inside the document. Every
// value is base64 or PEM, so none can end the text that it stands in. The tests
// run these commands as they are printed.

export interface KeySet {
  readonly keys: readonly { readonly kid: string; readonly x: string }[];
}

export interface Recipe {
  readonly id: string;
  readonly title: string;
  readonly needs: string;
  readonly text: string;
}

export interface Values {
  readonly kind: string;
  readonly forms: readonly string[];
  readonly keys: KeySet;
  readonly pem: string;
  readonly signature: string; // standard base64
}

export function recipesFor(values: Values): Recipe[] {
  const [key] = values.keys.keys;
  if (key === undefined) return [];
  const recipes = [ourCommand(values), openssl(values), node(values, key.x), python(values, key.x)];
  if (values.forms.includes("jws")) recipes.push(jose(key.x));
  if (values.forms.includes("dsse")) recipes.push(dsse(key));
  return recipes;
}

// heredoc writes a file from the shell, without the shell reading it.
function heredoc(file: string, content: string): string {
  return `cat > ${file} <<'END'\n${content.trimEnd()}\nEND\n`;
}

function ourCommand({ keys }: Values): Recipe {
  return {
    id: "manifestseal",
    title: "This project's command",
    needs: "Save the document first, as manifestseal-report.json. The key set is the one that this page knows; better is one that you got yourself from the issuer.",
    text: heredoc("manifestseal-keys.json", JSON.stringify(keys)) + "manifestseal verify manifestseal-report.json --keys manifestseal-keys.json",
  };
}

function openssl({ pem, signature }: Values): Recipe {
  return {
    id: "openssl",
    title: "OpenSSL",
    needs: "Save the signed bytes first, as manifestseal-signed.json. OpenSSL 3.0 or newer; the bytes have to be a regular file.",
    text:
      heredoc("manifestseal-key.pem", pem) +
      `printf '%s' '${signature}' | openssl base64 -d -A > manifestseal-signature.bin\n` +
      "openssl pkeyutl -verify -pubin -inkey manifestseal-key.pem -rawin -in manifestseal-signed.json -sigfile manifestseal-signature.bin",
  };
}

// The part of the document that its own signature covers.
function signedPart(kind: string): string {
  if (kind === "summary") return "const { summary: signed } = document;";
  if (kind === "digest_block") return "const { manifest_digest: signed } = document;";
  return "const { signature, attestations, ...signed } = document;";
}

function node({ kind, signature }: Values, x: string): Recipe {
  const script = `import { createPublicKey, verify } from "node:crypto";
import { readFileSync } from "node:fs";

// Canonical JSON: members sorted by UTF-16 code units, no white space.
const canonical = (value) =>
  Array.isArray(value)
    ? "[" + value.map(canonical).join() + "]"
    : value !== null && typeof value === "object"
      ? "{" + Object.keys(value).sort().map((name) => JSON.stringify(name) + ":" + canonical(value[name])).join() + "}"
      : JSON.stringify(value);

const document = JSON.parse(readFileSync("manifestseal-report.json", "utf8"));
${signedPart(kind)}
const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x: "${x}" }, format: "jwk" });
const fits = verify(null, Buffer.from(canonical(signed)), key, Buffer.from("${signature}", "base64"));
console.log(fits ? "the signature fits" : "THE SIGNATURE DOES NOT FIT");
process.exit(fits ? 0 : 1);`;
  return {
    id: "node",
    title: "Node.js, from the document itself",
    needs: "Save the document first, as manifestseal-report.json. It makes the canonical bytes itself, so it needs nothing else of this page.",
    text: heredoc("manifestseal-verify.mjs", script) + "node manifestseal-verify.mjs",
  };
}

function python({ signature }: Values, x: string): Recipe {
  const script = `import base64
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

key = Ed25519PublicKey.from_public_bytes(base64.urlsafe_b64decode("${x}="))
with open("manifestseal-signed.json", "rb") as file:
    key.verify(base64.b64decode("${signature}"), file.read())
print("the signature fits")`;
  return {
    id: "python",
    title: "Python",
    needs: "Save the signed bytes first, as manifestseal-signed.json. Needs the package cryptography; it raises InvalidSignature where the signature does not fit.",
    text: heredoc("manifestseal_verify.py", script) + "python3 manifestseal_verify.py",
  };
}

function jose(x: string): Recipe {
  const script = `import { readFileSync } from "node:fs";
import { compactVerify, importJWK } from "jose";

const key = await importJWK({ kty: "OKP", crv: "Ed25519", x: "${x}" }, "EdDSA");
const { payload, protectedHeader } = await compactVerify(readFileSync("manifestseal-report.jws", "utf8"), key);
if (protectedHeader.typ !== "manifestseal-report+jws") throw new Error("this JWS is no report");
console.log("the signature fits", payload.length, "bytes");`;
  return {
    id: "jose",
    title: "JWS, with jose for Node.js",
    needs: "Save the JWS first, as manifestseal-report.jws, in a folder where npm install jose was run.",
    text: heredoc("manifestseal-jose.mjs", script) + "node manifestseal-jose.mjs",
  };
}

function dsse({ kid, x }: { readonly kid: string; readonly x: string }): Recipe {
  const program = `package main

import (
	"context"
	"crypto"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"os"

	"github.com/secure-systems-lab/go-securesystemslib/dsse"
)

type key ed25519.PublicKey

func (k key) KeyID() (string, error)   { return "${kid}", nil }
func (k key) Public() crypto.PublicKey { return ed25519.PublicKey(k) }

func (k key) Verify(_ context.Context, data, signature []byte) error {
	if !ed25519.Verify(ed25519.PublicKey(k), data, signature) {
		return errors.New("the signature does not fit")
	}
	return nil
}

func main() {
	public, err := base64.RawURLEncoding.DecodeString("${x}")
	if err != nil {
		log.Fatal(err)
	}
	data, err := os.ReadFile("manifestseal-envelope.json")
	if err != nil {
		log.Fatal(err)
	}
	var envelope dsse.Envelope
	if err := json.Unmarshal(data, &envelope); err != nil {
		log.Fatal(err)
	}
	verifier, err := dsse.NewEnvelopeVerifier(key(public))
	if err != nil {
		log.Fatal(err)
	}
	if _, err := verifier.Verify(context.Background(), &envelope); err != nil {
		log.Fatal(err)
	}
	if envelope.PayloadType != "application/vnd.manifestseal.report+json" {
		log.Fatal("this envelope holds no report")
	}
	fmt.Println("the signature fits")
}`;
  return {
    id: "dsse",
    title: "DSSE, with go-securesystemslib",
    needs: "Save the DSSE envelope first, as manifestseal-envelope.json, in a folder where go mod init and go get github.com/secure-systems-lab/go-securesystemslib@v0.11.1 were run.",
    text: heredoc("manifestseal-verify.go", program) + "go run manifestseal-verify.go",
  };
}
