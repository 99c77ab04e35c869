// Fills outcome and value of every vector whose source is "javascript".
//   node generate.mjs          rewrites the files
//   node generate.mjs --check  fails when a file does not hold what Node gives now
import { writeFileSync } from "node:fs";
import { answer, files, print } from "./vectorfile.mjs";

const check = process.argv.includes("--check");
let stale = 0;
for (const { url, text, vector } of files()) {
  const { outcome, value, ...rest } = vector;
  const now = print(vector.source === "javascript" ? { ...rest, ...answer(vector) } : vector);
  if (now === text) continue;
  stale++;
  console.error(`${check ? "differs from Node" : "written"}: ${vector.id}`);
  if (!check) writeFileSync(url, now);
}
if (check && stale > 0) process.exit(1);
console.log(check ? "all vectors are what Node gives" : `${stale} files written`);
