// The pattern screen of prompt-injection-rules/v1 as a plain reader of the
// published rulebook writes it: every rule is a RegExp with the flags i and g,
// run over the text as submitted and over the three normalisation views. It is
// slow on hostile text on purpose: it holds no cleverness that could be wrong.
import { readFileSync } from "node:fs";

const book = JSON.parse(readFileSync(new URL("./prompt-injection-rules-v1.json", import.meta.url), "utf8"));

export const RULEBOOK = book.rulebook;
const RULES = book.rules.map((r) => ({ id: r.id, category: r.category, re: new RegExp(r.pattern, r.flags + "g") }));

const LEET = { 0: "o", 1: "i", 3: "e", 4: "a", 5: "s", 7: "t", "@": "a", $: "s" };

// matchesOf gives the matches of a text in report order (R41): rules in
// rulebook order, then view, then start, then end. start and end are indices
// into the submitted text.
export function matchesOf(text) {
  const views = [asSubmitted(text), leetspeak(text), percentDecoded(text), base64(text)];
  return RULES.flatMap((rule) => views.flatMap((view) => viewMatches(rule, view)));
}

function viewMatches(rule, view) {
  const seen = new Map();
  for (const part of view.parts) {
    for (const [s, e] of spansOf(rule, part.text)) {
      if (!part.counts(s, e)) continue;
      const [start, end] = part.place(s, e);
      seen.set(`${start},${end}`, { start, end });
    }
  }
  const label = view.name === undefined ? {} : { view: view.name };
  return [...seen.values()]
    .sort((a, b) => a.start - b.start || a.end - b.end)
    .map(({ start, end }) => ({ id: rule.id, category: rule.category, start, end, ...label }));
}

// spansOf gives the matches of one rule in one text; adjacent matches of OB-1
// are one span.
function spansOf(rule, text) {
  const spans = [];
  for (const m of text.matchAll(rule.re)) {
    const last = spans.at(-1);
    const end = m.index + m[0].length;
    if (rule.id === "OB-1" && last !== undefined && last[1] === m.index) last[1] = end;
    else spans.push([m.index, end]);
  }
  return spans;
}

function asSubmitted(text) {
  return { parts: [{ text, counts: () => true, place: (s, e) => [s, e] }] };
}

function leetspeak(text) {
  let folded = "";
  for (let i = 0; i < text.length; i++) folded += Object.hasOwn(LEET, text[i]) ? LEET[text[i]] : text[i];
  const counts = (s, e) => text.slice(s, e) !== folded.slice(s, e);
  return { name: "leetspeak", parts: [{ text: folded, counts, place: (s, e) => [s, e] }] };
}

// percentDecoded decodes each maximal run of escapes as UTF-8. units holds for
// each code unit of the decoded text where it came from.
function percentDecoded(text) {
  const units = [];
  let decoded = "";
  const put = (s, start, end, escaped) => {
    decoded += s;
    for (let i = 0; i < s.length; i++) units.push({ start, end, escaped });
  };
  const copy = (from, to) => {
    for (let i = from; i < to; i++) put(text[i], i, i + 1, false);
  };
  let at = 0;
  for (const run of text.matchAll(/(?:%[0-9A-Fa-f]{2})+/g)) {
    copy(at, run.index);
    at = run.index + run[0].length;
    const bytes = run[0].slice(1).split("%").map((h) => parseInt(h, 16));
    const chars = utf8(bytes);
    if (chars === undefined) {
      copy(run.index, at);
      continue;
    }
    let from = run.index;
    for (const ch of chars) {
      const to = from + 3 * new TextEncoder().encode(ch).length;
      put(ch, from, to, true);
      from = to;
    }
  }
  copy(at, text.length);
  const counts = (s, e) => units.slice(s, e).some((u) => u.escaped);
  return { name: "percent_decoded", parts: [{ text: decoded, counts, place: (s, e) => [units[s].start, units[e - 1].end] }] };
}

function base64(text) {
  const parts = [];
  for (const m of text.matchAll(/([A-Za-z0-9+/_-]{16,})={0,2}/g)) {
    const bytes = base64Bytes(m[1]);
    const inner = bytes === undefined ? undefined : utf8(bytes);
    if (inner === undefined || /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/.test(inner)) continue;
    parts.push({ text: inner, counts: () => true, place: () => [m.index, m.index + m[0].length] });
  }
  return { name: "base64", parts };
}

function base64Bytes(run) {
  const url = /[-_]/.test(run);
  if ((url && /[+/]/.test(run)) || run.length % 4 === 1) return undefined;
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789" + (url ? "-_" : "+/");
  const bytes = [];
  let bits = 0;
  let n = 0;
  for (const ch of run) {
    bits = ((bits << 6) | alphabet.indexOf(ch)) & 0xfff;
    n += 6;
    if (n >= 8) {
      n -= 8;
      bytes.push((bits >> n) & 0xff);
    }
  }
  return bytes;
}

// utf8 decodes strictly and keeps a U+FEFF; undefined when the bytes are no UTF-8.
function utf8(bytes) {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Uint8Array.from(bytes));
  } catch {
    return undefined;
  }
}
