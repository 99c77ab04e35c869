// A print, or a print to PDF, is the whole report: what waits in batches is
// painted, what is folded is open, and what the filter hides is there.

import { paintWaiting } from "./painter.ts";

// A report that is longer than this is not made whole: it would take minutes
// and thousands of pages. The buttons that then remain in print say so.
const reach = 200_000;

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
