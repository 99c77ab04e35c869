// A session decides what its page runs, shows and withdraws. Of several runs only
// the newest may paint. What happens is told to tests and tools by two attributes
// of the root element: data-state, and data-run, which grows with every settled
// run.

import { EngineSpent, EngineStopped, type Engine } from "./engine.ts";
import type { Painter } from "./painter.ts";
import { Pane, type Side, type Urgency } from "./pane.ts";
import { part } from "./part.ts";

export type State = "loading" | "ready" | "busy" | "done" | "error";

// While someone types, the run waits for a pause of this many milliseconds.
const pause = 300;

export abstract class Session {
  protected readonly outcome: HTMLElement;
  readonly #status: HTMLElement;
  #lastRun = 0;
  #timer = 0;

  // loading is what is said until the engine is there.
  constructor(
    protected readonly document: Document,
    protected readonly engine: Engine,
    protected readonly painter: Painter,
    loading: string,
  ) {
    this.outcome = part(document, "#outcome", HTMLElement);
    this.#status = part(document, "#status", HTMLElement);
    // A file dropped beside a pane must not replace the page.
    for (const kind of ["dragover", "drop"]) document.addEventListener(kind, (event) => event.preventDefault());
    this.#set("loading");
    this.say(loading);
  }

  // changed is told of every change of a pane.
  protected abstract changed(pane: Pane, urgency: Urgency): void;

  // take puts files into panes: first the one that they were given to.
  protected abstract take(into: Pane, files: readonly File[]): Promise<void>;

  // withdraw takes away what belongs to a result: files, links, labels.
  protected abstract withdraw(): void;

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

  // pane finds a pane of the page. The cap is the paid service's, in bytes.
  protected pane(side: Side, cap: number): Pane {
    return new Pane(
      side,
      part(this.document, `#${side}`, HTMLElement),
      this.painter,
      cap,
      (pane, urgency) => this.changed(pane, urgency),
      (into, files) => void this.#take(into, files),
    );
  }

  async #take(into: Pane, files: readonly File[]): Promise<void> {
    try {
      await this.take(into, files);
    } catch {
      this.failed("The file could not be read. It may have been moved or changed; choose it again.");
    }
  }

  // begin starts a run: whatever was shown is no longer an answer.
  protected begin(): number {
    window.clearTimeout(this.#timer);
    this.engine.abandon();
    this.withdraw();
    this.#set("busy");
    return ++this.#lastRun;
  }

  // newest tells whether a run may still paint.
  protected newest(run: number): boolean {
    return run === this.#lastRun;
  }

  // when does the work of a run at once, or once there is a pause in the typing:
  // till then an old result stays in sight, marked as old.
  protected when(urgency: Urgency, work: () => Promise<void>): void {
    if (urgency === "now") {
      this.outcome.replaceChildren();
      void work();
    } else {
      this.outcome.setAttribute("aria-busy", "true");
      this.#timer = window.setTimeout(() => void work(), pause);
    }
  }

  protected settle(run: number, state: State): void {
    this.outcome.removeAttribute("aria-busy");
    this.#set(state);
    this.document.documentElement.dataset["run"] = String(run);
  }

  // shown tells that a result is in sight; done, that all of it is painted.
  protected shown(run: number): void {
    this.document.documentElement.dataset["shown"] = String(run);
  }

  protected async done(run: number): Promise<void> {
    await this.painter.whole();
    if (this.newest(run)) this.settle(run, "done");
  }

  // stopped: no answer is not an answer. Nothing of an earlier result stays. verb is
  // what the page could not do.
  protected stopped(run: number, error: unknown, verb: string): void {
    const spent = error instanceof EngineSpent;
    this.outcome.replaceChildren(this.stoppedPainting(spent));
    const why = error instanceof EngineStopped ? error.message : String(error);
    this.say(`Could not ${verb}: ${why}.${spent ? " Reload the page to go on." : ""}`);
    this.settle(run, "error");
  }

  protected stoppedPainting(spent: boolean): Node {
    return this.painter.copy(spent ? "t-spent" : "t-stopped");
  }

  #set(state: State): void {
    this.document.documentElement.dataset["state"] = state;
  }
}
