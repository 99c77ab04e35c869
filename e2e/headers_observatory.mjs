// Scores a site as Mozilla's HTTP Observatory does, with the Observatory's own
// scanner, and prints its result as JSON. Argument: host:port of the site.

import fs from "node:fs";

// The scanner reads browsers' preload list, which its package downloads when it
// is installed; tests download nothing, and this machine is on no such list.
const read = fs.readFileSync;
fs.readFileSync = (file, ...more) => (String(file).endsWith("hsts-preload.json") ? "{}" : read(file, ...more));

const { scan } = await import("./npm/node_modules/@mdn/mdn-http-observatory/src/scanner/index.js");
const { scan: summary, tests } = await scan(process.argv[2]);
const parts = Object.values(tests).map(({ name, title, result, pass, scoreModifier }) => ({ name: name ?? title, result, pass, modifier: scoreModifier }));
console.log(JSON.stringify({ score: summary.score, grade: summary.grade, failed: summary.testsFailed, parts }));
