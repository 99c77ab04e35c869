// What a reader can take away from an inspection, by an action that says what it
// does. What the page itself doesn't show is made only when it is asked for.

import type { Engine } from "../shared/engine.ts";
import { reportFile, save } from "../shared/file.ts";
import type { Painter } from "../shared/painter.ts";
import { part } from "../shared/part.ts";
import { copyText } from "../shared/reading.ts";
import { decode, type Failure } from "../shared/report.ts";

export class Exports {
  #document: Uint8Array | null = null; // what was inspected
  #asOf = "";
  readonly #bar: HTMLElement;

  constructor(
    private readonly document: Document,
    private readonly painter: Painter,
    private readonly engine: Engine,
    private readonly say: (message: string) => void,
  ) {
    this.#bar = part(document, "#exports", HTMLElement);
    this.#button("#download", () => this.#saveMade("scan", "manifestseal-scan.json"));
    this.#button("#download-grade", () => this.#saveMade("grade", "manifestseal-grade.json"));
    this.#button("#download-digest", () => this.#saveMade("digest", "manifestseal-digest-block.json"));
    const copy = this.#button("#copy-digest", async () => {
      await copyText(copy, new TextDecoder().decode(await this.#make("digest")), null);
    });
    this.#button("#download-html", () => this.#saveHTML());
    this.#button("#print", () => window.print());
  }

  // offer shows the actions for a result; withdraw takes them away with it.
  offer(inspected: Uint8Array): void {
    this.#document = inspected;
    this.#asOf = new Date().toISOString();
    this.#bar.hidden = false;
  }

  withdraw(): void {
    this.#document = null;
    this.#bar.hidden = true;
  }

  #button(selector: string, act: () => Promise<void> | void): HTMLButtonElement {
    const button = part(this.document, selector, HTMLButtonElement);
    button.addEventListener("click", () => void this.#do(act));
    return button;
  }

  async #do(act: () => Promise<void> | void): Promise<void> {
    if (this.#document === null) return;
    try {
      await act();
    } catch (error) {
      this.say(`That could not be made: ${error instanceof Error ? error.message : String(error)}.`);
    }
  }

  // #make has the engine make one of the command's documents.
  async #make(method: "scan" | "grade" | "digest"): Promise<Uint8Array> {
    if (this.#document === null) throw new Error("there is nothing to make it of");
    const inputs = method === "digest" ? [this.#document, new TextEncoder().encode(this.#asOf)] : [this.#document];
    const { outputs } = await this.engine.call(method, inputs);
    const answer = decode<{ ok: true } | Failure>(outputs[0]);
    const made = outputs[1];
    if (!answer.ok || made === undefined) throw new Error("the engine made none");
    return made;
  }

  async #saveMade(method: "scan" | "grade" | "digest", name: string): Promise<void> {
    save(this.document, name, "application/json", await this.#make(method));
  }

  #saveHTML(): void {
    const painted = [...this.document.querySelectorAll("#outcome > .result")];
    save(this.document, "manifestseal-inspection.html", "text/html", reportFile(this.document, this.painter, painted));
  }
}
