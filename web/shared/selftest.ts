// The self-test under "How this is enforced": it tries to send a random marker
// to this site, by every way that the page and the worker have, and shows what
// the browser did about each.

import type { Finding } from "./attempt.ts";
import type { Engine } from "./engine.ts";
import type { Painter } from "./painter.ts";
import { part } from "./part.ts";
import { probePage, selfTestPath } from "./probe.ts";

// enableSelfTest makes the button work, once the page is as sealed as it gets.
export function enableSelfTest(document: Document, painter: Painter, engine: Engine): void {
  const button = part(document, "#self-test", HTMLButtonElement);
  button.addEventListener("click", () => {
    button.disabled = true;
    void run(document, painter, engine).finally(() => (button.disabled = false));
  });
  button.disabled = false;
}

async function run(document: Document, painter: Painter, engine: Engine): Promise<void> {
  const summary = part(document, "#self-test-summary", HTMLElement);
  const path = selfTestPath();
  summary.textContent = "Trying.";
  try {
    const [page, worker] = await Promise.all([probePage(document, path), engine.probe(`${path.replace("/self-test/", "/self-test/w")}`)]);
    show(document, painter, "page", page);
    show(document, painter, "worker", worker);
    summary.textContent = `${sentence([...page, ...worker])} The marker was ${path.slice(path.lastIndexOf("/") + 1)}.`;
  } catch (error) {
    summary.textContent = `The self-test could not be finished: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function show(document: Document, painter: Painter, where: "page" | "worker", findings: readonly Finding[]): void {
  const items = findings.map((finding) => painter.paint("t-probe", { ...finding, label: labels[finding.outcome] }));
  part(document, `#self-test-${where}`, HTMLElement).replaceChildren(...items);
}

const labels: Readonly<Record<Finding["outcome"], string>> = {
  refused: "refused",
  sent: "SENT",
  absent: "not there",
  open: "not covered",
  unsaid: "unclear",
};

// sentence leads with what would worry a reader, if anything does.
function sentence(findings: readonly Finding[]): string {
  const count = (outcome: Finding["outcome"]): number => findings.filter((finding) => finding.outcome === outcome).length;
  const tried = findings.length - count("absent") - count("open");
  const parts = [`Of ${tried} ways to send it, the browser refused ${count("refused")}.`];
  if (count("sent") > 0) parts.unshift(`${count("sent")} got through: do not trust this page.`);
  if (count("unsaid") > 0) parts.push(`For ${count("unsaid")} it did not say what it did.`);
  if (count("open") > 0) parts.push("WebRTC was not tried, for no policy covers it: see below.");
  return parts.join(" ");
}
