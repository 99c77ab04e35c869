// Writes what the JavaScript reference makes of many documents, as JSON lines
// {group, files?, vector}: vector is a vector as engine/enginetest defines it,
// with its documents either inside or as the named files.
//   node digests.mjs --corpus DIR   every manifest, pair and odd document of a corpus
//   node digests.mjs --odd DIR      the odd documents of a corpus alone
//   node digests.mjs --vectors      the documents of the vectors themselves
//   node digests.mjs --random N     N pairs of small awkward manifests
import { existsSync, readdirSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { Refusal, digestBlock, manifestOf, parse } from "../../engine/enginetest/reference.mjs";
import { files, inputBytes, reportMembers } from "../../engine/enginetest/vectorfile.mjs";
import { randomPairs } from "./digests_random.mjs";

const AS_OF = "2026-01-02T03:04:05.678Z";

const [mode, argument] = process.argv.slice(2);
const modes = { "--corpus": corpus, "--odd": odd, "--vectors": vectors, "--random": pairs };
if (!Object.hasOwn(modes, mode)) throw new Error(`usage: node digests.mjs ${Object.keys(modes).join(" | ")}`);
modes[mode](argument);

// reading gives what emits a file's digest block, and the comparison of two files.
function reading(root) {
  const read = (file) => {
    const bytes = readFileSync(join(root, file));
    return file.startsWith("manifests/") && file.endsWith(".gz") ? gunzipSync(bytes) : bytes;
  };
  const digest = (group, file) => emit({ group, files: [file], vector: digestVector(file, read(file)) });
  const compare = (group, a, b) => emit({ group, files: [a, b], vector: compareVector(`${a} -> ${b}`, read(a), read(b)) });
  return { digest, compare };
}

function corpus(root) {
  const { digest, compare } = reading(root);
  const folders = readdirSync(join(root, "manifests")).sort();
  for (const folder of folders) {
    const versions = manifests(root, `manifests/${folder}`);
    versions.forEach((file) => digest("manifest", file));
    versions.slice(1).forEach((file, i) => compare("pair", versions[i], file));
    const plain = folder.replace(/__latest-deps$/, "");
    if (plain === folder || !folders.includes(plain)) continue;
    const other = new Map(manifests(root, `manifests/${plain}`).map((f) => [versionOf(f), f]));
    versions.filter((f) => other.has(versionOf(f))).forEach((f) => compare("latest-deps", other.get(versionOf(f)), f));
  }
  const rugpull = "poisoned/rugpull";
  for (const name of existsSync(join(root, rugpull)) ? readdirSync(join(root, rugpull)).sort() : []) {
    const after = `${rugpull}/${name.replace(/\.before\.json$/, ".after.json")}`;
    if (name.endsWith(".before.json") && existsSync(join(root, after))) compare("rugpull", `${rugpull}/${name}`, after);
  }
  odd(root);
}

// odd gives each awkward document, and in its folders each against each other.
function odd(root) {
  const { digest, compare } = reading(root);
  for (const entry of readdirSync(join(root, "odd"), { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (!entry.isDirectory()) {
      if (entry.name !== "INDEX.json") digest("odd", `odd/${entry.name}`);
      continue;
    }
    const inside = readdirSync(join(root, "odd", entry.name)).sort().map((f) => `odd/${entry.name}/${f}`);
    inside.forEach((f) => digest("odd", f));
    inside.forEach((a) => inside.forEach((b) => compare("odd pair", a, b)));
  }
}

// manifests lists a folder's files in the order of their semantic versions.
function manifests(root, folder) {
  return readdirSync(join(root, folder))
    .filter((f) => /\.json(\.gz)?$/.test(f))
    .map((f) => `${folder}/${f}`)
    .sort((a, b) => bySemver(versionOf(a), versionOf(b)));
}

function versionOf(file) {
  return file.replace(/^.*\//, "").replace(/\.json(\.gz)?$/, "").replace(/^v(?=\d)/, "");
}

// bySemver follows semver.org, section 11; what is no number sorts as text.
function bySemver(a, b) {
  const [[an, ap], [bn, bp]] = [a, b].map((v) => [v.split(/[-+]/)[0], v.split("+")[0].split("-").slice(1).join("-")]);
  return byParts(an, bn) || (ap === "" ? 1 : 0) - (bp === "" ? 1 : 0) || byParts(ap, bp) || (a < b ? -1 : a > b ? 1 : 0);
}

function byParts(a, b) {
  const [as, bs] = [a.split("."), b.split(".")];
  for (let i = 0; i < Math.max(as.length, bs.length); i++) {
    if (as[i] === undefined || bs[i] === undefined) return as.length - bs.length;
    const numbers = /^\d+$/.test(as[i]) && /^\d+$/.test(bs[i]);
    if (as[i] !== bs[i]) return numbers ? Number(as[i]) - Number(bs[i]) : as[i] < bs[i] ? -1 : 1;
  }
  return 0;
}

// vectors uses the documents of those vectors that JavaScript answers: each by
// itself, and each against the next.
function vectors() {
  const documents = new Map();
  for (const { vector } of files()) {
    if (vector.source !== "javascript" || vector.outcome !== "ok" || vector.method === "screen_text") continue;
    vector.inputs.forEach((input, i) => documents.set(`${vector.id}#${i}`, input));
  }
  const readable = [...documents].filter(([id, input]) => digestVector(id, inputBytes(input)).outcome === "ok");
  readable.forEach(([id, input], i) => {
    emit({ group: "vector", vector: { ...digestVector(id, inputBytes(input)), inputs: [input] } });
    if (i === 0) return;
    const [before, old] = readable[i - 1];
    const vector = compareVector(`${before} -> ${id}`, inputBytes(old), inputBytes(input));
    emit({ group: "vector pair", vector: { ...vector, inputs: [old, input] } });
  });
}

function pairs(count) {
  let i = 0;
  for (const pair of randomPairs(Number(count), 20260102)) {
    const [old, now] = pair.map((text) => Buffer.from(text));
    emit({ group: "random pair", vector: { ...compareVector(`random ${i++}`, old, now), inputs: pair.map((text) => ({ text })) } });
  }
}

function digestVector(id, bytes) {
  const block = () => JSON.stringify(digestBlock(manifestOf(parse(bytes)).tools, AS_OF));
  return { id, method: "digest", as_of: AS_OF, source: "javascript", ...answer(block) };
}

function compareVector(id, baseline, current) {
  const members = () => {
    const [old, now] = [baseline, current].map((bytes) => manifestOf(parse(bytes)).tools);
    if (old.length === 0 || now.length === 0) return { state: "not_compared" };
    return reportMembers(old, now);
  };
  return { id, method: "compare", as_of: AS_OF, source: "javascript", ...answer(members) };
}

// answer is the value, or the class of the refusal. A document that is too deep
// for a recursive canonicaliser has no JavaScript answer: the engine refuses it.
function answer(value) {
  try {
    return { outcome: "ok", value: value() };
  } catch (err) {
    if (err instanceof Refusal) return { outcome: err.kind };
    if (err instanceof RangeError) return { outcome: "depth" };
    throw err;
  }
}

// emit writes synchronously: the reader may be slower than this.
function emit(line) {
  let rest = Buffer.from(`${JSON.stringify(line)}\n`);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(1, rest));
    } catch (err) {
      if (err.code !== "EAGAIN") throw err;
    }
  }
}
