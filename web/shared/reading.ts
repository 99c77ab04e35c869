// What a reader can do with a painted result: copy, go to a tool, filter, walk
// by keys, print. It works on whatever painted it, browser or server, by
// delegation.

import { applyFilter, clearFilter, toggleStatus } from "./filter.ts";
import { enableKeys } from "./keys.ts";
import { paintShown } from "./painter.ts";
import { enablePrinting } from "./print.ts";

// A list of more tools than this takes time to paint anew: the filter then waits
// for a pause in the writing, of so many milliseconds.
const soonest = 300;
const pause = 200;

// enableReading wires the document once; results may come and go.
export function enableReading(document: Document): void {
  let timer = 0;
  const filterSoon = (): void => {
    window.clearTimeout(timer);
    const long = document.querySelectorAll(".rail li").length > soonest;
    if (long) timer = window.setTimeout(() => applyFilter(document), pause);
    else applyFilter(document);
  };
  document.addEventListener("click", (event) => {
    if (!(event.target instanceof Element)) return;
    const copy = event.target.closest("[data-copy]");
    if (copy !== null) void copyBefore(copy);
    const link = event.target.closest<HTMLAnchorElement>("a[data-tool]");
    if (link !== null) {
      // The address bar keeps what it has: it may hold a whole report.
      event.preventDefault();
      goTo(document, link.hash.slice(1));
    }
    const only = event.target.closest<HTMLElement>("[data-only]");
    if (only !== null) toggleStatus(document, only);
    if (event.target.closest("[data-jump]") !== null) {
      const jump = document.getElementById("jump");
      if (jump instanceof HTMLSelectElement) goTo(document, jump.value);
    }
  });
  document.addEventListener("input", (event) => {
    if (event.target instanceof HTMLInputElement && event.target.id === "filter") filterSoon();
  });
  enableKeys(document);
  enablePrinting(document);
}

// goTo opens a tool and whatever it stands in, and puts the focus there. A tool
// that the filter hides comes back: it was asked for.
export function goTo(document: Document, id: string): void {
  paintShown(document);
  let tool = document.getElementById(id);
  if (tool?.hidden === true) clearFilter(document);
  tool = document.getElementById(id);
  if (tool === null) return;
  const details = tool.querySelector("details");
  if (details !== null) details.open = true;
  for (let at: Element | null = tool; at !== null; at = at.parentElement) {
    if (at instanceof HTMLDetailsElement) at.open = true;
  }
  const summary = tool.querySelector<HTMLElement>("summary");
  summary?.focus({ preventScroll: true });
  tool.scrollIntoView({ block: "start" });
}

async function copyBefore(button: Element): Promise<void> {
  const source = button.previousElementSibling;
  const text = source?.getAttribute("data-exact") ?? source?.textContent ?? "";
  await copyText(button, text, source);
}

// copyText copies, and says so on the button. Where the clipboard is closed the
// shown text is selected, which can be copied by hand.
export async function copyText(button: Element, text: string, shown: Element | null): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    flash(button, "Copied");
  } catch {
    if (shown !== null) getSelection()?.selectAllChildren(shown);
    flash(button, "Selected");
  }
}

function flash(button: Element, word: string): void {
  const before = button.getAttribute("data-word") ?? button.textContent ?? "";
  button.setAttribute("data-word", before);
  button.textContent = word;
  setTimeout(() => {
    button.textContent = before;
    button.removeAttribute("data-word");
  }, 1500);
}
