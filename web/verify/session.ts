// A session holds the two panes and decides what is verified, shown and
// withdrawn. Of several runs only the newest may paint.

import { EngineSpent, EngineStopped, type Engine } from "../shared/engine.ts";
import { LinkError, reportIn } from "../shared/link.ts";
import type { Item, Painter } from "../shared/painter.ts";
import { Pane, type Held, type Side, type Urgency } from "../shared/pane.ts";
import { part } from "../shared/part.ts";
import { decode, type Failure, type ReadAnswer, type View } from "../shared/report.ts";
import { Takeaway } from "./takeaway.ts";

type State = "loading" | "ready" | "busy" | "done" | "error";

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

// While someone types, the run waits for a pause of this many milliseconds.
const pause = 300;

// Documents on this page have no cap of the paid service.
const noCap = Number.POSITIVE_INFINITY;

export class Session {
  readonly #report: Pane;
  readonly #manifest: Pane;
  readonly #outcome: HTMLElement;
  readonly #status: HTMLElement;
  readonly #takeaway: Takeaway;
  #lastRun = 0;
  #timer = 0;
  #opening = false;

  constructor(
    private readonly document: Document,
    private readonly engine: Engine,
    private readonly painter: Painter,
    private readonly keys: Uint8Array,
  ) {
    this.#outcome = part(document, "#outcome", HTMLElement);
    this.#status = part(document, "#status", HTMLElement);
    this.#takeaway = new Takeaway(document, painter, engine, keys, (message) => this.say(message));
    const pane = (side: Side): Pane =>
      new Pane(
        side,
        part(document, `#${side}`, HTMLElement),
        painter,
        noCap,
        (of, urgency) => this.#changed(of, urgency),
        (into, files) => void this.#takeFiles(into, files),
      );
    this.#report = pane("report");
    this.#manifest = pane("manifest");
    // A file dropped beside a pane must not replace the page.
    for (const kind of ["dragover", "drop"]) document.addEventListener(kind, (event) => event.preventDefault());
    this.#set("loading");
    this.say("Loading the verifier.");
  }

  // idle tells whether nothing was put in yet.
  get idle(): boolean {
    return this.#lastRun === 0;
  }

  ready(): void {
    if (!this.idle) return;
    this.#set("ready");
    this.say("");
  }

  failed(message: string): void {
    this.#set("error");
    this.say(message);
  }

  say(message: string): void {
    this.#status.textContent = message;
  }

  // openLink takes the document out of the address. Nothing of it is fetched, and
  // the address keeps it until the reader puts something else in.
  async openLink(): Promise<void> {
    const run = this.#begin();
    this.#outcome.replaceChildren();
    try {
      const document = await reportIn(location.hash);
      if (run !== this.#lastRun) return;
      this.#opening = true;
      this.#report.hold("document from the link", document);
      this.#opening = false;
    } catch (error) {
      if (run !== this.#lastRun) return;
      if (!(error instanceof LinkError)) {
        this.#stopped(run, error);
        return;
      }
      const view = { state: "not_compared", verdict: "COULD NOT OPEN THE LINK", lead: error.message, notices: [{ kind: "reason", text: error.advice }] };
      this.#outcome.replaceChildren(this.painter.paint("t-result", view));
      this.say(`Could not open the link: ${error.message}`);
      this.#settle(run, "error");
    }
  }

  // #takeFiles: of two files at once the first is the report.
  async #takeFiles(into: Pane, files: readonly File[]): Promise<void> {
    const [first, second] = files;
    if (first === undefined) return;
    try {
      if (second !== undefined) {
        const [report, manifest] = await Promise.all([first.arrayBuffer(), second.arrayBuffer()]);
        this.#report.hold(first.name, new Uint8Array(report));
        this.#manifest.hold(second.name, new Uint8Array(manifest));
      } else {
        into.hold(first.name, new Uint8Array(await first.arrayBuffer()));
      }
    } catch {
      this.failed("The file could not be read. It may have been moved or changed; choose it again.");
    }
  }

  // #begin starts a run: whatever was shown is no longer an answer.
  #begin(): number {
    window.clearTimeout(this.#timer);
    this.engine.abandon();
    this.#takeaway.withdraw();
    delete this.document.documentElement.dataset["check"];
    this.#set("busy");
    return ++this.#lastRun;
  }

  #changed(pane: Pane, urgency: Urgency): void {
    const run = this.#begin();
    // The reader's own document follows: one in the address is done with.
    if (pane === this.#report && !this.#opening && isLink(location.hash)) history.replaceState(null, "", location.pathname);
    // Nothing old stays in sight beside new input: a verdict must not be read for
    // a document that it is not about.
    this.#outcome.replaceChildren();
    if (urgency === "now") void this.#run(run);
    else this.#timer = window.setTimeout(() => void this.#run(run), pause);
  }

  async #run(run: number): Promise<void> {
    try {
      const { held } = this.#report;
      const manifest = await this.#readManifest(run);
      if (run !== this.#lastRun) return;
      if (held === null) {
        this.say(this.#manifest.held === null ? "" : "Waiting for the report.");
        this.#settle(run, "ready");
        return;
      }
      this.say("Verifying.");
      const { outputs } = await this.engine.call("verify", [held.bytes, manifest ?? new Uint8Array(), this.keys]);
      if (run !== this.#lastRun) return;
      const answer = decode<VerifyAnswer | Failure>(outputs[0]);
      if (answer.ok) await this.#show(run, held, answer, outputs);
      else this.#refused(run, answer);
    } catch (error) {
      if (run === this.#lastRun) this.#stopped(run, error);
    }
  }

  // #readManifest says under its pane what the manifest is. One that can't be read
  // keeps nobody from verifying the report.
  async #readManifest(run: number): Promise<Uint8Array | null> {
    const { held } = this.#manifest;
    if (held === null) return null;
    const { outputs } = await this.engine.call("read", [held.bytes]);
    if (run !== this.#lastRun) return null;
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
    this.#outcome.replaceChildren(...painted);
    await this.#takeaway.offer({ document: held.bytes, answer, verdict: outputs[2] ?? new Uint8Array() });
    if (run !== this.#lastRun) return;
    this.document.documentElement.dataset["check"] = answer.check;
    this.say(`Verified: ${certificate.title}.`);
    await this.painter.whole();
    if (run === this.#lastRun) this.#settle(run, "done");
  }

  #refused(run: number, failure: Failure): void {
    this.#report.show(failure);
    this.#outcome.replaceChildren();
    this.say(`Could not verify: ${failure.error.message}.`);
    this.#settle(run, "error");
  }

  // #stopped: no answer is not an answer.
  #stopped(run: number, error: unknown): void {
    const why = error instanceof EngineStopped ? error.message : String(error);
    const view = {
      state: "not_compared",
      verdict: "COULD NOT VERIFY",
      lead: "The verification stopped before it had an answer. This says nothing about the report.",
      notices: [{ kind: "reason", text: "The command manifestseal verify checks the same document without a browser." }],
    };
    this.#outcome.replaceChildren(this.painter.paint("t-result", view));
    this.say(`Could not verify: ${why}.${error instanceof EngineSpent ? " Reload the page to go on." : ""}`);
    this.#settle(run, "error");
  }

  #set(state: State): void {
    this.document.documentElement.dataset["state"] = state;
  }

  #settle(run: number, state: State): void {
    this.#set(state);
    this.document.documentElement.dataset["run"] = String(run);
  }
}

// isLink tells whether a fragment holds a document: a summary or a whole one.
export function isLink(fragment: string): boolean {
  return fragment.startsWith("#s=") || fragment.startsWith("#r=");
}
