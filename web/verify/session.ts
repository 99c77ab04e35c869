// The verify page's session: a signed document, and the manifest that it may be
// about.

import type { Engine } from "../shared/engine.ts";
import { LinkError, reportIn } from "../shared/link.ts";
import type { Item, Painter } from "../shared/painter.ts";
import type { Held, Pane, Urgency } from "../shared/pane.ts";
import { decode, type Failure, type ReadAnswer, type View } from "../shared/report.ts";
import { Session } from "../shared/session.ts";
import { Takeaway } from "./takeaway.ts";

export interface VerifyAnswer {
  readonly ok: true;
  readonly check: string;
  readonly kind: string;
  readonly forms: readonly string[];
}

interface Certificate extends Item {
  readonly check: string;
  readonly title: string;
  readonly stands?: true;
}

// Documents on this page have no cap of the paid service.
const noCap = Number.POSITIVE_INFINITY;

export class VerifySession extends Session {
  readonly #report: Pane;
  readonly #manifest: Pane;
  readonly #takeaway: Takeaway;
  #opening = false;

  constructor(
    document: Document,
    engine: Engine,
    painter: Painter,
    private readonly keys: Uint8Array,
  ) {
    super(document, engine, painter, "Loading the verifier.");
    this.#takeaway = new Takeaway(document, painter, engine, keys, (message) => this.say(message));
    this.#report = this.pane("report", noCap);
    this.#manifest = this.pane("manifest", noCap);
  }

  // openLink takes the document out of the address. Nothing of it is fetched, and
  // the address keeps it until the reader puts something else in.
  async openLink(): Promise<void> {
    const run = this.begin();
    this.outcome.replaceChildren();
    try {
      const document = await reportIn(location.hash);
      if (!this.newest(run)) return;
      this.#opening = true;
      this.#report.hold("document from the link", document);
      this.#opening = false;
    } catch (error) {
      if (!this.newest(run)) return;
      if (!(error instanceof LinkError)) {
        this.stopped(run, error, "verify");
        return;
      }
      const view = { state: "not_compared", verdict: "COULD NOT OPEN THE LINK", lead: error.message, notices: [{ kind: "reason", text: error.advice }] };
      this.outcome.replaceChildren(this.painter.paint("t-result", view));
      this.say(`Could not open the link: ${error.message}`);
      this.settle(run, "error");
    }
  }

  // take: of two files at once the first is the report.
  protected override async take(into: Pane, files: readonly File[]): Promise<void> {
    const [first, second] = files;
    if (first === undefined) return;
    if (second === undefined) {
      into.hold(first.name, new Uint8Array(await first.arrayBuffer()));
      return;
    }
    const [report, manifest] = await Promise.all([first.arrayBuffer(), second.arrayBuffer()]);
    this.#report.hold(first.name, new Uint8Array(report));
    this.#manifest.hold(second.name, new Uint8Array(manifest));
  }

  protected override withdraw(): void {
    this.#takeaway.withdraw();
    delete this.document.documentElement.dataset["check"];
  }

  protected override changed(pane: Pane, urgency: Urgency): void {
    const run = this.begin();
    // The reader's own document follows: one in the address is done with.
    if (pane === this.#report && !this.#opening && isLink(location.hash)) history.replaceState(null, "", location.pathname);
    // Nothing old stays in sight beside new input: a verdict must not be read for
    // a document that it is not about.
    this.outcome.replaceChildren();
    this.when(urgency, () => this.#run(run));
  }

  async #run(run: number): Promise<void> {
    try {
      const { held } = this.#report;
      const manifest = await this.#readManifest(run);
      if (!this.newest(run)) return;
      if (held === null) {
        this.say(this.#manifest.held === null ? "" : "Waiting for the report.");
        this.settle(run, "ready");
        return;
      }
      this.say("Verifying.");
      const { outputs } = await this.engine.call("verify", [held.bytes, manifest ?? new Uint8Array(), this.keys]);
      if (!this.newest(run)) return;
      const answer = decode<VerifyAnswer | Failure>(outputs[0]);
      if (answer.ok) await this.#show(run, held, answer, outputs);
      else this.#refused(run, answer);
    } catch (error) {
      if (this.newest(run)) this.stopped(run, error, "verify");
    }
  }

  // #readManifest says under its pane what the manifest is. One that can't be read
  // keeps nobody from verifying the report.
  async #readManifest(run: number): Promise<Uint8Array | null> {
    const { held } = this.#manifest;
    if (held === null) return null;
    const { outputs } = await this.engine.call("read", [held.bytes]);
    if (!this.newest(run)) return null;
    const answer = decode<ReadAnswer | Failure>(outputs[0]);
    this.#manifest.show(answer);
    return answer.ok ? held.bytes : null;
  }

  async #show(run: number, held: Held, answer: VerifyAnswer, outputs: readonly (Uint8Array | undefined)[]): Promise<void> {
    const certificate = decode<Certificate>(outputs[1]);
    // The headline is painted only when both answers give the same.
    if (certificate.check !== answer.check) throw new Error("the engine's answers do not agree");
    this.#report.show({ ok: true, shape: answer.kind, shown_notes: [] });
    const painted: Node[] = [this.painter.paint("t-certificate", certificate)];
    const view = outputs[3];
    if (view !== undefined && view.length > 0) {
      painted.push(this.painter.copy(certificate.stands === true ? "t-claimed" : "t-not-relied"));
      painted.push(this.painter.paint("t-result", decode<View>(view)));
    }
    this.outcome.replaceChildren(...painted);
    await this.#takeaway.offer({ document: held.bytes, answer, verdict: outputs[2] ?? new Uint8Array() });
    if (!this.newest(run)) return;
    this.document.documentElement.dataset["check"] = answer.check;
    this.say(`Verified: ${certificate.title}.`);
    await this.done(run);
  }

  #refused(run: number, failure: Failure): void {
    this.#report.show(failure);
    this.outcome.replaceChildren();
    this.say(`Could not verify: ${failure.error.message}.`);
    this.settle(run, "error");
  }

  protected override stoppedPainting(): Node {
    return this.painter.paint("t-result", {
      state: "not_compared",
      verdict: "COULD NOT VERIFY",
      lead: "The verification stopped before it had an answer. This says nothing about the report.",
      notices: [{ kind: "reason", text: "The command manifestseal verify checks the same document without a browser." }],
    });
  }
}

// isLink tells whether a fragment holds a document: a summary or a whole one.
export function isLink(fragment: string): boolean {
  return fragment.startsWith("#s=") || fragment.startsWith("#r=");
}
