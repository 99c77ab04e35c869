// node bench_screen.mjs RULEBOOK.json TEXTS: the time that V8's RegExp takes for a screen of texts, all four views.
//
// RULEBOOK.json holds {rules: [{id, pattern, flags}]}. TEXTS is a JSON array of strings, or JSON lines of strings or of
// objects with a description. It prints {texts, units, runs, ms, prose_units, prose_ms}: ms is the median over warm runs
// of all texts; prose_ms that of one text of 512 Ki units made of the same prose, against which R44 measures hostile
// text.
import { readFileSync } from "node:fs";
import { compile, scan } from "./spans_views.mjs";

const hostileUnits = 512 * 1024;

function readTexts(file) {
  const source = readFileSync(file, "utf8");
  const rows = source.trimStart().startsWith("[")
    ? JSON.parse(source)
    : source.split("\n").filter(Boolean).map((line) => JSON.parse(line));
  return rows.map((row) => (typeof row === "string" ? row : row.description)).filter((t) => typeof t === "string");
}

function median(run, runs) {
  for (let i = 0; i < 3; i++) run();
  const times = [];
  for (let i = 0; i < runs; i++) {
    const start = performance.now();
    run();
    times.push(performance.now() - start);
  }
  return times.sort((a, b) => a - b)[runs >> 1];
}

function prose(texts) {
  let out = "";
  while (out.length < hostileUnits) out += texts.join("\n") + "\n";
  return out.slice(0, hostileUnits);
}

const [rulebook, file] = process.argv.slice(2);
const rules = compile(JSON.parse(readFileSync(rulebook, "utf8")).rules);
const texts = readTexts(file);
const long = prose(texts);
const runs = 15;
const ms = median(() => texts.forEach((t) => scan(rules, t)), runs);
const proseMs = median(() => scan(rules, long), runs);
const units = texts.reduce((n, t) => n + t.length, 0);
console.log(JSON.stringify({ texts: texts.length, units, runs, ms, prose_units: long.length, prose_ms: proseMs }));
