// The keys of a result. Single keys can be switched off (WCAG 2.1.4): people
// who speak to their computer, or whose hands slip, press them by accident.
// That choice is the one thing the page remembers.

import { paintShown } from "./painter.ts";

const stored = "manifestseal.single-keys";

type Action = (document: Document) => boolean;

export function enableKeys(document: Document): void {
  const help = new Help(document);
  const actions: Readonly<Record<string, Action | undefined>> = { ...moves, "?": () => help.toggle() };
  const choice = document.getElementById("single-keys");
  if (choice instanceof HTMLInputElement) {
    choice.checked = remembered() !== "off";
    choice.addEventListener("change", () => remember(choice.checked ? "on" : "off"));
  }
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") help.close();
    if (isWriting(event.target) || (choice instanceof HTMLInputElement && !choice.checked)) return;
    const act = actions[event.key];
    if (act?.(document) === true) event.preventDefault();
  });
}

// Each tells whether there was something to do.
const moves: Readonly<Record<string, Action>> = {
  n: (document) => step(document, 1),
  p: (document) => step(document, -1),
  o: toggleTool,
  "/": goToFilter,
};

// Storage can be closed to a page; the choice then holds while it is open.
function remembered(): string | null {
  try {
    return localStorage.getItem(stored);
  } catch {
    return null;
  }
}

function remember(value: string): void {
  try {
    localStorage.setItem(stored, value);
  } catch {
    return;
  }
}

function isWriting(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("input:not([type=checkbox]), textarea, select") !== null;
}

// step goes through the tools that differ and, in those that are open, through
// the places that do.
function step(document: Document, by: 1 | -1): boolean {
  paintShown(document);
  const stops = [...document.querySelectorAll<HTMLElement>(stopsInResult)].filter((stop) => stop.checkVisibility());
  const now = document.activeElement;
  let next = stops.findIndex((stop) => stop === now) + by;
  if (now === null || !stops.includes(now as HTMLElement)) next = nearest(stops, now, by);
  const stop = stops[next];
  if (stop === undefined) return stops.length > 0;
  if (stop.tabIndex < 0) stop.tabIndex = -1;
  stop.focus({ preventScroll: true });
  stop.scrollIntoView({ block: "start" });
  return true;
}

const stopsInResult =
  ".tools > div > .tool > details > summary, .tools > div > .tool > details[open] .part h4, .list-parts .part h4";

// nearest is the first stop after the focus, or the last one before it.
function nearest(stops: readonly HTMLElement[], now: Element | null, by: 1 | -1): number {
  if (now === null || now === now.ownerDocument.body) return by === 1 ? 0 : stops.length - 1;
  const follows = (stop: HTMLElement): boolean => (now.compareDocumentPosition(stop) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
  const after = stops.findIndex(follows);
  if (by === 1) return after === -1 ? stops.length : after;
  return (after === -1 ? stops.length : after) - 1;
}

// toggleTool opens or closes the tool that the focus is in. Enter does so by
// itself on a summary.
function toggleTool(document: Document): boolean {
  const details = document.activeElement?.closest(".tool")?.querySelector("details");
  if (details === null || details === undefined) return false;
  details.open = !details.open;
  details.querySelector("summary")?.focus();
  return true;
}

function goToFilter(document: Document): boolean {
  const filter = document.getElementById("filter");
  if (filter === null) return false;
  filter.focus();
  return true;
}

// Help is the list of keys. It puts the focus back where it was.
class Help {
  #before: Element | null = null;

  constructor(private readonly document: Document) {}

  get #panel(): HTMLDetailsElement | null {
    const panel = this.document.getElementById("keys");
    return panel instanceof HTMLDetailsElement ? panel : null;
  }

  toggle(): boolean {
    const panel = this.#panel;
    if (panel === null) return false;
    if (panel.open) {
      this.close();
      return true;
    }
    this.#before = this.document.activeElement;
    panel.open = true;
    panel.querySelector("summary")?.focus({ preventScroll: true });
    panel.scrollIntoView({ block: "nearest" });
    return true;
  }

  close(): void {
    const panel = this.#panel;
    if (panel === null || !panel.open) return;
    panel.open = false;
    if (this.#before instanceof HTMLElement && this.#before.isConnected) this.#before.focus();
    this.#before = null;
  }
}
