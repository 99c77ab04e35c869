package server

import (
	"bytes"
	"crypto/ed25519"
	"encoding/json"
	"fmt"
	"net/http"
	"os/exec"
	"testing"

	"github.com/manifestseal/manifestseal/engine/seal"
	"github.com/manifestseal/manifestseal/server/internal/keys"
	"github.com/manifestseal/manifestseal/server/internal/sign"
)

// jsSigner makes digest blocks and signs them as a JavaScript service would: by
// the criteria alone, with nothing of ours.
const jsSigner = `
const crypto = require("node:crypto");
const {pem, manifests} = JSON.parse(require("node:fs").readFileSync(0, "utf8"));
const key = crypto.createPrivateKey(pem);
const x = crypto.createPublicKey(key).export({format: "jwk"}).x;
const kid = crypto.createHash("sha256").update(JSON.stringify({crv: "Ed25519", kty: "OKP", x})).digest("base64url");
const canonicalJson = (v) =>
  Array.isArray(v) ? "[" + v.map(canonicalJson).join(",") + "]" :
  v !== null && typeof v === "object" ? "{" + Object.keys(v).sort().map((k) => JSON.stringify(k) + ":" + canonicalJson(v[k])).join(",") + "}" :
  JSON.stringify(v);
const sha = (v) => crypto.createHash("sha256").update(canonicalJson(v), "utf8").digest("hex");
const object = (t) => t !== null && typeof t === "object" && !Array.isArray(t);
const own = (t, k) => object(t) && Object.hasOwn(t, k);
const fields = ["name", "description", "inputSchema", "annotations"];
const block = (text) => {
  const m = JSON.parse(text);
  const tools = (Array.isArray(m) ? m : m.tools ?? m.result.tools).map((t) => ({
    name: own(t, "name") && typeof t.name === "string" && t.name.trim() !== "" ? t.name : null,
    digest: sha(object(t) ? Object.fromEntries(fields.filter((f) => own(t, f)).map((f) => [f, t[f]])) : {__non_object_tool__: t}),
    field_digests: Object.fromEntries(fields.slice(1).map((f) => [f, own(t, f) ? sha(t[f]) : null])),
  }));
  return {
    criteria_id: "mcp-manifest-drift/v1", algorithm: "sha256", digest_fields: fields, tool_count: tools.length, as_of: "2026-01-01T00:00:00.000Z",
    tools, aggregate_digest: sha(tools.map(({name, digest}) => ({name, digest}))),
  };
};
console.log(JSON.stringify(manifests.map((text) => {
  const manifest_digest = block(text);
  const value = crypto.sign(null, Buffer.from(canonicalJson(manifest_digest)), key).toString("base64");
  return {block: manifest_digest, signature: {algorithm: "ed25519", key_id: kid, public_key: Buffer.from(x, "base64url").toString("base64"), value}};
})));`

// A customer may hold what another implementation issued: its blocks anchor a
// baseline, and its digests are ours.
func TestBlocksOfAJavaScriptSigner(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("no node: ", err)
	}
	manifests := []string{
		tools, other, `[]`,
		`{"tools":[{"name":" ","description":null},{"name":"a"},{"name":"a","annotations":{}},null,[1],"x",{"name":"\ud800","inputSchema":{"b":1.50,"a":-0,"10":1e21,"9":1e-7,"\ufb33":1,"😀":2}}]}`,
		`{"result":{"tools":[{"name":"__proto__","inputSchema":{"constructor":1,"toString":{}}},{"name":"é\u0000\u2028","description":"\"\\\/\b\f\n\r\t\u001f\u007f"}]}}`,
	}
	private := ed25519.NewKeyFromSeed(bytes.Repeat([]byte{5}, ed25519.SeedSize))
	pem, err := keys.PEM(private)
	if err != nil {
		t.Fatal(err)
	}
	input, err := json.Marshal(map[string]any{"pem": string(pem), "manifests": manifests})
	if err != nil {
		t.Fatal(err)
	}
	run := exec.Command(node, "-e", jsSigner)
	run.Stdin = bytes.NewReader(input)
	output, err := run.Output()
	if err != nil {
		t.Fatal(err)
	}
	var made []struct {
		Block     json.RawMessage
		Signature struct {
			KeyID string `json:"key_id"`
			Value string
		}
	}
	var raw []struct{ Signature json.RawMessage }
	for _, into := range []any{&made, &raw} {
		if err := json.Unmarshal(output, into); err != nil {
			t.Fatal(err)
		}
	}
	theirs := sign.New(private)
	if made[0].Signature.KeyID != theirs.KeyID() {
		t.Fatalf("their key id is %s, ours %s", made[0].Signature.KeyID, theirs.KeyID())
	}
	s := develop(t, Config{History: keys.History{{Key: keyOf(theirs, seal.StateRetired, "2026-02-01T00:00:00.000Z")}}})
	for i, manifest := range manifests {
		for _, signature := range []string{string(raw[i].Signature), fmt.Sprintf("%q", made[i].Signature.Value)} {
			body := `{"baseline_digests":` + string(made[i].Block) + `,"baseline_signature":` + signature + `,"manifest":` + manifest + `}`
			if manifest == `[]` {
				if r := issued(t, s, post(s, "/drift", body), http.StatusUnprocessableEntity); text(r, "reason") != "zero_tools_both" {
					t.Errorf("no tools: %s", text(r, "reason"))
				}
				continue
			}
			r := issued(t, s, post(s, "/drift", body), http.StatusOK)
			if text(r, "verdict") != "MANIFEST UNCHANGED" || text(r, "baseline", "key_id") != theirs.KeyID() || text(r, "baseline", "aggregate_digest") != text(r, "current", "aggregate_digest") {
				t.Errorf("manifest %d: %s, %s", i, text(r, "verdict"), r.Root.Get("baseline").Source())
			}
		}
	}
}
