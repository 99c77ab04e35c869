// What is sent: the documents as they are, byte by byte, inside the members that
// the endpoint names. Reading them into JavaScript and writing them again would
// lose repeated members and digits, and with them what a report has to say.

import { joined } from "./account.ts";

export type Kind = "audit" | "drift";

export const routes: Readonly<Record<Kind, string>> = { audit: "/audit", drift: "/drift" };

// Unsuited is a document that the service does not take, and why.
export class Unsuited extends Error {}

// Baseline is the earlier document and what it is.
export interface Baseline {
  readonly bytes: Uint8Array;
  readonly shape: string; // of the engine's reading
}

const utf8 = new TextEncoder();

// bodyOf puts a request's body together.
export function bodyOf(current: Uint8Array, baseline: Baseline | null): Uint8Array {
  const members = baseline === null ? [] : baselineMembers(baseline);
  return joined(utf8.encode("{"), ...members, utf8.encode('"manifest":'), textOf(current), utf8.encode("}"));
}

function baselineMembers({ bytes, shape }: Baseline): Uint8Array[] {
  const text = textOf(bytes);
  if (shape === "report") return [utf8.encode('"baseline_report":'), text, utf8.encode(",")];
  if (shape !== "digests") return [utf8.encode('"baseline_manifest":'), text, utf8.encode(",")];
  const { manifest_digest: block, manifest_digest_signature: signature } = JSON.parse(new TextDecoder().decode(text)) as Record<string, unknown>;
  if (block === undefined || signature === undefined) {
    throw new Unsuited("The service compares with a digest block only beside its signature. Put in the signed report, or both as {manifest_digest, manifest_digest_signature}.");
  }
  return [utf8.encode(`"baseline_digests":${JSON.stringify(block)},"baseline_signature":${JSON.stringify(signature)},`)];
}

// textOf is a document as UTF-8 without a byte order mark, which may only stand
// at the beginning of a body.
function textOf(bytes: Uint8Array): Uint8Array {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return utf8.encode(new TextDecoder("utf-16le", { fatal: true }).decode(bytes));
  if (first === 0xfe && second === 0xff) return utf8.encode(new TextDecoder("utf-16be", { fatal: true }).decode(bytes));
  return first === 0xef && second === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
}
