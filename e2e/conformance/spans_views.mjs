// A plain reading of rulings R40 to R42 with RegExp and matchAll, apart from the engine's own: the outside oracle.

import { isUtf8 } from "node:buffer";

const leet = { 0: "o", 1: "i", 3: "e", 4: "a", 5: "s", 7: "t", "@": "a", $: "s" };
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

// compile makes the patterns of a rulebook's JSON.
export function compile(rules) {
  return rules.map((r) => ({ id: r.id, re: new RegExp(r.pattern, r.flags + "g"), merges: r.id === "OB-1" }));
}

function spans(rule, text) {
  const out = [];
  rule.re.lastIndex = 0;
  // The loop of matchAll, without its iterator: no rule matches the empty string.
  for (let m = rule.re.exec(text); m !== null; m = rule.re.exec(text)) {
    const end = m.index + m[0].length;
    const last = out[out.length - 1];
    if (rule.merges && last && last[1] === m.index) last[1] = end;
    else out.push([m.index, end]);
  }
  return out;
}

function fold(text) {
  return text.replace(/[013457@$]/g, (c) => leet[c]);
}

// percent returns the decoded text, and for each decoded character [place in the decoded text, units, place of its
// escapes in the submitted text, their length]; null when nothing is decoded.
function percent(text) {
  if (!text.includes("%")) return null;
  let decoded = "";
  const characters = [];
  let at = 0;
  for (const run of text.matchAll(/(?:%[0-9a-f]{2})+/gi)) {
    const bytes = Buffer.from(run[0].replaceAll("%", ""), "hex");
    if (!isUtf8(bytes)) continue;
    const content = utf8.decode(bytes);
    decoded += text.slice(at, run.index);
    at = run.index;
    for (const c of content) {
      const p = c.codePointAt(0);
      const length = 3 * (p < 0x80 ? 1 : p < 0x800 ? 2 : p < 0x10000 ? 3 : 4);
      characters.push([decoded.length, c.length, at, length]);
      decoded += c;
      at += length;
    }
  }
  decoded += text.slice(at);
  return characters.length > 0 ? { decoded, characters } : null;
}

// origin is the span of the submitted text for the unit i of the decoded one, and whether it was an escape.
function origin(characters, i) {
  let low = 0;
  let high = characters.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (characters[middle][0] <= i) low = middle + 1;
    else high = middle;
  }
  if (low === 0) return { start: i, end: i + 1, before: 0, escaped: false };
  const [place, units, source, length] = characters[low - 1];
  if (i < place + units) return { start: source, end: source + length, before: low - 1, escaped: true };
  const start = source + length + i - place - units;
  return { start, end: start + 1, before: low, escaped: false };
}

function tokens(text) {
  const out = [];
  for (const m of text.matchAll(/([A-Za-z0-9+/_-]{16,})={0,2}/g)) {
    const run = m[1];
    const url = /[-_]/.test(run);
    if (run.length % 4 === 1 || (url && /[+/]/.test(run))) continue;
    const bytes = Buffer.from(run, url ? "base64url" : "base64");
    if (!isUtf8(bytes)) continue;
    const content = utf8.decode(bytes);
    // eslint-disable-next-line no-control-regex
    if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/.test(content)) continue;
    out.push({ content, start: m.index, end: m.index + m[0].length });
  }
  return out;
}

// scan returns [rule index, view, start, end] in report order (R41).
export function scan(rules, text) {
  const folded = /[013457@$]/.test(text) ? fold(text) : null;
  const decoded = percent(text);
  const parts = tokens(text);
  const out = [];
  rules.forEach((rule, r) => {
    for (const [start, end] of spans(rule, text)) out.push([r, "as_submitted", start, end]);
    if (folded !== null) {
      for (const [start, end] of spans(rule, folded)) {
        if (folded.slice(start, end) !== text.slice(start, end)) out.push([r, "leetspeak", start, end]);
      }
    }
    if (decoded) {
      for (const [start, end] of spans(rule, decoded.decoded)) {
        const a = origin(decoded.characters, start);
        const b = origin(decoded.characters, end - 1);
        // Escapes in the span: those that begin before its last unit less those that begin before its first.
        if (b.escaped || b.before > a.before) out.push([r, "percent_decoded", a.start, b.end]);
      }
    }
    for (const t of parts) {
      if (spans(rule, t.content).length > 0) out.push([r, "base64", t.start, t.end]);
    }
  });
  return out;
}
