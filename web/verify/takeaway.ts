// What a reader can take away from a verdict: files for other tools, commands
// filled in with the document's own values, a print, a link. All of it by an
// action that says what it does; nothing happens by itself.

import { toBase64 } from "../shared/base64.ts";
import type { Engine } from "../shared/engine.ts";
import { save } from "../shared/file.ts";
import type { Painter } from "../shared/painter.ts";
import { part } from "../shared/part.ts";
import { decode, type Failure } from "../shared/report.ts";
import { SharePanel } from "../shared/sharing.ts";
import { recipesFor, type KeySet } from "./recipes.ts";
import type { VerifyAnswer } from "./session.ts";

interface Offer {
  readonly document: Uint8Array;
  readonly verdict: Uint8Array;
  readonly answer: VerifyAnswer;
}

interface Form {
  readonly form: string;
  readonly label: string;
  readonly what: string;
  readonly file: string;
  readonly type: string;
}

const json = "application/json";

// In the order in which they are offered. The first two are the page's own.
const forms: readonly Form[] = [
  { form: "document", label: "The document", what: "as you put it in", file: "manifestseal-report.json", type: json },
  { form: "verdict", label: "The verdict", what: "each check, for a program", file: "manifestseal-verdict.json", type: json },
  { form: "signed", label: "Signed bytes", what: "what the signature covers, to the byte", file: "manifestseal-signed.json", type: json },
  { form: "signature", label: "Signature", what: "its 64 bytes", file: "manifestseal-signature.bin", type: "application/octet-stream" },
  { form: "public_key", label: "Public key", what: "as PEM", file: "manifestseal-key.pem", type: "application/x-pem-file" },
  { form: "keys", label: "Key set", what: "the same key as JWKS", file: "manifestseal-keys.json", type: json },
  { form: "dsse", label: "DSSE envelope", what: "with the report as payload", file: "manifestseal-envelope.json", type: json },
  { form: "jws", label: "JWS", what: "compact", file: "manifestseal-report.jws", type: "application/jose" },
  { form: "jws_json", label: "JWS as JSON", what: "flattened", file: "manifestseal-jws.json", type: "application/jose+json" },
  { form: "in_toto", label: "in-toto Statement", what: "around the envelope; the Statement itself is not signed", file: "manifestseal-statement.json", type: json },
  { form: "block", label: "Digest block and signature", what: "the baseline of a next comparison", file: "manifestseal-baseline.json", type: json },
  { form: "summary_link", label: "Summary and signature", what: "what a link holds", file: "manifestseal-summary.json", type: json },
];

// Commands are offered where they would say what the verdict says.
const standing = ["valid", "retired_key", "development_key"];

export class Takeaway {
  #offer: Offer | null = null;
  readonly #section: HTMLElement;
  readonly #bar: HTMLElement;
  readonly #sharing: SharePanel;

  constructor(
    private readonly document: Document,
    private readonly painter: Painter,
    private readonly engine: Engine,
    private readonly keys: Uint8Array,
    private readonly say: (message: string) => void,
  ) {
    this.#section = part(document, "#takeaway", HTMLElement);
    this.#bar = part(document, "#exports", HTMLElement);
    this.#sharing = new SharePanel(document, "Send the document as a file instead.");
    this.#button("#print", () => window.print());
    this.#button("#link-summary", (offer) => void this.#sharing.make(this.#export(offer, "summary_link"), "s"));
    this.#button("#link-whole", ({ document }) => void this.#sharing.make(document));
    this.#section.addEventListener("click", (event) => {
      const button = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-form]") : null;
      if (button !== null && this.#offer !== null) void this.#save(this.#offer, button.dataset["form"] ?? "");
    });
  }

  // offer shows the actions for a verdict; withdraw takes them away with it.
  async offer(offer: Offer): Promise<void> {
    this.withdraw();
    this.#offer = offer;
    const recipes = await this.#recipes(offer);
    if (this.#offer !== offer) return;
    const has = (form: Form): boolean => form.form === "document" || form.form === "verdict" || offer.answer.forms.includes(form.form);
    part(this.document, "#forms", HTMLElement).replaceChildren(...forms.filter(has).map((form) => this.painter.paint("t-form", { ...form })));
    part(this.document, "#recipes", HTMLElement).replaceChildren(...recipes);
    part(this.document, "#no-recipes", HTMLElement).hidden = recipes.length > 0;
    part(this.document, "#share-summary", HTMLElement).hidden = !offer.answer.forms.includes("summary_link");
    this.#section.hidden = false;
    this.#bar.hidden = false;
  }

  withdraw(): void {
    this.#offer = null;
    this.#section.hidden = true;
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

  async #export(offer: Offer, form: string): Promise<Uint8Array> {
    if (form === "document") return offer.document;
    if (form === "verdict") return offer.verdict;
    const { outputs } = await this.engine.call("export", [offer.document, new TextEncoder().encode(form), this.keys]);
    const answer = decode<{ ok: true } | Failure>(outputs[0]);
    const content = outputs[1];
    if (!answer.ok) throw new Error(answer.error.message);
    if (content === undefined) throw new Error("the engine made none");
    return content;
  }

  async #save(offer: Offer, name: string): Promise<void> {
    const form = forms.find((known) => known.form === name);
    if (form === undefined) return;
    try {
      save(this.document, form.file, form.type, await this.#export(offer, name));
    } catch (error) {
      this.say(`The file could not be made: ${error instanceof Error ? error.message : String(error)}.`);
    }
  }

  async #recipes(offer: Offer): Promise<Node[]> {
    const { answer } = offer;
    if (!standing.includes(answer.check) || !answer.forms.includes("keys") || !answer.forms.includes("signature")) return [];
    const [keys, pem, signature] = await Promise.all(["keys", "public_key", "signature"].map((form) => this.#export(offer, form)));
    if (keys === undefined || pem === undefined || signature === undefined) return [];
    const text = new TextDecoder();
    const values = { kind: answer.kind, forms: answer.forms, keys: decode<KeySet>(keys), pem: text.decode(pem), signature: toBase64(signature) };
    return recipesFor(values).map((recipe) => this.painter.paint("t-recipe", { ...recipe }));
  }
}
