// The filter of a result: by status, with the counts as toggles, and by name.
// It hides, it never takes away; print and export show everything all the same.

import { paintWaiting } from "./painter.ts";

// Tools are painted in batches. The filter paints so many, so that it looks at
// all but the longest lists, and says where it stops.
const reach = 10_000;

export function toggleStatus(document: Document, toggle: HTMLElement): void {
  const pressed = toggle.getAttribute("aria-pressed") === "true";
  toggle.setAttribute("aria-pressed", String(!pressed));
  applyFilter(document);
}

export function clearFilter(document: Document): void {
  for (const toggle of document.querySelectorAll("[data-only]")) toggle.setAttribute("aria-pressed", "false");
  const input = filterInput(document);
  if (input !== null) input.value = "";
  applyFilter(document);
}

function filterInput(document: Document): HTMLInputElement | null {
  const input = document.getElementById("filter");
  return input instanceof HTMLInputElement ? input : null;
}

export function applyFilter(document: Document): void {
  const findings = document.querySelector(".findings");
  if (findings === null) return;
  const wanted = (filterInput(document)?.value ?? "").trim().toLowerCase();
  const statuses = new Set(
    [...document.querySelectorAll<HTMLElement>('[data-only][aria-pressed="true"]')].map(({ dataset }) => dataset["only"]?.toUpperCase()),
  );
  const filtering = wanted !== "" || statuses.size > 0;
  const lists = ".rail > ol > [data-more], #jump > [data-more], .tools > div > [data-more], .quiet > div > [data-more]";
  // Four lists hold the tools; each may use its part.
  const whole = !filtering || paintWaiting(document, { left: 4 * reach }, lists);
  const shown = new Set<string>();
  let all = 0;
  for (const tool of findings.querySelectorAll<HTMLElement>(".tool")) {
    all++;
    const status = tool.dataset["status"] ?? "";
    const out = (statuses.size > 0 && !statuses.has(status)) || !nameHas(tool, wanted);
    tool.hidden = out;
    if (!out) shown.add(tool.id);
  }
  for (const link of findings.querySelectorAll<HTMLAnchorElement>(".rail li > a")) {
    const item = link.parentElement;
    if (item !== null) item.hidden = filtering && !shown.has(link.hash.slice(1));
  }
  for (const option of findings.querySelectorAll<HTMLOptionElement>("#jump > option")) {
    option.hidden = filtering && !shown.has(option.value);
  }
  const first = [...findings.querySelectorAll<HTMLOptionElement>("#jump > option:not([hidden])")][0];
  if (filtering && first !== undefined) first.selected = true;
  showQuiet(findings, filtering);
  say(document, filtering ? sentence(shown.size, all, whole) : "");
}

// nameHas compares with the name as it is shown, and as it is without the
// labels of its hidden characters.
function nameHas(tool: Element, wanted: string): boolean {
  if (wanted === "") return true;
  const name = tool.querySelector(".tool-name");
  const shown = name?.textContent?.toLowerCase() ?? "";
  if (shown.includes(wanted)) return true;
  const letters = [...(name?.children ?? [])].filter((part) => !part.classList.contains("chip"));
  return letters.map((part) => part.textContent).join("").toLowerCase().includes(wanted);
}

// showQuiet opens the fold of the quiet tools while what is looked for is in it.
function showQuiet(findings: Element, filtering: boolean): void {
  const quiet = findings.querySelector<HTMLDetailsElement>(".quiet");
  if (quiet === null) return;
  const found = quiet.querySelector(".tool:not([hidden])") !== null;
  quiet.hidden = filtering && !found;
  if (filtering && found) {
    if (!quiet.open) quiet.dataset["opened"] = "";
    quiet.open = true;
  } else if (!filtering && quiet.dataset["opened"] !== undefined) {
    quiet.open = false;
    delete quiet.dataset["opened"];
  }
}

function sentence(shown: number, all: number, whole: boolean): string {
  const count = (n: number): string => n.toLocaleString("en");
  const text = shown === 0 ? `None of ${count(all)} tools.` : `${count(shown)} of ${count(all)} tools.`;
  return whole ? text : `${text} The list is longer than the filter looks; show more of it to go on.`;
}

function say(document: Document, text: string): void {
  const line = document.getElementById("shown");
  if (line !== null) line.textContent = text;
}
