// The independent signer: it makes a signed report of an unsigned one by the
// published rules alone, with Node's own crypto, and shares no line with the
// verifier. Tests hold the verifier to what it makes.
//
//	node sign.mjs LETTER ISSUER < unsigned.json > signed.json
//	node sign.mjs LETTER --keys
//
// The key's seed is a letter 32 times.
import { createHash, createPrivateKey, createPublicKey, sign } from "node:crypto";
import { readFileSync } from "node:fs";

const [letter, issuer] = process.argv.slice(2);
const seed = Buffer.from(letter.repeat(32));
const pkcs8 = Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), seed]);
const key = createPrivateKey({ key: pkcs8, format: "der", type: "pkcs8" });
const { x } = createPublicKey(key).export({ format: "jwk" });
const kid = createHash("sha256").update(JSON.stringify({ crv: "Ed25519", kty: "OKP", x })).digest("base64url");

if (issuer === "--keys") {
  process.stdout.write(JSON.stringify({ keys: [{ kty: "OKP", crv: "Ed25519", x, kid, use: "sig", alg: "EdDSA" }] }));
  process.exit(0);
}

// A sorted copy, member by member; what JSON.stringify writes of it is canonical.
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(",")}}`;
}

const raw = (bytes) => sign(null, Buffer.from(bytes), key);
const signature = (bytes) => ({ algorithm: "ed25519", key_id: kid, public_key: Buffer.from(x, "base64url").toString("base64"), value: raw(bytes).toString("base64") });

const unsigned = JSON.parse(readFileSync(0, "utf8"));
const { summary, ...body } = unsigned;
const report = { ...body, issuer };
if (report.manifest_digest !== undefined) {
  report.manifest_digest_signature = signature(canonical(report.manifest_digest));
  const sha256 = createHash("sha256").update(canonical(report)).digest("hex");
  report.summary = { ...summary, issuer, report_sha256: sha256 };
  report.summary_signature = signature(canonical(report.summary));
}
const payload = canonical(report);
report.signature = signature(payload);

const type = "application/vnd.manifestseal.report+json";
const length = Buffer.byteLength(payload);
const pae = `DSSEv1 ${type.length} ${type} ${length} ${payload}`;
const protectedHeader = Buffer.from(JSON.stringify({ alg: "EdDSA", kid, typ: "manifestseal-report+jws" })).toString("base64url");
report.attestations = {
  dsse: { payloadType: type, signatures: [{ keyid: kid, sig: raw(pae).toString("base64") }] },
  jws: { protected: protectedHeader, signature: raw(`${protectedHeader}.${Buffer.from(payload).toString("base64url")}`).toString("base64url") },
};
process.stdout.write(JSON.stringify(report));
