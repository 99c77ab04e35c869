// Files that a reader takes away. Their names are fixed: nothing of a manifest
// gets into a file name.

import { paintWaiting, type Painter } from "./painter.ts";

export function save(document: Document, name: string, type: string, content: Uint8Array | string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content as Uint8Array<ArrayBuffer> | string], { type }));
  link.download = name;
  link.click();
  window.setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

const xhtml = "http://www.w3.org/1999/xhtml";

// How many pieces are painted for a file; where a longer report ends, it says so.
const reach = 400_000;

// reportFile makes one HTML file of what is painted, complete and without a
// script: the painting itself, copied node by node and serialised by the
// browser. No markup is put together from text, so nothing of a manifest can
// become any. The text is read alike as HTML and as XML.
export function reportFile(document: Document, painter: Painter, painted: readonly Element[]): string {
  for (const element of painted) paintWaiting(element, { left: reach });
  const file = document.implementation.createDocument(xhtml, "html", document.implementation.createDocumentType("html", "", ""));
  const root = file.documentElement;
  root.setAttribute("lang", "en");
  const head = file.createElementNS(xhtml, "head");
  head.append(painter.copy("t-report-head"), styleOf(document, file));
  const body = file.createElementNS(xhtml, "body");
  body.setAttribute("class", "report");
  body.append(painter.copy("t-report-body"));
  const slot = body.querySelector("[data-slot]");
  slot?.replaceWith(...painted.map((element) => forFile(file, element)));
  root.append(head, body);
  return new XMLSerializer().serializeToString(file);
}

// styleOf is the page's own style. As XML it stands in a CDATA section, as HTML
// the section's marks stand in comments: a ">" in a selector means itself in
// both.
function styleOf(document: Document, file: XMLDocument): Element {
  const sheets = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]);
  const text = sheets.map((rule) => rule.cssText).join("\n");
  if (/\]\]>|<\//.test(text)) throw new Error("the style can't stand in a file");
  const style = file.createElementNS(xhtml, "style");
  style.append("/*", file.createCDATASection(`*/\n${text}\n/*`), "*/");
  return style;
}

// Bindings and actions mean nothing in a file.
const left = /^data-(?:text|attr|if|each|by|where|unless|exact|copy|tool|only|more|opened|word|later|pending)$/;

function forFile(file: XMLDocument, painted: Element): Element {
  const copy = file.importNode(painted, true);
  for (const element of copy.querySelectorAll(".needs-script, #shown, [data-put-away], [data-verify]")) element.remove();
  for (const link of copy.querySelectorAll("a:not([href^='#'])")) {
    link.replaceWith(renamed(file, link, "code"));
  }
  for (const holder of copy.querySelectorAll("[data-more], [data-pending]")) {
    const more = file.createElementNS(xhtml, /^[ou]l$/.test(holder.localName) ? "li" : "p");
    more.textContent = "More follows. The report as JSON holds all of it.";
    if (holder.getAttribute("data-pending") !== "rest") holder.replaceChildren();
    holder.append(more);
  }
  for (const button of copy.querySelectorAll("button")) button.replaceWith(renamed(file, button, "span"));
  for (const element of [copy, ...copy.querySelectorAll("*")]) {
    for (const { name } of [...element.attributes]) {
      if (left.test(name) || name === "hidden" || name === "tabindex") element.removeAttribute(name);
    }
  }
  return copy;
}

// renamed is the visible text of an element that does something, in one that
// does nothing.
function renamed(file: XMLDocument, element: Element, name: "code" | "span"): Element {
  const plain = file.createElementNS(xhtml, name);
  plain.setAttribute("class", element.getAttribute("class") ?? "");
  for (const hidden of element.querySelectorAll(".vh")) hidden.remove();
  plain.textContent = element.textContent;
  return plain;
}
