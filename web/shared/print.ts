// A print, or a print to PDF, is the whole report: what waits in batches is
// painted, what is folded is open, and what the filter hides is there.

import { paintWaiting } from "./painter.ts";

// How many pieces are painted for it. A report that has more would take minutes
// and thousands of pages; where it ends, the print says so.
const reach = 400_000;

export function enablePrinting(document: Document): void {
  const opened: HTMLDetailsElement[] = [];
  window.addEventListener("beforeprint", () => {
    const result = document.querySelector(".result");
    if (result === null) return;
    paintWaiting(result, { left: reach });
    for (const details of result.querySelectorAll<HTMLDetailsElement>("details:not([open])")) {
      details.open = true;
      opened.push(details);
    }
  });
  window.addEventListener("afterprint", () => {
    for (const details of opened.splice(0)) details.open = false;
  });
}
