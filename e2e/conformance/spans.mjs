// node spans.mjs RULEBOOK.json COUNT SEED: the spans that V8 finds in generated texts, by the plain reading of R41 and
// R42 in spans_views.mjs. It writes one line of JSON a text, {text_json, matches: [[rule, view, start, end], …]}, where
// text_json is the text as JSON text, lone surrogates as escapes.
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { compile, scan } from "./spans_views.mjs";
import { generator } from "./spans_texts.mjs";

const [rulebook, count, seed] = process.argv.slice(2);
const published = JSON.parse(readFileSync(rulebook, "utf8")).rules;
const rules = compile(published);
const next = generator(published, Number(seed));
let lines = "";
for (let i = 0; i < Number(count); i++) {
  const text = next();
  lines += JSON.stringify({ text_json: JSON.stringify(text), matches: scan(rules, text) }) + "\n";
  if (lines.length > 1 << 16) {
    if (!process.stdout.write(lines)) await once(process.stdout, "drain");
    lines = "";
  }
}
process.stdout.write(lines);
