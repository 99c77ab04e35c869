// What a reader can do with a painted result: copy, filter, step through the
// tools. It works on whatever painted it, browser or server, by delegation.

// enableReading wires the document once; results may come and go.
export function enableReading(document: Document): void {
  document.addEventListener("click", (event) => {
    if (!(event.target instanceof Element)) return;
    const copy = event.target.closest("[data-copy]");
    if (copy !== null) void copyBefore(copy);
    const link = event.target.closest<HTMLAnchorElement>(".rail a");
    if (link !== null) reveal(document, link.hash.slice(1));
  });
  document.addEventListener("input", (event) => {
    if (event.target instanceof HTMLInputElement && event.target.id === "filter") {
      filterTools(document, event.target.value);
    }
  });
  document.addEventListener("keydown", (event) => onKey(document, event));
}

async function copyBefore(button: Element): Promise<void> {
  const source = button.previousElementSibling;
  const text = source?.getAttribute("data-exact") ?? source?.textContent ?? "";
  try {
    await navigator.clipboard.writeText(text);
    flash(button, "Copied");
  } catch {
    // Selected text can still be copied by hand where the clipboard is closed.
    if (source !== null) getSelection()?.selectAllChildren(source);
    flash(button, "Selected");
  }
}

function flash(button: Element, word: string): void {
  button.textContent = word;
  setTimeout(() => (button.textContent = "Copy"), 1500);
}

// reveal opens a tool and whatever it stands in.
function reveal(document: Document, id: string): void {
  const tool = document.getElementById(id);
  if (tool === null) return;
  tool.querySelector("details")?.setAttribute("open", "");
  for (let at: Element | null = tool; at !== null; at = at.parentElement) {
    if (at instanceof HTMLDetailsElement) at.open = true;
  }
}

function filterTools(document: Document, query: string): void {
  const wanted = query.trim().toLowerCase();
  for (const item of document.querySelectorAll<HTMLElement>(".rail li")) {
    const link = item.querySelector("a");
    const name = item.querySelector(".tool-name")?.textContent ?? "";
    const out = !name.toLowerCase().includes(wanted);
    item.hidden = out;
    const tool = link === null ? null : document.getElementById(link.hash.slice(1));
    if (tool !== null) tool.hidden = out;
  }
}

// n and p step through the tools, / goes to the filter. Keys are left alone
// while someone writes, and with a modifier held.
function onKey(document: Document, event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey || isWriting(event.target)) return;
  if (event.key === "/") {
    const filter = document.getElementById("filter");
    if (filter === null) return;
    event.preventDefault();
    filter.focus();
  } else if (event.key === "n" || event.key === "p") {
    step(document, event.key === "n" ? 1 : -1);
  }
}

function isWriting(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("input, textarea, select") !== null;
}

function step(document: Document, by: 1 | -1): void {
  const stops = [...document.querySelectorAll<HTMLElement>(".tools > div > .tool:not([hidden]) > details > summary")];
  const at = stops.findIndex((stop) => stop === document.activeElement);
  const next = stops[at === -1 && by === -1 ? stops.length - 1 : at + by];
  if (next === undefined) return;
  next.focus();
  next.scrollIntoView({ block: "start" });
}
