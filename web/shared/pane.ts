// A pane holds one document: what it is, where it came from, and what is said
// about it. It reads files as bytes and never changes them.

import { thousands } from "./number.ts";
import { part } from "./part.ts";
import type { Painter } from "./painter.ts";
import { placeOf, type Failure, type Problem, type ReadAnswer, type ShownNote } from "./report.ts";

// Side is the pane's place on its page.
export type Side = "baseline" | "current" | "manifest" | "report";

// Held is one document in a pane.
export interface Held {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly origin: "typed" | "pasted" | "file";
  readonly shown: boolean; // whether the text area shows it
}

// Urgency says whether a change is a whole document or a key press.
export type Urgency = "now" | "pause";

// Above this a text area gets slow, and nobody edits by hand.
const editable = 200_000;

export class Pane {
  held: Held | null = null;
  readonly #input: HTMLTextAreaElement;
  readonly #file: HTMLInputElement;
  readonly #heldNote: HTMLElement;
  readonly #facts: HTMLElement;
  readonly #problem: HTMLElement;
  #pasting = false;

  constructor(
    readonly side: Side,
    private readonly root: HTMLElement,
    private readonly painter: Painter,
    private readonly serviceCap: number,
    private readonly changed: (pane: Pane, urgency: Urgency) => void,
    private readonly takeFiles: (pane: Pane, files: readonly File[]) => void,
  ) {
    this.#input = part(root, "textarea[data-input]", HTMLTextAreaElement);
    this.#file = part(root, "[data-file]", HTMLInputElement);
    this.#heldNote = part(root, "[data-held]", HTMLElement);
    this.#facts = part(root, "[data-facts]", HTMLElement);
    this.#problem = part(root, "[data-problem]", HTMLElement);
    this.#listen();
  }

  // hold takes a document as bytes, as a file or a fetched example gives it.
  hold(name: string, bytes: Uint8Array, origin: Held["origin"] = "file"): void {
    const text = bytes.length <= editable ? textOf(bytes) : null;
    this.held = { name, bytes, origin, shown: text !== null };
    this.#input.value = text ?? "";
    this.#input.hidden = text === null;
    this.#heldNote.hidden = text !== null;
    this.#heldNote.replaceChildren(this.painter.paint("t-held", { name, size: sizeOf(bytes.length) }));
    this.#forget();
    this.changed(this, "now");
  }

  clear(): void {
    this.held = null;
    this.#input.value = "";
    this.#input.hidden = false;
    this.#heldNote.hidden = true;
    this.#forget();
    this.changed(this, "now");
  }

  // take puts another pane's document here, or nothing when it had none.
  take(held: Held | null): void {
    if (held === null) this.clear();
    else this.hold(held.name, held.bytes, held.origin);
  }

  // show says under the pane what the engine read.
  show(answer: ReadAnswer | Failure): void {
    const held = this.held;
    if (held === null) return;
    const notes: ShownNote[] = answer.ok ? [...answer.shown_notes] : [];
    if (answer.ok && answer.anchor !== undefined) notes.unshift({ code: "anchor", message: answer.anchor });
    if (held.bytes.length > this.serviceCap) {
      const message = `Larger than the ${this.serviceCap / 1024} KiB the paid service takes; no limit applies in this page.`;
      notes.push({ code: "over_service_cap", message });
    }
    const facts = {
      name: held.name,
      size: sizeOf(held.bytes.length),
      tools: answer.ok ? String(answer.tool_count ?? "") : "",
      digest: answer.ok ? (answer.aggregate_digest ?? "") : "",
      notes,
    };
    this.#facts.replaceChildren(this.painter.paint("t-facts", facts));
    if (answer.ok) this.#setProblem(null);
    else this.#setProblem(answer.error);
  }

