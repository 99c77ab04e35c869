// Evaluates Content Security Policies, one an argument, with Google's CSP
// Evaluator, and prints every finding as JSON.

import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const { CspEvaluator } = require("./npm/node_modules/csp_evaluator/dist/evaluator.js");
const { CspParser } = require("./npm/node_modules/csp_evaluator/dist/parser.js");
const { Severity } = require("./npm/node_modules/csp_evaluator/dist/finding.js");

const findings = process.argv.slice(2).flatMap((policy, index) =>
  new CspEvaluator(new CspParser(policy).csp).evaluate().map(({ severity, directive, value, description }) => ({
    policy: index, severity: Severity[severity], info: severity >= Severity.INFO, directive, value, description,
  })),
);
console.log(JSON.stringify(findings));
