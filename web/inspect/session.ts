// A session holds the pane and decides what is run, shown and withdrawn. Of
// several runs only the newest may paint.

import { EngineSpent, EngineStopped, type Engine } from "../shared/engine.ts";
import type { Painter } from "../shared/painter.ts";
import { Pane, type Urgency } from "../shared/pane.ts";
import { part } from "../shared/part.ts";
import { decode, graded, type Failure, type Inspection, type ReadAnswer } from "../shared/report.ts";
import { Exports } from "./exports.ts";

type State = "loading" | "ready" | "busy" | "done" | "error";

// While someone types, the run waits for a pause of this many milliseconds.
const pause = 300;

export class Session {
  readonly #pane: Pane;
  readonly #outcome: HTMLElement;
  readonly #status: HTMLElement;
  readonly #exports: Exports;
  #lastRun = 0;
  #timer = 0;

  constructor(
    private readonly document: Document,
    page: HTMLElement,
    private readonly engine: Engine,
    private readonly painter: Painter,
  ) {
    this.#outcome = part(document, "#outcome", HTMLElement);
    this.#status = part(document, "#status", HTMLElement);
    this.#exports = new Exports(document, painter, engine, (message) => this.say(message));
    this.#pane = new Pane(
      "manifest",
      part(document, "#manifest", HTMLElement),
      painter,
      Number(page.dataset["serviceCap"]),
      (_, urgency) => this.#changed(urgency),
      (_, files) => void this.#takeFile(files),
    );
    // A file dropped beside the pane must not replace the page.
    for (const kind of ["dragover", "drop"]) document.addEventListener(kind, (event) => event.preventDefault());
    this.#set("loading");
    this.say("Loading the engine.");
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

  hold(name: string, bytes: Uint8Array): void {
    this.#pane.hold(name, bytes);
  }

  async #takeFile(files: readonly File[]): Promise<void> {
    const [file, second] = files;
    if (file === undefined) return;
    if (second !== undefined) {
      this.failed("This page looks at one document at a time. The compare page takes two; the command takes a whole directory.");
      return;
    }
    try {
      this.#pane.hold(file.name, new Uint8Array(await file.arrayBuffer()));
    } catch {
      this.failed("The file could not be read. It may have been moved or changed; choose it again.");
    }
  }

  #changed(urgency: Urgency): void {
    window.clearTimeout(this.#timer);
    this.engine.abandon();
    this.#exports.withdraw();
    this.#set("busy");
    const run = ++this.#lastRun;
    if (urgency === "now") {
      this.#outcome.replaceChildren();
      void this.#run(run);
    } else {
      // The old result stays in sight while someone types, marked as old.
      this.#outcome.setAttribute("aria-busy", "true");
      this.#timer = window.setTimeout(() => void this.#run(run), pause);
    }
  }

  async #run(run: number): Promise<void> {
    const { held } = this.#pane;
    if (held === null) {
      this.#outcome.replaceChildren();
      this.say("");
      this.#settle(run, "ready");
      return;
    }
    try {
      this.say("Inspecting.");
      const { outputs, milliseconds } = await this.engine.call("inspect", [held.bytes]);
      if (run !== this.#lastRun) return;
      const answer = decode<ReadAnswer | Failure>(outputs[0]);
      this.#pane.show(answer);
      if (!answer.ok) {
        this.#outcome.replaceChildren(this.painter.copy("t-unreadable"));
        this.say("Could not inspect: the document can't be read as a manifest.");
        this.#settle(run, "error");
        return;
      }
      const view = graded(decode<Inspection>(outputs[1]));
      this.#outcome.replaceChildren(this.painter.paint("t-inspection", view));
      if (view.state === "graded") this.#exports.offer(held.bytes);
      this.say(`${view.state === "graded" ? view.verdict : "Could not grade: there are no tools"}. Took ${milliseconds.toFixed(0)} ms.`);
      this.document.documentElement.dataset["shown"] = String(run);
      await this.painter.whole();
      if (run === this.#lastRun) this.#settle(run, "done");
    } catch (error) {
      if (run === this.#lastRun) this.#stopped(run, error);
    }
  }

  // #stopped: no answer is not an answer. Nothing of an earlier result stays.
  #stopped(run: number, error: unknown): void {
    const spent = error instanceof EngineSpent;
    this.#outcome.replaceChildren(this.painter.copy(spent ? "t-spent" : "t-stopped"));
    const why = error instanceof EngineStopped ? error.message : String(error);
    this.say(`Could not inspect: ${why}.${spent ? " Reload the page to go on." : ""}`);
    this.#settle(run, "error");
  }

  #set(state: State): void {
    this.document.documentElement.dataset["state"] = state;
  }

  #settle(run: number, state: State): void {
    this.#outcome.removeAttribute("aria-busy");
    this.#set(state);
    this.document.documentElement.dataset["run"] = String(run);
  }
}
