// The filter of a result: by status, with the counts as toggles, and by name.
// It hides, it never takes away; print and export show everything all the same.

import { thousands } from "./number.ts";
import { paintOnly, paintShown, type Item, type Selection } from "./painter.ts";

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

// Wanted is what the filter asks for. It is asked of a tool's data where the
// list was too long to be painted whole, and of its painting elsewhere.
interface Wanted {
  readonly name: string;
  readonly statuses: ReadonlySet<string>;
}

export function applyFilter(document: Document): void {
  const findings = document.querySelector(".findings");
  if (findings === null) return;
  paintShown(findings);
  const pressed = [...document.querySelectorAll<HTMLElement>('[data-only][aria-pressed="true"]')];
  const wanted: Wanted = {
    name: (filterInput(document)?.value ?? "").trim().toLowerCase(),
    statuses: new Set(pressed.map(({ dataset }) => (dataset["only"] ?? "").toUpperCase())),
  };
  const filtering = wanted.name !== "" || wanted.statuses.size > 0;
  const keeps = (item: Item): boolean => fits(wanted, String(item["status"]), namesOf(item["name"]));
  const tools: Selection = { keeps, kept: 0, all: 0 };
  for (const list of findings.querySelectorAll(".tools > div, .quiet > div")) {
    if (!paintOnly(list, tools)) hideTools(list, wanted, tools);
  }
  for (const list of findings.querySelectorAll(".rail > ol, #jump")) {
    if (!paintOnly(list, { keeps, kept: 0, all: 0 })) hideLeads(list, wanted, document);
  }
  showQuiet(findings, filtering);
  say(document, filtering ? sentence(tools) : "");
}

function fits(wanted: Wanted, status: string, names: readonly string[]): boolean {
  if (wanted.statuses.size > 0 && !wanted.statuses.has(status)) return false;
  return wanted.name === "" || names.some((name) => name.toLowerCase().includes(wanted.name));
}

// namesOf is a name as it is shown, and as it is without the labels of its
// hidden characters: a reader may look for either.
function namesOf(segments: unknown): string[] {
  const list = Array.isArray(segments) ? (segments as { kind: string; text: string }[]) : [];
  const text = (parts: typeof list): string => parts.map((part) => part.text).join("");
  return [text(list), text(list.filter(({ kind }) => kind !== "chip"))];
}

function namesIn(tool: Element): string[] {
  const parts = [...(tool.querySelector(".tool-name")?.children ?? [])];
  return namesOf(parts.map((part) => ({ kind: part.classList.contains("chip") ? "chip" : "", text: part.textContent ?? "" })));
}

function hideTools(list: Element, wanted: Wanted, tools: Selection): void {
  for (const tool of list.querySelectorAll<HTMLElement>(":scope > .tool")) {
    tool.hidden = !fits(wanted, tool.dataset["status"] ?? "", namesIn(tool));
    tools.all++;
    if (!tool.hidden) tools.kept++;
  }
}

// hideLeads keeps what leads to a tool together with the tool.
function hideLeads(list: Element, wanted: Wanted, document: Document): void {
  const options: HTMLOptionElement[] = [];
  for (const lead of list.children) {
    if (!(lead instanceof HTMLElement)) continue;
    const id = lead instanceof HTMLOptionElement ? lead.value : (lead.querySelector("a")?.hash.slice(1) ?? "");
    const tool = document.getElementById(id);
    lead.hidden = tool !== null && !fits(wanted, tool.dataset["status"] ?? "", namesIn(tool));
    if (lead instanceof HTMLOptionElement && !lead.hidden) options.push(lead);
  }
  if (options[0] !== undefined && options.every((option) => !option.selected)) options[0].selected = true;
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

function sentence({ kept, all }: Selection): string {
  return kept === 0 ? `None of ${thousands(all)} tools.` : `${thousands(kept)} of ${thousands(all)} tools.`;
}

function say(document: Document, text: string): void {
  const line = document.getElementById("shown");
  if (line !== null) line.textContent = text;
}
