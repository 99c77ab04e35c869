// Reading, answering and writing of vector files, as README.md defines them.
import { readdirSync, readFileSync } from "node:fs";
import {
  Refusal, aggregate, canonicalJson, compare, digestBlock, manifestOf, pairingName, parse, screenLines, sha256,
} from "./reference.mjs";
import { matchesOf } from "./reference_screen.mjs";

const FOLDER = new URL("./vectors/", import.meta.url);
const LARGE = 4096; // an exact text longer than this is kept as its sha256

// files lists the vectors as {url, text, vector}, by name.
export function files() {
  return readdirSync(FOLDER).sort().map((name) => {
    const url = new URL(name, FOLDER);
    const text = readFileSync(url, "utf8");
    return { url, text, vector: JSON.parse(text) };
  });
}

// inputBytes expands one input of a vector.
export function inputBytes(input) {
  const head = input.base64 !== undefined ? Buffer.from(input.base64, "base64")
    : input.repeat !== undefined ? Buffer.from(input.repeat.text.repeat(input.repeat.times), "utf8")
      : Buffer.from(input.text, "utf8");
  return input.then === undefined ? head : Buffer.concat([head, inputBytes(input.then)]);
}

// answer is what the reference gives: {outcome, value?}.
export function answer(vector) {
  try {
    return { outcome: "ok", value: METHODS[vector.method](vector.inputs.map(inputBytes), vector.as_of) };
  } catch (err) {
    if (err instanceof Refusal) return { outcome: err.kind };
    throw err;
  }
}

const METHODS = {
  canonical: ([doc]) => exact(canonicalJson(parse(doc))),
  digest: ([doc], asOf) => exact(JSON.stringify(digestBlock(manifestOf(parse(doc)).tools, asOf))),
  read: ([doc]) => {
    const { shape, tools } = manifestOf(parse(doc));
    return { shape, tool_count: tools.length, aggregate_digest: aggregate(tools), names: tools.map(pairingName) };
  },
  screen: ([doc]) => screenLines(manifestOf(parse(doc)).tools),
  screen_text: ([doc]) => ({ matches: matchesOf(parse(doc)) }),
  compare: ([baseline, current]) => reportMembers(manifestOf(parse(baseline)).tools, manifestOf(parse(current)).tools),
};

// reportMembers is the value of a compare vector: the members that the criteria
// settle. An empty list is compared with nothing.
export function reportMembers(baseline, current) {
  if (baseline.length === 0 || current.length === 0) throw new Error("no tools: JavaScript has no answer");
  const report = compare(baseline, current);
  return {
    state: report.verdict === "MANIFEST UNCHANGED" ? "unchanged" : "changed",
    verdict: report.verdict,
    counts: report.counts,
    order_changed: report.order_changed,
    tools: report.tools,
    "/changed_description_scan/rulebook": report.changed_description_scan.rulebook,
    "/changed_description_scan/tools": report.changed_description_scan.tools,
    "/baseline/tool_count": report.baseline.tool_count,
    "/baseline/aggregate_digest": report.baseline.aggregate_digest,
    "/current/tool_count": report.current.tool_count,
    "/current/aggregate_digest": report.current.aggregate_digest,
  };
}

export function exact(text) {
  const bytes = Buffer.byteLength(text);
  return bytes > LARGE ? { sha256: sha256(text), bytes } : text;
}

const ORDER = ["id", "ruling", "about", "method", "inputs", "as_of", "outcome", "code", "side", "line", "column", "offset", "value", "absent", "source"];

// print gives a vector file's text: one fixed member order, ASCII only, so that
// a hidden character is seen by whoever reads the file.
export function print(vector) {
  const unknown = Object.keys(vector).filter((k) => !ORDER.includes(k));
  if (unknown.length > 0) throw new Error(`${vector.id}: unknown member ${unknown}`);
  const ordered = Object.fromEntries(ORDER.filter((k) => vector[k] !== undefined).map((k) => [k, vector[k]]));
  const ascii = (ch) => `\\u${ch.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return `${JSON.stringify(ordered, null, 1).replace(/[^\x20-\x7e\n]/g, ascii)}\n`;
}
