// What a reader can take away from a result: files, a print, a link. All of it
// by an action that says what it does; nothing happens by itself.

import type { Engine } from "../shared/engine.ts";
import { reportFile, save } from "../shared/file.ts";
import type { Painter } from "../shared/painter.ts";
import { part } from "../shared/part.ts";
import { decode, type Failure } from "../shared/report.ts";
import { SharePanel } from "../shared/sharing.ts";

// Offer is what there is to take away.
export interface Offer {
  readonly report: Uint8Array;
  readonly current: Uint8Array | null; // absent when the report came in a link
  readonly asOf: string;
}

export class Exports {
  #offer: Offer | null = null;
  readonly #bar: HTMLElement;
  readonly #digest: HTMLButtonElement;
  readonly #sharing: SharePanel;

  constructor(
    private readonly document: Document,
    private readonly painter: Painter,
    private readonly engine: Engine,
    private readonly say: (message: string) => void,
  ) {
    this.#bar = part(document, "#exports", HTMLElement);
    this.#sharing = new SharePanel(document, "Send the report as a file instead; the buttons above download it.");
    this.#digest = this.#button("#download-digest", (offer) => void this.#saveDigest(offer));
    this.#button("#download", ({ report }) => save(document, "manifestseal-drift-report.json", "application/json", report));
    this.#button("#download-html", () => this.#saveHTML());
    this.#button("#print", () => window.print());
    this.#button("#make-link", ({ report }) => void this.#sharing.make(report));
  }

  // offer shows the actions for a result; withdraw takes them away with it.
  offer(offer: Offer): void {
    this.withdraw();
    this.#offer = offer;
    this.#bar.hidden = false;
    this.#digest.hidden = offer.current === null;
  }

  withdraw(): void {
    this.#offer = null;
    this.#bar.hidden = true;
    this.#sharing.withdraw();
  }

  #button(selector: string, act: (offer: Offer) => void): HTMLButtonElement {
    const button = part(this.document, selector, HTMLButtonElement);
    button.addEventListener("click", () => {
      if (this.#offer !== null) act(this.#offer);
    });
    return button;
  }

  #saveHTML(): void {
    const painted = [...this.document.querySelectorAll("#sent > *, #outcome > .result")];
    save(this.document, "manifestseal-drift-report.html", "text/html", reportFile(this.document, this.painter, painted));
  }

  async #saveDigest(offer: Offer): Promise<void> {
    if (offer.current === null) return;
    try {
      const { outputs } = await this.engine.call("digest", [offer.current, new TextEncoder().encode(offer.asOf)]);
      const answer = decode<{ ok: true } | Failure>(outputs[0]);
      const block = outputs[1];
      if (!answer.ok || block === undefined) throw new Error("the engine made none");
      save(this.document, "manifestseal-digest-block.json", "application/json", block);
    } catch (error) {
      this.say(`The digest block could not be made: ${error instanceof Error ? error.message : String(error)}.`);
    }
  }
}
