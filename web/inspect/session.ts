// The inspect page's session: one document, and all that can be said of it.

import type { Engine } from "../shared/engine.ts";
import type { Painter } from "../shared/painter.ts";
import type { Pane, Urgency } from "../shared/pane.ts";
import { decode, graded, type Failure, type Inspection, type ReadAnswer } from "../shared/report.ts";
import { Session } from "../shared/session.ts";
import { Exports } from "./exports.ts";

export class InspectSession extends Session {
  readonly #pane: Pane;
  readonly #exports: Exports;

  constructor(document: Document, page: HTMLElement, engine: Engine, painter: Painter) {
    super(document, engine, painter, "Loading the engine.");
    this.#exports = new Exports(document, painter, engine, (message) => this.say(message));
    this.#pane = this.pane("manifest", Number(page.dataset["serviceCap"]));
  }

  hold(name: string, bytes: Uint8Array): void {
    this.#pane.hold(name, bytes);
  }

  protected override async take(into: Pane, files: readonly File[]): Promise<void> {
    const [file, second] = files;
    if (file === undefined) return;
    if (second !== undefined) {
      this.failed("This page looks at one document at a time. The compare page takes two; the command takes a whole directory.");
      return;
    }
    into.hold(file.name, new Uint8Array(await file.arrayBuffer()));
  }

  protected override withdraw(): void {
    this.#exports.withdraw();
  }

  protected override changed(_: Pane, urgency: Urgency): void {
    const run = this.begin();
    this.when(urgency, () => this.#run(run));
  }

  async #run(run: number): Promise<void> {
    const { held } = this.#pane;
    if (held === null) {
      this.outcome.replaceChildren();
      this.say("");
      this.settle(run, "ready");
      return;
    }
    try {
      this.say("Inspecting.");
      const { outputs, milliseconds } = await this.engine.call("inspect", [held.bytes]);
      if (!this.newest(run)) return;
      const answer = decode<ReadAnswer | Failure>(outputs[0]);
      this.#pane.show(answer);
      if (!answer.ok) {
        this.outcome.replaceChildren(this.painter.copy("t-unreadable"));
        this.say("Could not inspect: the document can't be read as a manifest.");
        this.settle(run, "error");
        return;
      }
      const view = graded(decode<Inspection>(outputs[1]));
      this.outcome.replaceChildren(this.painter.paint("t-inspection", view));
      if (view.state === "graded") this.#exports.offer(held.bytes);
      this.say(`${view.state === "graded" ? view.verdict : "Could not grade: there are no tools"}. Took ${milliseconds.toFixed(0)} ms.`);
      this.shown(run);
      await this.done(run);
    } catch (error) {
      if (this.newest(run)) this.stopped(run, error, "inspect");
    }
  }
}
