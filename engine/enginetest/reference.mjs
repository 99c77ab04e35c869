// The reference implementation of mcp-manifest-drift/v1: what a plain reader of
// the published criteria writes in JavaScript, with JSON.parse, JSON.stringify,
// RegExp, TextDecoder and node:crypto alone. The vectors and the conformance
// tests take their expected values from here. It never reads anything that the
// engine made, and it knows nothing of what JavaScript has no answer to: depth,
// reading notes, wrappers, neighbours, what lies outside the digest.
import { createHash } from "node:crypto";
import { matchesOf, RULEBOOK } from "./reference_screen.mjs";

const FIELDS = ["name", "description", "inputSchema", "annotations"];

// Refusal is a document without an answer; kind is an error class of the bridge.
export class Refusal extends Error {
  constructor(kind, message) {
    super(message);
    this.kind = kind;
  }
}

// decode gives the text of a document's bytes: strict UTF-8, or UTF-16 behind
// its byte order mark (R1). The mark of UTF-32LE begins like that of UTF-16LE.
export function decode(bytes) {
  const mark = [...bytes.subarray(0, 4)].map((b) => b.toString(16).padStart(2, "0")).join("");
  if (mark === "fffe0000" || mark === "0000feff") throw new Refusal("encoding", "UTF-32");
  const name = mark.startsWith("fffe") ? "utf-16le" : mark.startsWith("feff") ? "utf-16be" : "utf-8";
  try {
    return new TextDecoder(name, { fatal: true }).decode(bytes);
  } catch {
    throw new Refusal("encoding", `not ${name}`);
  }
}

export function parse(bytes) {
  const text = decode(bytes);
  if (/^[ \t\n\r]*$/.test(text)) throw new Refusal("empty", "nothing but white space");
  try {
    return JSON.parse(text);
  } catch (err) {
    throw new Refusal("syntax", err.message);
  }
}

// canonicalJson is recursively sorted-key JSON without white space. It builds
// the text itself: an object that is rebuilt in sorted order puts integer-like
// names first and loses __proto__.
export function canonicalJson(value) {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.keys(value).sort().map((k) => `${JSON.stringify(k)}:${canonicalJson(value[k])}`);
  return `{${members.join(",")}}`;
}

// manifestOf finds the tools of a parsed document: the first accepted shape that fits.
export function manifestOf(doc) {
  if (Array.isArray(doc)) return { shape: "array", tools: doc };
  if (Array.isArray(member(doc, "tools"))) return { shape: "tools", tools: doc.tools };
  const inner = member(member(doc, "result"), "tools");
  if (Array.isArray(inner)) return { shape: "result", tools: inner };
  throw new Refusal("shape", "no accepted shape");
}

// pairingName: a string that trim() leaves something of, as it is; otherwise null.
export function pairingName(tool) {
  const name = member(tool, "name");
  return typeof name === "string" && name.trim() !== "" ? name : null;
}

// digestBlock is the block of the criteria, members in the published order.
export function digestBlock(tools, asOf) {
  const entries = tools.map((tool) => ({
    name: pairingName(tool),
    digest: toolDigest(tool),
    field_digests: Object.fromEntries(FIELDS.slice(1).map((f) => [f, fieldDigest(tool, f)])),
  }));
  return {
    criteria_id: "mcp-manifest-drift/v1",
    algorithm: "sha256",
    digest_fields: FIELDS,
    tool_count: tools.length,
    as_of: asOf,
    tools: entries,
    aggregate_digest: aggregate(tools),
  };
}

export function aggregate(tools) {
  return sha256(canonicalJson(tools.map((t) => ({ name: pairingName(t), digest: toolDigest(t) }))));
}

function toolDigest(tool) {
  if (!isObject(tool)) return sha256(canonicalJson({ __non_object_tool__: tool }));
  const present = FIELDS.filter((f) => member(tool, f) !== undefined);
  return sha256(canonicalJson(Object.fromEntries(present.map((f) => [f, tool[f]]))));
}

function fieldDigest(tool, field) {
  const value = member(tool, field);
  return value === undefined ? null : sha256(canonicalJson(value));
}

// compare gives those members of the drift report that the criteria settle.
export function compare(baseline, current) {
  const pairs = pair(baseline, current);
  const tools = pairs.map((p) => reportTool(baseline[p.b], current[p.c], p));
  const count = (status) => tools.filter((t) => t.status === status).length;
  const counts = { unchanged: count("UNCHANGED"), changed: count("CHANGED"), added: count("ADDED"), removed: count("REMOVED") };
  const n = counts.changed + counts.added + counts.removed;
  return {
    verdict: n === 0 ? "MANIFEST UNCHANGED" : `MANIFEST CHANGED (${n} tools)`,
    counts,
    order_changed: orderChanged(pairs),
    tools,
    changed_description_scan: { rulebook: RULEBOOK, tools: scans(pairs, tools, current) },
    baseline: { tool_count: baseline.length, aggregate_digest: aggregate(baseline) },
    current: { tool_count: current.length, aggregate_digest: aggregate(current) },
  };
}