  #setProblem(problem: Problem | null): void {
    this.root.toggleAttribute("data-invalid", problem !== null);
    this.#input.setAttribute("aria-invalid", String(problem !== null));
    if (problem === null) {
      this.#problem.replaceChildren();
      return;
    }
    const shown = this.held?.shown === true && problem.line !== undefined;
    const item = { ...problem, place: placeOf(problem), selectable: shown };
    this.#problem.replaceChildren(this.painter.paint("t-problem", item));
    if (!shown) return;
    this.#problem.querySelector("[data-show]")?.addEventListener("click", () => this.#select(problem, true));
    if (this.held?.origin === "pasted") this.#select(problem, false);
  }

  // #select marks the place of a problem. Focus moves only when asked for, or
  // when it is here already.
  #select(problem: Problem, focus: boolean): void {
    const lines = this.#input.value.split("\n");
    const line = Math.min(problem.line ?? 1, lines.length);
    const before = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0);
    // Columns count characters, a text area counts UTF-16 units.
    const ahead = [...(lines[line - 1] ?? "")].slice(0, (problem.column ?? 1) - 1);
    const at = before + ahead.join("").length;
    if (focus) this.#input.focus();
    this.#input.setSelectionRange(at, at + 1);
    const height = this.#input.scrollHeight / Math.max(lines.length, 1);
    this.#input.scrollTop = Math.max(0, (line - 3) * height);
  }

  #forget(): void {
    this.#facts.replaceChildren();
    this.#setProblem(null);
  }

  #listen(): void {
    this.#input.addEventListener("paste", (event) => this.#onPaste(event));
    this.#input.addEventListener("input", () => this.#onInput());
    this.#file.addEventListener("change", () => {
      const files = [...(this.#file.files ?? [])];
      this.#file.value = ""; // so that the same file can be picked again
      this.takeFiles(this, files);
    });
    part(this.root, "[data-clear]", HTMLButtonElement).addEventListener("click", () => {
      this.clear();
      this.#input.focus();
    });
    this.root.addEventListener("dragover", (event) => {
      event.preventDefault();
      this.root.toggleAttribute("data-drop", true);
    });
    this.root.addEventListener("dragleave", () => this.root.toggleAttribute("data-drop", false));
    this.root.addEventListener("drop", (event) => this.#onDrop(event));
  }

  #onPaste(event: ClipboardEvent): void {
    const text = event.clipboardData?.getData("text/plain") ?? "";
    this.#pasting = true;
    if (text.length <= editable) return;
    event.preventDefault();
    this.#pasting = false;
    this.#holdText("pasted text", text, "pasted");
  }

  #onInput(): void {
    const origin = this.#pasting ? "pasted" : "typed";
    this.#pasting = false;
    const text = this.#input.value;
    if (text.trim() === "") {
      this.held = null;
      this.#forget();
      this.changed(this, "now");
      return;
    }
    const name = origin === "pasted" ? "pasted text" : "typed text";
    if (brokenPair.test(text)) {
      this.#refuse(name, text);
      return;
    }
    this.held = { name, bytes: new TextEncoder().encode(text), origin, shown: true };
    this.changed(this, origin === "pasted" ? "now" : "pause");
  }

  #holdText(name: string, text: string, origin: Held["origin"]): void {
    if (brokenPair.test(text)) this.#refuse(name, text);
    else this.hold(name, new TextEncoder().encode(text), origin);
  }

  // #refuse: text with half a surrogate pair can't become UTF-8, and putting
  // U+FFFD in its place could make two different documents compare as equal.
  // An invalid byte makes the engine say so in its own words.
  #refuse(name: string, text: string): void {
    const [before = ""] = text.split(brokenPair, 1);
    const head = new TextEncoder().encode(before);
    const bytes = new Uint8Array(head.length + 1);
    bytes.set(head);
    bytes[head.length] = 0xff;
    this.held = { name, bytes, origin: "pasted", shown: false };
    this.changed(this, "now");
  }

  #onDrop(event: DragEvent): void {
    event.preventDefault();
    this.root.toggleAttribute("data-drop", false);
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files.length > 0) this.takeFiles(this, files);
    const text = event.dataTransfer?.getData("text/plain") ?? "";
    if (files.length === 0 && text !== "") this.#holdText("dropped text", text, "pasted");
  }
}

const brokenPair = /\p{Surrogate}/u;

// textOf decodes for display only; the engine gets the bytes. Null when the
// bytes are no text that a text area could show.
function textOf(bytes: Uint8Array): string | null {
  const utf16 = bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16le" : "utf-16be";
  const marked = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  try {
    return new TextDecoder(marked ? utf16 : "utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

export function sizeOf(bytes: number): string {
  const exact = `${thousands(bytes)} bytes`;
  return bytes < 100_000 ? exact : `${(bytes / 1024).toFixed(0)} KiB (${exact})`;
}
