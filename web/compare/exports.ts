// What a reader can take away from a result: files, a print, a link. All of it
// by an action that says what it does; nothing happens by itself.

import type { Engine } from "../shared/engine.ts";
import { reportFile, save } from "../shared/file.ts";
import { LinkError, linkOf } from "../shared/link.ts";
import { thousands } from "../shared/number.ts";
import type { Painter } from "../shared/painter.ts";
import { part } from "../shared/part.ts";
import { copyText } from "../shared/reading.ts";
import { decode, type Failure } from "../shared/report.ts";

// Offer is what there is to take away.
export interface Offer {
  readonly report: Uint8Array;
  readonly current: Uint8Array | null; // absent when the report came in a link
  readonly asOf: string;
}

export class Exports {
  #offer: Offer | null = null;
  readonly #bar: HTMLElement;
  readonly #panel: HTMLElement;
  readonly #digest: HTMLButtonElement;
  readonly #share: HTMLButtonElement;

  constructor(
    private readonly document: Document,
    private readonly painter: Painter,
    private readonly engine: Engine,
    private readonly say: (message: string) => void,
  ) {
    this.#bar = part(document, "#exports", HTMLElement);
    this.#panel = part(document, "#share-panel", HTMLElement);
    this.#digest = this.#button("#download-digest", (offer) => void this.#saveDigest(offer));
    this.#share = this.#button("#share", () => this.#toggleShare());
    this.#button("#download", ({ report }) => save(document, "manifestseal-drift-report.json", "application/json", report));
    this.#button("#download-html", () => this.#saveHTML());
    this.#button("#print", () => window.print());
    this.#button("#make-link", (offer) => void this.#makeLink(offer));
    const copy = this.#button("#copy-link", () => void copyText(copy, this.#link.value, this.#link));
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
    this.#panel.hidden = true;
    this.#share.setAttribute("aria-expanded", "false");
    this.#forgetLink();
  }

  get #link(): HTMLInputElement {
    return part(this.document, "#link", HTMLInputElement);
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

  #toggleShare(): void {
    const open = this.#panel.hidden;
    this.#panel.hidden = !open;
    this.#share.setAttribute("aria-expanded", String(open));
    if (open) part(this.document, "#share-title", HTMLElement).focus();
    else this.#forgetLink();
  }

  async #makeLink(offer: Offer): Promise<void> {
    this.#forgetLink();
    const status = part(this.document, "#share-status", HTMLElement);
    try {
      const link = await linkOf(location.origin + location.pathname, offer.report);
      if (this.#offer !== offer) return;
      this.#link.value = link;
      part(this.document, "#share-link", HTMLElement).hidden = false;
      status.textContent = `The link has ${thousands(link.length)} characters.`;
      this.#link.focus();
      this.#link.select();
    } catch (error) {
      if (this.#offer !== offer) return;
      status.textContent =
        error instanceof LinkError ? `${error.message} ${error.advice}` : "This browser can't make the link. Send the report as a file instead; the buttons above download it.";
    }
  }

  #forgetLink(): void {
    part(this.document, "#share-link", HTMLElement).hidden = true;
    part(this.document, "#share-status", HTMLElement).textContent = "";
    this.#link.value = "";
  }
}