// pair gives {name, occurrence, b, c} in report order; b or c is undefined
// where an occurrence has no counterpart.
function pair(baseline, current) {
  const groups = new Map();
  const add = (tools, side) => {
    tools.forEach((tool, i) => {
      const name = pairingName(tool);
      if (!groups.has(name)) groups.set(name, { b: [], c: [] });
      groups.get(name)[side].push(i);
    });
  };
  add(baseline, "b");
  add(current, "c");
  return [...groups].flatMap(([name, { b, c }]) =>
    Array.from({ length: Math.max(b.length, c.length) }, (_, i) => ({ name, occurrence: i + 1, b: b[i], c: c[i] })),
  );
}

function orderChanged(pairs) {
  const both = pairs.filter((p) => p.b !== undefined && p.c !== undefined).sort((x, y) => x.b - y.b);
  return both.some((p, i) => i > 0 && p.c < both[i - 1].c);
}

function reportTool(old, now, { name, occurrence, b, c }) {
  const head = { name, occurrence };
  if (c === undefined) return { ...head, status: "REMOVED", baseline_digest: toolDigest(old) };
  if (b === undefined) return { ...head, status: "ADDED", current_digest: toolDigest(now) };
  const digests = { baseline_digest: toolDigest(old), current_digest: toolDigest(now) };
  if (digests.baseline_digest === digests.current_digest) return { ...head, status: "UNCHANGED", ...digests };
  const diff = toolDiff(old, now);
  return { ...head, status: "CHANGED", ...digests, changed_fields: Object.keys(diff), diff };
}

// toolDiff holds one member for each field that differs, in the order of R32.
function toolDiff(old, now) {
  if (!isObject(old) || !isObject(now)) return { entry: sides(old, now) };
  const diff = {};
  for (const field of FIELDS) {
    const [o, n] = [member(old, field), member(now, field)];
    if (differ(o, n)) diff[field] = fieldDiff(field, o, n);
  }
  return diff;
}

function fieldDiff(field, old, now) {
  if (field === "inputSchema") return schemaDiff(old, now);
  if (field === "annotations") return annotationsDiff(old, now);
  return sides(old, now);
}

// schemaDiff follows R34.
function schemaDiff(old, now) {
  const [op, np] = [properties(old), properties(now)];
  const diff = {
    added_properties: Object.keys(np).filter((k) => !Object.hasOwn(op, k)).sort(),
    removed_properties: Object.keys(op).filter((k) => !Object.hasOwn(np, k)).sort(),
    changed_properties: Object.keys(op)
      .filter((k) => Object.hasOwn(np, k) && differ(op[k], np[k]))
      .sort()
      .map((property) => ({ property, old: op[property], new: np[property] })),
    changed_outside_properties: outsideProperties(old, now),
  };
  if (!diff.changed_outside_properties) return diff;
  const whole = sides(old, now);
  if ("old" in whole) diff.old_schema = whole.old;
  if ("new" in whole) diff.new_schema = whole.new;
  return diff;
}

function properties(schema) {
  const map = member(schema, "properties");
  return isObject(map) ? map : {};
}

function outsideProperties(old, now) {
  if (!isObject(old) || !isObject(now)) return true;
  const [op, np] = [member(old, "properties"), member(now, "properties")];
  if ([op, np].some((p) => p !== undefined && !isObject(p))) return true;
  const empty = (p) => p !== undefined && Object.keys(p).length === 0;
  if ((empty(op) && np === undefined) || (empty(np) && op === undefined)) return true;
  return canonicalJson(withoutProperties(old)) !== canonicalJson(withoutProperties(now));
}

function withoutProperties(schema) {
  return Object.fromEntries(Object.entries(schema).filter(([k]) => k !== "properties"));
}

// annotationsDiff follows R35a.
function annotationsDiff(old, now) {
  const [o, n] = [isObject(old) ? old : {}, isObject(now) ? now : {}];
  const keys = [...new Set([...Object.keys(o), ...Object.keys(n)])].sort();
  const changed = keys.filter((k) => differ(member(o, k), member(n, k))).map((k) => [k, sides(member(o, k), member(n, k))]);
  const whole = isObject(old) && isObject(now) ? {} : sides(old, now);
  return { changed: Object.fromEntries(changed), ...whole };
}

function scans(pairs, tools, current) {
  return pairs.flatMap(({ name, occurrence, c }, i) => {
    if (tools[i].status !== "CHANGED") return [];
    return [{ name, occurrence, ...scan(current[c]) }];
  });
}

// scan is the screen of one tool's description (R43: only a string is scanned).
export function scan(tool) {
  const text = member(tool, "description");
  return typeof text === "string" ? { scanned: true, matches: matchesOf(text) } : { scanned: false, matches: [] };
}

// screenLines gives what the command prints for each tool of a manifest.
export function screenLines(tools) {
  const seen = new Map();
  return tools.map((tool) => {
    const name = pairingName(tool);
    seen.set(name, (seen.get(name) ?? 0) + 1);
    return { name, occurrence: seen.get(name), [RULEBOOK]: scan(tool) };
  });
}

// sides puts two values beside each other; an absent one is an absent key (R31).
function sides(old, now) {
  return { ...(old === undefined ? {} : { old }), ...(now === undefined ? {} : { new: now }) };
}

function differ(a, b) {
  if (a === undefined || b === undefined) return a !== b;
  return canonicalJson(a) !== canonicalJson(b);
}

// member reads an own member; what an object inherits is no member (R4).
function member(value, key) {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function sha256(text) {
  return createHash("sha256").update(text, "utf8").digest("hex");
}
