// The compare page's session: two documents, or a report that came in a link.

import { EngineSpent, EngineStopped, type Engine } from "../shared/engine.ts";
import { LinkError, reportIn } from "../shared/link.ts";
import { afterFrame, type Painter } from "../shared/painter.ts";
import { decode, settled, type CompareAnswer, type Facts, type Failure, type ReadAnswer, type View, type ViewAnswer } from "../shared/report.ts";
import type { Held, Pane, Urgency } from "../shared/pane.ts";
import { part } from "../shared/part.ts";
import { Session } from "../shared/session.ts";
import { Assessment } from "./assessment.ts";
import { Exports } from "./exports.ts";
import { Insides } from "./insides.ts";

// The two documents, the time, and the keys.
type Inputs = readonly [Uint8Array, Uint8Array, Uint8Array, Uint8Array];

export class CompareSession extends Session {
  readonly #panes: readonly [Pane, Pane];
  readonly #readings = new WeakMap<Held, ReadAnswer | Failure>();
  readonly #sent: HTMLElement;
  readonly #exports: Exports;
  #batching = false;

  constructor(
    document: Document,
    private readonly page: HTMLElement,
    engine: Engine,
    painter: Painter,
    private readonly keys: Uint8Array, // for a baseline that is signed
  ) {
    super(document, engine, painter, "Loading the comparison engine.");
    this.#sent = part(document, "#sent", HTMLElement);
    this.#exports = new Exports(document, painter, engine, (message) => this.say(message));
    const cap = Number(page.dataset["serviceCap"]);
    this.#panes = [this.pane("baseline", cap), this.pane("current", cap)];
    part(document, "#swap", HTMLButtonElement).addEventListener("click", () => this.#swap());
    this.#sent.addEventListener("click", (event) => {
      if (event.target instanceof Element && event.target.closest("[data-put-away]") !== null) this.#putAway();
    });
  }

  holdPair(baseline: Uint8Array, current: Uint8Array): void {
    this.#together(() => {
      this.#panes[0].hold("example baseline", baseline);
      this.#panes[1].hold("example current", current);
    });
  }

  #swap(): void {
    const [baseline, current] = this.#panes;
    const [left, right] = [baseline.held, current.held];
    this.#together(() => {
      baseline.take(right);
      current.take(left);
    });
  }

  // take: two files at once are a pair, in the order they were given.
  protected override async take(into: Pane, files: readonly File[]): Promise<void> {
    if (files.length === 0) return;
    const targets = files.length === 1 ? [into] : this.#panes;
    const contents = await Promise.all(targets.map((_, i) => files[i]?.arrayBuffer()));
    this.#together(() => {
      targets.forEach((pane, i) => pane.hold(files[i]?.name ?? "", new Uint8Array(contents[i] ?? new ArrayBuffer(0))));
    });
  }

  // #together makes one run of several changes.
  #together(changes: () => void): void {
    this.#batching = true;
    changes();
    this.#batching = false;
    this.#rerun("now");
  }

  // openSent shows the report that the address holds. Nothing of it is fetched,
  // and the address keeps it until the reader does something else.
  async openSent(): Promise<void> {
    const run = this.begin();
    this.outcome.replaceChildren();
    this.say("Opening the report.");
    try {
      const report = await reportIn(location.hash);
      const { outputs } = await this.engine.call("view", [report]);
      if (!this.newest(run)) return;
      const answer = decode<ViewAnswer | Failure>(outputs[0]);
      if (!answer.ok) throw new LinkError(`The link holds no drift report: ${answer.error.message}.`, answer.error.advice ?? "");
      const view = settled(answer, decode<View>(outputs[1]));
      this.#sent.replaceChildren(this.painter.copy("t-sent"));
      part(this.#sent, "a[data-verify]", HTMLAnchorElement).hash = location.hash;
      this.page.dataset["sent"] = "";
      this.outcome.replaceChildren(this.painter.paint("t-result", view));
      this.#exports.offer({ report, current: null, asOf: String(view["as_of"]) });
      this.say("A report from a link, unsigned.");
      await this.done(run);
    } catch (error) {
      if (!this.newest(run)) return;
      if (error instanceof LinkError) this.#broken(run, error);
      else this.stopped(run, error, "compare");
    }
  }

  // #broken: a link that can't be opened is a case of its own, and says why.
  #broken(run: number, { message, advice }: LinkError): void {
    const view = { state: "not_compared", verdict: "COULD NOT OPEN THE REPORT", lead: message, notices: [{ kind: "reason", text: advice }] };
    this.outcome.replaceChildren(this.painter.paint("t-result", view));
    this.say(`Could not open the report: ${message}`);
    this.settle(run, "error");
  }

  #putAway(): void {
    this.#rerun("now");
    part(this.document, "#baseline textarea, #baseline [data-clear]", HTMLElement).focus();
  }

  protected override withdraw(): void {
    this.#exports.withdraw();
    this.#sent.replaceChildren();
    delete this.page.dataset["sent"];
  }

  protected override changed(_: Pane, urgency: Urgency): void {
    if (!this.#batching) this.#rerun(urgency);
  }

  #rerun(urgency: Urgency): void {
    const run = this.begin();
    // The reader's own comparison follows: a report in the address is done with.
    if (isReportLink(location.hash)) history.replaceState(null, "", location.pathname);
    this.when(urgency, () => this.#run(run));
  }

  // #run compares at once where both panes hold something: the answer says of
  // each document what reading it alone would. Only where that is refused, or one
  // pane is empty, each document is read by itself.
  async #run(run: number): Promise<void> {
    try {
      this.say("Comparing.");
      const refused = this.#comparable() ? await this.#compare(run) : undefined;
      if (!this.newest(run) || refused === "settled") return;
      const answers = await Promise.all(this.#panes.map((pane) => this.#read(pane)));
      if (!this.newest(run)) return;
      this.#panes.forEach((pane, i) => {
        const answer = answers[i];
        if (answer !== undefined) pane.show(answer);
      });
      this.#conclude(run, answers, refused);
    } catch (error) {
      if (this.newest(run)) this.stopped(run, error, "compare");
    }
  }

  // #comparable: both panes hold something that was not refused already.
  #comparable(): boolean {
    return this.#panes.every(({ held }) => held !== null && this.#readings.get(held)?.ok !== false);
  }

  // #conclude says why there is no comparison.
  #conclude(run: number, answers: readonly (ReadAnswer | Failure | undefined)[], refused: Failure | undefined): void {
    const waiting = answers.filter((answer) => answer === undefined).length;
    const unreadable = answers.some((answer) => answer?.ok === false);
    if (waiting > 0) {
      this.outcome.replaceChildren();
      this.say(unreadable ? "The document can't be read as a manifest." : waiting === 1 ? "Waiting for the other manifest." : "");
      this.settle(run, unreadable ? "error" : "ready");
    } else if (refused !== undefined && !unreadable) {
      this.#refused(run, refused);
    } else {
      this.outcome.replaceChildren(this.painter.copy("t-unreadable"));
      this.say("Could not compare: a document can't be read as a manifest.");
      this.settle(run, "error");
    }
  }

  // #compare settles the run, or tells what the engine refused.
  async #compare(run: number): Promise<Failure | "settled"> {
    const [baseline, current] = [this.#panes[0].held, this.#panes[1].held];
    if (baseline === null || current === null) throw new Error("a pane is empty");
    const asOf = new TextEncoder().encode(new Date().toISOString());
    const inputs = [baseline.bytes, current.bytes, asOf, this.keys] as const;
    const { outputs, milliseconds } = await this.engine.call("glance", inputs);
    if (!this.newest(run)) return "settled";
    const answer = decode<CompareAnswer | Failure>(outputs[0]);
    if (!answer.ok) return answer;
    const view = settled(answer, decode<View>(outputs[1]));
    this.#known(this.#panes[0], baseline, answer.baseline);
    this.#known(this.#panes[1], current, answer.current);
    this.outcome.replaceChildren(this.painter.paint("t-result", view));
    const assessment = new Assessment(this.outcome, this.painter);
    if (view.state !== "not_compared") assessment.pending();
    const words = view.state === "not_compared" ? "Could not compare" : view.verdict;
    const took = `${words}. Took ${milliseconds.toFixed(0)} ms.`;
    this.say(took);
    this.shown(run);
    await new Promise<void>(afterFrame); // the result is seen before the processors have work again
    if (this.newest(run)) await this.#fill(run, view, inputs);
    if (this.newest(run)) await this.#assess(run, view, inputs, took, assessment);
    return "settled";
  }

  // #fill gets what the first answer left out.
  async #fill(run: number, view: View, inputs: Inputs): Promise<void> {
    const insides = new Insides(this.outcome, this.painter, view);
    if (!insides.wanted) return;
    const { outputs } = await this.engine.call("insides", inputs);
    if (this.newest(run)) insides.show(outputs);
  }

  // #assess follows when the comparison is in sight: it grades the texts and makes
  // the report, which takes longer. What has no answer then is not known, and
  // the comparison stands.
  async #assess(run: number, view: View, inputs: Inputs, took: string, assessment: Assessment): Promise<void> {
    try {
      const { outputs, milliseconds } = await this.engine.call("assess", inputs);
      if (!this.newest(run)) return;
      const answer = decode<ViewAnswer | Failure>(outputs[0]);
      if (!answer.ok) throw new EngineStopped(answer.error.message);
      settled(answer, view);
      const [, report, assessed] = outputs;
      assessment.show(view, assessed);
      if (report !== undefined) this.#exports.offer({ report, current: inputs[1], asOf: new TextDecoder().decode(inputs[2]) });
      this.say(view.state === "not_compared" ? took : `${took} Graded in ${milliseconds.toFixed(0)} ms.`);
    } catch (error) {
      if (!this.newest(run)) return;
      assessment.unknown();
      const why = error instanceof Error ? error.message : String(error);
      this.say(`${took} The grade and the poison rules have no answer: ${why}.${error instanceof EngineSpent ? " Reload the page to go on." : ""}`);
    }
    await this.done(run);
  }

  #known(pane: Pane, held: Held, facts: Facts): void {
    const answer = { ...facts, ok: true } as const;
    this.#readings.set(held, answer);
    pane.show(answer);
  }

  // #refused: a fault that only the comparison itself met.
  #refused(run: number, failure: Failure): void {
    const pane = this.#panes.find(({ side }) => side === failure.error.side);
    pane?.show(failure);
    this.outcome.replaceChildren(this.painter.copy("t-unreadable"));
    this.say(`Could not compare: ${failure.error.message}`);
    this.settle(run, "error");
  }

  async #read(pane: Pane): Promise<ReadAnswer | Failure | undefined> {
    const { held } = pane;
    if (held === null) return undefined;
    const known = this.#readings.get(held);
    if (known !== undefined) return known;
    // A baseline may also be a report or a digest block. One that is signed has to
    // hold under the page's keys; it is never compared as if it were not signed.
    const { outputs } = await (pane.side === "baseline"
      ? this.engine.call("read_signed_baseline", [held.bytes, this.keys])
      : this.engine.call("read", [held.bytes]));
    const answer = decode<ReadAnswer | Failure>(outputs[0]);
    this.#readings.set(held, answer);
    return answer;
  }
}

// isReportLink tells whether a fragment holds a report.
export function isReportLink(fragment: string): boolean {
  return fragment.startsWith("#r=");
}
