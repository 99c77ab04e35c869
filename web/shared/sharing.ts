// The panel that says what a link holds, and makes one when it is asked to. A link
// goes with what it was made of.

import { LinkError, linkOf, type LinkKind } from "./link.ts";
import { thousands } from "./number.ts";
import { part } from "./part.ts";
import { copyText } from "./reading.ts";

export class SharePanel {
  readonly #panel: HTMLElement;
  readonly #share: HTMLButtonElement;
  readonly #link: HTMLInputElement;
  readonly #status: HTMLElement;
  #turn = 0; // of the making: only the newest may show its link

  // instead is what to do where the browser can't make a link.
  constructor(
    private readonly document: Document,
    private readonly instead: string,
  ) {
    this.#panel = part(document, "#share-panel", HTMLElement);
    this.#share = part(document, "#share", HTMLButtonElement);
    this.#link = part(document, "#link", HTMLInputElement);
    this.#status = part(document, "#share-status", HTMLElement);
    this.#share.addEventListener("click", () => this.#toggle());
    const copy = part(document, "#copy-link", HTMLButtonElement);
    copy.addEventListener("click", () => void copyText(copy, this.#link.value, this.#link));
  }

  // make puts a link into the panel, and ready for copying.
  async make(content: Uint8Array | Promise<Uint8Array>, kind: LinkKind = "r"): Promise<void> {
    this.#forget();
    const turn = this.#turn;
    try {
      const link = await linkOf(location.origin + location.pathname, await content, kind);
      if (turn !== this.#turn) return;
      this.#link.value = link;
      part(this.document, "#share-link", HTMLElement).hidden = false;
      this.#status.textContent = `The link has ${thousands(link.length)} characters.`;
      this.#link.focus();
      this.#link.select();
    } catch (error) {
      if (turn !== this.#turn) return;
      this.#status.textContent = error instanceof LinkError ? `${error.message} ${error.advice}` : `This browser can't make the link. ${this.instead}`;
    }
  }

  withdraw(): void {
    this.#panel.hidden = true;
    this.#share.setAttribute("aria-expanded", "false");
    this.#forget();
  }

  #toggle(): void {
    const open = this.#panel.hidden;
    this.withdraw();
    if (!open) return;
    this.#panel.hidden = false;
    this.#share.setAttribute("aria-expanded", "true");
    part(this.document, "#share-title", HTMLElement).focus();
  }

  #forget(): void {
    this.#turn++;
    part(this.document, "#share-link", HTMLElement).hidden = true;
    this.#status.textContent = "";
    this.#link.value = "";
  }
}
