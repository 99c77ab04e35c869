// Times what a JavaScript program does for the digests of one manifest:
// JSON.parse, recursively sorted stringify, node:crypto. Each text is made once;
// the result must be that of the reference. It takes turns with whoever it is
// measured beside: for each line that it reads it works once and prints the
// milliseconds. The first line that it prints is the number of tools.
//   node bench_digest.mjs FILE
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { aggregate, manifestOf, pairingName, parse } from "../../engine/enginetest/reference.mjs";

const FIELDS = ["annotations", "description", "inputSchema", "name"]; // sorted
const [file] = process.argv.slice(2);
const bytes = readFileSync(file);
const decoder = new TextDecoder("utf-8", { fatal: true });

const { tools } = manifestOf(parse(bytes));
if (digests(bytes) !== aggregate(tools)) throw new Error("the digest is not that of the reference");
console.log(tools.length);
for await (const _ of createInterface({ input: process.stdin })) {
  const start = process.hrtime.bigint();
  digests(bytes);
  console.log(Number(process.hrtime.bigint() - start) / 1e6);
}

function digests(data) {
  const { tools } = manifestOf(JSON.parse(decoder.decode(data)));
  const list = tools.map((tool) => {
    const isObject = typeof tool === "object" && tool !== null && !Array.isArray(tool);
    if (!isObject) return { digest: sha256(canonical({ __non_object_tool__: tool })), name: null };
    const texts = FIELDS.filter((f) => Object.hasOwn(tool, f)).map((f) => [f, canonical(tool[f])]);
    texts.filter(([f]) => f !== "name").forEach(([, text]) => sha256(text));
    return { digest: sha256(`{${texts.map(([f, text]) => `"${f}":${text}`).join(",")}}`), name: pairingName(tool) };
  });
  return sha256(`[${list.map((e) => JSON.stringify(e)).join(",")}]`);
}

function canonical(value) {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  const keys = Object.keys(value).sort();
  let text = "{";
  for (let i = 0; i < keys.length; i++) text += `${i === 0 ? "" : ","}${JSON.stringify(keys[i])}:${canonical(value[keys[i]])}`;
  return `${text}}`;
}

function sha256(text) {
  return createHash("sha256").update(text, "utf8").digest("hex");
}
