// Scores a site as Mozilla's HTTP Observatory does, with the Observatory's own
// scanner, and prints the results as JSON, one for each of its arguments:
// host:port of the site, and a path.

import fs from "node:fs";

// The scanner reads browsers' preload list, which its package downloads when it
// is installed; tests download nothing, and this machine is on no such list.
const read = fs.readFileSync;
fs.readFileSync = (file, ...more) => (String(file).endsWith("hsts-preload.json") ? "{}" : read(file, ...more));

const { scan } = await import("./npm/node_modules/@mdn/mdn-http-observatory/src/scanner/index.js");
const results = [];
for (const page of process.argv.slice(2)) {
  const { scan: summary, tests } = await scan(page);
  const parts = Object.values(tests).map(({ name, title, result, pass, scoreModifier }) => ({ name: name ?? title, result, pass, modifier: scoreModifier }));
  results.push({ page, score: summary.score, grade: summary.grade, failed: summary.testsFailed, parts });
}
console.log(JSON.stringify(results));
