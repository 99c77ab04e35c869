// The documents that a report is to be about: read by the engine in this page,
// told in one line, and put together for the service. Nothing is sent here.

import type { Engine } from "../shared/engine.ts";
import { Pane, type Held, type Side } from "../shared/pane.ts";
import type { Painter } from "../shared/painter.ts";
import { part } from "../shared/part.ts";
import { decode, settled, type CompareAnswer, type Failure, type ReadAnswer, type View } from "../shared/report.ts";
import { bodyOf, routes, Unsuited, type Kind } from "./body.ts";
import { bodyHash } from "./pending.ts";
import type { Order } from "./purchase.ts";

// Told is the free headline, and what can be bought if anything can.
export interface Told {
  readonly headline: string;
  readonly order: Order | null;
}

// While someone types, the engine waits for a pause of this many milliseconds.
const pause = 300;

export class Documents {
  kind: Kind = "drift";
  readonly #baseline: Pane;
  readonly #current: Pane;
  #run = 0;
  #timer = 0;

  constructor(
    document: Document,
    painter: Painter,
    private readonly engine: Engine,
    private readonly cap: number,
    private readonly keys: Uint8Array,
    private readonly tell: (told: Told) => void,
  ) {
    const pane = (side: Side): Pane =>
      new Pane(
        side,
        part(document, `#${side}`, HTMLElement),
        painter,
        cap,
        (_, urgency) => this.#changed(urgency === "now" ? 0 : pause),
        (into, files) => void this.#take(into, files),
      );
    this.#baseline = pane("baseline");
    this.#current = pane("current");
    for (const kind of ["dragover", "drop"]) document.addEventListener(kind, (event) => event.preventDefault());
  }

  choose(kind: Kind, baseline: HTMLElement): void {
    this.kind = kind;
    baseline.hidden = kind === "audit";
    this.#changed(0);
  }

  async #take(into: Pane, files: readonly File[]): Promise<void> {
    const targets = files.length > 1 && this.kind === "drift" ? [this.#baseline, this.#current] : [into];
    try {
      for (const [n, pane] of targets.entries()) {
        const file = files[n];
        if (file !== undefined) pane.hold(file.name, new Uint8Array(await file.arrayBuffer()));
      }
    } catch {
      this.tell({ headline: "The file could not be read. It may have been moved or changed; choose it again.", order: null });
    }
  }

  #changed(wait: number): void {
    const run = ++this.#run;
    window.clearTimeout(this.#timer);
    this.engine.abandon();
    this.tell({ headline: "Reading.", order: null });
    this.#timer = window.setTimeout(() => void this.#read(run), wait);
  }

  async #read(run: number): Promise<void> {
    let told: Told;
    try {
      told = this.kind === "audit" ? await this.#audit() : await this.#drift();
    } catch (error) {
      if (error instanceof Unsuited) told = waiting(error.message);
      else told = { headline: `Could not check: ${error instanceof Error ? error.message : String(error)}. Reload the page and try again.`, order: null };
    }
    if (run === this.#run) this.tell(told);
  }

  async #audit(): Promise<Told> {
    const { held } = this.#current;
    if (held === null) return waiting("Put in the manifest that the report is to be about.");
    const current = await this.#facts(this.#current, held);
    if (!current.ok) return waiting(`Could not read the manifest: ${current.error.message}.`);
    const refused = unsuited(current);
    if (refused !== "") return waiting(refused);
    if ((current.tool_count ?? 0) === 0) return waiting("Could not grade: the manifest contains no tools.");
    const headline = `${count(current.tool_count ?? 0)}, digest ${(current.aggregate_digest ?? "").slice(0, 16)}… – the report grades and screens what stands here.`;
    return this.#order(headline, bodyOf(held.bytes, null));
  }

  async #drift(): Promise<Told> {
    const [baseline, current] = [this.#baseline.held, this.#current.held];
    const readings = await Promise.all([
      baseline === null ? null : this.#facts(this.#baseline, baseline),
      current === null ? null : this.#facts(this.#current, current),
    ]);
    for (const [n, reading] of readings.entries()) {
      if (reading !== null && !reading.ok) return waiting(`Could not compare: the ${n === 0 ? "baseline" : "current manifest"} can't be read: ${reading.error.message}.`);
    }
    const [before, after] = readings as readonly (ReadAnswer | null)[];
    if (baseline === null || current === null || before == null || after == null) return waiting("Put in both: the baseline, and the manifest of now.");
    const refused = unsuited(before) || unsuited(after);
    if (refused !== "") return waiting(refused);
    const headline = await this.#headline(baseline, current);
    if (headline === null) return waiting("Could not compare: one of the two has no tools.");
    return this.#order(headline, bodyOf(current.bytes, { bytes: baseline.bytes, shape: before.shape }));
  }

  // #headline is what the comparison says, without its details.
  async #headline(baseline: Held, current: Held): Promise<string | null> {
    const asOf = new TextEncoder().encode(new Date().toISOString());
    const { outputs } = await this.engine.call("glance", [baseline.bytes, current.bytes, asOf, this.keys]);
    const answer = decode<CompareAnswer | Failure>(outputs[0]);
    if (!answer.ok) throw new Error(answer.error.message);
    const view = decode<View & { readonly counts: readonly { readonly label: string }[] }>(outputs[1]);
    settled(answer, view);
    if (view.state === "not_compared") return null;
    return `${view.verdict}: ${view.counts.map(({ label }) => label).join(", ")}.`;
  }

  async #facts(pane: Pane, held: Held): Promise<ReadAnswer | Failure> {
    const asBaseline = pane.side === "baseline";
    const { outputs } = await (asBaseline ? this.engine.call("read_signed_baseline", [held.bytes, this.keys]) : this.engine.call("read", [held.bytes]));
    const answer = decode<ReadAnswer | Failure>(outputs[0]);
    pane.show(answer);
    return answer;
  }

  async #order(headline: string, body: Uint8Array): Promise<Told> {
    if (body.length > this.cap) {
      const over = `${headline} But together the documents are ${body.length.toLocaleString("en")} bytes; the service takes ${this.cap.toLocaleString("en")} at most.`;
      return waiting(over);
    }
    const route = routes[this.kind];
    return { headline, order: { route, body, hash: await bodyHash(route, body) } };
  }
}

function waiting(headline: string): Told {
  return { headline, order: null };
}

// unsuited: what this page unwraps, the service does not: it takes a tools/list
// result or its list, as the criteria say.
function unsuited(answer: ReadAnswer): string {
  const wrapped = answer.shown_notes.some(({ code }) => code === "unwrapped");
  if (!wrapped) return "";
  return "The manifest stands inside something else here. The service takes the tools/list result itself, or its list of tools: paste that.";
}

function count(tools: number): string {
  return tools === 1 ? "1 tool" : `${tools.toLocaleString("en")} tools`;
}
