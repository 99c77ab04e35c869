// A report in a link: base64url of the byte 0x01 and the report's JSON, deflated
// without a header. It stands in the fragment, which no browser sends anywhere.
// The byte is the version of the form; a reader refuses those it doesn't know.

import { fromBase64, toBase64 } from "./base64.ts";

const version = 1;

// Longer links get lost on their way: programs cut or refuse them.
export const linkLimit = 64 * 1024;

// What a link may unpack to. Deflate can hide a thousand times its own size.
const unpackLimit = 8 * 1024 * 1024;

export class LinkError extends Error {
  constructor(
    message: string,
    readonly advice: string,
  ) {
    super(message);
  }
}

const askAgain = "Ask for the link again, or for the report as a file.";

// LinkKind: a whole document (r) or a signed summary (s).
export type LinkKind = "r" | "s";

// linkOf gives the address that opens a document on this page.
export async function linkOf(page: string, report: Uint8Array, kind: LinkKind = "r"): Promise<string> {
  const packed = await through(new CompressionStream("deflate-raw"), report, linkLimit);
  const link = packed === null ? null : `${page}#${kind}=${toBase64URL(packed)}`;
  if (link === null || link.length > linkLimit) {
    throw new LinkError(
      `The report does not fit: a link holds at most ${linkLimit / 1024} KiB.`,
      "Send the report as a file instead; the buttons above download it.",
    );
  }
  return link;
}

// reportIn takes the document out of a fragment, "#r=…" or "#s=…". It stops unpacking at
// the limit, whatever there is to come.
export async function reportIn(fragment: string): Promise<Uint8Array> {
  if (fragment.length > linkLimit) {
    throw new LinkError(`The link is longer than ${linkLimit / 1024} KiB, which is more than this page makes.`, askAgain);
  }
  const bytes = fromBase64URL(fragment.slice("#r=".length));
  if (bytes[0] !== version) {
    throw new LinkError("The link is of a version that this page does not know.", "It may come from a newer one, or be damaged. " + askAgain);
  }
  let report: Uint8Array | null;
  try {
    report = await through(new DecompressionStream("deflate-raw"), bytes.subarray(1), unpackLimit);
  } catch {
    throw new LinkError("The link is damaged: what it holds can't be unpacked.", "A part of it may be missing. " + askAgain);
  }
  if (report === null) {
    throw new LinkError(`The link unpacks to more than ${unpackLimit / 1024 / 1024} MiB, which no honest report does.`, askAgain);
  }
  return report;
}

// through sends bytes through a stream and collects what comes out; null when
// that is more than the limit, in which case nothing more is read.
async function through(stream: GenericTransformStream, bytes: Uint8Array, limit: number): Promise<Uint8Array | null> {
  const writer = stream.writable.getWriter();
  const reader = stream.readable.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  const written = writer.write(bytes).then(() => writer.close());
  written.catch(() => undefined); // the reader meets the same fault
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > limit) {
      await reader.cancel().catch(() => undefined);
      return null;
    }
    chunks.push(value);
  }
  await written;
  return joined(chunks, size);
}

function joined(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const whole = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

function toBase64URL(packed: Uint8Array): string {
  const whole = joined([Uint8Array.of(version), packed], packed.length + 1);
  return toBase64(whole).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

function fromBase64URL(text: string): Uint8Array {
  if (!/^[A-Za-z0-9_-]+$/.test(text) || text.length % 4 === 1) {
    throw new LinkError("The link is damaged: it holds characters that do not belong in it, or is cut.", askAgain);
  }
  return fromBase64(text.replaceAll("-", "+").replaceAll("_", "/"));
}
